"""What was measured beside the pass rate: the ruler's part, reliability, ambiguity, locale, groundedness, pairs."""

from __future__ import annotations

from fractions import Fraction

from quilate.compare.stats import wilson
from quilate.report.asides import listed
from quilate.report.escape import Inert
from quilate.report.figures import move
from quilate.report.input import MetricChange, Metrics, ReportInput
from quilate.report.messages import Translator
from quilate.report.retold import spoken
from quilate.report.voice import Voice


def metrics(report: ReportInput, voice: Voice, names: int) -> list[tuple[Inert, Inert]]:
    """What was measured beside the pass rate, as pairs of a short form and a sentence."""
    measured = report.metrics
    found = [*_ruler(report, voice), *_reliability(report, voice), *_ambiguity(measured, voice)]
    found += [*side_by_side(report, voice, names), *_calibration(measured, voice)]
    found += [*_groundedness(measured, voice, names), *_locale(measured, voice), *_instructed(measured, voice, names)]
    return found


def _calibration(measured: Metrics, voice: Voice) -> list[tuple[Inert, Inert]]:
    """How the judge last agreed with people on single replies."""
    judge, t = measured.calibration, voice.t
    if judge is None or not judge.agreement.whole:
        return []
    said = t.t("judge agrees with people in {part} of {whole}", part=judge.agreement.part, whole=judge.agreement.whole)
    kappa = "" if judge.kappa is None else f", κ {t.number(judge.kappa, 2)}"
    sentence = Inert(f"{said}{kappa} ({voice.medium.code(judge.at, 40)}).")
    if judge.other_judge:
        sentence = t.t("{said} That was another judge, or other prompts, than this run's.", said=sentence)
    elif judge.should_not_gate:
        sentence = t.t("{said} By that, this judge should not gate.", said=sentence)
    return [(said, sentence)]


def _why_unjudged(report: ReportInput, t: Translator) -> str:
    """The most frequent reason why pairs have no verdict, in the reader's language where it is a sentence of ours."""
    counted = report.metrics.side_by_side
    reason = counted.why_unjudged if counted else ""
    pairs = report.pairs.pairs if report.pairs else ()
    return next((spoken(pair.why, t) for pair in pairs if not pair.judged and pair.reason == reason), reason)


def _pair_calibration(report: ReportInput, voice: Voice) -> Inert | None:
    """How the judge of pairs last agreed with people; None where nobody rated pairs that it judged."""
    calibration, t = report.metrics.calibration, voice.t
    if calibration is None or calibration.pairs is None:
        return None
    last = calibration.pairs
    kappa = "" if last.kappa is None else f", κ {t.number(last.kappa, 2)}"
    said = t.t(
        "In pairs the judge prefers what people prefer in {part} of {whole}", part=last.agreement.part,
        whole=last.agreement.whole,
    )  # fmt: skip
    sentence = Inert(f"{said}{kappa} ({voice.medium.code(calibration.at, 40)}).")
    if report.pairs is not None and report.pairs.header.judge_fingerprint != last.judge_fingerprint:
        return t.t("{said} That was another judge, or other prompts, than this run's.", said=sentence)
    return sentence


def side_by_side(report: ReportInput, voice: Voice, names: int) -> list[tuple[Inert, Inert]]:
    """Won, tied, lost; how far the judge is to be trusted in it; what it gave no answer about, and why."""
    pairs, t = report.metrics.side_by_side, voice.t
    if pairs is None:
        return []
    found: list[tuple[Inert, Inert]] = []
    if pairs.better or pairs.worse or pairs.alike:
        short = t.t(
            "judged side by side: {better} better, {worse} worse, {alike} alike",
            better=pairs.better, worse=pairs.worse, alike=pairs.alike,
        )  # fmt: skip
        sentence = Inert(f"{short}.")
        if pairs.flip_rate is not None:
            sentence = t.t(
                "{said} In {part} of {whole} pairs ({rate} %) the order decided.", said=sentence, part=pairs.flipped,
                whole=pairs.judged, rate=t.number(100 * pairs.flip_rate),
            )  # fmt: skip
        if pairs.unreliable:
            sentence = t.t("{said} This judge is unreliable here.", said=sentence)
        calibrated = _pair_calibration(report, voice)
        sentence = sentence if calibrated is None else Inert(f"{sentence} {calibrated}")
        found.append((short, sentence))
    if pairs.unjudged:
        short = t.tn(
            "{n} pair without an answer of the judge", "{n} pairs without an answer of the judge", pairs.unjudged
        )
        found.append((short, Inert(f"{short}: {voice.medium.code(_why_unjudged(report, t), 300)}.")))
    speaking = [pair.case_id for pair in report.pairs.pairs if pair.addressed_to_judge] if report.pairs else []
    if speaking:
        short = t.tn(
            "{n} pair in which a reply speaks to the judge", "{n} pairs in which a reply speaks to the judge",
            len(speaking),
        )  # fmt: skip
        found.append((short, Inert(f"{short}{listed(speaking, voice, names)}")))
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
        said = t.tn(
            "A suite of {n} case notices a true drop of {points} points by the limit about {limit} % of the time, "
            "by evidence about {evidence} %; one case is {one} points.",
            "A suite of {n} cases notices a true drop of {points} points by the limit about {limit} % of the time, "
            "by evidence about {evidence} %; one case is {one} points.",
            power.cases, points=power.drop_points, limit=t.number(100 * power.noticed_by_limit),
            evidence=t.number(100 * power.noticed_with_evidence), one=t.number(power.points_per_case, 1),
        )  # fmt: skip
        found.append((t.tn("what {n} case can notice", "what {n} cases can notice", power.cases), said))
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
        found.append((short, Inert(f"{short}: {_estimate(metric, voice)}.")))
    return found


def _estimate(metric: MetricChange, voice: Voice) -> Inert:
    """A rate in percent with its interval, and against base in points: counts of a few cases say how little."""
    head, base, t = metric.head, metric.base, voice.t
    interval = wilson(head.part, head.whole)
    rate = Fraction(100 * head.part, head.whole)
    said = t.t(
        "{rate} %, 95 % interval {low} to {high}",
        rate=t.number(rate, 1), low=t.number(100 * interval.low, 1), high=t.number(100 * interval.high, 1),
    )  # fmt: skip
    if base is None or not base.whole:
        return said
    points = move(rate - Fraction(100 * base.part, base.whole), t)
    return t.t("{said}; {points} points against base", said=said, points=points)


def _instructed(measured: Metrics, voice: Voice, names: int) -> list[tuple[Inert, Inert]]:
    """Prompts that give away what they measure: what those cases show is obedience."""
    count, t = len(measured.instructed), voice.t
    if not count:
        return []
    short = t.tn("{n} prompt instructs what it measures", "{n} prompts instruct what they measure", count)
    return [
        (short, t.t("{said}, so the guide's condition is not met{cases}", said=short,
                    cases=listed(measured.instructed, voice, names)))
    ]  # fmt: skip


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
            f"{said} {t.t('With evidence in base and none now')}{listed(grounded.lost_evidence, voice, names)}"
        )
    if grounded.gaps:
        said = Inert(
            f"{said} {t.t('Questions the knowledge base has nothing for')}{listed(grounded.gaps, voice, names)}"
        )
    return [(short, said)]
