"""The report as one page: everything in one file, nothing fetched, no script but its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import BinaryIO

from markupsafe import Markup

from quilate.compare.comparison import Delta, Tally
from quilate.compare.stats import wilson
from quilate.grades import Grade
from quilate.report import asides, escape, figures, measures, table
from quilate.report.html import charts
from quilate.report.html.assets import environment, page_assets, said
from quilate.report.html.case_view import CaseView
from quilate.report.html.conditions import conditions
from quilate.report.html.measured import latency, rates_of
from quilate.report.html.pairs import overview
from quilate.report.html.view import Viewer
from quilate.report.input import ReportInput
from quilate.report.medium import HtmlMedium
from quilate.report.messages import Translator
from quilate.report.origin import no_baseline, provenance
from quilate.report.reasons import reason_text
from quilate.report.sentences import SYMBOLS, decision, state, verdict_sentence
from quilate.report.sources import ReadRun
from quilate.report.voice import Voice

_NAMES = 40
_ORDER = {"broke": 0, "error": 1, "fixed": 3, "added": 4, "same": 5}
_CHUNK = 200


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: the whole (`name` None) or a category."""

    name: str | None
    cells: tuple[Markup, ...]
    direction: str
    plot: Markup


def write(out: BinaryIO, report: ReportInput, head: ReadRun, base: ReadRun | None = None) -> None:
    """Writes the page, in UTF-8, case by case: its memory does not grow with the run.

    `head` and `base` are the runs of `report`, for what only their headers and indexes say.
    """
    voice = Voice(Translator(report.language), HtmlMedium())
    env = environment(voice.t)
    stream = env.get_template("report.html.j2").stream(
        assets=page_assets(), language=report.language, suite=report.comparison.suite, state=state(report),
        symbol=SYMBOLS[state(report)], compared=report.comparison.compared,
        verdict=said(verdict_sentence(report, voice)), sentences=[said(each) for each in decision(report, voice)],
        explained=_explained(report, voice), warnings=[said(each) for each in asides.warnings(report, voice, _NAMES)],
        titles=[said(each) for each in table.titles(report, voice.t)], rows=_rows(report, voice),
        move=_move(report, voice), asides=_asides(report, voice), rates=rates_of(report, voice),
        latency=latency(head, base, voice.t), pairs=overview(report, voice), provenance=_provenance(report, voice),
        conditions=conditions(head, base, voice.t), counts=_counts(report, head),
        total=sum(1 for _ in head.index.grades()),
        cases=_cases(report, head), categories=_categories(head), run_url=_address(report),
    )  # fmt: skip
    stream.enable_buffering(_CHUNK)
    out.writelines(part.encode("utf-8", "replace") for part in stream)


def _address(report: ReportInput) -> str | None:
    url = report.provenance.site.run_url
    return escape.web_address(url) if url else None


def _explained(report: ReportInput, voice: Voice) -> list[Markup]:
    comparison, t = report.comparison, voice.t
    found = []
    if not comparison.compared and report.provenance.base is None:
        found.append(said(no_baseline(report.provenance.no_baseline, voice)))
    others = comparison.reasons[1:] if state(report) in ("fail", "inconclusive", "accepted") else ()
    if others:
        reasons = escape.Inert("; ".join(reason_text(each, report, voice) for each in others))
        found.append(said(t.t("Also: {reasons}.", reasons=reasons)))
    if comparison.errors:
        found += [said(each) for each in asides.errors(report, voice, 10)]
    return found


def _rows(report: ReportInput, voice: Voice) -> list[Row]:
    comparison = report.comparison
    shown = table.shown_categories(report, None)
    names = [*shown, *(name for name in comparison.categories if name not in set(shown))]
    rows = [_row(None, comparison.overall, report, voice)]
    return rows + [_row(name, comparison.categories[name], report, voice) for name in names]


def _row(name: str | None, delta: Delta, report: ReportInput, voice: Voice) -> Row:
    points = delta.points or Fraction(0)
    direction = "down" if points < 0 else "up" if points > 0 else "still"
    cells = tuple(said(each) for each in table.values(delta, report, voice.t))
    base = _estimate(delta.base) if report.comparison.compared else None
    head = _estimate(delta.head)
    spoken = [
        *([voice.t.t("base {rate}", rate=_spoken(base, voice.t))] if base else []),
        *([voice.t.t("this change {rate}", rate=_spoken(head, voice.t))] if head else []),
    ]
    plot = charts.rates(base, head, "; ".join(spoken) or str(voice.t.t("nothing graded"))) if spoken else Markup("")
    return Row(name, cells, direction, plot)


def _estimate(tally: Tally) -> charts.Estimate | None:
    """The pass rate with its Wilson interval over cases: trials of one case are not independent of each other."""
    rate = tally.rate
    if rate is None:
        return None
    interval = wilson(float(rate) * tally.graded / 100, tally.graded)
    return charts.Estimate(float(rate), 100 * interval.low, 100 * interval.high)


def _spoken(rate: charts.Estimate, t: Translator) -> escape.Inert:
    value, low, high = (t.number(each, 1) for each in (rate.value, rate.low, rate.high))
    return t.t("{value} % ({low} to {high})", value=value, low=low, high=high)


def _move(report: ReportInput, voice: Voice) -> Markup | None:
    """The move of the whole with its paired interval; None where too few cases were paired for one."""
    overall, t = report.comparison.overall, voice.t
    noise, points = overall.noise, overall.points
    if noise is None or noise.low is None or noise.high is None or points is None:
        return None
    limit = report.comparison.policy.max_drop
    label = t.t(
        "the pass rate moved {points} points; 95 % interval {low} to {high}; the limit is a drop of {limit}",
        points=t.number(points, 1), low=t.number(noise.low, 1), high=t.number(noise.high, 1),
        limit=figures.limit(limit, t),
    )  # fmt: skip
    names = (str(t.t("no move")), str(t.t("limit {points}", points=escape.Inert(f"−{figures.limit(limit, t)}"))))
    return charts.difference(charts.Estimate(float(points), noise.low, noise.high), limit, names, label)


def _asides(report: ReportInput, voice: Voice) -> list[Markup]:
    found = [*asides.lists(report, voice, _NAMES), *measures.metrics(report, voice, _NAMES)]
    return [
        *(said(each) for each in asides.not_judged(report, voice, _NAMES)),
        *(said(asides.capital(sentence)) for _, sentence in found),
    ]


def _provenance(report: ReportInput, voice: Voice) -> Markup:
    return Markup(" · ").join(said(each) for each in provenance(report, voice))


def _counts(report: ReportInput, head: ReadRun) -> dict[str, int]:
    """How many cases each quick filter shows."""
    viewer = Viewer(report)
    counts = dict.fromkeys(("broke", "fixed", "error", "added", "fail", "partial", "not_judged", "pass"), 0)
    for case_id, grade in head.index.grades():
        change = viewer.change(case_id, grade)
        if change in counts:
            counts[change] += 1
        if grade.value in counts and grade is not Grade.ERROR:
            counts[grade.value] += 1
    return counts


def _categories(head: ReadRun) -> list[str]:
    return list(dict.fromkeys(summary.category for summary in head.index.summaries()))


def _cases(report: ReportInput, head: ReadRun) -> Iterator[CaseView]:
    """What broke first, then errors, other failures, what was fixed or added; the file's order within each."""
    viewer = Viewer(report)
    order = sorted(
        (
            (_rank(viewer.change(case_id, grade), grade), at, case_id)
            for at, (case_id, grade) in enumerate(head.index.grades())
        )
    )
    return (viewer.view(case_id) for _, _, case_id in order)


def _rank(change: str, grade: Grade) -> int:
    return 2 if change in ("same", "added") and grade in (Grade.FAIL, Grade.PARTIAL) else _ORDER[change]
