"""What a case's page shows, as its templates read it: plain values, ready to be written."""

from __future__ import annotations

from dataclasses import dataclass

from quilate.grades import Grade
from quilate.report.html.calls import Calls
from quilate.report.html.marked import Piece
from quilate.report.html.pair import PairView


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of what was asked."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Evidence beside its criterion. `number` is that of its mark in the reply; None: it is not in the reply."""

    text: str
    note: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion as graded on head's side, and on base's under the same ruler (None: not known)."""

    title: str
    grade: Grade
    reason: str
    expected: str | None
    found: str | None
    quotes: tuple[Quote, ...]
    graded_by: str
    error: str | None
    base: Grade | None
    detail: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """One side's reply that shows its grade. `cost_usd` and `duration_ms` are None where they were not recorded."""

    grade: Grade
    pieces: tuple[Piece, ...]
    fault: str | None
    characters: int
    duration_ms: float | None
    cost_usd: str | None
    model: str | None
    tokens: tuple[int, int] | None
    attempts: int
    approved_trials: int
    trials: int


@dataclass(frozen=True, slots=True)
class Trial:
    """One asking among several."""

    number: int
    grade: Grade
    text: str
    duration_ms: float | None
    cost_usd: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that the agent's search returned."""

    text: str
    source: str
    score: float | None


@dataclass(frozen=True, slots=True)
class CaseView:
    """Everything a case's page shows. `change` is that of `Viewer.change`."""

    case_id: str
    anchor: str
    category: str
    grade: Grade
    base_grade: Grade | None
    change: str
    summary: str
    tags: tuple[str, ...]
    critical: bool
    flaky: bool
    latency_only: bool
    quarantine: str | None
    edited: bool
    only_by_edit: bool
    rescored: bool
    outside: str | None
    turns: tuple[Turn, ...]
    head: Answer
    base: Answer | None
    same_reply: bool
    rewritten: bool
    not_compared: bool
    calls: Calls
    fragments: tuple[Passage, ...] | None
    fragments_left_out: int
    criteria: tuple[Criterion, ...]
    trials: tuple[Trial, ...]
    facts: tuple[tuple[str, str], ...]
    place: str | None
    url: str | None
    command: str | None
    pairs: tuple[PairView, ...]
    """Its replies judged side by side."""

    @property
    def open(self) -> tuple[Criterion, ...]:
        """What stands against the reply, or could not be graded."""
        return tuple(each for each in self.criteria if each.grade in (Grade.FAIL, Grade.PARTIAL, Grade.ERROR))

    @property
    def passed(self) -> tuple[Criterion, ...]:
        """What passed."""
        return tuple(each for each in self.criteria if each.grade is Grade.PASS)

    @property
    def waiting(self) -> tuple[Criterion, ...]:
        """What nobody judged."""
        return tuple(each for each in self.criteria if each.grade is Grade.NOT_JUDGED)
