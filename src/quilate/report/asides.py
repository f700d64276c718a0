"""What stands beside the verdict: alerts, errors, fixed, added and removed cases, metrics."""

from __future__ import annotations

from collections.abc import Sequence

from quilate.grades import Grade
from quilate.report.escape import Inert
from quilate.report.figures import move
from quilate.report.input import Metrics, ReportInput
from quilate.report.sentences import Voice, reason_text
from quilate.report.story import record_of


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
    if provenance.policy_changes:
        edits = ", ".join(
            medium.code(f"{each.name}: {each.base} → {each.head}", 120) for each in provenance.policy_changes
        )
        said.append(
            t.t("Gated by the base's limits; this change's own take effect after merge: {edits}.", edits=Inert(edits))
        )
    if provenance.judge_changed:
        before, after = (medium.code(each, 120) for each in provenance.judge_changed)
        said.append(t.t("This change swaps the judge: {before} → {after}.", before=before, after=after))
    said += [Inert(f"{reason_text(warning, report, voice)}.") for warning in comparison.warnings]
    if provenance.fork:
        said.append(t.t("Replies as reported by the fork: graded here, but nobody saw the fork's agent give them."))
    return said


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
    """Cases that nothing could be said about, and those that code alone graded."""
    comparison, t = report.comparison, voice.t
    said: list[Inert] = []
    if report.provenance.code_only:
        said.append(t.tn(
            "{n} of {all} cases graded by code only: no judge is configured.",
            "{n} of {all} cases graded by code only: no judge is configured.",
            report.provenance.code_only, all=report.provenance.cases,
        ))  # fmt: skip
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
    removed = [each for each in comparison.removed if each not in set(comparison.removed_passing)]
    add(t.t("removed {n}", n=len(removed)), removed)
    add(t.t("edited {n}", n=len(comparison.edited)), comparison.edited)
    add(t.t("quarantined {n}", n=len(comparison.quarantined)), comparison.quarantined)
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


def metrics(measured: Metrics, voice: Voice, names: int) -> list[tuple[Inert, Inert]]:
    """What was measured beside the pass rate, as pairs of a short form and a sentence."""
    t = voice.t
    found = _ambiguity(measured, voice)
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
    found += _groundedness(measured, voice, names)
    if measured.ruler_split is not None:
        split = measured.ruler_split
        said = t.t("the agent {agent}, the ruler {ruler}", agent=move(split.agent, t), ruler=move(split.ruler, t))
        found.append((said, t.t("Of the move in points: {said}.", said=said)))
    if measured.calibration is not None:
        judge = measured.calibration
        said = t.t(
            "judge agrees with people in {part} of {whole}", part=judge.agreement.part, whole=judge.agreement.whole
        )
        kappa = "" if judge.kappa is None else f", κ {t.number(judge.kappa, 2)}"
        found.append((said, Inert(f"{said}{kappa} ({voice.medium.code(judge.at, 40)}).")))
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
