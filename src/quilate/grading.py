"""`definition + reply + graders → grades`: one function for head, for the base's stored replies, for an audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from quilate.agents.agent import FaultKind, Reply
from quilate.canonical import fingerprint
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, ErrorKind, Grade, TrialGrade, of_trials, worst
from quilate.saying import say


class Grader(Protocol):
    """Grades some of a case's criteria. Checks answer at once; a judge asks."""

    async def grade(self, case: GoldenCase, reply: Reply, trial: int) -> Sequence[CriterionGrade]:
        """The grades of the criteria this grader is for; none where the case has no such criterion."""
        ...


ERROR_OF_FAULT = {
    FaultKind.INFRASTRUCTURE: ErrorKind.INFRASTRUCTURE,
    FaultKind.SECRET: ErrorKind.SECRET,
    FaultKind.BUDGET: ErrorKind.BUDGET,
}

_ANSWERED = CriterionGrade.of(
    id="answered", grade=Grade.PASS, reason=say("the agent answered"), text=say("the agent answers"), necessary=True
)


async def grade_trial(case: GoldenCase, reply: Reply, graders: Sequence[Grader], trial: int = 0) -> TrialGrade:
    """One reply under one definition. A reply with a fault is graded by the fault alone."""
    if reply.fault is not None:
        criteria: tuple[CriterionGrade, ...] = (grade_of_fault(reply),)
    else:
        criteria = (
            _ANSWERED,
            *[criterion for grader in graders for criterion in await grader.grade(case, reply, trial)],
        )
    return TrialGrade(trial=trial, grade=worst(criteria), criteria=criteria)


def grade_of_fault(reply: Reply) -> CriterionGrade:
    """A crash of the agent fails; an outage, an absent secret or an exhausted budget is an error."""
    fault = reply.fault
    assert fault is not None
    if fault.kind is FaultKind.AGENT:
        return CriterionGrade.of(
            id="answered", grade=Grade.FAIL, reason=say("the agent crashed: {why}", why=fault.why),
            text=say("the agent answers"), expected=say("a reply"), found=fault.why, necessary=True,
            detail={"crash": True},
        )  # fmt: skip
    return CriterionGrade.of(
        id="answered", grade=Grade.ERROR, reason=fault.why, text=say("the agent answers"),
        error=ERROR_OF_FAULT[fault.kind], necessary=True,
    )  # fmt: skip


async def grade_case(case: GoldenCase, replies: Mapping[int, Reply], graders: Sequence[Grader]) -> list[TrialGrade]:
    """Every trial of one case, in the order of the trials."""
    return [await grade_trial(case, replies[trial], graders, trial) for trial in sorted(replies)]


def summarise(trials: Sequence[TrialGrade]) -> tuple[Grade, tuple[CriterionGrade, ...]]:
    """The case's grade, and the criteria of the first trial that shows it (else of the first trial)."""
    grade = of_trials(trial.grade for trial in trials)
    shown = next((trial for trial in trials if trial.grade is grade), trials[0])
    return grade, shown.criteria


GRADING_VERSION = 2
"""Part of every ruler; raised when a check's meaning changes, so that old grades are not compared with new ones."""


def case_ruler(case: GoldenCase, *, judge: str | None = None, packs: str | None = None) -> str:
    """The fingerprint of everything that decides a case's grade but the reply.

    `judge` is the judge's fingerprint where the case has criteria only a judge grades, `packs` that of the locale
    packs where it has a locale; None where they do not bear on the case.
    """
    return fingerprint([GRADING_VERSION, case.expectations, judge, packs])
