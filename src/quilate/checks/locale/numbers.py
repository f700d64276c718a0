"""Numbers as people write them, and whose separators they have."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import regex

from quilate.checks.locale.cldr import Forms
from quilate.checks.locale.load import SHIPPED
from quilate.documents import read_document
from quilate.saying import message, say

SPACES = " \u00a0\u202f\u2009"
NUMBER = rf"(?:\d{{1,3}}(?:[.,'’{SPACES}]\d{{3}})+(?![\d])(?:[.,]\d{{1,2}}(?!\d))?|\d+(?:[.,]\d+)?)"
"""Digits with group separators, or plain digits with at most one separator."""

GAP = r"(?:[^\S\n]|[*_]|&nbsp;){0,8}"
"""What may stand between a number and its unit or sign: spaces and Markdown's emphasis, of a few at most."""

SCALE = (
    r"(?:mil(?:h[õo]es|h[ãa]o|lones|l[óo]n)?|bi(?:lh[õo]es|lh[ãa]o|llones)?|mi|thousand|million|billion|[kK])\b"
    r"(?:\s+d[eo]\b)?"
)
"""What multiplies a number: `mil`, `milhões de`."""


@lru_cache(maxsize=1)
def number_table() -> dict[str, Any]:
    """The shipped table of numbers written out: `days` (day of a month → words) and `words` (parts of any number)."""
    table: dict[str, Any] = read_document(SHIPPED / "_numbers.yaml").value
    return table


NUMBER_WORD = rf"\b(?:{'|'.join(sorted(number_table()['words'], key=len, reverse=True))})\b"
NUMBER_WORDS = rf"{NUMBER_WORD}(?:(?:\s+(?:e|y|and)\s+|\s+|-){NUMBER_WORD}){{0,9}}"
"""A number written out, `quatrocentos e trinta e um`, of at most ten words: a reply is hostile."""

_PARTS = regex.compile(rf"[.,'’{SPACES}]")


def misformed(number: str, forms: Forms, *, money: bool) -> str | None:
    """Why a number is in another locale's form, or None where it is not.

    Money has no three decimals, so `12.990` groups thousands there; of a measure, `1,732` may be a decimal.
    """
    separators = _PARTS.findall(number)
    if not separators:
        return None
    last = separators[-1]
    tail = len(number) - number.rindex(last) - 1
    if len(separators) == 1:
        if tail == 3 and not number.startswith("0"):
            groups = last in forms.groups
            decimal = last == forms.decimal and not money
            return None if groups or decimal else say(_NO_GROUP, sign=last)
        return None if last == forms.decimal else say(_NO_DECIMAL, sign=last)
    decimal_part = last if last != separators[0] else None
    if decimal_part is not None and decimal_part != forms.decimal:
        return say(_NO_DECIMAL, sign=decimal_part)
    groups_used = separators[:-1] if decimal_part is not None else separators
    wrong = next((sign for sign in groups_used if sign not in forms.groups), None)
    return None if wrong is None else say(_NO_GROUP, sign=wrong)


_NO_GROUP = message("“{sign}” does not group thousands here")
_NO_DECIMAL = message("“{sign}” is not the decimal sign here")


def decimals(number: str) -> int:
    """How many decimal digits a number of money has; three after its only separator are a group."""
    separators = _PARTS.findall(number)
    if not separators:
        return 0
    tail = len(number) - number.rindex(separators[-1]) - 1
    return tail if tail != 3 else 0
