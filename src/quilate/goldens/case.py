"""What a golden case is: an input, and what a good reply shows."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from quilate.canonical import fingerprint

Text = Annotated[str, Field(min_length=1)]


class FileModel(BaseModel):
    """Base of everything people write in a file: strict types, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Dimension(StrEnum):
    """What a case tests."""

    CORRECTNESS = "correctness"
    INSTRUCTIONS = "instructions"
    TOOLS = "tools"
    SAFETY = "safety"
    REGISTER = "register"


class Signal(StrEnum):
    """The visible sign of a locale that a case looks for."""

    CURRENCY = "currency"
    DATE = "date"
    METRIC_UNITS = "metric_units"
    IDIOMS = "idioms"
    SOCIAL_NORMS = "social_norms"
    REGIONALISM = "regionalism"


class Expects(StrEnum):
    """What a prompt calls for before anything else."""

    CLARIFICATION = "clarification"
    DIRECT_ANSWER = "direct_answer"


class Message(FileModel):
    """One turn of a conversation input."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    name: str | None = None


class Times(FileModel):
    """How often a call is expected."""

    min: Annotated[int, Field(ge=0)] = 1
    max: Annotated[int, Field(ge=0)] | None = None


class ExpectedCall(FileModel):
    """One expected tool call; `args` holds plain values and matchers, at every depth."""

    name: Text | None = None
    any_of: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    args: dict[str, JsonValue] = {}
    extra_args: Literal["allow", "forbid"] = "allow"
    times: Times = Times()
    normalize: Literal["exact", "loose"] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The tool names that satisfy this expectation."""
        return self.any_of or ((self.name,) if self.name else ())


class ExpectedTools(FileModel):
    """The tool calls a good reply makes."""

    order: Literal["any", "in_order", "exact"] = "any"
    extra_calls: Literal["allow", "forbid"] = "allow"
    normalize: Literal["exact", "loose"] = "exact"
    calls: tuple[ExpectedCall, ...]


class ExactOutput(FileModel):
    """An output that must be equal after normalising white space."""

    exact: Text


class TimeSensitive(FileModel):
    """A dated reference against which freshness is graded, apart from everything else."""

    reference: Text | None = None
    as_of: dt.date | None = None


class Quarantine(FileModel):
    """A flaky case set aside from the gate, by whom, why and until when."""

    owner: Text
    reason: Text
    until: dt.date


class GoldenCase(FileModel):
    """One golden case, with a file's defaults applied. Fields are those of the golden file format."""

    id: Text
    category: Text
    input: Text | Annotated[tuple[Message, ...], Field(min_length=1)]

    expected_tool: Text | None = None
    expected_tool_args: dict[str, JsonValue] | None = None
    expected_tools: ExpectedTools | None = None
    forbidden_tools: tuple[Text, ...] = ()
    expected_behavior: tuple[Text, ...] = ()
    forbidden_phrases: tuple[Text, ...] = ()
    required_phrases: tuple[Text, ...] = ()
    expected_output: Text | ExactOutput | None = None
    must_not_leak: tuple[Text, ...] = ()
    max_latency_ms: Annotated[float, Field(gt=0)] | None = None
    max_metrics: dict[str, float] = {}
    locale: Text | None = None
    signal: Signal | None = None
    language: Text | None = None
    expects: Expects | None = None
    grounded: bool = False
    evidence: Literal["fragments", "fragments_and_tools"] = "fragments_and_tools"
    time_sensitive: TimeSensitive | None = None

    dimension: Dimension | None = None
    family: Text | None = None
    critical: bool = False
    quarantine: Quarantine | None = None
    source: Text | None = None
    added: dt.date | None = None
    review_by: dt.date | None = None
    owner: Text | None = None
    tags: tuple[Text, ...] = ()
    template: Text | None = None
    """Cases that share a template are not independent; statistics treat them as one cluster."""

    @property
    def messages(self) -> tuple[Message, ...]:
        """The input as a conversation; a text is one user message."""
        return (Message(role="user", content=self.input),) if isinstance(self.input, str) else self.input

    @property
    def question(self) -> str:
        """The last thing the user said, as people refer to the case."""
        users = [message.content for message in self.messages if message.role == "user"]
        return users[-1] if users else self.messages[-1].content

    @cached_property
    def expectations(self) -> dict[str, Any]:
        """What is expected of a reply, as plain JSON: the part of the definition that grades (the case's ruler)."""
        return self.model_dump(mode="json", include=set(RULER_FIELDS), exclude_defaults=True)

    @cached_property
    def input_fingerprint(self) -> str:
        """Changes when what the agent is asked changes."""
        return fingerprint([message.model_dump(mode="json", exclude_none=True) for message in self.messages])

    @cached_property
    def ruler_fingerprint(self) -> str:
        """Changes when what is expected of the reply changes; what a judge adds is not in it."""
        return fingerprint(self.expectations)


RULER_FIELDS = (
    "expected_tool", "expected_tool_args", "expected_tools", "forbidden_tools", "expected_behavior",
    "forbidden_phrases", "required_phrases", "expected_output", "must_not_leak", "max_latency_ms", "max_metrics",
    "locale", "signal", "language", "expects", "grounded", "evidence", "time_sensitive",
)  # fmt: skip


class Location(FileModel):
    """Where a case stands."""

    file: str
    line: int


class Dataset(FileModel):
    """Every case of a suite, in file order, with where each stands and the version its files state."""

    version: str
    cases: tuple[GoldenCase, ...]
    locations: dict[str, Location]

    @cached_property
    def fingerprint(self) -> str:
        """Changes when any input or expectation changes, whatever the version says."""
        return dataset_fingerprint(self.cases)

    def selected(self, ids: Iterable[str]) -> Dataset:
        """The same dataset with only the cases of `ids`, in file order."""
        keep = set(ids)
        cases = tuple(case for case in self.cases if case.id in keep)
        return Dataset(version=self.version, cases=cases, locations=self.locations)


def dataset_fingerprint(cases: Iterable[GoldenCase]) -> str:
    """The fingerprint of cases by id, input and expectations; their order does not count."""
    return fingerprint(sorted([case.id, case.input_fingerprint, case.ruler_fingerprint] for case in cases))
