"""What a report says, in sentences that Markdown and a terminal share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from quilate.compare.comparison import Comparison, Noise, Tally
from quilate.grades import Verdict
from quilate.report import figures
from quilate.report.escape import Inert, suite_name
from quilate.report.input import ReportInput
from quilate.report.messages import Translator
from quilate.report.reasons import approved_of, reason_text
from quilate.report.retold import spoken
from quilate.report.voice import Voice

SYMBOLS = {"pass": "✅", "fail": "❌", "inconclusive": "⚠️", "not_compared": "⚪", "accepted": "☑️", "broken": "🛑"}


def state(report: ReportInput) -> str:
    """Which of `SYMBOLS` the report stands under."""
    comparison = report.comparison
    if report.provenance.accepted is not None:
        return "accepted"
    if comparison.verdict is Verdict.FAIL:
        return "fail"
    if comparison.verdict is Verdict.PASS and comparison.compared:
        return "pass"
    return "not_compared" if only_lacks_baseline(comparison) else "inconclusive"


def only_lacks_baseline(comparison: Comparison) -> bool:
    """Whether the one thing that is missing is a baseline (DESIGN: then the words are *not compared*)."""
    return not comparison.compared and all(reason.code in NO_BASELINE_CODES for reason in comparison.reasons)


NO_BASELINE_CODES = ("no_baseline",)


def headline(report: ReportInput, voice: Voice) -> Inert:
    """The suite, the verdict and the one number that decided it, under the verdict's symbol."""
    return Inert(f"{SYMBOLS[state(report)]} {suite_name(report.comparison.suite)}: {verdict_sentence(report, voice)}")


def verdict_sentence(report: ReportInput, voice: Voice) -> Inert:
    """The verdict and the one number that decided it."""
    return _HEADLINES[state(report)](report, voice)


def _failed(report: ReportInput, voice: Voice) -> Inert:
    reasons = report.comparison.reasons
    return reason_text(reasons[0], report, voice) if reasons else voice.t.t("failed")


def _passed(report: ReportInput, voice: Voice) -> Inert:
    """The rate and its move; then what the change did to the cases it is measured by, where nothing else is read."""
    comparison, said = report.comparison, _rate_and_move(report, voice)
    edited = len(comparison.approved_only_by_edit)
    if edited:
        said = voice.t.tn(
            "{said}; {n} only because this change edited what it expects",
            "{said}; {n} only because this change edited what they expect", edited, said=said,
        )  # fmt: skip
    gone = [each for each in comparison.warnings if each.code in CASES_GONE]
    return Inert("; ".join([said, *(reason_text(each, report, voice) for each in gone)]))


CASES_GONE = ("broke_behind_edit", "removed_passing", "reworded_passing", "unjudged_by_edit", "now_not_judged")
"""Warnings about cases that the rate does not measure, or no longer."""


def _rate_and_move(report: ReportInput, voice: Voice) -> Inert:
    overall = report.comparison.overall
    approved = approved_of(overall.head, voice)
    points = overall.points
    if not points:
        return voice.t.t("{approved}, as before", approved=approved)
    if overall.head.graded < figures.SMALL_SAMPLE:
        return voice.t.t("{approved}, {base} before", approved=approved, base=figures.counted(overall.base)[0])
    size = figures.magnitude(points, voice.t, report.comparison.policy.max_drop)
    if points > 0:
        return voice.t.t("{approved}, up {points} points", approved=approved, points=size)
    allowed = figures.limit(report.comparison.policy.max_drop, voice.t)
    return voice.t.t(
        "{approved}, down {points} points, within the limit of {limit}", approved=approved, points=size, limit=allowed
    )


def _not_compared(report: ReportInput, voice: Voice) -> Inert:
    head = report.comparison.overall.head
    if not head.graded:
        return voice.t.t("nothing graded, not compared")
    return voice.t.t("{approved}, not compared", approved=approved_of(head, voice))


def _could_not_tell(report: ReportInput, voice: Voice) -> Inert:
    reasons = report.comparison.reasons
    why = reason_text(reasons[0], report, voice) if reasons else voice.t.t("nothing was graded")
    return voice.t.t("could not tell, {why}", why=why)


def _accepted(report: ReportInput, voice: Voice) -> Inert:
    accepted = report.provenance.accepted
    assert accepted is not None
    reasons = report.comparison.reasons
    what = reason_text(reasons[0], report, voice) if reasons else voice.t.t("failed")
    return voice.t.t("{what}, accepted by {login}", what=what, login=voice.medium.code(accepted.login, 80))


_HEADLINES: dict[str, Callable[[ReportInput, Voice], Inert]] = {
    "pass": _passed,
    "fail": _failed,
    "inconclusive": _could_not_tell,
    "not_compared": _not_compared,
    "accepted": _accepted,
}


def decision(report: ReportInput, voice: Voice) -> list[Inert]:
    """Counts base → head and what moved; then, where something moved, what chance alone could explain."""
    comparison, t = report.comparison, voice.t
    crash = _common_crash(report, voice)
    if not comparison.compared:
        return crash or _code_only(report, t)
    overall = comparison.overall
    said = [_counts(overall.base, overall.head, voice), *_moved(report, voice)]
    return [*said, *(crash or [*_code_only(report, t), *noise(report, voice)])]


def _common_crash(report: ReportInput, voice: Voice) -> list[Inert]:
    """What every case crashed with, once: no case of its own tells more."""
    crash = report.provenance.common_crash
    if crash is None:
        return []
    reason = voice.medium.code(spoken(crash, voice.t), 1000)
    cases = report.comparison.overall.head.graded
    return [voice.t.tn("The agent crashed: {reason}", "Every case crashed alike: {reason}", cases, reason=reason)]


def _counts(base: Tally, head: Tally, voice: Voice) -> Inert:
    """Base → head; with trials the trials, which is what the points are made of, and the cases behind them."""
    t = voice.t
    (before, of), (after, now_of) = figures.counted(base), figures.counted(head)
    now = voice.medium.strong(t.t("{head} of {graded}", head=after, graded=now_of))
    if head.rate_sum is None:
        return t.t("{base} of {graded} → {after} cases approved.", base=before, graded=of, after=now)
    return t.t(
        "{base} of {graded} → {after} trials approved; by majority {base_cases} → {head_cases} of {cases} cases.",
        base=before, graded=of, after=now, base_cases=base.approved, head_cases=head.approved, cases=head.graded,
    )  # fmt: skip


def _code_only(report: ReportInput, t: Translator) -> list[Inert]:
    """Without a judge the rate says nothing of what only a judge can grade; a reader must know at once."""
    waiting = report.provenance.code_only
    if not waiting:
        return []
    return [t.tn(
        "{n} of {all} cases graded by code only: no judge is configured.",
        "{n} of {all} cases graded by code only: no judge is configured.", waiting, all=report.provenance.cases,
    )]  # fmt: skip


def _moved(report: ReportInput, voice: Voice) -> list[Inert]:
    """A failure says its zeros too, since a reader asks for them; elsewhere only what happened is said."""
    comparison, t = report.comparison, voice.t
    broke, fixed, errors = len(comparison.broke), len(comparison.fixed), len(comparison.errors)
    partial = comparison.overall.head.partial
    failed = state(report) in ("fail", "accepted")
    parts = [
        *([t.tn("{n} broke", "{n} broke", broke)] if broke or failed else []),
        *([t.tn("{n} was fixed", "{n} were fixed", fixed)] if fixed or failed else []),
        *([t.tn("{n} in error", "{n} in error", errors)] if errors or failed else []),
        *([t.tn("{n} partial (not approved)", "{n} partial (not approved)", partial)] if partial else []),
    ]
    return [Inert(", ".join(parts) + ".")] if parts else []


def noise(report: ReportInput, voice: Voice) -> list[Inert]:
    """What chance could explain. Never calls a difference more than the paired test supports."""
    comparison, t = report.comparison, voice.t
    overall = comparison.overall
    if not overall.points and not comparison.broke and not comparison.fixed:
        return []
    graded = overall.head.graded
    if graded < figures.SMALL_SAMPLE:
        return [t.tn(
            "One case is too few to tell a change from chance: read it.",
            "{n} cases are too few to tell a change from chance: read them.", graded,
        )]  # fmt: skip
    said: list[Inert] = []
    if graded < 20:
        said.append(t.t(
            "With {graded} cases one case is {points} points.",
            graded=graded, points=t.number(Fraction(100, graded), 1),
        ))  # fmt: skip
    if overall.noise is not None:
        if overall.points:
            said.append(_chance(overall.noise, t, overall.points))
        if overall.noise.floor is not None:
            said.append(t.t(
                "With nothing changed this suite moves about ±{floor} points ({trials} trials).",
                floor=t.number(overall.noise.floor, 1), trials=comparison.trials[1],
            ))  # fmt: skip
    return said


def _chance(measured: Noise, t: Translator, points: Fraction) -> Inert:
    interval = _interval(measured, t)
    # The p-value asks whether head is worse; of a gain it says nothing.
    p_value = _p_value(measured.p_value, t) if points <= 0 else None
    said = "; ".join(each for each in (p_value, interval) if each)
    detail = Inert(f" ({said})" if said else "")
    if measured.label == "degraded":
        return t.t("Chance alone would seldom move it this far{detail}.", detail=detail)
    if measured.label == "improved":
        return t.t("The gain is more than chance explains{detail}.", detail=detail)
    return t.t("Chance alone could move it this far{detail}.", detail=detail)


def _p_value(value: float | None, t: Translator) -> Inert | None:
    if value is None:
        return None
    if value < 0.001:
        return Inert(f"p < {t.number(Fraction(1, 1000), 3)}")
    near_the_line = value < 0.01 or 0.045 <= value < 0.055
    return Inert(f"p = {t.number(value, 3 if near_the_line else 2)}")


def _interval(measured: Noise, t: Translator) -> Inert | None:
    if measured.low is None or measured.high is None:
        return None
    return t.t("95 % interval {low} to {high} points", low=_signed(measured.low, t), high=_signed(measured.high, t))


def _signed(value: float, t: Translator) -> Inert:
    text = t.number(value, 1)
    return Inert(f"−{text[1:]}" if text.startswith("-") else f"+{text}" if round(Fraction(value), 1) else text)
