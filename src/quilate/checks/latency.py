"""`max_latency_ms`: the reply must be faster than this. Necessary, never sufficient."""

from __future__ import annotations

from quilate.checks.criterion import graded
from quilate.grades import CriterionGrade


def grade_latency(duration_ms: float | None, limit_ms: float) -> CriterionGrade | None:
    """Strictly below `limit_ms`; None where no time was recorded, since there is nothing to grade by."""
    if duration_ms is None:
        return None
    expected = f"less than {limit_ms:.12g} ms"
    close = abs(duration_ms - limit_ms) < 1  # rounded, 4999.9 would be told as the 5000 it is not
    found = f"{duration_ms:.12g} ms" if close else f"{duration_ms:.0f} ms"
    holds = duration_ms < limit_ms
    return graded(
        "max_latency_ms", holds, f"took {found}" if holds else f"took {found}, expected {expected}",
        text=f"answers in {expected}", expected=expected, found=found, necessary=True,
    )  # fmt: skip
