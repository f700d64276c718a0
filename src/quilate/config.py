"""quilate.yml as typed values."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue, model_validator

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
    """An agent behind a JSON endpoint; body and headers are Jinja2 templates over `input`, `messages`, `case_id`, `env`."""

    url: Text
    method: Literal["POST", "PUT", "GET"] = "POST"
    headers: dict[str, str] = {}
    body: JsonValue = None
    """Default: `{"case_id": …, "input": …, "messages": […]}`."""
    reply: dict[str, str] = {}
    """JMESPath per field of a reply (`output`, `tool_calls`, `fragments`, `metrics`, `duration_ms`, `error`)."""
    start: tuple[Text, ...] | None = None
    ready: Text | None = None
    ready_timeout_s: Seconds = 60


class ChatAgent(FileModel):
    """A bare model as the agent, with a system prompt and tool definitions."""

    provider: Literal["openai", "openai-responses", "anthropic"]
    model: Text
    base_url: Text | None = None
    system: str | None = None
    tools: tuple[dict[str, JsonValue], ...] = ()
    max_tokens: Annotated[int, Field(gt=0)] = 2048
    api_key_env: Text | None = None
    metadata: dict[str, str] = {}
    on_behalf_of: Text | None = None
    extra: dict[str, JsonValue] = {}
    """Sent as further top-level keys of the request, as they are."""


class AgentConfig(FileModel):
    """How the changed agent is asked: exactly one of `command`, `http`, `chat`, `replay`."""

    command: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    protocol: Literal["json", "jsonl"] = "json"
    """`json`: a process per case; `jsonl`: one long-lived process that answers a line per case."""
    setup: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    http: HttpAgent | None = None
    chat: ChatAgent | None = None
    replay: Text | Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    timeout_s: Seconds = 30
    concurrency: Annotated[int, Field(ge=1, le=1000)] = 8
    retries: Annotated[int, Field(ge=0, le=20)] = 3
    env: tuple[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")], ...] = ()

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


class JudgeConfig(FileModel):
    """Who grades the criteria that code cannot."""

    provider: Literal["anthropic", "openai", "openai-responses", "labels"]
    model: Text | None = None
    base_url: Text | None = None
    api_key_env: Text | None = None
    labels: Text | None = None
    """`provider: labels`: JSON Lines of verdicts that people wrote."""
    votes: Annotated[int, Field(ge=1, le=15)] = 1
    timeout_s: Seconds = 60
    concurrency: Annotated[int, Field(ge=1, le=200)] = 4
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    max_usd: Annotated[Decimal, Field(gt=0)] | None = None
    max_tokens: Annotated[int, Field(gt=0)] = 4096
    prompts: Text | None = None
    """A folder with prompts of the repository's own, by the names of the shipped ones."""
    cache: Text | None = None
    side_by_side: Literal["off", "changed", "all"] = "changed"
    extra: dict[str, JsonValue] = {}


class RetrieverConfig(FileModel):
    """The same search the agent uses, asked again for groundedness: exactly one of `http`, `command`."""

    http: HttpAgent | None = None
    command: Annotated[tuple[Text, ...], Field(min_length=1)] | None = None
    parameters: dict[str, JsonValue] = {}
    """Threshold, mode and scopes, passed through to the search and recorded."""
    timeout_s: Seconds = 30
    env: tuple[str, ...] = ()


class Gate(FileModel):
    """The policy: when a comparison fails."""

    max_drop: Percent = 5
    scope: Literal["overall", "category"] = "overall"
    rule: Literal["drop", "drop_and_evidence"] = "drop"
    min_pass_rate: Percent | None = None
    max_error_rate: Percent = 10
    min_common: Percent = 80
    edited_cases: Literal["warn", "fail"] = "warn"
    confirm_flips: Annotated[int, Field(ge=0, le=20)] = 0
    on_missing_baseline: Literal["pass", "fail"] = "pass"

    @model_validator(mode="after")
    def _even(self) -> Gate:
        if self.confirm_flips % 2:
            mend = "write an even number: with the first asking it makes an odd one, so that a majority exists"
            raise refusal(shown(self.confirm_flips), mend, "confirm_flips")
        return self


class BaselineConfig(FileModel):
    """Where baselines are stored."""

    store: Literal["branch", "directory"] = "branch"
    branch: Text = "quilate-data"
    directory: Text = ".quilate/baselines"
    store_replies: bool = True
    keep: Annotated[int, Field(ge=1)] = 200


class Config(FileModel):
    """quilate.yml."""

    suite: Suite
    goldens: Annotated[tuple[Text, ...], Field(min_length=1)]
    agent: AgentConfig
    judge: JudgeConfig | None = None
    retriever: RetrieverConfig | None = None
    grounded: bool = False
    """Groundedness for every case of the suite."""
    max_latency_ms: Annotated[float, Field(gt=0)] = 5000
    trials: Annotated[int, Field(ge=1, le=100)] = 1
    gate: Gate = Gate()
    baseline: BaselineConfig = BaselineConfig()
    locales: tuple[Text, ...] = ()
    """Locale packs of the repository's own."""
    report_language: Literal["en", "es", "pt-BR"] = "en"
    report_url: Text | None = None
    accept_label: Text = "quilate: accept drop"

    def dump(self) -> dict[str, Any]:
        """The configuration as plain JSON, without what was not written."""
        return self.model_dump(mode="json", exclude_defaults=True)
