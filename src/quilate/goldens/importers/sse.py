"""Server-sent events in a log: which lines are a stream's, and the JSON in them (WHATWG HTML, section 9.2)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_LOOKS_STREAMED = re.compile(r"(?m)^\s*data:\s?\{")
_FIELD = re.compile(r"^\s{0,4}(?:(?P<name>data|event|id|retry):\s?(?P<value>.*)$|:)")
_DONE = "[DONE]"


@dataclass(frozen=True, slots=True)
class Events:
    """A stream's events, how many more could not be read, and whether it says itself that it is done."""

    values: tuple[Any, ...]
    unread: int = 0
    done: bool = False


def is_streamed(text: str) -> bool:
    """Whether a text holds server-sent events with JSON in them."""
    return _LOOKS_STREAMED.search(text) is not None


def parts_of(text: str) -> Iterator[str | Events]:
    """A log in its parts, in order: text that is no stream's, and streams."""
    lines: list[str] = []
    streaming = False
    for line in text.split("\n"):
        belongs = streaming if not line.strip() else _FIELD.match(line) is not None
        if belongs is not streaming:
            yield from _part(lines, streaming=streaming)
            lines, streaming = [], belongs
        lines.append(line)
    yield from _part(lines, streaming=streaming)


def _part(lines: list[str], *, streaming: bool) -> Iterator[str | Events]:
    if streaming:
        yield _events(lines)
    elif any(line.strip() for line in lines):
        yield "\n".join(lines)


def _events(lines: Iterable[str]) -> Events:
    values: list[Any] = []
    unread = 0
    done = False
    for data in _data(lines):
        if data.strip() in ("", _DONE):
            done = done or bool(data.strip())
            continue
        try:
            values.append(json.loads(data))
        except (ValueError, RecursionError):
            unread += 1
    return Events(tuple(values), unread, done)


def _data(lines: Iterable[str]) -> Iterator[str]:
    """Each event's data: its `data` lines, joined. A blank line ends an event.

    So does a `data` line with an object of its own, as far as logs go: tools that print a stream drop blank lines.
    """
    data: list[str] = []
    for line in lines:
        match = _FIELD.match(line)
        value = match["value"] if match and match["name"] == "data" else None
        if data and (match is None or (value is not None and value.lstrip().startswith(("{", _DONE)))):
            yield "\n".join(data)
            data = []
        if value is not None:
            data.append(value)
    if data:
        yield "\n".join(data)
