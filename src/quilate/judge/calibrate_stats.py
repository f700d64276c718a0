"""Agreement of two raters beyond chance: closed forms, checked in tests against statsmodels. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from quilate.compare.stats import Z_TWO_SIDED, Interval, wilson


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa with its 95 % interval: 1 is full agreement, 0 what chance would give."""

    value: float
    low: float
    high: float


def observed(counts: Sequence[Sequence[int]]) -> tuple[int, int]:
    """How many of how many are on the diagonal of a square table."""
    return sum(row[at] for at, row in enumerate(counts)), sum(map(sum, counts))


def cohens_kappa(counts: Sequence[Sequence[int]]) -> Kappa | None:
    """Cohen's kappa of a square table of counts (rows one rater, columns the other).

    None where it is not defined: nothing counted, or both raters only ever gave one and the same answer. The interval
    is that of Fleiss, Cohen and Everitt (1969, doi:10.1037/h0028106). Where all agree their variance is zero; the lower
    end is then that of the observed agreement's Wilson interval, against the same agreement by chance.
    """
    agreed, total = observed(counts)
    if not total:
        return None
    rows = [Fraction(sum(row), total) for row in counts]
    columns = [Fraction(sum(row[at] for row in counts), total) for at in range(len(counts))]
    chance = sum((row * column for row, column in zip(rows, columns, strict=True)), Fraction(0))
    if chance == 1:
        return None
    share = Fraction(agreed, total)
    value = (share - chance) / (1 - chance)
    if agreed == total:
        low = (wilson(total, total).low - float(chance)) / float(1 - chance)
        return Kappa(1.0, low, 1.0)
    half = Z_TWO_SIDED * _standard_error(counts, rows, columns, value, chance)
    return Kappa(float(value), max(-1.0, float(value) - half), min(1.0, float(value) + half))


def _standard_error(
    counts: Sequence[Sequence[int]],
    rows: Sequence[Fraction],
    columns: Sequence[Fraction],
    kappa: Fraction,
    chance: Fraction,
) -> float:
    total = sum(map(sum, counts))
    inside = Fraction(0)
    for i, row in enumerate(counts):
        for j, count in enumerate(row):
            weight = 1 - (rows[i] + columns[i]) * (1 - kappa) if i == j else (1 - kappa) * (columns[i] + rows[j])
            inside += Fraction(count, total) * weight**2
    inside -= (kappa - chance * (1 - kappa)) ** 2
    return math.sqrt(max(0.0, float(inside / (total * (1 - chance) ** 2))))


def share_interval(part: int, whole: int) -> Interval:
    """The Wilson interval of a share; `whole` at least 1."""
    return wilson(part, whole)
