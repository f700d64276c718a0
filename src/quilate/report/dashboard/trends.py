"""What a history shows, in exact counts: runs in their order, what changed between them, cases over all of them."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from quilate.agents.agent import Reply
from quilate.errors import InputError
from quilate.grades import Grade
from quilate.report.input import Metrics
from quilate.report.sources import metrics_of
from quilate.runs.reader import RunReader
from quilate.runs.store import HistoryPoint

RECENT = 20
"""Runs over which times and costs of a case are taken: what was slow a year ago is nobody's concern."""


@dataclass(frozen=True, slots=True)
class Count:
    """Approved cases of the graded."""

    approved: int = 0
    graded: int = 0

    @property
    def rate(self) -> Fraction | None:
        """In percent, exact; None where nothing was graded."""
        return Fraction(100 * self.approved, self.graded) if self.graded else None

    def plus(self, grade: Grade) -> Count:
        """With one more case."""
        return Count(self.approved + (grade is Grade.PASS), self.graded + grade.graded)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the history. Without a record (it has expired) only what `point` says is known."""

    point: HistoryPoint
    categories: dict[str, Count] = field(default_factory=dict)
    metrics: Metrics = field(default_factory=Metrics)
    dataset: str | None = None
    """The dataset's fingerprint."""
    judge: str | None = None
    """The judge's name."""
    recorded: bool = False

    @property
    def count(self) -> Count:
        """The whole, as the history counts it."""
        return Count(self.point.approved, self.point.graded)


@dataclass(frozen=True, slots=True)
class Change:
    """What changed before run number `at`: between it and the run before it, or with it (a release)."""

    at: int
    kind: Literal["dataset", "judge", "quilate", "release"]
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Release:
    """A tag, and the commit and moment (ISO 8601) it names."""

    name: str
    commit: str
    at: str = ""


@dataclass
class CaseTrend:
    """One case over all its runs. Times and costs are of the newest `RECENT` runs, one value a run."""

    case_id: str
    category: str = ""
    runs: int = 0
    changed_sides: int = 0
    """How often it was approved in one run and not in the next, asked and measured alike."""
    disagreed: int = 0
    """In how many runs its trials did not agree."""
    last: Grade = Grade.NOT_JUDGED
    durations_ms: list[float] = field(default_factory=list)
    costs_usd: list[Decimal] = field(default_factory=list)
    before: tuple[bytes, bytes, bool] | None = None
    """How it was asked and measured when it was last graded, and whether it was approved."""

    @property
    def unsteady(self) -> int:
        """What cases are ordered by: how often it did not do what it had done before."""
        return self.changed_sides + self.disagreed

    @property
    def median_ms(self) -> float | None:
        """The median of its recent times."""
        return statistics.median(self.durations_ms) if self.durations_ms else None

    @property
    def mean_usd(self) -> Decimal | None:
        """The mean of its recent costs."""
        return sum(self.costs_usd, Decimal(0)) / len(self.costs_usd) if self.costs_usd else None


@dataclass(frozen=True, slots=True)
class Trends:
    """Everything a dashboard of one suite shows; runs oldest first."""

    suite: str
    runs: tuple[Run, ...]
    changes: tuple[Change, ...]
    cases: tuple[CaseTrend, ...]
    unreadable: tuple[str, ...] = ()
    """Records that could not be read, with why."""

    @property
    def categories(self) -> tuple[str, ...]:
        """Every category that any run had, in the order they came up."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run.categories))

    @property
    def accepted(self) -> tuple[tuple[int, Run], ...]:
        """Runs of which someone accepted what the gate held back, with their numbers, newest first."""
        return tuple((at, run) for at, run in reversed(list(enumerate(self.runs))) if run.point.accepted_by)


def trends(
    suite: str,
    history: Sequence[HistoryPoint],
    load: Callable[[str], Path | None],
    releases: Iterable[Release] = (),
    progress: Callable[[], None] = lambda: None,
) -> Trends:
    """The trends of `history`; `load` gives a record's run file. A record that cannot be read is told and left out."""
    cases: dict[str, CaseTrend] = {}
    runs: list[Run] = []
    unreadable = [f"a line of the history: {point.record}" for point in history if not _sound(point)]
    history = [point for point in history if _sound(point)]
    # A record is what its commit was measured by; a second point of the same commit must not count it again.
    last_of = {point.record: at for at, point in enumerate(history)}
    for at, point in enumerate(history):
        path = load(point.record) if last_of[point.record] == at else None
        run = Run(point)
        if path is not None:
            try:
                with RunReader(path) as reader:
                    if reader.header.suite == suite:
                        run = _read(point, reader, cases, recent=at >= len(history) - RECENT)
            except InputError as error:
                unreadable.append(str(error))
        runs.append(run)
        progress()
    return Trends(suite, tuple(runs), _changes(runs, tuple(releases)), tuple(cases.values()), tuple(unreadable))


def _sound(point: HistoryPoint) -> bool:
    """Whether a point is what it claims to be: a history is a file, and files are edited."""
    try:
        checked = _POINT.validate_json(json.dumps(asdict(point)), strict=True)
    except (ValidationError, TypeError, ValueError):
        return False
    return 0 <= checked.approved <= checked.graded and min(checked.errors, checked.not_judged) >= 0


_POINT = TypeAdapter(HistoryPoint)


def _read(point: HistoryPoint, reader: RunReader, cases: dict[str, CaseTrend], *, recent: bool) -> Run:
    measured = metrics_of(reader)
    categories: dict[str, Count] = {}
    for summary in reader.index.summaries():
        categories[summary.category] = categories.get(summary.category, Count()).plus(summary.grade)
        case = cases.setdefault(summary.case_id, CaseTrend(summary.case_id))
        case.category, case.last = summary.category, summary.grade
        case.runs += 1
        case.disagreed += summary.flaky
        if summary.grade.graded:
            now = (summary.input, summary.ruler, summary.approved)
            before = case.before
            case.changed_sides += before is not None and before[:2] == now[:2] and before[2] != now[2]
            case.before = now
        if recent:
            times = reader.index.durations_ms(summary.case_id)
            case.durations_ms += [statistics.mean(times)] if times else []
            case.costs_usd += _costs(reader, summary.case_id)
    header = reader.header
    judge = (header.judge or {}).get("model") or (header.judge or {}).get("provider")
    return Run(point, categories, measured, header.dataset.fingerprint, str(judge) if judge else None, recorded=True)


def _costs(reader: RunReader, case_id: str) -> list[Decimal]:
    """What the case cost in a run, all its trials together; nothing where no cost was recorded."""
    replies = reader.reply_lines(case_id).values()
    costs = [cost for line in replies if (cost := _cost(line.reply)) is not None]
    return [sum(costs, Decimal(0))] if costs else []


def _cost(reply: Reply) -> Decimal | None:
    try:
        cost = Decimal(reply.cost_usd) if reply.cost_usd is not None else None
    except InvalidOperation:
        return None
    return cost if cost is not None and cost.is_finite() and cost >= 0 else None


def _changes(runs: Sequence[Run], releases: Sequence[Release]) -> tuple[Change, ...]:
    found: list[Change] = []
    for at, (before, now) in enumerate(pairwise(runs), start=1):
        old, new = before.point, now.point
        edited = before.dataset is not None and now.dataset is not None and before.dataset != now.dataset
        if old.dataset_version != new.dataset_version or edited:
            found.append(Change(at, "dataset", old.dataset_version, new.dataset_version))
        if old.judge_fingerprint != new.judge_fingerprint:
            found.append(Change(at, "judge", _judge(before), _judge(now)))
        if old.tool_version != new.tool_version:
            found.append(Change(at, "quilate", old.tool_version, new.tool_version))
    for release in releases:
        place = _place(release, runs)
        if place is not None:
            found.append(Change(place, "release", "", release.name))
    return tuple(sorted(found, key=lambda change: change.at))


def _judge(run: Run) -> str:
    return run.judge or (run.point.judge_fingerprint or "none")[:12]


def _place(release: Release, runs: Sequence[Run]) -> int | None:
    """The run of the release's own commit; else the first one made after it."""
    for at, run in enumerate(runs):
        if run.point.commit and run.point.commit == release.commit:
            return at
    if not release.at:
        return None
    return next((at for at, run in enumerate(runs) if run.point.started_at >= release.at), None)
