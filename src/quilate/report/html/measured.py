"""What was measured beside the pass rate, drawn: rates with their intervals, and the distribution of latency."""

from __future__ import annotations

import math
from dataclasses import dataclass

from markupsafe import Markup

from quilate.compare.stats import wilson
from quilate.report import figures
from quilate.report.escape import Inert
from quilate.report.html import charts
from quilate.report.input import Ratio, ReportInput
from quilate.report.messages import Translator
from quilate.report.sources import ReadRun
from quilate.report.voice import Voice

_MOST_TIMES = 100_000


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate of the guide, base against head; `base` is empty where there is none."""

    name: Inert
    base: str
    head: str
    interval: Inert
    plot: Markup


def rates_of(report: ReportInput, voice: Voice) -> list[Rate]:
    """Ambiguity and groundedness as rates with 95 % Wilson intervals."""
    t, measured = voice.t, report.metrics
    names = {
        "clarification": t.t("Clarification rate"), "wrong_guess": t.t("Wrong-guess rate"),
        "false_clarification": t.t("False-clarification rate"),
    }  # fmt: skip
    found = [_rate(names[each.name], each.base, each.head, t) for each in measured.ambiguity if each.head.whole]
    grounded = measured.groundedness
    if grounded is not None:
        whole = grounded.not_invented + grounded.invented + grounded.no_evidence
        if whole:
            found.append(_rate(t.t("Not invented"), None, Ratio(grounded.not_invented, whole), t))
            found.append(_rate(t.t("Invented"), None, Ratio(grounded.invented, whole), t))
            found.append(_rate(t.t("Without evidence"), None, Ratio(grounded.no_evidence, whole), t))
    return found


def _rate(name: Inert, base: Ratio | None, head: Ratio, t: Translator) -> Rate:
    now = _estimate(head)
    before = _estimate(base) if base is not None and base.whole else None
    low, high = t.number(now.low, 1), t.number(now.high, 1)
    interval = t.t("{low} to {high} %", low=low, high=high)
    label = t.t("{name}: {part} of {whole}, {interval}", name=name, part=head.part, whole=head.whole, interval=interval)
    was = figures.share(base.part, base.whole) if base is not None else ""
    return Rate(name, was, figures.share(head.part, head.whole), interval, charts.rates(before, now, label))


def _estimate(ratio: Ratio) -> charts.Estimate:
    interval = wilson(ratio.part, ratio.whole)
    return charts.Estimate(100 * ratio.part / ratio.whole, 100 * interval.low, 100 * interval.high)


def latency(head: ReadRun, base: ReadRun | None, t: Translator) -> Markup:
    """Both sides' recorded times with their median and p95; nothing where no time was recorded."""
    sides, labels = [], []
    for kind, name, run in (("base", t.t("Base"), base), ("head", t.t("This change"), head)):
        times = _times(run) if run is not None else []
        if times:
            median, p95 = percentile(times, 50), percentile(times, 95)
            marks = [(median, f"p50 {figures.milliseconds(median, t)}"), (p95, f"p95 {figures.milliseconds(p95, t)}")]
            sides.append(charts.Times(kind, name, times, marks if p95 > median else marks[1:]))
            labels.append(f"{name}: {marks[0][1]}, {marks[1][1]}, {t.tn('{n} reply', '{n} replies', len(times))}")
    if not sides:
        return Markup("")
    every = [value for side in sides for value in side.values_ms]
    ends = (str(figures.milliseconds(min(every), t)), str(figures.milliseconds(max(every), t)))
    return charts.distribution(sides, ends, ". ".join(labels))


def _times(run: ReadRun) -> list[float]:
    found: list[float] = []
    for case_id, _ in run.index.grades():
        found.extend(run.index.durations_ms(case_id))
        if len(found) >= _MOST_TIMES:
            break
    return sorted(found)


def percentile(ordered: list[float], percent: int) -> float:
    """By nearest rank, as everywhere else; `ordered` ascending and not empty."""
    return ordered[max(0, math.ceil(percent * len(ordered) / 100) - 1)]
