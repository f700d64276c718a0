"""Which criteria of a case only a judge can grade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from quilate.agents.agent import Reply
from quilate.checks.rubric import RubricText
from quilate.goldens.case import Expects, GoldenCase, Signal
from quilate.saying import say

GROUNDED = "grounded"
REFERENCE = "expected_output"


class CriterionKind(StrEnum):
    """What a semantic criterion comes from."""

    BEHAVIOR = "behavior"
    REFERENCE = "reference"
    RUBRIC = "rubric"
    GROUNDED = "grounded"


@dataclass(frozen=True, slots=True)
class SemanticCriterion:
    """One criterion for a judge. `partial` says whether its rubric has a grade between pass and fail."""

    id: str
    text: str
    kind: CriterionKind
    partial: bool = False
    rubric: RubricText | None = None


LeftOpen = Callable[[GoldenCase, Reply], Sequence[RubricText]]
"""The rubrics that a check by code leaves open for this reply."""


def open_criteria(case: GoldenCase, reply: Reply, left_open: Sequence[LeftOpen] = ()) -> list[SemanticCriterion]:
    """The criteria of `case` that code cannot grade for `reply`, in the order they are asked; groundedness apart."""
    criteria = [
        SemanticCriterion(f"expected_behavior[{index}]", text, CriterionKind.BEHAVIOR)
        for index, text in enumerate(case.expected_behavior)
    ]
    if isinstance(case.expected_output, str):
        text = say("factually right and complete against the reference")
        criteria.append(SemanticCriterion(REFERENCE, text, CriterionKind.REFERENCE))
    criteria.extend(
        SemanticCriterion(rubric.criterion_id, rubric.question, CriterionKind.RUBRIC, partial=True, rubric=rubric)
        for rubrics in left_open
        for rubric in rubrics(case, reply)
    )
    return criteria


def may_need_judge(case: GoldenCase) -> bool:
    """Whether some reply to `case` would have a criterion that only a judge grades: then the judge is in its ruler."""
    return bool(
        case.expected_behavior
        or isinstance(case.expected_output, str)
        or case.grounded
        or case.signal in (Signal.IDIOMS, Signal.SOCIAL_NORMS, Signal.REGIONALISM)
        or case.expects in (Expects.CLARIFICATION, Expects.DIRECT_ANSWER)
        or (case.time_sensitive and case.time_sensitive.reference)
    )
