"""A criterion's grade by code, in one line."""

from __future__ import annotations

from pydantic import JsonValue

from quilate.grades import CriterionGrade, Evidence, Grade


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
    """Pass where it `holds`, else fail; `text` is the criterion in words, `reason` what decided."""
    return CriterionGrade(
        id=criterion,
        grade=Grade.PASS if holds else Grade.FAIL,
        reason=reason,
        text=text,
        expected=expected,
        found=found,
        evidence=evidence,
        necessary=necessary,
        detail=detail or {},
    )
