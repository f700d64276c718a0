"""JSON values: when two are the same, and how they are shown to a person."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from fractions import Fraction

from pydantic import JsonValue

from quilate.saying import message, say
from quilate.text import nfc

RELATIVE_TOLERANCE = 1e-9
MAX_SHOWN = 200
_DROPPED_WHEN_LOOSE = re.compile(r"[\s,./\-_*^]+")
_QUOTES = str.maketrans("'‘’“”«»", '"""""""')
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How values are compared.

    `loose` drops white space and `,./-_*^` from texts, folds case and unifies quotation marks (as BFCL does);
    `coerce` lets a number equal its text.
    """

    loose: bool = False
    coerce: bool = False

    def text(self, text: str) -> str:
        """`text` as it is compared: NFC and stripped, or loose."""
        text = nfc(text).strip()
        return _DROPPED_WHEN_LOOSE.sub("", text).casefold().translate(_QUOTES) if self.loose else text

    def same(self, expected: JsonValue, found: JsonValue) -> bool:
        """Whether two scalars are the same; lists and objects are never the same as a scalar."""
        if self.coerce:
            expected, found = _number_in(expected, found), _number_in(found, expected)
        if is_number(expected) and is_number(found):
            return same_number(expected, found)
        if isinstance(expected, str) and isinstance(found, str):
            return self.text(expected) == self.text(found)
        return (expected is None or isinstance(expected, bool)) and expected is found


def is_number(value: object) -> bool:
    """Whether `value` is a number; true and false are none, although Python counts with them."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def same_number(left: JsonValue, right: JsonValue) -> bool:
    """Whether two numbers have one value: 5 and 5.0 do; fractions within a relative 1e-9.

    Whole numbers are compared exactly: 1e-9 of a ten-digit order number is another order.
    """
    assert isinstance(left, int | float)
    assert isinstance(right, int | float)
    if _whole(left) and _whole(right):
        return int(left) == int(right)
    try:
        return math.isclose(left, right, rel_tol=RELATIVE_TOLERANCE)
    except OverflowError:  # a whole number beyond any float, and a fraction
        return False


def fraction(value: object) -> Fraction | None:
    """A number as it was written (0.1 is a tenth); None for NaN, infinities and what is no number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value)
    return Fraction(repr(value)) if isinstance(value, float) and math.isfinite(value) else None


def _whole(value: float) -> bool:
    return isinstance(value, int) or value.is_integer()


def _number_in(value: JsonValue, other: JsonValue) -> JsonValue:
    """A text that holds a number, as that number where it is compared with one."""
    if isinstance(value, str) and is_number(other) and _NUMBER.fullmatch(value.strip()):
        try:
            number: JsonValue = json.loads(value.strip())
        except ValueError:  # more digits than Python converts
            return value
        return number
    return value


def kind_of(value: object) -> str:
    """The type of a JSON value, in a person's words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "number"
    return "list" if isinstance(value, list | tuple) else "object"


_TOO_LARGE = {
    "number": message("a number too large to show"), "list": message("a list too large to show"),
    "object": message("an object too large to show"),
}  # fmt: skip


def shown(value: object, limit: int = MAX_SHOWN) -> str:
    """`value` as JSON on one line, at most about `limit` characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return say(_TOO_LARGE[kind_of(value)])
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


_WITH_KIND = {
    "boolean": message("{value} (boolean)"), "text": message("{value} (text)"), "number": message("{value} (number)"),
    "list": message("{value} (list)"), "object": message("{value} (object)"),
}  # fmt: skip


def typed(value: object) -> str:
    """`value` with its type: `"47821" (text)`, `47821 (number)`, `null`."""
    return "null" if value is None else say(_WITH_KIND[kind_of(value)], value=shown(value))
