"""What a golden case is made of: the turns of its input, the calls and outputs it expects, its dates and words."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, JsonValue, Tag

from quilate.file_model import Broken, FileModel, RuledModel, Text
from quilate.problems import refusal
from quilate.shown import shown

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


class Times(RuledModel):
    """How often a call is expected."""

    min: Annotated[int, Field(ge=0)] = 1
    """At least this often."""
    max: Annotated[int, Field(ge=0)] | None = None
    """At most this often; no limit when absent."""

    @classmethod
    def broken(cls, given: Mapping[str, Any]) -> Broken:
        """The least is not above the most."""
        least, most = given.get("min", 1), given.get("max")
        if isinstance(least, int) and isinstance(most, int) and most < least:
            yield refusal(f"max {most} below min {least}", "write a max that is at least min", "max")


class ExpectedCall(RuledModel):
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

    @classmethod
    def broken(cls, given: Mapping[str, Any]) -> Broken:
        """One way to name the tool."""
        if ("name" in given) == ("any_of" in given):
            found = "both name and any_of" if "name" in given else "neither name nor any_of"
            yield refusal(found, "give exactly one of them")


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
