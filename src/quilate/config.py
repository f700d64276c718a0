"""quilate.yml as typed values."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, JsonValue, Tag, model_validator

from quilate.goldens.case import FileModel, Text
from quilate.problems import refusal
from quilate.shown import shown

_SUITE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _suite_name(value: str) -> str:
    """A suite's name stands in an HTML comment of the pull request, which `--` could end."""
    if not _SUITE.fullmatch(value):
        mend = "write small letters a-z, digits, and single hyphens between them, such as orders-es"
        raise refusal(shown(value), mend)
    return value


Suite = Annotated[
    str,
    Field(max_length=63, json_schema_extra={"pattern": f"^{_SUITE.pattern}$", "minLength": 1}),
    AfterValidator(_suite_name),
]
Percent = Annotated[float, Field(ge=0, le=100)]
Seconds = Annotated[float, Field(gt=0)]


class HttpAgent(FileModel):
    """An agent behind a JSON endpoint."""

    url: Text
    """The endpoint. A Jinja2 template, like body and headers, over input, messages, case_id and env."""
    method: Literal["POST", "PUT", "GET"] = "POST"
    """The request method."""
    headers: dict[str, str] = {}
    """Headers of every request; templates."""
    body: JsonValue = None
    """The JSON body, its texts templates. When absent: {"case_id": …, "input": …, "messages": […]}."""
    reply: dict[str, str] = {}
    """JMESPath for each field of a reply (output, tool_calls, fragments, metrics, duration_ms, error); by these names
    when absent."""
    start: tuple[Text, ...] | None = None
    """The command that starts the agent's own server; it is stopped at the end."""
    ready: Text | None = None
    """An address that answers once the server is ready; it is awaited before the first case."""
    ready_timeout_s: Seconds = 60
    """How long to wait for it, in seconds."""


class ChatAgent(FileModel):
    """A bare model as the agent, with a system prompt and tool definitions."""

    provider: Literal["openai", "openai-responses", "anthropic"]
    """Whose interface the model's server speaks."""
    model: Text
    """The model's name."""
    base_url: Text | None = None
    """The server's address; the provider's own when absent."""
    system: str | None = None
    """The system prompt."""
    tools: tuple[dict[str, JsonValue], ...] = ()
    """Tool definitions, in the provider's form."""
    max_tokens: Annotated[int, Field(gt=0)] = 2048
    """The longest answer, in tokens."""
    api_key_env: Text | None = None
    """The environment variable that holds the key."""
    metadata: dict[str, str] = {}
    """Sent as metadata with every request."""
    on_behalf_of: Text | None = None
    """Sent as the header X-On-Behalf-Of."""
    extra: dict[str, JsonValue] = {}
    """Sent as further top-level keys of the request, as they are."""


def _kind_of_replay(value: Any) -> str:
    if isinstance(value, str):
        return "text"
    return "a list of texts" if isinstance(value, list | tuple) else ""


# The tags are what an error message tells people to write.
Replay = Annotated[
    Annotated[Text, Tag("text")] | Annotated[tuple[Text, ...], Field(min_length=1), Tag("a list of texts")],
    Discriminator(_kind_of_replay),
]


def _variable_name(value: str) -> str:
    if not _VARIABLE.fullmatch(value):
        raise refusal(shown(value), "write the name of an environment variable, such as OPENAI_API_KEY")
    return value


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
Variable = Annotated[
    str, Field(json_schema_extra={"pattern": f"^{_VARIABLE.pattern}$"}), AfterValidator(_variable_name)
]


class AgentConfig(FileModel):
    """How the changed agent is asked: exactly one of `command`, `http`, `chat`, `replay`."""

    command: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    """The program to run, and its arguments: JSON on its standard input, JSON on its standard output."""
    protocol: Literal["json", "jsonl"] = "json"
    """json: a process for each case; jsonl: one long-lived process that answers a line for each case."""
    setup: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    """A command to run once before, in a virtual environment of its own."""
    http: HttpAgent | None = None
    """An agent behind a JSON endpoint."""
    chat: ChatAgent | None = None
    """A bare model as the agent, with a system prompt and tool definitions."""
    replay: Replay | None = None
    """Recorded replies: a JSON Lines file, or several."""
    timeout_s: Seconds = 30
    """The time limit of one case, in seconds; over it the agent has failed."""
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8
    """How many cases are asked at once."""
    retries: Annotated[int, Field(ge=0, le=20)] = 3
    """How often a failed request is tried again."""
    env: tuple[Variable, ...] = ()
    """The environment variables that the agent sees, beside PATH, HOME and LANG."""

    @property
    def kind(self) -> Literal["command", "http", "chat", "replay"]:
        """Which of the four ways this is."""
        if self.command:
            return "command"
        if self.http:
            return "http"
        return "chat" if self.chat else "replay"

    @model_validator(mode="after")
    def _exactly_one(self) -> AgentConfig:
        given = [name for name in ("command", "http", "chat", "replay") if getattr(self, name) is not None]
        if len(given) != 1:
            found = "none of them" if not given else " and ".join(given)
            raise refusal(found, "give exactly one of command, http, chat, replay")
        return self

    @model_validator(mode="after")
    def _command_only(self) -> AgentConfig:
        for name in ("protocol", "setup"):
            if self.command is None and name in self.model_fields_set and getattr(self, name) is not None:
                raise refusal(f"{name} without command", "remove it; it is for agents that are a command", name)
        return self


Usd = Annotated[Decimal, Field(ge=0)]


class JudgePrice(FileModel):
    """USD per million tokens, for a model that the shipped price list does not know."""

    input: Usd
    """USD per million input tokens."""
    output: Usd
    """USD per million output tokens."""


class JudgeConfig(FileModel):
    """Who grades the criteria that code cannot."""

    provider: Literal["anthropic", "openai", "openai-responses", "labels"]
    """Whose interface the judge speaks; labels: verdicts that people wrote."""
    model: Text | None = None
    """The judge's model."""
    base_url: Text | None = None
    """The server's address; the provider's own when absent."""
    api_key_env: Text | None = None
    """The environment variable that holds the key."""
    labels: Text | None = None
    """For provider labels: JSON Lines of verdicts that people wrote."""
    votes: Annotated[int, Field(ge=1, le=15)] = 1
    """How often each criterion is judged; the majority decides."""
    timeout_s: Seconds = 60
    """The time limit of one judgement, in seconds."""
    concurrency: Annotated[int, Field(ge=1, le=200)] = 4
    """How many judgements are asked for at once."""
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    """How often a failed judgement is tried again."""
    max_usd: Annotated[Decimal, Field(gt=0)] | None = None
    """The most that judging a run may cost, in US dollars."""
    max_tokens: Annotated[int, Field(gt=0)] = 4096
    """The longest answer of the judge, in tokens."""
    prompts: Text | None = None
    """A folder with prompts of the repository's own, by the names of the shipped ones."""
    cache: Text | None = None
    """A folder in which verdicts are kept."""
    side_by_side: Literal["off", "changed", "all"] = "changed"
    """Which pairs of replies the judge compares."""
    calibration: Text | None = None
    """The record of the judge's last calibration (`quilate calibrate` writes it), which comments then tell."""
    extra: dict[str, JsonValue] = {}
    """Sent as further keys of each request, at every depth; null takes a key away."""
    price: JudgePrice | None = None
    """What the model costs, where the shipped price list does not know it."""
    non_evidence_tools: tuple[Text, ...] = ()
    """Tools (globs) whose outputs are no evidence of anything: a scratchpad, a clock."""

    @model_validator(mode="after")
    def _what_it_needs(self) -> JudgeConfig:
        if self.votes % 2 == 0:
            raise refusal(f"{self.votes}", "write an odd number, so that a majority exists", "votes")
        needed = "labels" if self.provider == "labels" else "model"
        if getattr(self, needed) is None:
            raise refusal("nothing", f"add {needed}, which provider: {self.provider} needs", needed)
        return self


class RetrieverConfig(FileModel):
    """The same search the agent uses, asked again for groundedness: exactly one of `http`, `command`."""

    http: HttpAgent | None = None
    """A search behind a JSON endpoint."""
    command: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    """A search as a program."""
    parameters: dict[str, JsonValue] = {}
    """Threshold, mode and scopes, passed through to the search and recorded."""
    timeout_s: Seconds = 30
    """The time limit of one search, in seconds."""
    env: tuple[Variable, ...] = ()
    """The environment variables that the search sees, beside PATH, HOME and LANG."""

    @model_validator(mode="after")
    def _exactly_one(self) -> RetrieverConfig:
        if (self.http is None) == (self.command is None):
            found = "neither http nor command" if self.http is None else "both http and command"
            raise refusal(found, "give exactly one of them")
        return self


class Gate(FileModel):
    """The policy: when a comparison fails."""

    max_drop: Percent = 5
    """Points that the pass rate may fall; more than this fails, exactly this passes."""
    scope: Literal["overall", "category"] = "overall"
    """overall: the overall rate is gated; category: that, and every category by the same limit."""
    rule: Literal["drop", "drop_and_evidence"] = "drop"
    """drop_and_evidence: a drop must also be significant, else it is a warning."""
    min_pass_rate: Percent | None = None
    """A floor for the pass rate, in percent; none when absent."""
    max_error_rate: Percent = 10
    """Percent of the asked cases that may be in error; above it a comparison is inconclusive."""
    min_common: Percent = 80
    """Percent of the base's graded cases that must be common; below it a comparison is inconclusive."""
    edited_cases: Literal["warn", "fail"] = "warn"
    """What passes only by edited expectations, and removed cases that passed: warn or fail."""
    confirm_flips: Annotated[int, Field(ge=0, le=20)] = 0
    """How many more times a newly failing case is asked; even, the majority of all decides."""
    on_missing_baseline: Literal["pass", "fail"] = "pass"
    """What the check comes to when there is nothing to compare with."""

    @model_validator(mode="after")
    def _even(self) -> Gate:
        if self.confirm_flips % 2:
            mend = "write an even number: with the first asking it makes an odd one, so that a majority exists"
            raise refusal(shown(self.confirm_flips), mend, "confirm_flips")
        return self


class BaselineConfig(FileModel):
    """Where baselines are stored."""

    store: Literal["branch", "directory"] = "branch"
    """Where baselines are: on a branch of the repository, or in a directory."""
    branch: Text = "quilate-data"
    """The branch, for store: branch."""
    directory: Text = ".quilate/baselines"
    """The directory, for store: directory."""
    store_replies: bool = True
    """Whether replies are stored too; without them, edited cases cannot be compared."""
    keep: Annotated[int, Field(ge=1)] = 200
    """How many baselines are kept."""


class Config(FileModel):
    """quilate.yml."""

    suite: Suite
    """The suite's name: one comment and one baseline for each suite."""
    goldens: Annotated[tuple[Text, ...], Field(min_length=1)]
    """The golden files: paths, folders and globs, relative to this file."""
    agent: AgentConfig
    """How the changed agent is asked."""
    judge: JudgeConfig | None = None
    """Who grades what code cannot; without one, such criteria are not judged."""
    retriever: RetrieverConfig | None = None
    """The same search the agent uses, asked again for groundedness."""
    grounded: bool = False
    """Groundedness for every case of the suite."""
    max_latency_ms: Annotated[float, Field(gt=0)] = 5000
    """A reply must be faster than this, in milliseconds, where a case sets no limit of its own."""
    trials: Annotated[int, Field(ge=1, le=100)] = 1
    """How often each case is asked."""
    gate: Gate = Gate()
    """When a comparison fails."""
    baseline: BaselineConfig = BaselineConfig()
    """Where baselines are stored."""
    locales: tuple[Text, ...] = ()
    """Locale packs of the repository's own."""
    report_language: Literal["en", "es", "pt-BR"] = "en"
    """The language of comments and reports."""
    report_url: Text | None = None
    """Where the full report can be read; linked from the comment."""
    accept_label: Text = "quilate: accept drop"
    """The label by which a maintainer accepts a drop."""

    def dump(self) -> dict[str, Any]:
        """The configuration as plain JSON, without what was not written."""
        return self.model_dump(mode="json", exclude_defaults=True)
