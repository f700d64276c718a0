"""The end of a stream, and what of it says why a process ended."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile

_KEPT_BYTES = 8 * 1024
_LINE = 400
_BESIDE_THE_POINT = re.compile(r"[\s^~{}\]]*|Traceback \(most recent call last\):|Node\.js v[\d.]+")
"""Lines beside an error's message that say nothing: marks under a line of source, headings, a version."""
_FRAME = re.compile(r"\s+(File \".*\", line \d+.*|at \S.*|from \S+:\d+.*)")
"""A place in a stack, as Python, JavaScript, Java and Ruby print it."""


class Tail:
    """The last kilobytes of a stream."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._cut = False

    def add(self, data: bytes) -> None:
        """Takes `data`, forgets what is too old."""
        self._cut = self._cut or len(self._bytes) + len(data) > _KEPT_BYTES
        self._bytes += data[-_KEPT_BYTES:]
        del self._bytes[:-_KEPT_BYTES]

    def last_lines(self, count: int = 4) -> str:
        """What the stream said last, on one line: see `last_words`."""
        # The sign tells whoever takes secrets out that the beginning of one may be missing.
        return last_words("…" * self._cut + self._bytes.decode("utf-8", "replace"), count)


def last_words(text: str, count: int = 4) -> str:
    """The last `count` lines of `text` that tell something, on one line.

    Where they are an error with its stack, the error's message comes first and the place nearest to it follows.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    frames = [number for number, line in enumerate(lines) if _FRAME.fullmatch(line)]
    if frames:
        after = _telling(line for line in lines[frames[-1] + 1 :] if not line[:1].isspace())
        if after:  # Python's message follows its stack, the innermost place last
            return _joined([*after[-count:], lines[frames[-1]]])
        first = next(at for at in reversed(frames) if at - 1 not in frames)
        above = list(takewhile(str.strip, reversed(lines[:first])))
        return _joined([*_telling(reversed(above))[-count:], lines[first]])
    return _joined(_telling(lines)[-count:])


def _telling(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if not _BESIDE_THE_POINT.fullmatch(line)]


def _joined(lines: Iterable[str]) -> str:
    return " / ".join(_cut(line.strip()) for line in lines)


def _cut(line: str) -> str:
    return line if len(line) <= _LINE else f"{line[: _LINE - 1]}…"
