"""The history file of a branch: one point a run, for trends, and for knowing which records are the newest. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, ValidationError

from quilate.grades import Grade
from quilate.runs.reader import RunReader
from quilate.runs.store import HistoryPoint

LONGEST = 1000
"""Points kept: years of pushes for most, and still a small file."""


class HistoryModel(BaseModel):
    """Read leniently: a newer version's further keys are kept out, not refused."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Point(HistoryModel):
    """One run of a base branch. `recorded`: its run is (or was) stored as a baseline. Counts, never a rounded rate."""

    commit: str
    at: str
    event: str
    run_id: int
    run_attempt: int = 1
    dataset_version: str
    cases: int
    approved: int
    graded: int
    errors: int
    not_judged: int
    latency_p95_ms: float | None = None
    cost_usd: str | None = None
    tool_version: str
    dataset: str
    ruler: str
    agent_fingerprint: str
    judge_fingerprint: str | None = None
    verdict: str | None = None
    recorded: bool = False
    accepted_by: str | None = None
    """Who accepted what the gate held back of the commit, a drop or edits, where someone did."""
    accepted_label: str | None = None

    def stored(self) -> HistoryPoint:
        """The point as every store tells it."""
        return HistoryPoint(
            record=self.commit, commit=self.commit, started_at=self.at, dataset_version=self.dataset_version,
            cases=self.cases, approved=self.approved, graded=self.graded, errors=self.errors,
            not_judged=self.not_judged, latency_p95_ms=self.latency_p95_ms, tool_version=self.tool_version,
            agent_fingerprint=self.agent_fingerprint, judge_fingerprint=self.judge_fingerprint,
            cost_usd=self.cost_usd, verdict=self.verdict, run_id=self.run_id, accepted_by=self.accepted_by,
            accepted_label=self.accepted_label,
        )  # fmt: skip


class History(HistoryModel):
    """The points of one branch, oldest first."""

    schema_version: int = 1
    suite: str
    branch: str
    points: tuple[Point, ...] = ()

    def with_point(self, point: Point) -> History:
        """The history with one more point; a re-run's point replaces the same run's earlier one."""
        same = (point.commit, point.run_id)
        others = tuple(old for old in self.points if (old.commit, old.run_id) != same)
        return self.model_copy(update={"points": (*others, point)[-LONGEST:]})

    def newest_records(self, keep: int) -> tuple[str, ...]:
        """The commits of the `keep` newest records, oldest first."""
        recorded = dict.fromkeys(point.commit for point in reversed(self.points) if point.recorded)
        return tuple(list(recorded)[:keep][::-1])


@dataclass(frozen=True, slots=True)
class Origin:
    """Which run of which base branch a point is of."""

    branch: str
    event: str
    run_id: int
    run_attempt: int = 1
    accepted_by: str | None = None
    accepted_label: str | None = None


def point_of(run: RunReader, commit: str, origin: Origin, *, recorded: bool, verdict: str | None = None) -> Point:
    """A run's point."""
    footer, header = run.footer, run.header
    grades = [case.grade for case in run.index.summaries()]
    return Point(
        commit=commit,
        at=header.conditions.started_at,
        event=origin.event,
        run_id=origin.run_id,
        run_attempt=origin.run_attempt,
        dataset_version=header.dataset.version,
        cases=len(grades),
        approved=grades.count(Grade.PASS),
        graded=sum(1 for grade in grades if grade.graded),
        errors=grades.count(Grade.ERROR),
        not_judged=grades.count(Grade.NOT_JUDGED),
        latency_p95_ms=footer.latency_p95_ms if footer else None,
        cost_usd=footer.cost_usd if footer else None,
        tool_version=header.tool_version,
        dataset=header.dataset.fingerprint,
        ruler=header.ruler,
        agent_fingerprint=header.agent_fingerprint,
        judge_fingerprint=header.judge_fingerprint,
        verdict=verdict,
        recorded=recorded,
        accepted_by=origin.accepted_by,
        accepted_label=origin.accepted_label,
    )


def parse(data: bytes | None, suite: str, branch: str) -> History:
    """A stored history; an empty one where there is none or where it cannot be read (records matter, trends less)."""
    empty = History(suite=suite, branch=branch)
    if data is None:
        return empty
    try:
        found = History.model_validate_json(data)
    except ValidationError:
        return empty
    return found if (found.suite, found.branch) == (suite, branch) else empty


def slug(branch: str) -> str:
    """A branch's name as a file's: readable, and never the same for two branches."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "-", branch)[:80]
    if plain == branch and not plain.startswith("."):
        return plain
    return f"{plain.lstrip('.')}-{hashlib.sha256(branch.encode()).hexdigest()[:8]}"


def expired(histories: Mapping[str, History], keep: int) -> set[str]:
    """The commits whose records are no branch's `keep` newest.

    What no history names stays: a history that was lost or cannot be read must not take the records with it.
    """
    named = {point.commit for history in histories.values() for point in history.points if point.recorded}
    kept = {commit for history in histories.values() for commit in history.newest_records(keep)}
    return named - kept
