"""Confirming flips: which cases are asked again, and what the majority of all askings says. Pure.

Asking only what newly fails leans towards passing (docs/comparison.md says by how much), so both the first and the
confirmed grade are kept and shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from quilate.compare.align import align
from quilate.compare.comparison import Confirmation
from quilate.compare.overlay import Overlay
from quilate.compare.standings import standings
from quilate.compare.summary import RunSummary
from quilate.grades import Grade, TrialGrade, of_trials
from quilate.grading import summarise
from quilate.runs.record import GradeLine


def to_confirm(base: RunSummary, head: RunSummary, overlay: Overlay, *, today: date) -> tuple[str, ...]:
    """Head's cases that newly fail: approved in base, graded and not approved in head, not in quarantine."""
    alignment = align(base.index, head.index)
    cases = standings(base.index, head.index, alignment, overlay, today)
    return tuple(case.head.case_id for case in cases if case.broke and case.in_gate)


def decide(first: Sequence[Grade], again: Sequence[Grade]) -> Confirmation:
    """The majority over the first askings and the confirmations that could be graded.

    Confirmations in error are set aside: an outage while confirming overturns nothing. A tie is no majority for
    passing. `first` holds at least one grade.
    """
    every = [*first, *(grade for grade in again if grade.graded)]
    confirmed = of_trials(every)
    graded = [grade for grade in every if grade.graded]
    return Confirmation(of_trials(first), confirmed, graded.count(Grade.PASS), len(graded))


def confirmed_line(line: GradeLine, again: Sequence[TrialGrade]) -> GradeLine:
    """The grade line of a case after its confirmations, whose trials are numbered on from the first askings'."""
    decision = decide([trial.grade for trial in line.trials], [trial.grade for trial in again])
    trials = (*line.trials, *again)
    shown = next((trial.criteria for trial in trials if trial.grade is decision.confirmed), summarise(line.trials)[1])
    return line.model_copy(update={"grade": decision.confirmed, "criteria": shown, "trials": trials})
