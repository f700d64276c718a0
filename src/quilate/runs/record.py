"""The run file: JSON Lines, one `kind` a line. Journal, result, baseline and cache in one."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from quilate.agents.agent import Reply
from quilate.config import Gate
from quilate.goldens.case import GoldenCase, Location, Message
from quilate.grades import CriterionGrade, Grade, RecordModel, TrialGrade

SCHEMA = 1


class DatasetInfo(RecordModel):
    """Which dataset was asked. `selection` is what narrowed it (None: the whole)."""

    version: str
    fingerprint: str
    cases: int
    selection: str | None = None


class Conditions(RecordModel):
    """Under which conditions the run was made, as evidence needs them."""

    trials: int = 1
    concurrency: int = 1
    max_latency_ms: float = 5000
    fresh_single_turn: bool = True
    system_prompt: str | None = None
    started_at: str = ""
    detail: dict[str, JsonValue] = {}


class Header(RecordModel):
    """The first line."""

    kind: Literal["header"] = "header"
    schema_version: Annotated[int, Field(alias="schema")] = SCHEMA
    suite: str
    commit: str | None = None
    tool_version: str
    dataset: DatasetInfo
    ruler: str
    agent: dict[str, JsonValue]
    agent_fingerprint: str
    judge: dict[str, JsonValue] | None = None
    judge_fingerprint: str | None = None
    policy: Gate
    conditions: Conditions

    model_config = {**RecordModel.model_config, "populate_by_name": True, "serialize_by_alias": True}


class ReplyLine(RecordModel):
    """What one trial of one case was asked and gave back, raw."""

    kind: Literal["reply"] = "reply"
    case_id: str
    trial: int
    input_fingerprint: str
    prompt: tuple[Message, ...]
    reply: Reply
    asked_at: str


class GradeLine(RecordModel):
    """What one case came to. When a case is graded again, the last line counts.

    `criteria` are those of the first trial whose grade is the case's. `ruler` is the case's whole ruler: its
    expectations and, where a judge graded, the judge's fingerprint.
    """

    kind: Literal["grade"] = "grade"
    case_id: str
    category: str
    grade: Grade
    criteria: tuple[CriterionGrade, ...]
    trials: tuple[TrialGrade, ...]
    definition: GoldenCase
    location: Location | None = None
    input_fingerprint: str
    ruler: str


class Footer(RecordModel):
    """The last line of a run that ended in order; a file without one is incomplete."""

    kind: Literal["footer"] = "footer"
    ended: Literal["complete", "interrupted"]
    counts: dict[Grade, int]
    replies: int
    latency_p95_ms: float | None = None
    startup_p95_ms: float | None = None
    seconds: float
    cost_usd: str | None = None
    judge: dict[str, JsonValue] = {}
    """Calls made, verdicts taken over, tokens, cost, as the judge counted them."""
    agent_usage: dict[str, JsonValue] = {}
    ended_at: str = ""


Line = Annotated[Header | ReplyLine | GradeLine | Footer, Field(discriminator="kind")]
