"""A criterion's grade by code, in one line."""

from __future__ import annotations

from pydantic import JsonValue

from quilate.grades import CriterionGrade, Evidence, Grade
from quilate.saying import one_line

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
    return CriterionGrade.of(
        id=criterion,
        grade=Grade.PASS if holds else Grade.FAIL,
        reason=one_line(reason, MAX_LINE),
        text=one_line(text, MAX_LINE),
        expected=None if expected is None else one_line(expected, MAX_LINE),
        found=None if found is None else one_line(found, MAX_LINE),
        evidence=evidence,
        necessary=necessary,
        detail=detail,
    )
