"""`max_latency_ms`: the reply must be faster than this. Necessary, never sufficient."""

from __future__ import annotations

from quilate.checks.criterion import graded
from quilate.grades import CriterionGrade, Grade


def grade_latency(duration_ms: float | None, limit_ms: float, *, stated: bool) -> CriterionGrade | None:
    """Strictly below `limit_ms`. Without a recorded time there is nothing to grade by.

    None then, unless the case itself states the limit (`stated`): what was asked for and could not be seen is shown.
    """
    expected = f"less than {limit_ms:g} ms"
    text = f"answers in {expected}"
    if duration_ms is None:
        if not stated:
            return None
        return CriterionGrade(
            id="max_latency_ms", grade=Grade.NOT_JUDGED, reason="no time was recorded for this reply", text=text,
            expected=expected, necessary=True,
        )  # fmt: skip
    found = (
        f"{duration_ms:.0f} ms" if duration_ms >= limit_ms + 1 or duration_ms < limit_ms - 1 else f"{duration_ms:g} ms"
    )
    holds = duration_ms < limit_ms
    return graded(
        "max_latency_ms", holds, f"took {found}" if holds else f"took {found}, expected {expected}",
        text=text, expected=expected, found=found, necessary=True,
    )  # fmt: skip
