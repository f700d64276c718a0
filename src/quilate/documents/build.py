"""Puts a document together from what a reader finds, one event at a time."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from quilate.documents.document import Document, Mark
from quilate.errors import InputError, Problem
from quilate.shown import Path, dotted, shown, visible

MAX_DEPTH = 64

JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


class Refused:
    """A value or key that was read but cannot be used; its problem is already noted."""


REFUSED = Refused()


@dataclass(slots=True)
class _Open:
    """An object or list whose end was not read yet."""

    value: dict[str, Any] | list[Any]
    inner: dict[str, Mark] | list[Mark]
    line: int
    key: str | Refused | None = None
    key_line: int = 0
    empty: bool = True
    is_key: bool = False


@dataclass(slots=True)
class Builder:
    """Puts together what a reader finds, one event at a time and without recursion, and notes every problem."""

    file: str
    problems: list[Problem] = field(default_factory=list)
    _stack: list[_Open] = field(default_factory=list)
    _value: Any = None
    _mark: Mark = 1

    @property
    def depth(self) -> int:
        """How many objects and lists are open."""
        return len(self._stack)

    @property
    def wants_key(self) -> bool:
        """Whether what comes next is an object's key."""
        return bool(self._stack) and isinstance(self._stack[-1].value, dict) and self._stack[-1].key is None

    @property
    def in_object(self) -> bool:
        """Whether the innermost open value is an object."""
        return bool(self._stack) and isinstance(self._stack[-1].value, dict)

    @property
    def empty(self) -> bool:
        """Whether the innermost open value holds nothing yet."""
        return bool(self._stack) and self._stack[-1].empty

    def path(self) -> Path:
        """Where the next value will stand."""
        steps: list[str | int] = []
        for level in self._stack:
            if isinstance(level.value, list):
                steps.append(len(level.value))
            elif isinstance(level.key, str):
                steps.append(level.key)
        return tuple(steps)

    def note(self, line: int, found: str, mend: str) -> None:
        """Notes a problem with the value that stands, or would stand, next."""
        self.problems.append(Problem(visible(self.file, 400), line, dotted(self.path()), f"found {found}", mend))

    def stop(self, line: int, found: str, mend: str) -> InputError:
        """The error for a problem after which nothing more can be read."""
        self.note(line, found, mend)
        return InputError(self.problems)

    def too_deep(self, line: int) -> InputError:
        """The error for nesting without end."""
        return self.stop(line, f"values nested more than {MAX_DEPTH} deep", "write it flatter")

    def open(self, line: int, *, is_object: bool) -> None:
        """An object or list begins."""
        if self.depth >= MAX_DEPTH:
            raise self.too_deep(line)
        is_key = self.wants_key
        if is_key:
            self.note(line, "an object or a list as a key", "write the key as text")
        self._stack.append(_Open({}, {}, line, is_key=is_key) if is_object else _Open([], [], line, is_key=is_key))

    def close(self) -> None:
        """The innermost object or list ends."""
        level = self._stack.pop()
        if level.is_key:
            self._stack[-1].key = REFUSED
            return
        self._add(level.value, (level.line, level.inner), level.line)

    def key(self, key: Any, line: int) -> None:
        """An object's key."""
        level = self._stack[-1]
        assert isinstance(level.inner, dict)
        if not isinstance(key, str):
            level.key = REFUSED
            if key is not REFUSED:
                self.note(line, f"{shown(key)} as a key", "put the key in quotes")
            return
        level.key = key
        level.key_line = line
        if not _encodable(key):
            self.note(line, "half of a surrogate pair", _SURROGATE)
            level.key = REFUSED
        elif key in level.inner:
            first = level.inner[key]
            where = first if isinstance(first, int) else first[0]
            self.note(line, f"this key a second time (first on line {where})", "keep one of the two")

    def scalar(self, value: Any, line: int) -> None:
        """A value that holds no others."""
        if isinstance(value, str) and not _encodable(value):
            self.note(line, "half of a surrogate pair", _SURROGATE)
        self._add(value, line, line)

    def whole(self, value: Any, line: int) -> None:
        """A value that was read elsewhere and has no problem, all of it on one line."""
        self._add(value, line, line)

    def _add(self, value: Any, mark: Mark, line: int) -> None:
        if not self._stack:
            self._value, self._mark = value, mark
            return
        level = self._stack[-1]
        level.empty = False
        if isinstance(level.value, list):
            assert isinstance(level.inner, list)
            level.value.append(value)
            level.inner.append(mark)
        elif isinstance(level.key, str):
            assert isinstance(level.inner, dict)
            level.value[level.key] = value
            level.inner[level.key] = level.key_line if isinstance(mark, int) else (level.key_line, mark[1])
            level.key = None
        else:
            level.key = None

    def document(self) -> Document:
        """What was read. Raises `InputError` with every problem noted."""
        if self.problems:
            raise InputError(self.problems)
        return Document(self.file, self._value, self._mark)


_SURROGATES = re.compile("[\ud800-\udfff]")
_SURROGATE = "write the character itself, or both halves of its escape"


def _encodable(text: str) -> bool:
    return text.isascii() or _SURROGATES.search(text) is None


def number(match: re.Match[str]) -> int | float | None:
    """The number that `JSON_NUMBER` matched; None where it is too large to be one."""
    text = match[0]
    if match[1] is None and match[2] is None:
        try:
            return int(text)
        except ValueError:  # Python converts at most 4300 digits
            return None
    value = float(text)
    return value if math.isfinite(value) else None
