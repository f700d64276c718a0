"""What a golden case is: an input, and what a good reply shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from quilate.canonical import fingerprint
from quilate.file_model import Broken, FileModel, RuledModel, Text
from quilate.goldens.parts import (
    Date,
    Dimension,
    ExactOutput,
    ExpectedOutput,
    ExpectedTools,
    Expects,
    Input,
    Message,
    Quarantine,
    Signal,
    TimeSensitive,
    WrittenTools,
)
from quilate.problems import refusal

__all__ = [
    "RULER_FIELDS",
    "Dataset",
    "Dimension",
    "ExactOutput",
    "ExpectedTools",
    "Expects",
    "GoldenCase",
    "Location",
    "Message",
    "Signal",
    "TimeSensitive",
    "dataset_fingerprint",
]


class GoldenCase(RuledModel):
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

    @classmethod
    def broken(cls, given: Mapping[str, Any]) -> Broken:
        """Arguments are those of a tool."""
        if "expected_tool_args" in given and "expected_tool" not in given:
            yield refusal("arguments of no tool", "add expected_tool, or use expected_tools", "expected_tool_args")

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
