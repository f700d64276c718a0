"""Numbers as a reader should see them: exact before they are rounded, and never rounded into a lie."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from quilate.compare.comparison import Tally
from quilate.report.escape import Inert
from quilate.report.messages import Translator

UP, DOWN = "▲", "▼"
SMALL_SAMPLE = 10
"""Below this many cases a rate says less than the counts (the same limit below which no interval is given)."""


def magnitude(value: Fraction, t: Translator, apart_from: float | None = None) -> Inert:
    """How much, without a sign, to one decimal (halves to even).

    What is not zero never reads `0.0` (it is `<0.1`), and what is not the limit `apart_from` never reads like it: a
    fall of 5.01 against a limit of 5 gets as many decimals as tell the two apart.
    """
    size = abs(value)
    if 0 < size < Fraction(1, 10) and round(size, 1) == 0:
        return Inert("<" + t.number(Fraction(1, 10), 1))
    decimals = 1
    if apart_from is not None:
        limit = Fraction(str(apart_from))
        while size != limit and round(size, decimals) == limit and decimals < 6:
            decimals += 1
    return t.number(size, decimals)


def limit(value: float, t: Translator) -> Inert:
    """A threshold as it was written: 5, 2.5."""
    exact = Fraction(str(value))
    decimals = 0
    while exact * 10**decimals % 1 and decimals < 6:
        decimals += 1
    return t.number(exact, decimals)


def move(value: Fraction | None, t: Translator) -> Inert:
    """A move in points with its mark: `▼ 8.0`, `▲ <0.1`, `0.0`; `–` where there is none."""
    if value is None:
        return Inert("–")
    if not value:
        return t.number(0, 1)
    return Inert(f"{DOWN if value < 0 else UP} {magnitude(value, t)}")


def share(part: int, whole: int) -> Inert:
    """A count of a count in a table: `46/50`, `–` where there is nothing to count."""
    return Inert(f"{part}/{whole}" if whole else "–")


def counted(tally: Tally) -> tuple[int, int]:
    """What is approved of what was graded: trials where points are averaged over them, else cases.

    A table must add up to its points, and 13 of 50 cases on both sides may still be five points apart.
    """
    if tally.rate_sum is not None and tally.approved_trials is not None and tally.graded_trials is not None:
        return tally.approved_trials, tally.graded_trials
    return tally.approved, tally.graded


def seconds(value_s: float, t: Translator) -> Inert:
    """A duration: `0.4 s`, `48 s`, `12 min`."""
    if value_s < 10:
        return Inert(f"{t.number(value_s, 1)} s")
    if value_s < 600:
        return Inert(f"{t.number(value_s)} s")
    return Inert(f"{t.number(value_s / 60)} min")


def milliseconds(value_ms: float, t: Translator) -> Inert:
    """A latency: `480 ms`, `1.8 s`."""
    return Inert(f"{t.number(value_ms)} ms") if value_ms < 1000 else Inert(f"{t.number(value_ms / 1000, 1)} s")


def usd(value: str | float, t: Translator) -> Inert:
    """A cost with as many digits as say something: `$0.004`, `$12.30`."""
    amount = Fraction(str(value))
    decimals = 2
    while amount and round(amount, decimals) == 0 and decimals < 6:
        decimals += 1
    if amount and decimals > 2:
        return Inert(f"${t.number(amount, decimals)}")
    return Inert(f"${t.number(amount, 3 if 0 < amount < Fraction(1, 10) else 2)}")


def on_axis(value: float, t: Translator) -> Inert:
    """A value beside an axis: three significant digits, never an exponent."""
    rounded = Decimal(f"{value:.3g}")
    exponent = rounded.as_tuple().exponent
    return t.number(Fraction(rounded), max(0, -exponent) if isinstance(exponent, int) else 0)
