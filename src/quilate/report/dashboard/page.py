"""The dashboard as a page a suite and, with several suites, an index: static files, readable without a script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

from quilate.report import escape, figures, visible
from quilate.report.dashboard.measures import Measure, measures
from quilate.report.dashboard.trends import Change, Run, Trends
from quilate.report.escape import Inert
from quilate.report.html import charts
from quilate.report.html.assets import environment, page_assets
from quilate.report.messages import Language, Translator

_MOST_CASES = 10


@dataclass(frozen=True, slots=True)
class Place:
    """Where commits and workflow runs are; None where there is no server to link to."""

    server_url: str | None = None
    repository: str | None = None

    def commit(self, sha: str | None) -> str | None:
        """The address of a commit."""
        return self._address(f"commit/{quote(sha, safe='')}") if sha else None

    def run(self, run_id: int | None) -> str | None:
        """The address of a workflow run."""
        return self._address(f"actions/runs/{run_id}") if run_id else None

    def _address(self, rest: str) -> str | None:
        if not (self.server_url and self.repository):
            return None
        return escape.web_address(f"{self.server_url.rstrip('/')}/{quote(self.repository, safe='/')}/{rest}")


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table of runs."""

    number: int
    day: str
    commit: str
    commit_url: str | None
    run_url: str | None
    dataset: str
    share: str
    rate: str
    move: str
    direction: str
    errors: int
    latency: str
    cost: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Small:
    """A small chart of one category or measure, with its newest figure."""

    name: str
    now: str
    chart: Markup


def write_site(folder: Path, every: Sequence[Trends], place: Place, language: Language = "en") -> list[Path]:
    """Writes `index.html` (one suite: its page; several: a list of them) and a page a suite; returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    t = Translator(language)
    names = [trends.suite for trends in every]
    pages = {
        "index.html" if len(every) == 1 else f"{each.suite}.html": suite_page(each, place, t, names) for each in every
    }
    if len(every) != 1:
        pages["index.html"] = index_page(every, t)
    paths = []
    for name, text in pages.items():
        path = folder / name
        part = path.with_name(f"{name}.part")
        part.write_text(text, encoding="utf-8", errors="replace")
        part.replace(path)
        paths.append(path)
    return sorted(paths)


def suite_page(trends: Trends, place: Place, t: Translator, suites: Sequence[str]) -> str:
    """One suite's page."""
    runs, words = trends.runs, _Words(t)
    measured = measures(trends, t)
    return environment(t).get_template("dashboard.html.j2").render(
        assets=page_assets(None), language=t.language, suite=trends.suite, suites=suites if len(suites) > 1 else (),
        newest=words.newest(runs), overall=_chart(trends, None, t, tall=True) if runs else Markup(""),
        categories=[_category(trends, name, t) for name in trends.categories],
        measures=[_small(each, trends, t) for each in measured],
        accepted=[_line(trends, at, place, words) for at, _ in trends.accepted],
        lines=[_line(trends, at, place, words) for at in range(len(runs) - 1, -1, -1)],
        changes=[words.change(change, runs) for change in reversed(trends.changes)],
        unsteady=_top(trends, lambda case: case.unsteady), slowest=_top(trends, lambda case: case.median_ms or 0),
        dearest=_top(trends, lambda case: case.mean_usd or 0),
        unreadable=[visible.line(each) for each in trends.unreadable],
        total=len(runs), recorded=sum(run.recorded for run in runs),
    )  # fmt: skip


def index_page(every: Sequence[Trends], t: Translator) -> str:
    """The list of suites, each with its newest result and its trend."""
    words = _Words(t)
    rows = [
        (each.suite, words.newest(each.runs), _chart(each, None, t, tall=False) if each.runs else "") for each in every
    ]
    return (
        environment(t).get_template("suites.html.j2").render(assets=page_assets(None), language=t.language, suites=rows)
    )


def _top(trends: Trends, of: Callable[..., object]) -> list[object]:
    """The cases with most of something, most first; none where there is none of it."""
    measured = [case for case in trends.cases if of(case)]
    return list(sorted(measured, key=of, reverse=True)[:_MOST_CASES])  # type: ignore[arg-type]  # numbers of one kind


class _Words:
    """Figures and sentences of the page in its language."""

    def __init__(self, t: Translator) -> None:
        self.t = t

    def rate(self, value: Fraction | None) -> Inert:
        return Inert(f"{self.t.number(value, 1)} %") if value is not None else Inert("–")

    def newest(self, runs: Sequence[Run]) -> str:
        if not runs:
            return str(self.t.t("No run is stored yet."))
        count, point = runs[-1].count, runs[-1].point
        when = self.t.moment(point.started_at) or Inert(visible.line(point.started_at))
        return str(self.t.t(
            "{approved} of {graded} approved ({rate}), {when}, dataset {version}", approved=count.approved,
            graded=count.graded, rate=self.rate(count.rate), when=when,
            version=Inert(visible.line(point.dataset_version)),
        ))  # fmt: skip

    def change(self, change: Change, runs: Sequence[Run]) -> tuple[str, str]:
        """When, and what changed."""
        when = self.t.day(runs[change.at].point.started_at) or Inert("")
        return str(when), self.event(change)

    def event(self, change: Change) -> str:
        before, now = Inert(visible.line(change.before)), Inert(visible.line(change.now))
        said = {
            "dataset": self.t.t("dataset {before} → {now}", before=before, now=now),
            "judge": self.t.t("judge {before} → {now}", before=before, now=now),
            "quilate": Inert(f"quilate {before} → {now}"),
            "release": self.t.t("release {now}", now=now),
        }[change.kind]
        if change.kind == "dataset" and change.before == change.now:
            said = self.t.t("dataset {now} edited", now=now)
        return str(said)


def _line(trends: Trends, at: int, place: Place, words: _Words) -> Line:
    run, t = trends.runs[at], words.t
    point, count = run.point, run.count
    before = next((each.count.rate for each in reversed(trends.runs[:at]) if each.count.rate is not None), None)
    points = count.rate - before if count.rate is not None and before is not None else None
    notes = [words.event(change) for change in trends.changes if change.at == at]
    if point.accepted_by:
        notes.append(str(t.t("accepted by {login}", login=Inert(visible.line(point.accepted_by)))))
    return Line(
        number=at + 1, day=str(t.moment(point.started_at) or visible.line(point.started_at)),
        commit=visible.line(point.commit or point.record)[:12], commit_url=place.commit(point.commit),
        run_url=place.run(point.run_id), dataset=visible.line(point.dataset_version),
        share=str(figures.share(count.approved, count.graded)), rate=str(words.rate(count.rate)),
        move=str(figures.move(points, t)) if points is not None else "",
        direction="down" if points and points < 0 else "up" if points else "still", errors=point.errors,
        latency=str(figures.milliseconds(point.latency_p95_ms, t)) if point.latency_p95_ms is not None else "",
        cost=visible.line(point.cost_usd or ""), notes=tuple(notes),
    )  # fmt: skip


def _ends(trends: Trends, t: Translator) -> tuple[str, str]:
    first, last = trends.runs[0].point.started_at, trends.runs[-1].point.started_at
    return str(t.day(first) or visible.line(first)), str(t.day(last) or visible.line(last))


def _events(trends: Trends, words: _Words) -> list[charts.Event]:
    """Lines of the chart; what happened at one place is one line. The newest few have their names written out."""
    places: dict[int, list[Change]] = {}
    for change in trends.changes:
        if change.kind != "quilate":
            places.setdefault(change.at, []).append(change)
    found = []
    last_named = -1e9
    for at, group in places.items():
        kind = next((each.kind for each in group if each.kind == "release"), group[0].kind)
        name = visible.cut(visible.line(next((each.now for each in group if each.kind == kind), "")), 14)
        room = at - last_named > max(1.0, len(trends.runs) / 9)
        last_named = at if room else last_named
        found.append(charts.Event(at, kind, "; ".join(words.event(each) for each in group), name if room else ""))
    return found


def _chart(trends: Trends, category: str | None, t: Translator, *, tall: bool) -> Markup:
    words = _Words(t)
    dots = []
    for run in trends.runs:
        count = run.count if category is None else run.categories.get(category)
        rate = count.rate if count is not None else None
        when = t.day(run.point.started_at) or visible.line(run.point.started_at)
        title = f"{when} {(run.point.commit or run.point.record)[:8]}: "
        title += f"{count.approved}/{count.graded} ({words.rate(rate)})" if count is not None else "–"
        kind = "accepted" if category is None and run.point.accepted_by else ""
        if kind:
            title += f", {t.t('accepted by {login}', login=Inert(visible.line(run.point.accepted_by or '')))}"
        dots.append(charts.Dot(float(rate) if rate is not None else None, visible.line(title), kind))
    name = t.t("Pass rate over time") if category is None else Inert(visible.line(category))
    rates = [dot.value for dot in dots if dot.value is not None]
    spoken = t.t(
        "{name}: {n} runs, lowest {low} %, highest {high} %, newest {now} %", name=name, n=len(rates),
        low=t.number(min(rates), 1), high=t.number(max(rates), 1), now=t.number(rates[-1], 1),
    ) if rates else name  # fmt: skip
    # Half of a suite's chart would be empty from 0 up; the axis says where it begins.
    bottom = max(0.0, 10 * ((min(rates) - 10) // 10)) if tall and rates else 0.0
    return charts.over_time(
        dots,
        _events(trends, words),
        _ends(trends, t),
        str(spoken),
        tall=tall,
        bottom=bottom,
        number=partial(figures.on_axis, t=t),
    )


def _category(trends: Trends, name: str, t: Translator) -> Small:
    count = next((run.categories[name] for run in reversed(trends.runs) if name in run.categories), None)
    now = figures.share(count.approved, count.graded) if count is not None else Inert("–")
    return Small(visible.line(name), str(now), _chart(trends, name, t, tall=False))


def _small(measure: Measure, trends: Trends, t: Translator) -> Small:
    dots = [charts.Dot(value, f"{measure.name}: {said}") for value, said in measure.values]
    top = (
        100.0 if measure.unit == "%" else max((value for value, _ in measure.values if value is not None), default=1.0)
    )
    chart = charts.over_time(
        dots, (), _ends(trends, t), f"{measure.name}: {measure.values[-1][1]}", tall=False, top=top or 1.0,
        unit=measure.unit, number=partial(figures.on_axis, t=t),
    )  # fmt: skip
    newest = next((said for value, said in reversed(measure.values) if value is not None), "–")
    return Small(str(measure.name), newest, chart)
