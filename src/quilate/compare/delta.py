"""Counting: one ruler, graded on both sides, exact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from quilate.compare.comparison import Tally
from quilate.compare.stats import Trials, nearest_rank
from quilate.grades import Grade
from quilate.runs.index import CaseSummary


@dataclass(frozen=True, slots=True)
class Side:
    """How one side of one case stands, under whichever ruler."""

    grade: Grade
    approved_trials: int
    graded_trials: int

    @classmethod
    def of(cls, case: CaseSummary) -> Side:
        """As the run itself graded it."""
        return cls(case.grade, case.approved_trials, case.graded_trials)

    @property
    def approved(self) -> bool:
        """Whether it counts as approved."""
        return self.grade is Grade.PASS

    @property
    def trials(self) -> Trials:
        """For the formulas that need trials."""
        return Trials(self.approved_trials, self.graded_trials)

    def share(self, *, averaged: bool) -> Fraction:
        """What the case adds to its side's rate: its trials' average, or 1 where it is approved and else 0.

        With one asking a case the grade counts, which a confirmation may have decided by majority.
        """
        if averaged and self.graded_trials:
            return Fraction(self.approved_trials, self.graded_trials)
        return Fraction(self.approved)


@dataclass(frozen=True, slots=True)
class Standing:
    """One case that both runs asked alike."""

    head: CaseSummary
    base: CaseSummary
    base_side: Side | None
    """The base under head's ruler; None where its replies could not be graded again."""
    edited: bool
    rescored: bool
    in_gate: bool
    relimited: bool = False
    """The default latency limit that grades it differs."""
    otherwise_ruled: bool = False
    """Something that grades many cases alike differs: the judge, the search, a locale pack, the tool's own rules."""

    @property
    def common(self) -> bool:
        """One ruler, graded on both sides."""
        return self.base_side is not None and self.base_side.grade.graded and self.head.grade.graded

    @property
    def base_approved(self) -> bool:
        """Approved in base under head's ruler; where it could not be graded again, under its own."""
        return self.base_side.approved if self.base_side is not None else self.base.approved

    @property
    def could_have_broken(self) -> bool:
        """Approved in base by its own ruler, not approved in head by its own, and no ruler graded both."""
        return not self.common and self.base.approved and self.head.grade.graded and not self.head.approved

    @property
    def lost_by_edit(self) -> bool:
        """Approved in base by its own ruler alone, and not approved in head: an edited ruler approves neither reply."""
        edited = self.edited or self.relimited
        return edited and self.common and self.base.approved and not self.base_approved and not self.head.approved

    @property
    def broke(self) -> bool:
        """Approved in base and not in head."""
        return self.common and self.base_approved and not self.head.approved

    @property
    def fixed(self) -> bool:
        """Approved in head and not in base."""
        return self.common and self.head.approved and not self.base_approved


@dataclass
class Counter:
    """Adds up one side of one table line."""

    averaged: bool
    approved: int = 0
    graded: int = 0
    partial: int = 0
    errors: int = 0
    not_judged: int = 0
    approved_trials: int = 0
    graded_trials: int = 0
    rate_sum: Fraction = Fraction(0)

    def count(self, side: Side) -> None:
        """A case that is common."""
        self.graded += 1
        self.approved += side.approved
        self.partial += side.grade is Grade.PARTIAL
        if self.averaged:
            self.approved_trials += side.approved_trials
            self.graded_trials += side.graded_trials
            self.rate_sum += side.share(averaged=True)

    def set_aside(self, grade: Grade) -> None:
        """A case of this side that is in error or not judged, common or not."""
        self.errors += grade is Grade.ERROR
        self.not_judged += grade is Grade.NOT_JUDGED

    def tally(self) -> Tally:
        """The sums."""
        trials = (self.approved_trials, self.graded_trials, self.rate_sum) if self.averaged else (None, None, None)
        return Tally(self.approved, self.graded, self.partial, self.errors, self.not_judged, *trials)


@dataclass
class Table:
    """Base against head, for the whole and by category."""

    averaged: bool
    whole: tuple[Counter, Counter] = field(init=False)
    categories: dict[str, tuple[Counter, Counter]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.whole = (Counter(self.averaged), Counter(self.averaged))

    def of(self, category: str) -> tuple[Counter, Counter]:
        """A category's line; empty where it has none."""
        return self.categories.get(category) or (Counter(self.averaged), Counter(self.averaged))

    def lines(self, category: str) -> tuple[tuple[Counter, Counter], tuple[Counter, Counter]]:
        """The two lines a case of `category` counts in, each base and head."""
        line = self.categories.get(category)
        if line is None:
            line = self.categories[category] = (Counter(self.averaged), Counter(self.averaged))
        return self.whole, line

    def count(self, category: str, base: Side, head: Side) -> None:
        """A common case."""
        for line in self.lines(category):
            line[0].count(base)
            line[1].count(head)

    def set_aside(self, category: str, side: int, grade: Grade) -> None:
        """A case of side 0 (base) or 1 (head) without a grade that counts."""
        for line in self.lines(category):
            line[side].set_aside(grade)


def only_head(cases: Iterable[CaseSummary], *, averaged: bool) -> Table:
    """The table of a run that is compared with nothing."""
    table = Table(averaged)
    for case in cases:
        for line in table.lines(case.category):
            if case.grade.graded:
                line[1].count(Side.of(case))
            else:
                line[1].set_aside(case.grade)
    return table


def nearest_rank_p95(times_ms: Iterable[float]) -> float | None:
    """The 95th percentile of recorded times by nearest rank; None where there is none."""
    return nearest_rank(sorted(times_ms), 95)
