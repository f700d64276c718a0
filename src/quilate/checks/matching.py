"""What a matcher is, and every kind of it: what is expected at one place of a JSON value, and where it differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from pydantic import JsonValue

from quilate.checks.pairing import maximum_matching
from quilate.checks.values import Comparison, shown, typed
from quilate.saying import listed, message, say
from quilate.shown import Path, dotted


class Missing(Enum):
    """The key is not there: not the same as null."""

    ABSENT = "nothing"


NOTHING = say("nothing")


AND = message(" and ")
ABSENT = Missing.ABSENT
Found = JsonValue | Missing


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where what was found is not what was expected, both with their types."""

    path: Path
    expected: str
    found: str

    def __str__(self) -> str:
        if not self.path:
            return say("expected {expected}, found {found}", expected=self.expected, found=self.found)
        return say(
            "{place}: expected {expected}, found {found}",
            place=dotted(self.path), expected=self.expected, found=self.found,
        )  # fmt: skip


def show_found(found: Found) -> str:
    """What was found, with its type; `nothing` where the key is absent."""
    return NOTHING if isinstance(found, Missing) else typed(found)


def _counted(n: int, items: str) -> str:
    return say("{n} items: {items}", n=n, items=items)


def fields_shown(fields: Mapping[str, Matcher]) -> str:
    """Each key with what is expected there."""
    return listed(listed([key, str(matcher)], by=": ") for key, matcher in fields.items())


def bracketed(items: Sequence[Matcher]) -> str:
    """What is expected of each item of a list."""
    return listed(["[", listed(map(str, items)), "]"], by="")


class Matcher(Protocol):
    """What is expected at one place; `str` of it says so in words that keep their parts (see `saying`)."""

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
        return bracketed(self.items)

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not isinstance(found, list):
            yield Mismatch(path, say("a list: {items}", items=str(self)), show_found(found))
        elif len(found) != len(self.items):
            yield Mismatch(path, _counted(len(self.items), str(self)), _counted(len(found), shown(found)))
        else:
            for index, (item, value) in enumerate(zip(self.items, found, strict=True)):
                yield from item.mismatches(value, (*path, index))


@dataclass(frozen=True, slots=True)
class Fields:
    """An object, key by key; keys beside them only where `extra` allows."""

    fields: Mapping[str, Matcher]
    extra: bool

    def __str__(self) -> str:
        return listed(["{", fields_shown(self.fields), "}"], by="")

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not isinstance(found, dict):
            yield Mismatch(path, say("an object"), show_found(found))
            return
        for key, matcher in self.fields.items():
            yield from matcher.mismatches(found.get(key, ABSENT), (*path, key))
        if not self.extra:
            for key, value in found.items():
                if key not in self.fields:
                    yield Mismatch((*path, key), NOTHING, show_found(value))


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
        return say("any of {options}", options=listed(map(str, self.options)))

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if not any(matches(option, found) for option in self.options):
            yield Mismatch(path, str(self), show_found(found))


@dataclass(frozen=True, slots=True)
class Unordered:
    """A list whose items may stand in any order, each as often as listed."""

    items: tuple[Matcher, ...]

    def __str__(self) -> str:
        return say("in any order {items}", items=bracketed(self.items))

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
        return say("something that contains {items}", items=listed(map(str, self.items), by=AND))

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
        return NOTHING

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
        text = listed(map(str, self.conditions), by=AND) if self.conditions else say("any value")
        return say("{value} or nothing", value=text) if self.optional else text

    def mismatches(self, found: Found, path: Path = ()) -> Iterator[Mismatch]:
        """As `Matcher` says."""
        if isinstance(found, Missing) and self.optional:
            return
        for condition in self.conditions:
            yield from condition.mismatches(found, path)
