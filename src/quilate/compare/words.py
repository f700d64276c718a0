"""Figures in sentences: points and counts as people read them, never so rounded that they contradict the verdict."""

from __future__ import annotations

from fractions import Fraction

from quilate.compare.comparison import Tally

_EXACT_PLACES = 6


def points_text(points: Fraction, limit: Fraction | None = None) -> str:
    """Points without their sign, with as few decimals (at least one) as do not read as the `limit` itself."""
    size = abs(points)
    for places in range(1, 10):
        text = decimal_text(size, places)
        if limit is None or size == limit or Fraction(text) != limit:
            return text
    return decimal_text(size, 12)


def decimal_text(value: Fraction, places: int) -> str:
    """`value` rounded half to even to so many decimals."""
    scaled = round(value * 10**places)
    sign, digits = ("-" if scaled < 0 else ""), str(abs(scaled)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def exact_text(value: Fraction) -> str:
    """`value` as decimal text: exact, with at least one decimal, where its decimals end; else rounded to six."""
    places = 1
    while places < _EXACT_PLACES * 3:
        if (value * 10**places).denominator == 1:
            return decimal_text(value, places)
        places += 1
    return decimal_text(value, _EXACT_PLACES)


def number_text(value: Fraction | float) -> str:
    """A limit as a person wrote it: 5, 2.5."""
    return f"{float(value):.12g}"


def of_cases(tally: Tally) -> str:
    """`46 of 50`; with trials the averaged rate and how many cases it covers."""
    if tally.rate_sum is None or tally.rate is None:
        return f"{tally.approved} of {tally.graded}"
    return f"{decimal_text(tally.rate, 1)} % of {tally.graded} cases"


def cases(number: int, words: str = "") -> str:
    """`1 case`, `3 cases`, with `words` after it."""
    return f"{number} {'case' if number == 1 else 'cases'}{' ' if words else ''}{words}"
