"""Base against head: everything a comparison says, from two summaries and what was graded again. Pure."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from quilate.compare.align import Alignment, align
from quilate.compare.base_rules import BaseRules
from quilate.compare.collect import Collected
from quilate.compare.comparison import Comparison, Confirmation, Delta, Latency
from quilate.compare.delta import Counter, nearest_rank_p95, only_head
from quilate.compare.facts import Facts, Line
from quilate.compare.gate import acceptable, decide
from quilate.compare.noise import Reliability, power
from quilate.compare.notices import notices, policy_changes, told_of
from quilate.compare.overlay import Overlay
from quilate.compare.quarantine import noted, quarantined
from quilate.compare.standings import standings
from quilate.compare.summary import RunSummary
from quilate.compare.unusable import incomplete, unusable
from quilate.grades import Grade
from quilate.runs.index import CaseSummary, RunIndex
from quilate.runs.resume import exact
from quilate.saying import say


def compare(
    base: RunSummary | None, head: RunSummary, overlay: Overlay | None = None, *, today: date,
    rules: BaseRules | None = None,
) -> Comparison:  # fmt: skip
    """The comparison and its verdict, by the base's policy: its record's, else that of `rules`, else head's own.

    `overlay` holds what was graded again for edited cases; without it they stay outside the delta. `today` decides
    which quarantines are over. `rules` is what base's configuration says, where it is known.
    """
    rules = rules or BaseRules(head.header.suite, (base or head).header.policy)
    if base is None:
        return _alone(head, today, rules)
    overlay = overlay or Overlay()
    alignment = align(base.index, head.index)
    collected = _collect(base, head, alignment, overlay, today)
    return _comparison(base, head, alignment, collected, rules)


def _collect(base: RunSummary, head: RunSummary, alignment: Alignment, overlay: Overlay, today: date) -> Collected:
    averaged = max(base.header.conditions.trials, head.header.conditions.trials) > 1
    collected = Collected(averaged, today)
    for case in standings(base.index, head.index, alignment, overlay, today):
        collected.take(
            case,
            why_outside=overlay.why.get(case.head.case_id),
            by_base=overlay.by_base(case.head.case_id),
            times_ms=(base.index.durations_ms(case.base.case_id), head.index.durations_ms(case.head.case_id)),
        )
    for case_id in alignment.asked_otherwise:
        collected.edited.add(case_id)
        collected.outside[case_id] = say("it asks something else now")
    for case_id, grade in head.index.grades():
        if not grade.graded and case_id not in collected.in_quarantine:
            collected.by_head.table.set_aside(head.index.summary(case_id).category, 1, grade)
    for own in base.index.summaries():
        if quarantined(own, today):
            continue
        collected.base_graded += own.grade.graded
        if not own.grade.graded:
            collected.by_head.table.set_aside(collected.category_of_base.get(own.case_id, own.category), 0, own.grade)
    return collected


@dataclass(frozen=True, slots=True)
class _Gone:
    """What base has and head has not."""

    removed: tuple[str, ...]
    removed_passing: tuple[str, ...]
    reworded_passing: tuple[str, ...]
    graded: int
    """How many of base's graded cases were removed or ask something else."""

    @classmethod
    def of(cls, base: RunSummary, head: RunSummary, alignment: Alignment, today: date) -> _Gone:
        """A head that asked only a selection removed nothing."""
        removed = alignment.removed if head.header.dataset.selection is None else ()

        def counted(ids: tuple[str, ...]) -> list[CaseSummary]:
            return [case for case in map(base.index.summary, ids) if case.grade.graded and not quarantined(case, today)]

        def passing(cases: list[CaseSummary]) -> tuple[str, ...]:
            return tuple(case.case_id for case in cases if case.approved)

        without, otherwise = counted(removed), counted(alignment.asked_otherwise)
        return cls(removed, passing(without), passing(otherwise), len(without) + len(otherwise))


def _comparison(
    base: RunSummary, head: RunSummary, alignment: Alignment, collected: Collected, rules: BaseRules
) -> Comparison:
    policy, grouped = base.header.policy, collected.by_head
    overall = grouped.delta(None)
    categories = {name: grouped.delta(name) for name in grouped.table.categories}
    gone = _Gone.of(base, head, alignment, collected.today)
    collected.no_longer_critical += [one for one in gone.removed if base.index.summary(one).critical]
    facts = Facts(
        policy=policy,
        overall=grouped.line(None, overall),
        asked=len(head.index) - len(collected.in_quarantine),
        errors=overall.head.errors,
        compared=True,
        unusable=unusable(base, head, rules),
        categories=tuple(grouped.line(name, grouped.delta(name)) for name in grouped.names),
        as_base=collected.by_base.whole(by_base=True) if collected.remeasured else None,
        regrouped=_regrouped(collected),
        behind_edits=tuple(collected.behind_edits),
        base_graded=collected.base_graded,
        gone=gone.graded,
        substantive=collected.substantive,
        newly_graded=collected.newly_graded,
        resting_on_edits=collected.resting_on_edits,
        critical_broke=tuple(collected.critical_broke),
        critical_errors=tuple(collected.critical_errors),
        critical_outside=tuple(collected.critical_outside),
        only_by_edit=tuple(collected.only_by_edit),
        unjudged_by_edit=tuple(collected.unjudged_by_edit),
        removed_passing=gone.removed_passing,
        reworded_passing=gone.reworded_passing,
    )
    decision = decide(facts)
    changes = {**policy_changes(policy, head.header.policy), **rules.changes}
    judge_changed = base.header.judge_fingerprint != head.header.judge_fingerprint
    limits_ms = base.header.conditions.max_latency_ms, head.header.conditions.max_latency_ms
    told = notices(overall.noise, collected, policy, changes, judge_changed=judge_changed, limits_ms=limits_ms)
    flips = [flip for flip in collected.flips if not flip.quarantined]
    of_head = _OfHead.of(head.index)
    return Comparison(
        suite=head.header.suite,
        verdict=decision.verdict,
        exit_code=decision.exit_code,
        reasons=decision.reasons,
        acceptable=acceptable(facts),
        compared=overall.head.graded > 0,
        policy=policy,
        overall=overall,
        categories=categories,
        broke=tuple(flip.case_id for flip in flips if flip.broke),
        fixed=tuple(flip.case_id for flip in flips if not flip.broke),
        added=alignment.added,
        removed=gone.removed,
        removed_passing=gone.removed_passing,
        renamed=alignment.renamed,
        edited=tuple(case_id for case_id in head.index if case_id in collected.edited),
        approved_only_by_edit=tuple(collected.only_by_edit),
        latency_only=tuple(flip.case_id for flip in flips if flip.latency_only),
        critical=tuple(collected.critical_broke),
        quarantined=tuple(case_id for case_id in head.index if case_id in collected.in_quarantine),
        flaky=of_head.flaky,
        errors=of_head.errors,
        base_errors=tuple(case_id for case_id, grade in base.index.grades() if grade is Grade.ERROR),
        not_judged=of_head.not_judged,
        latency=_latency(*collected.times_ms),
        warnings=(*decision.warnings, *rules.renamed(head.header.suite), *told),
        flips=tuple(sorted(collected.flips, key=lambda flip: (flip.quarantined, not flip.broke))),
        confirmed=of_head.confirmed,
        partial=of_head.partial,
        quarantine=tuple(collected.quarantine),
        rescored=tuple(collected.rescored),
        outside=collected.outside,
        reworded_passing=gone.reworded_passing,
        removed_by_selection=len(alignment.removed) - len(gone.removed),
        ruler=Delta(collected.ruler[0].tally(), collected.ruler[1].tally()) if collected.rescored else None,
        policy_changes=changes,
        judge_changed=judge_changed,
        trials=(base.header.conditions.trials, head.header.conditions.trials),
        base_graded=collected.base_graded,
        head_cases=len(head.index),
        pass_k=collected.reliability.lines(),
        power=power(
            overall.head.graded,
            grouped.evidence[None].flips() if None in grouped.evidence else 0.0,
            exact(policy.max_drop),
            evidence=policy.rule == "drop_and_evidence",
        ),
    )


def _regrouped(collected: Collected) -> tuple[Line, ...]:
    """Base's categories of which cases were moved, as base has them."""
    grouped = collected.by_base
    names = [name for name in grouped.names if name in collected.moved]
    return tuple(grouped.line(name, grouped.delta(name), by_base=True) for name in names)


def _alone(head: RunSummary, today: date, rules: BaseRules) -> Comparison:
    """A run that is compared with nothing; its own quarantines hold, since there is no base's to hold instead."""
    averaged = head.header.conditions.trials > 1
    away = {case.case_id for case in head.index.summaries() if quarantined(case, today)}

    def counted() -> Iterator[CaseSummary]:
        return (case for case in head.index.summaries() if case.case_id not in away)

    table = only_head(counted(), averaged=averaged)
    overall = Delta(Counter(averaged).tally(), table.whole[1].tally())
    facts = Facts(
        policy=rules.policy,
        overall=Line(None, overall),
        asked=len(head.index) - len(away),
        errors=overall.head.errors,
        compared=False,
        unusable=(*incomplete(head), *rules.reasons()),
        substantive=sum(1 for case in counted() if case.substantive),
    )
    decision = decide(facts)
    changes = {
        **policy_changes(rules.policy, head.header.policy),
        **rules.changes,
        **rules.other_name(head.header.suite),
    }
    reliability = Reliability()
    for case in counted() if averaged else ():
        if case.grade.graded:
            reliability.add(1, case.approved_trials, case.graded_trials)
    times_ms = array("d", (time for case_id in head.index for time in head.index.durations_ms(case_id)))
    of_head = _OfHead.of(head.index)
    return Comparison(
        suite=head.header.suite,
        verdict=decision.verdict,
        exit_code=decision.exit_code,
        reasons=decision.reasons,
        acceptable=acceptable(facts),
        compared=False,
        policy=rules.policy,
        overall=overall,
        categories={name: Delta(line[0].tally(), line[1].tally()) for name, line in table.categories.items()},
        quarantined=tuple(case_id for case_id in head.index if case_id in away),
        quarantine=tuple(
            noted(case.case_id, case.quarantine, today, in_effect=case.case_id in away, base=None, head=case.grade)
            for case in head.index.summaries()
            if case.quarantine is not None
        ),
        flaky=of_head.flaky,
        errors=of_head.errors,
        not_judged=of_head.not_judged,
        latency=_latency(array("d"), times_ms),
        warnings=(*decision.warnings, *told_of(changes)),
        policy_changes=changes,
        confirmed=of_head.confirmed,
        partial=of_head.partial,
        trials=(head.header.conditions.trials, head.header.conditions.trials),
        head_cases=len(head.index),
        pass_k=reliability.lines(),
    )


@dataclass(frozen=True, slots=True)
class _OfHead:
    """The lists that head alone decides."""

    errors: dict[str, str]
    not_judged: tuple[str, ...]
    partial: tuple[str, ...]
    flaky: tuple[str, ...]
    confirmed: dict[str, Confirmation]

    @classmethod
    def of(cls, index: RunIndex) -> _OfHead:
        """One pass over head's cases."""
        errors: dict[str, str] = {}
        confirmed: dict[str, Confirmation] = {}
        by_grade: dict[Grade, list[str]] = {Grade.NOT_JUDGED: [], Grade.PARTIAL: []}
        flaky: list[str] = []
        for case in index.summaries():
            if case.grade is Grade.ERROR:
                errors[case.case_id] = case.error or "it could not be graded"
            elif case.grade in by_grade:
                by_grade[case.grade].append(case.case_id)
            if case.flaky:
                flaky.append(case.case_id)
            if case.confirmations:
                counts = case.approved_trials, case.graded_trials
                confirmed[case.case_id] = Confirmation(case.first, case.grade, *counts)
        not_judged, partial = tuple(by_grade[Grade.NOT_JUDGED]), tuple(by_grade[Grade.PARTIAL])
        return cls(errors, not_judged, partial, tuple(flaky), confirmed)


def _latency(base_ms: array[float], head_ms: array[float]) -> Latency:
    return Latency(nearest_rank_p95(base_ms), nearest_rank_p95(head_ms))
