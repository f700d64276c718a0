"""What changed between two replies, word by word, as ranges of their characters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

MAX_CHARACTERS = 100_000
MAX_WORDS = 12_000
"""Of either side; the table behind the comparison has a bit for every pair."""
REWRITTEN_BELOW = 0.3
"""Replies that share less than this are shown as they are: marking nearly every word helps nobody."""
_ISLAND = 3
"""Characters; what stays alike between two changes and is no longer than this reads as part of the change."""
_WORD = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")


class Range(NamedTuple):
    """Characters from `start` up to, not including, `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Changes:
    """`removed` are ranges of the first text, `added` of the second; both empty where nothing is alike enough."""

    removed: tuple[Range, ...]
    added: tuple[Range, ...]
    alike: float
    """The share of both texts that is the same, 0 to 1."""

    @property
    def rewritten(self) -> bool:
        """Whether too little is alike for marks to help."""
        return self.alike < REWRITTEN_BELOW


def changes(base: str, head: str) -> Changes | None:
    """The changed words of two texts, white space aside; None where one of them is too long to be compared."""
    if max(len(base), len(head)) > MAX_CHARACTERS:
        return None
    ours, theirs = _words(base), _words(head)
    if len(ours) > MAX_WORDS or len(theirs) > MAX_WORDS:
        return None
    from rapidfuzz.distance import Indel  # bit-parallel: difflib takes seconds on a few thousand words

    numbers: dict[str, int] = {}
    keys = [[numbers.setdefault(found[0].strip(), len(numbers)) for found in words] for words in (ours, theirs)]
    removed: list[Range] = []
    added: list[Range] = []
    same = 0
    for code in Indel.opcodes(keys[0], keys[1]):
        if code.tag == "equal":
            same += _range(theirs, code.dest_start, code.dest_end, base=head).length
            continue
        if code.src_end > code.src_start:
            removed.append(_range(ours, code.src_start, code.src_end, base=base).range)
        if code.dest_end > code.dest_start:
            added.append(_range(theirs, code.dest_start, code.dest_end, base=head).range)
    longest = max(len(base.strip()), len(head.strip()))
    alike = min(1.0, same / longest) if longest else 1.0
    if alike < REWRITTEN_BELOW:
        return Changes((), (), alike)
    return Changes(_joined(removed, base), _joined(added, head), alike)


@dataclass(frozen=True, slots=True)
class _Run:
    range: Range
    length: int


def _words(text: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(text))


def _range(words: Sequence[re.Match[str]], first: int, last: int, *, base: str) -> _Run:
    """The characters of a run of words, the white space after it aside."""
    start, end = words[first].start(), words[last - 1].end()
    return _Run(Range(start, start + len(base[start:end].rstrip()) or end), end - start)


def _joined(ranges: Iterable[Range], text: str) -> tuple[Range, ...]:
    found: list[Range] = []
    for each in ranges:
        if found and len(text[found[-1].end : each.start].strip()) <= _ISLAND:
            found[-1] = Range(found[-1].start, each.end)
        else:
            found.append(each)
    return tuple(each for each in found if each.end > each.start)
