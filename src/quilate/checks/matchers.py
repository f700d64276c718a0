"""Typed matchers for a tool call's arguments, at every depth.

In an expectation a plain value means itself, an object is matched key by key, and a list item by item in order. An
object whose keys are all of `KEYWORDS` is a matcher; `{equals: {…}}` means an object literally. Numbers compare by
value, a boolean is never a number, a text never a number unless `coerce: true`; texts compare in NFC and stripped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from pydantic import JsonValue

from quilate.checks.matching import (
    AnyOf,
    Check,
    Contains,
    Fields,
    Items,
    Matcher,
    Mismatch,
    NotThere,
    Optional,
    Scalar,
    Unordered,
)
from quilate.checks.patterns import MatcherError, Pattern
from quilate.checks.values import Comparison, fraction, is_number, shown, typed
from quilate.errors import nearest
from quilate.saying import say
from quilate.shown import Path
from quilate.text import nfc

__all__ = ["KEYWORDS", "Fields", "MatcherError", "Mismatch", "compile_args", "exact_args"]

CONDITIONS = ("equals", "any_of", "regex", "approx", "contains", "unordered", "absent", "any")
MODIFIERS = ("optional", "tol", "normalize", "coerce")
KEYWORDS = frozenset(CONDITIONS + MODIFIERS)
_LITERALLY = "to expect an object with these keys, write {equals: {…}}"
_APPROX_RELATIVE = Fraction(1, 10**6)


def compile_args(
    args: Mapping[str, JsonValue],
    *,
    normalize: Literal["exact", "loose"] = "exact",
    extra_args: Literal["allow", "forbid"] = "allow",
) -> Fields:
    """The matcher for a call's arguments. The keys of `args` are argument names, never keywords.

    `extra_args` holds for objects at every depth. Raises `MatcherError` with the path inside `args`.
    """
    compiler = _Compiler(Comparison(loose=normalize == "loose"), extra_args == "allow")
    return Fields({key: compiler.expectation(value, (key,)) for key, value in args.items()}, compiler.extra)


def exact_args(args: Mapping[str, JsonValue]) -> Fields:
    """The matcher for exactly these arguments, every value taken literally."""
    comparison = Comparison()
    return Fields({key: literal(value, comparison) for key, value in args.items()}, extra=False)


def literal(value: JsonValue, comparison: Comparison) -> Matcher:
    """The matcher for a value itself: no keyword means anything in it, no further key is allowed."""
    if isinstance(value, dict):
        return Fields({key: literal(inner, comparison) for key, inner in value.items()}, extra=False)
    if isinstance(value, list):
        return Items(tuple(literal(inner, comparison) for inner in value))
    return Scalar(value, comparison)


@dataclass(frozen=True, slots=True)
class _Compiler:
    comparison: Comparison
    extra: bool

    def expectation(self, value: JsonValue, path: Path, *, in_object: bool = True) -> Matcher:
        """`in_object` is whether the place is an object's key, which alone can be absent."""
        if isinstance(value, list):
            return Items(self._each(value, path))
        if not isinstance(value, dict):
            return Scalar(value, self.comparison)
        known = KEYWORDS & value.keys()
        if not known:
            return Fields({key: self.expectation(inner, (*path, key)) for key, inner in value.items()}, self.extra)
        for key in value:
            if key not in KEYWORDS:
                close = nearest(key, KEYWORDS)
                found = f"{key!r} stands beside the matcher keyword {min(known)!r}"
                raise MatcherError(
                    (*path, key), found, f"did you mean {close!r}? {_LITERALLY}" if close else _LITERALLY
                )
        return self._matcher(value, path, in_object=in_object)

    def _each(self, values: list[JsonValue], path: Path, *, in_object: bool = False) -> tuple[Matcher, ...]:
        return tuple(self.expectation(value, (*path, index), in_object=in_object) for index, value in enumerate(values))

    def _matcher(self, value: dict[str, JsonValue], path: Path, *, in_object: bool) -> Matcher:
        for key in ("optional", "absent"):
            if key in value and not in_object:
                raise MatcherError((*path, key), f"{key} in a list", "an item of a list cannot be absent; leave it out")
        inner = replace(self, comparison=self._comparison(value, path))
        optional = _flag(value, "optional", path)
        conditions = tuple(
            inner._condition(key, value, path, in_object=in_object)  # noqa: SLF001 - of the same class
            for key in CONDITIONS
            if key in value
        )
        if "absent" in value and (len(conditions) > 1 or optional):
            raise MatcherError(path, "absent beside another keyword", "absent: true stands alone")
        if not conditions and not (optional and len(value) == 1):
            found = f"{', '.join(sorted(value))} without anything to compare with"
            raise MatcherError(path, found, f"add one of {', '.join(CONDITIONS)}; {_LITERALLY}")
        if "tol" in value and "approx" not in value:
            raise MatcherError((*path, "tol"), "tol without approx", "write {approx: NUMBER, tol: NUMBER}")
        return conditions[0] if len(conditions) == 1 and not optional else Optional(conditions, optional)

    def _comparison(self, value: dict[str, JsonValue], path: Path) -> Comparison:
        comparison = self.comparison
        if "normalize" in value:
            how = value["normalize"]
            if how not in ("exact", "loose"):
                raise MatcherError((*path, "normalize"), f"found {typed(how)}", "write exact or loose")
            comparison = replace(comparison, loose=how == "loose")
        if "coerce" in value:
            comparison = replace(comparison, coerce=_flag(value, "coerce", path))
        return comparison

    def _condition(self, key: str, value: dict[str, JsonValue], path: Path, *, in_object: bool) -> Matcher:
        given = value[key]
        here = (*path, key)
        if key == "equals":
            return literal(given, self.comparison)
        if key == "regex":
            return self._regex(given, here)
        if key == "approx":
            return _approx(given, value.get("tol"), path)
        if key == "contains":
            parts: list[JsonValue] = given if isinstance(given, list) else [given]
            if not parts:
                raise MatcherError(here, "an empty list", "list what must be contained")
            where = here if isinstance(given, list) else path
            return Contains(tuple(parts), self._each(parts, where), self.comparison)
        if key in ("any_of", "unordered"):
            if not isinstance(given, list) or (key == "any_of" and not given):
                raise MatcherError(here, f"found {typed(given)}", f"write a list: {{{key}: [a, b]}}")
            if key == "unordered":
                return Unordered(self._each(given, here))
            return AnyOf(self._each(given, here, in_object=in_object))
        if given is not True:
            raise MatcherError(here, f"found {typed(given)}", f"write {key}: true, or leave it out; {_LITERALLY}")
        return NotThere() if key == "absent" else Check(say("any value"), lambda _: True)

    def _regex(self, given: JsonValue, path: Path) -> Matcher:
        if not isinstance(given, str):
            raise MatcherError(path, f"found {typed(given)}", "write a regular expression as text")
        pattern = Pattern(given, path)
        coerce = self.comparison.coerce

        def holds(found: JsonValue) -> bool:
            if coerce and is_number(found):
                found = shown(found)
            return isinstance(found, str) and pattern.matches_all(nfc(found).strip())

        return Check(say("a text that matches /{pattern}/ as a whole", pattern=given), holds)


def _flag(value: Mapping[str, JsonValue], key: str, path: Path) -> bool:
    given: Any = value.get(key, False)
    if not isinstance(given, bool):
        raise MatcherError((*path, key), f"found {typed(given)}", f"write {key}: true or {key}: false")
    return given


def _approx(expected: JsonValue, tol: JsonValue, path: Path) -> Matcher:
    centre = fraction(expected)
    if centre is None:
        raise MatcherError((*path, "approx"), f"found {typed(expected)}", "write a number")
    width = abs(centre) * _APPROX_RELATIVE if tol is None else fraction(tol)
    if width is None or width < 0:
        raise MatcherError((*path, "tol"), f"found {typed(tol)}", "write a number that is not negative")

    def holds(found: JsonValue) -> bool:
        value = fraction(found)
        return value is not None and abs(value - centre) <= width

    about = shown(expected)
    words = (
        say("{value} ± {tolerance} (number)", value=about, tolerance=shown(tol))
        if tol is not None
        else say("about {value} (number)", value=about)
    )
    return Check(words, holds)
