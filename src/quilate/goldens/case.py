"""What a golden case is: an input, and what a good reply shows."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    model_validator,
)

from quilate.canonical import fingerprint
from quilate.problems import refusal
from quilate.shown import shown

Text = Annotated[str, Field(min_length=1)]

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


def _only_a_date(value: Any) -> dt.date:
    """Pydantic also reads numbers in text as seconds since 1970; a golden file's `047` is no date."""
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value
    try:
        if isinstance(value, str) and re.fullmatch(_DATE, value):
            return dt.date.fromisoformat(value)
    except ValueError:  # 2026-02-30
        pass
    raise refusal(shown(value), "write a date such as 2026-06-22")


Date = Annotated[
    dt.date,
    BeforeValidator(_only_a_date),
    Field(json_schema_extra={"pattern": f"^{_DATE}$", "examples": ["2026-06-22"]}),
]


class FileModel(BaseModel):
    """Base of everything people write in a file: strict types, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


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
    """Who says it."""
    content: str
    """What is said."""
    name: str | None = None
    """The name of the speaker or tool, where the agent wants one."""


class Times(FileModel):
    """How often a call is expected."""

    min: Annotated[int, Field(ge=0)] = 1
    """At least this often."""
    max: Annotated[int, Field(ge=0)] | None = None
    """At most this often; no limit when absent."""

    @model_validator(mode="after")
    def _ordered(self) -> Times:
        if self.max is not None and self.max < self.min:
            raise refusal(f"max {self.max} below min {self.min}", "write a max that is at least min", "max")
        return self


class ExpectedCall(FileModel):
    """One expected tool call; `args` holds plain values and matchers, at every depth."""

    name: Text | None = None
    """The tool's name."""
    any_of: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    """Instead of `name`: any of these tools will do."""
    args: dict[str, JsonValue] = {}
    """What the arguments must be: plain values, or matchers such as {any_of: […]}, {regex: …}, {absent: true}."""
    extra_args: Literal["allow", "forbid"] = "allow"
    """Whether arguments that are not named in `args` may be there."""
    times: Times = Times()
    """How often the call is expected; once when absent."""
    normalize: Literal["exact", "loose"] | None = None
    """How texts are compared; as the case's `expected_tools` says when absent."""

    @property
    def names(self) -> tuple[str, ...]:
        """The tool names that satisfy this expectation."""
        return self.any_of or ((self.name,) if self.name else ())

    @model_validator(mode="after")
    def _one_way_to_name(self) -> ExpectedCall:
        if (self.name is None) == (self.any_of is None):
            found = "neither name nor any_of" if self.name is None else "both name and any_of"
            raise refusal(found, "give exactly one of them")
        return self


class ExpectedTools(FileModel):
    """The tool calls a good reply makes."""

    order: Literal["any", "in_order", "exact"] = "any"
    """any: in whatever order; in_order: in this order, others may stand between; exact: these calls, in this order."""
    extra_calls: Literal["allow", "forbid"] = "allow"
    """Whether the agent may make calls that are not listed."""
    normalize: Literal["exact", "loose"] = "exact"
    """How texts in arguments are compared: exact, or loose (case, accents and punctuation aside)."""
    calls: tuple[ExpectedCall, ...]
    """The expected calls."""


def _calls_alone(calls: tuple[ExpectedCall, ...]) -> ExpectedTools:
    """A list of calls is the short form of an object with nothing but calls."""
    return ExpectedTools(calls=calls)


class ExactOutput(FileModel):
    """An output that must be equal after normalising white space."""

    exact: Text
    """The text that the reply must be."""


class TimeSensitive(FileModel):
    """A dated reference against which freshness is graded, apart from everything else."""

    reference: Text | None = None
    """What is true as of that date."""
    as_of: Date | None = None
    """The date of the reference."""


class Quarantine(FileModel):
    """A flaky case set aside from the gate, by whom, why and until when."""

    owner: Text
    """Who set it aside."""
    reason: Text
    """Why."""
    until: Date
    """The last day of the quarantine."""


def _kind_of_input(value: Any) -> str:
    if isinstance(value, str):
        return "text"
    return "a list of messages" if isinstance(value, list | tuple) else ""


def _kind_of_output(value: Any) -> str:
    if isinstance(value, str):
        return "text"
    return "{exact: TEXT}" if isinstance(value, dict | ExactOutput) else ""


def _kind_of_tools(value: Any) -> str:
    if isinstance(value, dict | ExpectedTools):
        return "an object with calls"
    return "a list of calls" if isinstance(value, list | tuple) else ""


# The tags are what an error message tells people to write.
Input = Annotated[
    Annotated[Text, Tag("text")] | Annotated[tuple[Message, ...], Field(min_length=1), Tag("a list of messages")],
    Discriminator(_kind_of_input),
]
ExpectedOutput = Annotated[
    Annotated[Text, Tag("text")] | Annotated[ExactOutput, Tag("{exact: TEXT}")],
    Discriminator(_kind_of_output),
]
WrittenTools = Annotated[
    Annotated[tuple[ExpectedCall, ...], AfterValidator(_calls_alone), Tag("a list of calls")]
    | Annotated[ExpectedTools, Tag("an object with calls")],
    Discriminator(_kind_of_tools),
]


class GoldenCase(FileModel):
    """One golden case, with a file's defaults applied. Fields are those of the golden file format."""

    id: Text
    """The case's name, unique in the suite; comparisons align by it, so keep it when the case is edited."""
    category: Text
    """The group the case is reported in."""
    input: Input
    """What the agent is asked: text, or a conversation as a list of messages."""

    expected_tool: Text | None = None
    """Some call must be of this tool."""
    expected_tool_args: dict[str, JsonValue] | None = None
    """Some call of `expected_tool` must have exactly these arguments."""
    expected_tools: WrittenTools | None = None
    """The calls a good reply makes: a list of calls, or an object with order, extra_calls, normalize and calls."""
    forbidden_tools: tuple[Text, ...] = ()
    """Tools that no call may be of; globs such as cancel_*."""
    expected_behavior: tuple[Text, ...] = ()
    """What a good reply does, one criterion each, in words; graded by the judge."""
    forbidden_phrases: tuple[Text, ...] = ()
    """Phrases (whole words) that must not be in the reply; /…/ is a regular expression."""
    required_phrases: tuple[Text, ...] = ()
    """Phrases (whole words) that must be in the reply; /…/ is a regular expression."""
    expected_output: ExpectedOutput | None = None
    """A reference answer for the judge, or {exact: TEXT} for a text the reply must equal, white space aside."""
    must_not_leak: tuple[Text, ...] = ()
    """What must not be in the reply: personal_data, secrets, or a literal text (a canary)."""
    max_latency_ms: Annotated[float, Field(gt=0)] | None = None
    """The reply must be faster than this; the suite's limit when absent."""
    max_metrics: dict[str, float] = {}
    """Limits, by name, of the metrics that the agent reports."""
    locale: Text | None = None
    """The locale whose conventions the reply must follow, such as pt-BR."""
    signal: Signal | None = None
    """The visible sign of the locale that the case looks for."""
    language: Text | None = None
    """The language the reply must be in; that of the locale when absent."""
    expects: Expects | None = None
    """Whether the prompt calls for a question back or for an answer."""
    grounded: bool = False
    """Whether every claim must rest on what the agent's search returned."""
    evidence: Literal["fragments", "fragments_and_tools"] = "fragments_and_tools"
    """What counts as evidence for groundedness."""
    time_sensitive: TimeSensitive | None = None
    """A dated reference; freshness is graded apart."""

    dimension: Dimension | None = None
    """Which of the five dimensions the case tests."""
    family: Text | None = None
    """A group of cases across categories, such as a kind of ambiguity."""
    critical: bool = False
    """A critical case that passed in the base and does not now fails the gate, whatever the rate."""
    quarantine: Quarantine | None = None
    """Sets a flaky case aside from the gate for a while."""
    source: Text | None = None
    """Where the case comes from, such as an issue's address."""
    added: Date | None = None
    """When the case was added."""
    review_by: Date | None = None
    """When somebody should look at the case again."""
    owner: Text | None = None
    """Who answers for the case."""
    tags: tuple[Text, ...] = ()
    """Free words to select cases by."""
    template: Text | None = None
    """Cases that share a template are not independent; statistics treat them as one cluster."""

    @model_validator(mode="after")
    def _arguments_of_a_tool(self) -> GoldenCase:
        if self.expected_tool_args is not None and self.expected_tool is None:
            raise refusal("arguments of no tool", "add expected_tool, or use expected_tools", "expected_tool_args")
        return self

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
