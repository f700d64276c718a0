"""One pass over the aligned cases that fills every counter and list of a comparison."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from datetime import date

from quilate.compare.comparison import Flip, Quarantined
from quilate.compare.delta import Counter, Side, Standing
from quilate.compare.grouped import Grouped
from quilate.compare.noise import Reliability
from quilate.compare.quarantine import noted
from quilate.grades import Grade
from quilate.saying import message, say

_IN_ERROR = message("the base's reply is in error by this change's ruler")
_NOT_JUDGED = message("the base's reply is not judged by this change's ruler")


@dataclass
class Collected:
    """What the pass gathers. Ids are head's, in head's order; categories are head's, `None` is the whole."""

    averaged: bool
    today: date
    by_head: Grouped = field(init=False)
    by_base: Grouped = field(init=False)
    """As base measures it, for the gate: its categories, its graded cases, its definitions where head's approve neither
    reply. `moved` names the categories that differ for it, and `remeasured` says whether the whole does."""
    moved: set[str] = field(default_factory=set)
    remeasured: bool = False
    ruler: tuple[Counter, Counter] = field(init=False)
    reliability: Reliability = field(default_factory=Reliability)
    flips: list[Flip] = field(default_factory=list)
    quarantine: list[Quarantined] = field(default_factory=list)
    in_quarantine: set[str] = field(default_factory=set)
    edited: set[str] = field(default_factory=set)
    only_by_edit: list[str] = field(default_factory=list)
    behind_edits: list[str] = field(default_factory=list)
    unchecked_edits: list[str] = field(default_factory=list)
    """Approved cases that were edited and that base's definition could not grade."""
    otherwise_ruled: list[str] = field(default_factory=list)
    """Cases graded by other rules than in base, though nothing of their own was edited."""
    rescored: list[str] = field(default_factory=list)
    outside: dict[str, str] = field(default_factory=dict)
    critical_broke: list[str] = field(default_factory=list)
    critical_errors: list[str] = field(default_factory=list)
    critical_outside: list[str] = field(default_factory=list)
    no_longer_critical: list[str] = field(default_factory=list)
    now_not_judged: list[str] = field(default_factory=list)
    unjudged_by_edit: list[str] = field(default_factory=list)
    """Cases graded in base whose edited expectations leave nothing to grade either reply by."""
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
        self.by_head, self.by_base = Grouped(self.averaged), Grouped(self.averaged)
        self.ruler = (Counter(self.averaged), Counter(self.averaged))

    def take(self, case: Standing, *, why_outside: str | None, by_base: Grade | None, times_ms: Times) -> None:
        """One case that both runs asked alike.

        `why_outside` says why it could not be graded again, `by_base` what base's definition makes of head's reply
        (None: it was not asked), `times_ms` holds the recorded times of both sides' replies.
        """
        self._note_definition(case)
        self._note_quarantine(case)
        self._note_outside(case, why_outside)
        if case.broke or case.fixed:
            self.flips.append(_flip(case))
        only_by_edit = self._note_edit(case, by_base)
        if all(times_ms):
            self.times_ms[0].extend(times_ms[0])
            self.times_ms[1].extend(times_ms[1])
        if not case.in_gate:
            return
        if case.common:
            self._take_common(case)
            self._take_as_base(case, by_base)
            self.resting_on_edits += only_by_edit
        elif case.head.grade is Grade.ERROR and case.base_approved:
            self._take_hidden(case, outside=False)
        elif case.could_have_broken and by_base is not Grade.PASS:
            self._take_hidden(case, outside=True)
        elif case.head.grade is Grade.NOT_JUDGED and case.edited and case.base.grade.graded:
            self.unjudged_by_edit.append(case.head.case_id)
        elif case.head.grade is Grade.NOT_JUDGED and case.base.approved:
            self.now_not_judged.append(case.head.case_id)

    def _note_edit(self, case: Standing, by_base: Grade | None) -> bool:
        """Whether the case is approved only by what the change edited: base's definition does not approve the reply.

        A definition that leaves head's reply without a grade does not approve it either, unless it left base's so.
        """
        if not (case.edited or case.relimited) or not case.head.approved:
            return False
        if by_base is None or by_base is Grade.ERROR:
            self.unchecked_edits.append(case.head.case_id)
            return False
        only = by_base is not Grade.PASS and (by_base.graded or case.base.grade.graded)
        if only:
            self.only_by_edit.append(case.head.case_id)
        return only

    def _note_definition(self, case: Standing) -> None:
        if case.edited:
            self.edited.add(case.head.case_id)
        if case.otherwise_ruled:
            self.otherwise_ruled.append(case.head.case_id)
        if case.base.category != case.head.category:
            self.category_of_base[case.base.case_id] = case.head.category
            self.moved |= {case.base.category, case.head.category}
        if case.base.critical and not case.head.critical:
            self.no_longer_critical.append(case.head.case_id)

    def _note_quarantine(self, case: Standing) -> None:
        if not case.in_gate:
            self.in_quarantine.add(case.head.case_id)
        state = case.base.quarantine if not case.in_gate else case.head.quarantine or case.base.quarantine
        if state is None:
            return
        base = case.base_side.grade if case.base_side else case.base.grade
        told = noted(
            case.head.case_id, state, self.today, in_effect=not case.in_gate, base=base, head=case.head.grade
        )  # fmt: skip
        self.quarantine.append(told)

    def _note_outside(self, case: Standing, why: str | None) -> None:
        if case.base_side is None:
            self.outside[case.head.case_id] = why or say("its ruler was edited, and it was not graded again")
        elif case.rescored and case.base.grade.graded and not case.base_side.grade.graded:
            erred = case.base_side.grade is Grade.ERROR
            self.outside[case.head.case_id] = say(_IN_ERROR if erred else _NOT_JUDGED)

    def _take_common(self, case: Standing) -> None:
        assert case.base_side is not None
        base, head = case.base_side, Side.of(case.head)
        self.by_head.take(case.head.category, case)
        self.substantive += case.head.substantive
        self.newly_graded += not case.base.grade.graded
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

    def _take_as_base(self, case: Standing, by_base: Grade | None) -> None:
        if not case.base.grade.graded:
            self._remeasure(case)
        elif not case.lost_by_edit or by_base is Grade.PASS:
            self.by_base.take(case.base.category, case)
        elif by_base is not None and by_base.graded:
            self._remeasure(case)
            self.behind_edits.append(case.head.case_id)
            self.by_base.take(case.base.category, replace(case, base_side=Side.of(case.base)))
            if _critical(case) and not case.head.approved_trials:
                self.critical_broke.append(case.head.case_id)
        else:
            self._remeasure(case)
            self.by_base.hide(case.base.category, Side.of(case.base).share(averaged=self.averaged), outside=True)

    def _remeasure(self, case: Standing) -> None:
        self.remeasured = True
        self.moved.add(case.base.category)

    def _take_hidden(self, case: Standing, *, outside: bool) -> None:
        side = Side.of(case.base) if outside or case.base_side is None else case.base_side
        share = side.share(averaged=self.averaged)
        self.by_head.hide(case.head.category, share, outside=outside)
        self.by_base.hide(case.base.category, share, outside=outside)
        if _critical(case) and not outside:
            self.critical_errors.append(case.head.case_id)
        if _critical(case) and outside and not case.head.approved_trials:
            self.critical_outside.append(case.head.case_id)


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
