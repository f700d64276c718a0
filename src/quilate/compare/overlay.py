"""Grades that stand beside a run's own, since another ruler made them. Nothing of it is written into a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from quilate.grades import CriterionGrade, Grade, TrialGrade
from quilate.grading import summarise


@dataclass(frozen=True, slots=True)
class CaseGrades:
    """One case's replies under another ruler."""

    grade: Grade
    criteria: tuple[CriterionGrade, ...]
    trials: tuple[TrialGrade, ...]

    @classmethod
    def of(cls, trials: Sequence[TrialGrade]) -> CaseGrades:
        """The grades of at least one trial."""
        grade, criteria = summarise(trials)
        return cls(grade, criteria, tuple(trials))

    @property
    def approved_trials(self) -> int:
        """How many trials passed."""
        return sum(1 for trial in self.trials if trial.grade is Grade.PASS)

    @property
    def graded_trials(self) -> int:
        """How many trials were graded."""
        return sum(1 for trial in self.trials if trial.grade.graded)


@dataclass(frozen=True, slots=True)
class Overlay:
    """The base's replies under head's ruler, head's under the base's definitions; all by head's case id."""

    base_by_head: dict[str, CaseGrades] = field(default_factory=dict)
    head_by_base: dict[str, CaseGrades] = field(default_factory=dict)
    why: dict[str, str] = field(default_factory=dict)
    """Why a case could not be graded again; it stays outside the delta."""

    def by_base(self, case_id: str) -> Grade | None:
        """What the base's definition makes of head's reply; None where it was not asked."""
        grades = self.head_by_base.get(case_id)
        return None if grades is None else grades.grade
