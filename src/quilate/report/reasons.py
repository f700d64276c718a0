"""The gate's reasons in the reader's language: the words for every code, from the values that decided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from quilate.compare.comparison import Delta, Tally
from quilate.reasons import Reason, ReasonValue
from quilate.report import figures
from quilate.report.escape import Inert
from quilate.report.input import ReportInput
from quilate.report.voice import Voice


@dataclass(frozen=True, slots=True)
class Decided:
    """A reason of the gate, in its report, to be said in a voice."""

    reason: Reason
    report: ReportInput
    voice: Voice

    def count(self, key: str) -> int:
        """A whole number among the values; a list counts its members."""
        value = self.reason.values.get(key)
        return len(value) if isinstance(value, tuple) else int(value or 0) if not isinstance(value, str) else 0

    def limit(self, key: str = "limit") -> Inert:
        """A threshold among the values."""
        value = self.reason.values.get(key)
        return figures.limit(float(value) if isinstance(value, int | float | Fraction) else 0.0, self.voice.t)

    @property
    def names(self) -> Inert:
        """The first of the cases among the values."""
        value = self.reason.values.get("cases")
        return self.voice.names(value if isinstance(value, tuple) else (), 3)


def reason_text(reason: Reason, report: ReportInput, voice: Voice) -> Inert:
    """A reason of the gate in the reader's language; one without words here in its own, as quoted text."""
    known = _REASONS.get(reason.code)
    return known(Decided(reason, report, voice)) if known else voice.medium.code(reason.text, 300)


def _drop(case: Decided) -> Inert:
    category, policy = case.reason.values.get("category"), case.report.comparison.policy
    if category is None and case.reason.values.get("by_base"):
        points = figures.magnitude(_exact(case.reason.values.get("points")), case.voice.t, policy.max_drop)
        return case.voice.t.t(
            "measured as base does, pass rate fell {points} points, the limit is {limit}",
            points=points, limit=figures.limit(policy.max_drop, case.voice.t),
        )  # fmt: skip
    if category is None:
        return _fall(case.report.comparison.overall, case)
    name = case.voice.medium.code(str(category), 80)
    if case.reason.values.get("by_base"):
        points = figures.magnitude(_exact(case.reason.values.get("points")), case.voice.t, policy.max_drop)
        return case.voice.t.t(
            "in {category}, with the cases base has in it, pass rate fell {points} points, the limit is {limit}",
            category=name, points=points, limit=figures.limit(policy.max_drop, case.voice.t),
        )  # fmt: skip
    delta = case.report.comparison.categories.get(str(category))
    said = _fall(delta, case) if delta else case.voice.medium.code(case.reason.text)
    return case.voice.t.t("in {category} {said}", category=name, said=said)


def _fall(delta: Delta, case: Decided) -> Inert:
    t, limit = case.voice.t, case.report.comparison.policy.max_drop
    if delta.head.graded < figures.SMALL_SAMPLE:
        approved, base = approved_of(delta.head, case.voice), figures.counted(delta.base)[0]
        return t.t("{approved}, {base} before", approved=approved, base=base)
    points = figures.magnitude(delta.points or Fraction(0), t, limit)
    return t.t("pass rate fell {points} points, the limit is {limit}", points=points, limit=figures.limit(limit, t))


def _drop_without_evidence(case: Decided) -> Inert:
    said = _drop(case)
    return case.voice.t.t("{said}, but chance may explain it, and the gate asks for evidence", said=said)


def _floor(case: Decided) -> Inert:
    approved = approved_of(case.report.comparison.overall.head, case.voice)
    return case.voice.t.t("{approved}, below the floor of {floor} %", approved=approved, floor=case.limit())


def approved_of(tally: Tally, voice: Voice) -> Inert:
    """`46 of 50 approved`; with trials `138 of 150 trials approved`."""
    approved, graded = figures.counted(tally)
    if tally.rate_sum is None:
        return voice.t.t("{head} of {graded} approved", head=approved, graded=graded)
    return voice.t.t("{head} of {graded} trials approved", head=approved, graded=graded)


def _critical(case: Decided) -> Inert:
    number, names = case.count("cases"), case.names
    return case.voice.t.tn("critical case {names} broke", "{n} critical cases broke: {names}", number, names=names)


def _only_by_edit(case: Decided) -> Inert:
    return case.voice.t.tn(
        "{n} case passes only because this change edited what it expects",
        "{n} cases pass only because this change edited what they expect", case.count("cases"),
    )  # fmt: skip


def _all_only_by_edit(case: Decided) -> Inert:
    return case.voice.t.tn(
        "the one approved case passes only because this change edited what it expects",
        "all {n} approved cases pass only because this change edited what they expect", case.count("approved"),
    )  # fmt: skip


def _removed_passing(case: Decided) -> Inert:
    return case.voice.t.tn("{n} removed case passed in base", "{n} removed cases passed in base", case.count("cases"))


def _reworded_passing(case: Decided) -> Inert:
    return case.voice.t.tn(
        "{n} case that passed in base asks something else now",
        "{n} cases that passed in base ask something else now", case.count("cases"),
    )  # fmt: skip


def _broke_behind_edit(case: Decided) -> Inert:
    return case.voice.t.tn(
        "{n} case that passed in base fails by what base expects and by what this change expects instead",
        "{n} cases that passed in base fail by what base expects and by what this change expects instead",
        case.count("cases"),
    )  # fmt: skip


def _unjudged_by_edit(case: Decided) -> Inert:
    return case.voice.t.tn(
        "{n} case graded in base has nothing to be graded by since this change edited it",
        "{n} cases graded in base have nothing to be graded by since this change edited them", case.count("cases"),
    )  # fmt: skip


def _edit_unchecked(case: Decided) -> Inert:
    names = case.names
    return case.voice.t.tn(
        "{n} case was edited, and what base expects of it could not be checked here: {names}",
        "{n} cases were edited, and what base expects of them could not be checked here: {names}",
        case.count("cases"), names=names,
    )  # fmt: skip


def _rules_changed(case: Decided) -> Inert:
    names = case.names
    return case.voice.t.tn(
        "{n} case is graded by other rules than in base (a locale pack, the search, or quilate itself): {names}",
        "{n} cases are graded by other rules than in base (a locale pack, the search, or quilate itself): {names}",
        case.count("cases"), names=names,
    )  # fmt: skip


def _latency_limit_changed(case: Decided) -> Inert:
    before, after = (figures.limit(float(_exact(case.reason.values.get(key))), case.voice.t) for key in _LIMITS_MS)
    return case.voice.t.t(
        "this change sets the default time limit from {before} to {after} ms, by which both sides are graded",
        before=before, after=after,
    )  # fmt: skip


_LIMITS_MS = ("base_ms", "head_ms")


def _exact(value: ReasonValue) -> Fraction:
    return Fraction(value) if isinstance(value, int | float | Fraction) else Fraction(0)


def _error_rate(case: Decided) -> Inert:
    asked, errors = case.count("asked"), case.count("errors")
    return case.voice.t.tn(
        "{n} of {asked} cases has no grade", "{n} of {asked} cases have no grade", errors, asked=asked
    )


def _nothing_graded(case: Decided) -> Inert:
    asked = case.count("asked")
    return case.voice.t.tn("the one case has no grade", "none of {n} cases has a grade", asked)


def _nothing_common(case: Decided) -> Inert:
    return case.voice.t.t("no case could be compared with the base")


def _min_common(case: Decided) -> Inert:
    graded = case.count("base_graded")
    return case.voice.t.tn(
        "only {n} of the base's {graded} graded cases could be compared",
        "only {n} of the base's {graded} graded cases could be compared", case.count("common"), graded=graded,
    )  # fmt: skip


def _nothing_substantive(case: Decided) -> Inert:
    graded = case.count("base_graded")
    return case.voice.t.tn(
        "only {n} of the base's {graded} graded cases was graded by more than latency, metrics and not crashing",
        "only {n} of the base's {graded} graded cases were graded by more than latency, metrics and not crashing",
        case.count("substantive"), graded=graded,
    )  # fmt: skip


def _only_necessary(case: Decided) -> Inert:
    if case.report.provenance.common_crash is not None:
        return case.voice.t.tn(
            "the agent crashed at the one case", "the agent crashed at each of {n} cases", case.count("asked")
        )
    return case.voice.t.tn(
        "the one case was graded by no more than latency, metrics and not crashing",
        "none of {n} cases was graded by more than latency, metrics and not crashing", case.count("asked"),
    )  # fmt: skip


def _hidden_drop(case: Decided) -> Inert:
    return case.voice.t.tn(
        "{n} case approved in base is in error here and could hide a drop beyond the limit",
        "{n} cases approved in base are in error here and could hide a drop beyond the limit", case.count("errors"),
    )  # fmt: skip


def _outside_drop(case: Decided) -> Inert:
    return case.voice.t.tn(
        "{n} case approved in base could not be compared, is not approved here and could hide a drop past the limit",
        "{n} cases approved in base could not be compared, are not approved here and could hide a drop past the limit",
        case.count("outside"),
    )  # fmt: skip


def _outside_critical(case: Decided) -> Inert:
    names = case.names
    return case.voice.t.tn(
        "critical case {names} is not approved here and could not be compared",
        "{n} critical cases are not approved here and could not be compared: {names}",
        case.count("cases"), names=names,
    )  # fmt: skip


def _hidden_floor(case: Decided) -> Inert:
    return case.voice.t.tn(
        "{n} case approved in base is in error here and could hide a fall below the floor",
        "{n} cases approved in base are in error here and could hide a fall below the floor", case.count("errors"),
    )  # fmt: skip


def _hidden_critical(case: Decided) -> Inert:
    names = case.names
    return case.voice.t.tn(
        "critical case {names} is in error",
        "{n} critical cases are in error: {names}",
        case.count("cases"),
        names=names,
    )


def _within(case: Decided) -> Inert:
    return case.voice.t.t("within the limits")


def _no_baseline(case: Decided) -> Inert:
    return case.voice.t.t("there is no baseline to compare with")


def _base_unusable(case: Decided) -> Inert:
    why = case.voice.medium.code(str(case.reason.values.get("why") or case.reason.text), 200)
    return case.voice.t.t("the base's run cannot be compared with: {why}", why=why)


def _other_suite(case: Decided) -> Inert:
    return case.voice.t.t("the two runs are of two suites")


def _base_config_unread(case: Decided) -> Inert:
    why = case.voice.medium.code(str(case.reason.values.get("why") or case.reason.text), 300)
    return case.voice.t.t("what the base's configuration says of this suite is not known: {why}", why=why)


def _suite_renamed(case: Decided) -> Inert:
    before, after = (case.voice.medium.code(str(case.reason.values.get(key)), 80) for key in ("base", "head"))
    return case.voice.t.t(
        "this change renames the suite {before} to {after}; it is compared with the record of {before}",
        before=before, after=after,
    )  # fmt: skip


def _incomplete(case: Decided) -> Inert:
    return case.voice.t.t("this run did not end in order")


def _no_longer_critical(case: Decided) -> Inert:
    names = case.names
    return case.voice.t.tn(
        "{n} case is no longer critical after this change: {names}",
        "{n} cases are no longer critical after this change: {names}", case.count("cases"), names=names,
    )  # fmt: skip


def _now_not_judged(case: Decided) -> Inert:
    names = case.names
    return case.voice.t.tn(
        "{n} case approved in base has nothing to be graded by now: {names}",
        "{n} cases approved in base have nothing to be graded by now: {names}", case.count("cases"), names=names,
    )  # fmt: skip


def _noise_above_limit(case: Decided) -> Inert:
    floor = case.reason.values.get("floor")
    shown = case.voice.t.number(floor if isinstance(floor, int | float | Fraction) else 0, 1)
    return case.voice.t.t(
        "with nothing changed this suite moves about ±{floor} points, more than the limit of {limit}: at this size the "
        "limit alone cannot be trusted", floor=shown, limit=case.limit(),
    )  # fmt: skip


_REASONS: dict[str, Callable[[Decided], Inert]] = {
    "drop": _drop,
    "drop_without_evidence": _drop_without_evidence,
    "min_pass_rate": _floor,
    "critical": _critical,
    "approved_only_by_edit": _only_by_edit,
    "all_only_by_edit": _all_only_by_edit,
    "removed_passing": _removed_passing,
    "reworded_passing": _reworded_passing,
    "broke_behind_edit": _broke_behind_edit,
    "unjudged_by_edit": _unjudged_by_edit,
    "edit_unchecked": _edit_unchecked,
    "rules_changed": _rules_changed,
    "latency_limit_changed": _latency_limit_changed,
    "max_error_rate": _error_rate,
    "nothing_graded": _nothing_graded,
    "nothing_common": _nothing_common,
    "min_common": _min_common,
    "nothing_substantive": _nothing_substantive,
    "only_necessary": _only_necessary,
    "errors_could_hide_drop": _hidden_drop,
    "outside_could_hide_drop": _outside_drop,
    "outside_could_hide_critical": _outside_critical,
    "errors_could_hide_floor": _hidden_floor,
    "errors_could_hide_critical": _hidden_critical,
    "within_limits": _within,
    "no_baseline": _no_baseline,
    "base_unusable": _base_unusable,
    "other_suite": _other_suite,
    "base_config_unread": _base_config_unread,
    "suite_renamed": _suite_renamed,
    "head_incomplete": _incomplete,
    "no_longer_critical": _no_longer_critical,
    "now_not_judged": _now_not_judged,
    "noise_above_limit": _noise_above_limit,
}
