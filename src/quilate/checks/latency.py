"""`max_latency_ms`: the reply must be faster than this. Necessary, never sufficient."""

from __future__ import annotations

import math

from quilate.checks.criterion import graded
from quilate.grades import CriterionGrade
from quilate.saying import say


def grade_latency(duration_ms: float | None, limit_ms: float) -> CriterionGrade | None:
    """Strictly below `limit_ms`; None where no time was recorded, since there is nothing to grade by."""
    if duration_ms is None:
        return None
    expected = say("less than {limit} ms", limit=float(limit_ms))
    close = abs(duration_ms - limit_ms) < 1  # rounded, 4999.9 would be told as the 5000 it is not
    found = say(
        "{time} ms", time=round(duration_ms) if math.isfinite(duration_ms) and not close else float(duration_ms)
    )
    holds = duration_ms < limit_ms
    took = say("took {time}", time=found)
    return graded(
        "max_latency_ms", holds, took if holds else say("{took}, expected {expected}", took=took, expected=expected),
        text=say("answers in {limit}", limit=expected), expected=expected, found=found, necessary=True,
    )  # fmt: skip
