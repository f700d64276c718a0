"""A criterion's grade by code, in one line."""

from __future__ import annotations

from pydantic import JsonValue

from quilate.grades import CriterionGrade, Evidence, Grade
from quilate.shown import visible

MAX_LINE = 600
"""Characters of a reason: several differences fit, a reply does not."""


def graded(
    criterion: str,
    holds: bool,
    reason: str,
    *,
    text: str,
    expected: str | None = None,
    found: str | None = None,
    evidence: tuple[Evidence, ...] = (),
    necessary: bool = False,
    detail: dict[str, JsonValue] | None = None,
) -> CriterionGrade:
    """Pass where it `holds`, else fail; `text` is the criterion in words, `reason` what decided.

    Texts are cut to one line; only evidence quotes a reply as it is.
    """
    return CriterionGrade(
        id=criterion,
        grade=Grade.PASS if holds else Grade.FAIL,
        reason=visible(reason, MAX_LINE),
        text=visible(text, MAX_LINE),
        expected=None if expected is None else visible(expected, MAX_LINE),
        found=None if found is None else visible(found, MAX_LINE),
        evidence=evidence,
        necessary=necessary,
        detail=detail or {},
    )
