"""What stands beside the verdict: alerts, errors, fixed, added and removed cases, metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quilate.grades import Grade
from quilate.report.escape import Inert
from quilate.report.figures import move
from quilate.report.input import Metrics, ReportInput
from quilate.report.messages import Translator
from quilate.report.reasons import reason_text
from quilate.report.story import record_of
from quilate.report.voice import Voice


def warnings(report: ReportInput, voice: Voice, names: int) -> list[Inert]:
    """What a reviewer must know about the ruler before trusting the numbers, a sentence each."""
    comparison, provenance, t, medium = report.comparison, report.provenance, voice.t, voice.medium
    said: list[Inert] = []
    if comparison.approved_only_by_edit:
        count = t.tn(
            "{n} case passes only because this change edited what it expects",
            "{n} cases pass only because this change edited what they expect", len(comparison.approved_only_by_edit),
        )  # fmt: skip
        said.append(Inert(f"{medium.strong(count)}{_listed(comparison.approved_only_by_edit, voice, names)}"))
    if comparison.removed_passing:
        count = t.tn(
            "{n} removed case passed in base", "{n} removed cases passed in base", len(comparison.removed_passing)
        )
        said.append(Inert(f"{medium.strong(count)}{_listed(comparison.removed_passing, voice, names)}"))
    if comparison.reworded_passing:
        count = t.tn(
            "{n} case that passed in base asks something else now",
            "{n} cases that passed in base ask something else now", len(comparison.reworded_passing),
        )  # fmt: skip
        said.append(Inert(f"{medium.strong(count)}{_listed(comparison.reworded_passing, voice, names)}"))
    if comparison.policy_changes:
        edits = [f"{key}: {base} → {head}" for key, (base, head) in comparison.policy_changes.items()]
        listed = Inert(", ".join(medium.code(each, 120) for each in edits))
        said.append(
            t.t("Gated by the base's limits; this change's own take effect after merge: {edits}.", edits=listed)
        )
    if provenance.judge_changed:
        before, after = (medium.code(each, 120) for each in provenance.judge_changed)
        said.append(t.t("This change swaps the judge: {before} → {after}.", before=before, after=after))
    elif comparison.judge_changed:
        said.append(t.t("This change swaps the judge."))
    others = [each for each in comparison.warnings if each.code not in _TOLD_ABOVE]
    said += [capital(Inert(f"{reason_text(each, report, voice)}.")) for each in others]
    if provenance.fork:
        said.append(t.t("Replies as reported by the fork: graded here, but nobody saw the fork's agent give them."))
    return said


_TOLD_ABOVE = ("approved_only_by_edit", "removed_passing", "reworded_passing", "policy_changed", "judge_changed")


def capital(sentence: Inert) -> Inert:
    """A sentence's first letter large."""
    return Inert(sentence[:1].upper() + sentence[1:])


def _listed(ids: Sequence[str], voice: Voice, names: int) -> Inert:
    return Inert(f": {voice.names(ids, names)}." if names else ".")


def errors(report: ReportInput, voice: Voice, names: int) -> list[Inert]:
    """Head's cases in error, grouped by why: the most frequent first."""
    grouped: dict[str, list[str]] = {}
    for case_id, why in report.comparison.errors.items():
        grouped.setdefault(why, []).append(case_id)
    groups = sorted(grouped.items(), key=lambda group: -len(group[1]))
    shown = groups[: max(names, 1)]
    said = [
        Inert(
            voice.t.tn("{n} in error, {why}", "{n} in error, {why}", len(ids), why=voice.medium.code(why, 200))
            + _listed(ids, voice, names)
        )
        for why, ids in shown
    ]
    if len(shown) < len(groups):
        said.append(voice.t.t("Showing {shown} of {all} reasons.", shown=len(shown), all=len(groups)))
    return said


def not_judged(report: ReportInput, voice: Voice, names: int) -> list[Inert]:
    """Cases that nothing could be said about."""
    comparison, t = report.comparison, voice.t
    said: list[Inert] = []
    if comparison.not_judged:
        count = t.tn("{n} case not judged", "{n} cases not judged", len(comparison.not_judged))
        said.append(Inert(f"{count}{_listed(comparison.not_judged, voice, names)}"))
    return said


def lists(report: ReportInput, voice: Voice, names: int) -> list[tuple[Inert, Inert]]:
    """What else happened to cases, as pairs of a short count and the sentence with names; absent where nothing did."""
    comparison, t = report.comparison, voice.t
    found: list[tuple[Inert, Inert]] = []

    def add(count: Inert, ids: Sequence[str]) -> None:
        if ids:
            found.append((count, Inert(f"{count}{_listed(ids, voice, names)}")))

    add(t.t("fixed {n}", n=len(comparison.fixed)), comparison.fixed)
    add(t.t("added {n}", n=len(comparison.added)), comparison.added)
    passing = set(comparison.removed_passing)
    removed = [each for each in comparison.removed if each not in passing]
    add(t.t("removed {n}", n=len(removed)), removed)
    add(t.t("edited {n}", n=len(comparison.edited)), comparison.edited)
    add(t.t("compared after grading base's replies again {n}", n=len(comparison.rescored)), comparison.rescored)
    add(t.t("partial {n}", n=len(comparison.partial)), comparison.partial)
    if comparison.removed_by_selection:
        asked = t.t("not asked, by selection {n}", n=comparison.removed_by_selection)
        found.append((asked, Inert(f"{asked}.")))
    if comparison.outside:
        found.append(_with_why(t.t("not compared {n}", n=len(comparison.outside)), comparison.outside, voice, names))
    if comparison.quarantine:
        why = {each.case_id: f"{each.why} ({each.owner}: {each.reason})" for each in comparison.quarantine}
        found.append(_with_why(t.t("quarantined {n}", n=len(why)), why, voice, names))
    else:
        add(t.t("quarantined {n}", n=len(comparison.quarantined)), comparison.quarantined)
    if comparison.confirmed:
        found.append(_confirmed(report, voice, names))
    if comparison.flaky:
        found.append(_flaky(report, voice, names))
    add(t.t("in error in base {n}", n=len(comparison.base_errors)), comparison.base_errors)
    if comparison.renamed:
        count = t.t("renamed {n}", n=len(comparison.renamed))
        pairs = list(comparison.renamed.items())[: max(names, 1)]
        shown = Inert(", ".join(f"{voice.medium.code(old, 120)} → {voice.medium.code(new, 120)}" for old, new in pairs))
        if len(pairs) < len(comparison.renamed):
            shown = t.t(
                "{names} (showing {shown} of {all})", names=shown, shown=len(pairs), all=len(comparison.renamed)
            )
        found.append((count, Inert(f"{count}: {shown}.")))
    return found


def _with_why(count: Inert, why: Mapping[str, str], voice: Voice, names: int) -> tuple[Inert, Inert]:
    pairs = list(why.items())[: max(names, 1)]
    shown = Inert("; ".join(f"{voice.medium.code(each, 120)} — {voice.medium.code(text, 200)}" for each, text in pairs))
    if len(pairs) < len(why):
        shown = voice.t.t("{names} (showing {shown} of {all})", names=shown, shown=len(pairs), all=len(why))
    return count, Inert(f"{count}: {shown}.")


def _confirmed(report: ReportInput, voice: Voice, names: int) -> tuple[Inert, Inert]:
    """Asking again leans towards passing, so both verdicts are said."""
    confirmed, t = report.comparison.confirmed, voice.t
    count = t.t("asked again {n}", n=len(confirmed))
    shown: list[Inert] = []
    for case_id, each in list(confirmed.items())[: max(names, 1)]:
        shown.append(t.t(
            "{name} {first} → {then} ({approved} of {graded} approved)", name=voice.medium.code(case_id, 120),
            first=grade_word(each.first, t), then=grade_word(each.confirmed, t), approved=each.approved,
            graded=each.graded,
        ))  # fmt: skip
    listed = Inert(", ".join(shown))
    if len(shown) < len(confirmed):
        listed = t.t("{names} (showing {shown} of {all})", names=listed, shown=len(shown), all=len(confirmed))
    return count, t.t("{count}, first grade → majority: {names}.", count=count, names=listed)


def grade_word(grade: Grade, t: Translator) -> Inert:
    """A grade in the reader's language."""
    return {
        Grade.PASS: t.t("pass"), Grade.PARTIAL: t.t("partial"), Grade.FAIL: t.t("fail"),
        Grade.ERROR: t.t("error"), Grade.NOT_JUDGED: t.t("not judged"),
    }[grade]  # fmt: skip


def _flaky(report: ReportInput, voice: Voice, names: int) -> tuple[Inert, Inert]:
    """Each with how many of its trials were approved."""
    ids, t = report.comparison.flaky, voice.t
    count = t.t("flaky {n}", n=len(ids))
    shown: list[Inert] = []
    for case_id in ids[:names]:
        record = record_of(case_id, report.head)
        trials = record.grade_line.trials if record else ()
        approved = sum(trial.grade is Grade.PASS for trial in trials)
        shown.append(Inert(f"{voice.medium.code(case_id, 120)}{f' {approved}/{len(trials)}' if trials else ''}"))
    listed = Inert(", ".join(shown))
    if len(shown) < len(ids):
        listed = t.t("{names} (showing {shown} of {all})", names=listed, shown=len(shown), all=len(ids))
    return count, t.t("{count} (not the same in all trials): {names}.", count=count, names=listed)


def metrics(report: ReportInput, voice: Voice, names: int) -> list[tuple[Inert, Inert]]:
    """What was measured beside the pass rate, as pairs of a short form and a sentence."""
    measured, t = report.metrics, voice.t
    found = [*_ruler(report, voice), *_reliability(report, voice), *_ambiguity(measured, voice)]
    if measured.side_by_side is not None:
        pairs = measured.side_by_side
        short = t.t(
            "judged side by side: {better} better, {worse} worse, {alike} alike",
            better=pairs.better, worse=pairs.worse, alike=pairs.alike,
        )  # fmt: skip
        sentence = Inert(f"{short}.")
        if pairs.flip_rate:
            rate = t.number(100 * pairs.flip_rate)
            sentence = t.t("{said} In {rate} % of the pairs the order decided.", said=sentence, rate=rate)
            if 2 * pairs.flip_rate >= 1:
                sentence = t.t("{said} This judge is unreliable here.", said=sentence)
        found.append((short, sentence))
    found += [*_groundedness(measured, voice, names), *_locale(measured, voice)]
    if measured.calibration is not None:
        judge = measured.calibration
        said = t.t(
            "judge agrees with people in {part} of {whole}", part=judge.agreement.part, whole=judge.agreement.whole
        )
        kappa = "" if judge.kappa is None else f", κ {t.number(judge.kappa, 2)}"
        found.append((said, Inert(f"{said}{kappa} ({voice.medium.code(judge.at, 40)}).")))
    return found


def _ruler(report: ReportInput, voice: Voice) -> list[tuple[Inert, Inert]]:
    """The change in two: what the agent did, and what the edited ruler did."""
    comparison, t = report.comparison, voice.t
    if comparison.ruler_points is None:
        return []
    agent, ruler = move(comparison.agent_points, t), move(comparison.ruler_points, t)
    said = t.t("the agent {agent}, the ruler {ruler}", agent=agent, ruler=ruler)
    return [(said, t.t("Of the move in points: {said}.", said=said))]


def _reliability(report: ReportInput, voice: Voice) -> list[tuple[Inert, Inert]]:
    """pass^k, and what a suite of this size can notice at all."""
    comparison, t = report.comparison, voice.t
    found: list[tuple[Inert, Inert]] = []
    last = comparison.pass_k[-1] if comparison.pass_k else None
    if last is not None and last.head is not None:
        before = "" if last.base is None else f"{t.number(100 * last.base, 1)} → "
        short = t.t(
            "approved in all of {k} trials {change} %",
            k=last.k,
            change=Inert(f"{before}{t.number(100 * last.head, 1)}"),
        )
        found.append((short, Inert(f"{short} (pass^{last.k}).")))
    if comparison.power is not None:
        power = comparison.power
        said = t.t(
            "A suite of {cases} cases notices a true drop of {points} points by the limit about {limit} % of the time, "
            "by evidence about {evidence} %; one case is {one} points.",
            cases=power.cases, points=power.drop_points, limit=t.number(100 * power.noticed_by_limit),
            evidence=t.number(100 * power.noticed_with_evidence), one=t.number(power.points_per_case, 1),
        )  # fmt: skip
        found.append((t.t("what {n} cases can notice", n=power.cases), said))
    return found


def _ambiguity(measured: Metrics, voice: Voice) -> list[tuple[Inert, Inert]]:
    t = voice.t
    found: list[tuple[Inert, Inert]] = []
    for metric in measured.ambiguity:
        if not metric.head.whole:
            nothing = t.t("no clear cases") if metric.name == "false_clarification" else t.t("no ambiguous cases")
            if (nothing, Inert(f"{nothing}.")) not in found:
                found.append((nothing, Inert(f"{nothing}.")))
            continue
        now = f"{metric.head.part}/{metric.head.whole}"
        before = f"{metric.base.part}/{metric.base.whole} → " if metric.base and metric.base.whole else ""
        short = _rate(metric.name, Inert(f"{before}{now}"), voice)
        found.append((short, Inert(f"{short}.")))
    return found


def _rate(name: str, change: Inert, voice: Voice) -> Inert:
    if name == "clarification":
        return voice.t.t("clarification rate {change}", change=change)
    if name == "wrong_guess":
        return voice.t.t("wrong-guess rate {change}", change=change)
    return voice.t.t("false-clarification rate {change}", change=change)


def _locale(measured: Metrics, voice: Voice) -> list[tuple[Inert, Inert]]:
    """The guide's practical condition: a strong pass of each signal, with the case that shows it."""
    signals, t = measured.locale_signals, voice.t
    if not signals:
        return []
    strong = {signal: case_id for signal, case_id in signals.items() if case_id is not None}
    short = t.t("locale signals with a strong pass {part} of {whole}", part=len(strong), whole=len(signals))
    shown = ", ".join(
        f"{voice.medium.code(signal, 40)} {voice.medium.code(each, 120)}" for signal, each in strong.items()
    )
    said = Inert(f"{short}: {shown}." if shown else f"{short}.")
    missing = [signal for signal, case_id in signals.items() if case_id is None]
    if missing:
        said = t.t("{said} None for {names}.", said=said, names=voice.names(missing))
    return [(short, said)]


def _groundedness(measured: Metrics, voice: Voice, names: int) -> list[tuple[Inert, Inert]]:
    grounded, t = measured.groundedness, voice.t
    if grounded is None:
        return []
    short = t.t("invented {invented}, without evidence {n}", invented=grounded.invented, n=grounded.no_evidence)
    said = t.t(
        "Groundedness: {not_invented} not invented, {invented} invented, {n} without evidence.",
        not_invented=grounded.not_invented, invented=grounded.invented, n=grounded.no_evidence,
    )  # fmt: skip
    if grounded.lost_evidence:
        said = Inert(
            f"{said} {t.t('With evidence in base and none now')}{_listed(grounded.lost_evidence, voice, names)}"
        )
    if grounded.gaps:
        said = Inert(
            f"{said} {t.t('Questions the knowledge base has nothing for')}{_listed(grounded.gaps, voice, names)}"
        )
    return [(short, said)]
