"""One pass over the aligned cases that fills every counter and list of a comparison."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from datetime import date

from quilate.compare.comparison import Flip, Quarantined
from quilate.compare.delta import Counter, Side, Standing, Table
from quilate.compare.facts import Hidden
from quilate.compare.noise import Evidence, Reliability
from quilate.grades import Grade


@dataclass
class Collected:
    """What the pass gathers. Ids are head's, in head's order; categories are head's, `None` is the whole."""

    averaged: bool
    today: date
    table: Table = field(init=False)
    ruler: tuple[Counter, Counter] = field(init=False)
    reliability: Reliability = field(default_factory=Reliability)
    evidence: dict[str | None, Evidence] = field(default_factory=dict)
    hidden: dict[str | None, Hidden] = field(default_factory=dict)
    flips: list[Flip] = field(default_factory=list)
    quarantine: list[Quarantined] = field(default_factory=list)
    in_quarantine: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    only_by_edit: list[str] = field(default_factory=list)
    rescored: list[str] = field(default_factory=list)
    outside: dict[str, str] = field(default_factory=dict)
    critical_broke: list[str] = field(default_factory=list)
    critical_errors: list[str] = field(default_factory=list)
    no_longer_critical: list[str] = field(default_factory=list)
    now_not_judged: list[str] = field(default_factory=list)
    unjudged_by_edit: list[str] = field(default_factory=list)
    """Cases approved in base whose edited expectations leave nothing to grade either reply by."""
    newly_graded: int = 0
    """Common cases that the base's own ruler did not grade."""
    resting_on_edits: int = 0
    """Common cases of the gate that are approved only by this change's edits."""
    category_of_base: dict[str, str] = field(default_factory=dict)
    """Base's id → head's category, where a case changed it."""
    substantive: int = 0
    base_graded: int = 0
    times_ms: tuple[array[float], array[float]] = field(default_factory=lambda: (array("d"), array("d")))

    def __post_init__(self) -> None:
        self.table = Table(self.averaged)
        self.ruler = (Counter(self.averaged), Counter(self.averaged))

    def take(self, case: Standing, *, why_outside: str | None, only_by_edit: bool, times_ms: Times) -> None:
        """One case that both runs asked alike.

        `why_outside` says why it could not be graded again, `only_by_edit` whether base's definition does not approve
        head's reply, `times_ms` the recorded times of both sides' replies.
        """
        self._note_definition(case)
        self._note_quarantine(case)
        self._note_outside(case, why_outside)
        if case.broke or case.fixed:
            self.flips.append(_flip(case))
        if only_by_edit and case.edited and case.head.approved:
            self.only_by_edit.append(case.head.case_id)
        if all(times_ms):
            self.times_ms[0].extend(times_ms[0])
            self.times_ms[1].extend(times_ms[1])
        if not case.in_gate:
            return
        if case.common:
            self._take_common(case)
            self.resting_on_edits += only_by_edit and case.edited and case.head.approved
        elif case.head.grade is Grade.ERROR and case.base_approved:
            self._take_hidden(case)
        elif case.head.grade is Grade.NOT_JUDGED and case.base.approved:
            (self.unjudged_by_edit if case.edited else self.now_not_judged).append(case.head.case_id)

    def _note_definition(self, case: Standing) -> None:
        if case.edited:
            self.edited.add(case.head.case_id)
        if case.base.category != case.head.category:
            self.category_of_base[case.base.case_id] = case.head.category
        if case.base.critical and not case.head.critical:
            self.no_longer_critical.append(case.head.case_id)

    def _note_quarantine(self, case: Standing) -> None:
        if not case.in_gate:
            self.in_quarantine.add(case.head.case_id)
        state = case.base.quarantine if not case.in_gate else case.head.quarantine or case.base.quarantine
        if state is None:
            return
        if not case.in_gate:
            why = f"outside the gate until {state.until}"
        elif self.today.isoformat() > state.until:
            why = f"its quarantine ended on {state.until}; the case counts again"
        else:
            why = "this change sets it; it takes effect after merge"
        base = case.base_side.grade if case.base_side else case.base.grade
        self.quarantine.append(
            Quarantined(
                case.head.case_id, state.owner, state.reason, state.until, not case.in_gate, why, base, case.head.grade
            )
        )

    def _note_outside(self, case: Standing, why: str | None) -> None:
        if case.base_side is None:
            self.outside[case.head.case_id] = why or "its ruler was edited, and it was not graded again"
        elif case.rescored and case.base.grade.graded and not case.base_side.grade.graded:
            grade = "in error" if case.base_side.grade is Grade.ERROR else "not judged"
            self.outside[case.head.case_id] = f"the base's reply is {grade} by this change's ruler"

    def _take_common(self, case: Standing) -> None:
        assert case.base_side is not None
        base, head = case.base_side, Side.of(case.head)
        self.table.count(case.head.category, base, head)
        self.substantive += case.head.substantive
        self.newly_graded += not case.base.grade.graded
        for key in (None, case.head.category):
            self.evidence.setdefault(key, Evidence(self.averaged)).add(case)
        if self.averaged:
            self.reliability.add(0, base.approved_trials, base.graded_trials)
            self.reliability.add(1, head.approved_trials, head.graded_trials)
        if case.base.grade.graded:
            self.ruler[0].count(Side.of(case.base))
            self.ruler[1].count(base)
        if case.rescored:
            self.rescored.append(case.head.case_id)
        if case.broke and _critical(case) and not case.head.approved_trials:
            self.critical_broke.append(case.head.case_id)

    def _take_hidden(self, case: Standing) -> None:
        side = case.base_side or Side.of(case.base)
        share = side.share(averaged=self.averaged)
        for key in (None, case.head.category):
            known = self.hidden.get(key, Hidden())
            self.hidden[key] = Hidden(known.cases + 1, known.base_share + share)
        if _critical(case):
            self.critical_errors.append(case.head.case_id)


Times = tuple[list[float], list[float]]


def _flip(case: Standing) -> Flip:
    assert case.base_side is not None
    head = case.head
    return Flip(
        case_id=head.case_id, base_id=case.base.case_id, category=head.category,
        base=case.base_side.grade, head=head.grade,
        base_trials=(case.base_side.approved_trials, case.base_side.graded_trials),
        head_trials=(head.approved_trials, head.graded_trials), latency_only=case.broke and head.latency_only,
        critical=_critical(case), rescored=case.rescored, quarantined=not case.in_gate,
    )  # fmt: skip


def _critical(case: Standing) -> bool:
    """Critical on either side: taking the mark off takes effect after merge, setting it at once."""
    return case.base.critical or case.head.critical
