"""What a matcher is, and every kind of it: what is expected at one place of a JSON value, and where it differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from pydantic import JsonValue

from quilate.checks.pairing import maximum_matching
from quilate.checks.values import Comparison, shown, typed
from quilate.shown import Path, dotted


class Missing(Enum):
    """The key is not there: not the same as null."""

    ABSENT = "nothing"


ABSENT = Missing.ABSENT
Found = JsonValue | Missing


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where what was found is not what was expected, both with their types."""

    path: Path
    expected: str
    found: str

    def __str__(self) -> str:
        place = f"{dotted(self.path)}: " if self.path else ""
        return f"{place}expected {self.expected}, found {self.found}"


def show_found(found: Found) -> str:
    """What was found, with its type; `nothing` where the key is absent."""
    return "nothing" if isinstance(found, Missing) else typed(found)


class Matcher(Protocol):
    """What is expected at one place."""

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """Every place where `found` differs; none where it matches. May raise `PatternTimeoutError`."""
        ...


def matches(matcher: Matcher, found: Found) -> bool:
    """Whether `found` is what is expected."""
    return next(matcher.mismatches(found), None) is None


@dataclass(frozen=True, slots=True)
class Scalar:
    """Text, number, boolean or null: itself."""

    value: JsonValue
    comparison: Comparison

    def __str__(self) -> str:
        return typed(self.value)

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if isinstance(found, Missing) or not self.comparison.same(self.value, found):
            yield Mismatch(path, str(self), show_found(found))


@dataclass(frozen=True, slots=True)
class Items:
    """A list, item by item in order."""

    items: tuple[Matcher, ...]

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not isinstance(found, list):
            yield Mismatch(path, f"a list: {self}", show_found(found))
        elif len(found) != len(self.items):
            yield Mismatch(path, f"{len(self.items)} items: {self}", f"{len(found)} items: {shown(found)}")
        else:
            for index, (item, value) in enumerate(zip(self.items, found, strict=True)):
                yield from item.mismatches(value, (*path, index))


@dataclass(frozen=True, slots=True)
class Fields:
    """An object, key by key; keys beside them only where `extra` allows."""

    fields: Mapping[str, Matcher]
    extra: bool

    def __str__(self) -> str:
        return f"{{{', '.join(f'{key}: {matcher}' for key, matcher in self.fields.items())}}}"

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not isinstance(found, dict):
            yield Mismatch(path, "an object", show_found(found))
            return
        for key, matcher in self.fields.items():
            yield from matcher.mismatches(found.get(key, ABSENT), (*path, key))
        if not self.extra:
            for key, value in found.items():
                if key not in self.fields:
                    yield Mismatch((*path, key), "nothing", show_found(value))


@dataclass(frozen=True, slots=True)
class Check:
    """A condition that holds or not: `holds(found)`, and what is expected in words."""

    expected: str
    holds: Callable[[JsonValue], bool]

    def __str__(self) -> str:
        return self.expected

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if isinstance(found, Missing) or not self.holds(found):
            yield Mismatch(path, self.expected, show_found(found))


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of several."""

    options: tuple[Matcher, ...]

    def __str__(self) -> str:
        return f"any of {', '.join(map(str, self.options))}"

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not any(matches(option, found) for option in self.options):
            yield Mismatch(path, str(self), show_found(found))


@dataclass(frozen=True, slots=True)
class Unordered:
    """A list whose items may stand in any order, each as often as listed."""

    items: tuple[Matcher, ...]

    def __str__(self) -> str:
        return f"in any order [{', '.join(map(str, self.items))}]"

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not isinstance(found, list) or len(found) != len(self.items) or not self._paired(found):
            yield Mismatch(path, str(self), show_found(found))

    def _paired(self, found: list[JsonValue]) -> bool:
        edges = [[right for right, value in enumerate(found) if matches(item, value)] for item in self.items]
        return len(maximum_matching(edges)) == len(found)


@dataclass(frozen=True, slots=True)
class Contains:
    """A text with each of these in it, or a list with an item for each."""

    parts: tuple[JsonValue, ...]
    items: tuple[Matcher, ...]
    comparison: Comparison

    def __str__(self) -> str:
        return f"something that contains {' and '.join(map(str, self.items))}"

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not self._holds(found):
            yield Mismatch(path, str(self), show_found(found))

    def _holds(self, found: Found) -> bool:
        if isinstance(found, list):
            return all(any(matches(item, value) for value in found) for item in self.items)
        if not isinstance(found, str):
            return False
        text = self.comparison.text(found)
        return all(isinstance(part, str) and self.comparison.text(part) in text for part in self.parts)


@dataclass(frozen=True, slots=True)
class NotThere:
    """The key must be absent."""

    def __str__(self) -> str:
        return "nothing"

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not isinstance(found, Missing):
            yield Mismatch(path, str(self), show_found(found))


@dataclass(frozen=True, slots=True)
class Optional:
    """May be absent; if present every condition must hold."""

    conditions: tuple[Matcher, ...]
    optional: bool

    def __str__(self) -> str:
        text = " and ".join(map(str, self.conditions)) or "any value"
        return f"{text} or nothing" if self.optional else text

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if isinstance(found, Missing) and self.optional:
            return
        for condition in self.conditions:
            yield from condition.mismatches(found, path)
