"""The gate: counts in, a verdict with its reasons out. Pure; the rules and their order are docs/comparison.md's."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from quilate.compare import stats
from quilate.compare.base_rules import UNREAD
from quilate.compare.doubts import doubts
from quilate.compare.facts import Facts, Line
from quilate.compare.limits import below_floor, drop
from quilate.compare.words import cases, number_text, of_cases, points_text
from quilate.grades import Verdict
from quilate.reasons import Reason, ReasonValue
from quilate.runs.resume import exact


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict, why, and the exit code, which is another thing. Warnings decided nothing."""

    verdict: Verdict
    exit_code: int
    reasons: tuple[Reason, ...]
    warnings: tuple[Reason, ...] = field(default=())


PASS, FAIL, INCONCLUSIVE = 0, 1, 3


def decide(facts: Facts) -> Decision:
    """The verdict in its order: cannot tell, fails, might fail behind errors, says nothing, no base, else pass."""
    broken = [*facts.unusable, *_too_many_errors(facts), *_too_little_common(facts)]
    failures, warnings = _failures(facts)
    if broken:
        return Decision(Verdict.INCONCLUSIVE, INCONCLUSIVE, tuple(broken), tuple(failures + warnings))
    if failures:
        return Decision(Verdict.FAIL, FAIL, tuple(failures), tuple(warnings))
    unsure = doubts(facts)
    if unsure:
        return Decision(Verdict.INCONCLUSIVE, INCONCLUSIVE, tuple(unsure), tuple(warnings))
    hollow = [*_too_little_substance(facts), *_all_rests_on_edits(facts)]
    if hollow:
        return Decision(Verdict.INCONCLUSIVE, INCONCLUSIVE, tuple(hollow), tuple(warnings))
    if not facts.compared:
        missing = Reason("no_baseline", {}, "there is no baseline: nothing was compared")
        allowed = facts.policy.on_missing_baseline == "pass"
        return Decision(Verdict.INCONCLUSIVE, PASS if allowed else INCONCLUSIVE, (missing,), tuple(warnings))
    return Decision(Verdict.PASS, PASS, (_within(facts),), tuple(warnings))


def acceptable(facts: Facts) -> bool:
    """Whether a person may answer for what the gate holds back: a failure, or what only people's own edits leave open.

    Those are the same in every run: cases taken away, expectations edited under all that is approved, and a base whose
    configuration cannot be read. Whatever else leaves a verdict open (errors, a judge that could not be asked, grades
    that say nothing) is measured anew, not accepted; so it is asked what the gate would say if the base had never held
    what was taken away.
    """
    verdict = decide(facts).verdict
    if verdict is not Verdict.INCONCLUSIVE or not facts.compared:
        return verdict is Verdict.FAIL
    measured = tuple(reason for reason in facts.unusable if reason.code != UNREAD)
    apart_from_edits = replace(facts, base_graded=facts.base_graded - facts.gone, resting_on_edits=0, unusable=measured)
    return decide(apart_from_edits).verdict is not Verdict.INCONCLUSIVE


def _too_many_errors(facts: Facts) -> list[Reason]:
    limit = exact(facts.policy.max_error_rate)
    if 100 * facts.errors <= limit * facts.asked:
        return []
    text = f"{facts.errors} of {cases(facts.asked)} could not be graded, more than {number_text(limit)} %"
    return [Reason("max_error_rate", {"errors": facts.errors, "asked": facts.asked, "limit": limit}, text)]


def _too_little_common(facts: Facts) -> list[Reason]:
    if not facts.compared:
        if facts.overall.delta.head.graded:
            return []
        return [Reason("nothing_graded", {"asked": facts.asked}, f"none of {cases(facts.asked)} was graded")]
    common, limit = facts.overall.delta.head.graded, exact(facts.policy.min_common)
    values: dict[str, ReasonValue] = {"common": common, "base_graded": facts.base_graded, "limit": limit}
    if common == 0:
        text = "no case was graded on both sides by one ruler, so nothing was compared"
        return [Reason("nothing_common", values, text)]
    of_base = common - facts.newly_graded
    if 100 * of_base >= limit * facts.base_graded:
        return []
    values["common"] = of_base
    least = number_text(limit)
    text = f"only {of_base} of the base's {facts.base_graded} graded cases could be compared, fewer than {least} %"
    return [Reason("min_common", values, text)]


def _too_little_substance(facts: Facts) -> list[Reason]:
    limit = exact(facts.policy.min_common)
    if facts.substantive and 100 * facts.substantive >= limit * facts.base_graded:
        return []
    if not facts.compared:
        text = f"none of {cases(facts.asked)} was graded by more than latency, metrics and not crashing"
        return [Reason("only_necessary", {"asked": facts.asked}, text)]
    values: dict[str, ReasonValue] = {
        "substantive": facts.substantive, "base_graded": facts.base_graded, "limit": limit,
    }  # fmt: skip
    text = (
        f"only {facts.substantive} of the base's {facts.base_graded} graded cases were graded by more than latency, "
        f"metrics and not crashing, fewer than {number_text(limit)} %"
    )
    return [Reason("nothing_substantive", values, text)]


def _all_rests_on_edits(facts: Facts) -> list[Reason]:
    """The base's definitions approve none of what head's approve: only the change itself says that it is right."""
    approved = facts.overall.delta.head.approved
    if not facts.compared or not approved or facts.resting_on_edits < approved:
        return []
    text = f"all {approved} approved cases pass only because this change edited what they expect"
    if approved == 1:
        text = "the one approved case passes only because this change edited what it expects"
    return [Reason("all_only_by_edit", {"approved": approved}, text)]


def _failures(facts: Facts) -> tuple[list[Reason], list[Reason]]:
    failures, warnings = [], []
    for line, p_value in _gated_lines(facts):
        fell = drop(line, facts.policy)
        if fell is None:
            continue
        if facts.policy.rule == "drop_and_evidence" and p_value >= stats.ALPHA:
            values = {**fell.values, "p_value": p_value}
            text = f"{fell.text}, but chance may explain it (p = {p_value:.2g})"
            warnings.append(Reason("drop_without_evidence", values, text))
        else:
            failures.append(fell)
    failures += below_floor(facts)
    failures += _critical(facts)
    gates = facts.policy.edited_cases == "fail"
    (failures if gates else warnings).extend(_edits(facts))
    return failures, warnings


def _gated_lines(facts: Facts) -> list[tuple[Line, float]]:
    """The lines by which the policy gates, each with its p; several categories' p-values are adjusted by Holm."""
    lines = [(line, line.p_worse) for line in facts.wholes]
    if facts.policy.scope == "category":
        # Each grouping adjusted by itself: a change that cuts its categories small cannot blunt those of base.
        for group in (facts.categories, facts.regrouped):
            adjusted = stats.holm({str(line.category): line.p_worse for line in group})
            lines += [(line, adjusted[str(line.category)]) for line in group]
    return lines


def _critical(facts: Facts) -> list[Reason]:
    broke = facts.critical_broke
    if not broke:
        return []
    plural = f"{len(broke)} critical cases newly fail" if len(broke) > 1 else "a critical case newly fails"
    return [Reason("critical", {"cases": broke}, f"{plural} in every trial")]


def _edits(facts: Facts) -> list[Reason]:
    found = (
        ("approved_only_by_edit", facts.only_by_edit, "passes only because this change edited what it expects",
         "pass only because this change edited what they expect"),
        ("broke_behind_edit", facts.behind_edits, "passed in base, and fails by what base and this change expect",
         "passed in base, and fail by what base and this change expect"),
        ("unjudged_by_edit", facts.unjudged_by_edit, "graded in base has nothing to be graded by since it was edited",
         "graded in base have nothing to be graded by since they were edited"),
        ("removed_passing", facts.removed_passing, "that passed in base was removed",
         "that passed in base were removed"),
        ("reworded_passing", facts.reworded_passing, "that passed in base asks something else now",
         "that passed in base ask something else now"),
    )  # fmt: skip
    return [
        Reason(code, {"cases": ids}, cases(len(ids), one if len(ids) == 1 else several))
        for code, ids, one, several in found
        if ids
    ]


def _within(facts: Facts) -> Reason:
    delta = facts.overall.delta
    points = delta.points
    assert points is not None
    moved = "did not move" if points == 0 else f"{'rose' if points > 0 else 'fell'} {points_text(points)} points"
    counts = of_cases(delta.head) if points == 0 else f"{of_cases(delta.base)} to {of_cases(delta.head)}"
    limit = exact(facts.policy.max_drop)
    within = f", no more than {number_text(limit)}" if points < 0 else ""
    values: dict[str, ReasonValue] = {"points": points, "limit": limit}
    return Reason("within_limits", values, f"overall pass rate {moved} ({counts}){within}")
