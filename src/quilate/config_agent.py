"""`agent:` and `retriever:` of quilate.yml: how the changed agent, and the search it uses, are asked."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, JsonValue, Tag

from quilate.file_model import Broken, FileModel, RuledModel, Text
from quilate.problems import refusal
from quilate.shown import flow_list, shown, visible

Seconds = Annotated[float, Field(gt=0)]


def _not_a_line(value: Any) -> Any:
    """A command is its words: who parts a line into words, and how, differs from shell to shell."""
    if isinstance(value, str):
        raise refusal(shown(value), f"write a list of its words: {_words_of(value)}")
    return tuple(value) if isinstance(value, list) else value


def _words_of(line: str) -> str:
    try:
        words = shlex.split(line)
    except ValueError:  # a quotation mark that is never closed
        words = line.split()
    return visible(flow_list(words or ["python", "agent.py"]), 200)


Command = Annotated[tuple[Text, ...], Field(min_length=1), BeforeValidator(_not_a_line)]


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
    start: Command | None = None
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


class AgentConfig(RuledModel):
    """How the changed agent is asked: exactly one of `command`, `http`, `chat`, `replay`."""

    command: Command | None = None
    """The program to run, and its arguments: JSON on its standard input, JSON on its standard output."""
    protocol: Literal["json", "jsonl"] = "json"
    """json: a process for each case; jsonl: one long-lived process that answers a line for each case."""
    setup: Command | None = None
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

    @classmethod
    def broken(cls, given: Mapping[str, Any]) -> Broken:
        """One way to ask, and nothing that belongs to another way."""
        ways = [name for name in _WAYS if name in given]
        if len(ways) != 1:
            yield refusal(" and ".join(ways) or "none of them", f"give exactly one of {', '.join(_WAYS)}")
        for name in ("protocol", "setup"):
            if name in given and ways and "command" not in ways:
                yield refusal(f"{name} without command", "remove it; it is for agents that are a command", name)


_WAYS = ("command", "http", "chat", "replay")


class RetrieverConfig(RuledModel):
    """The same search the agent uses, asked again for groundedness: exactly one of `http`, `command`."""

    http: HttpAgent | None = None
    """A search behind a JSON endpoint."""
    command: Command | None = None
    """A search as a program."""
    parameters: dict[str, JsonValue] = {}
    """Threshold, mode and scopes, passed through to the search and recorded."""
    timeout_s: Seconds = 30
    """The time limit of one search, in seconds."""
    env: tuple[Variable, ...] = ()
    """The environment variables that the search sees, beside PATH, HOME and LANG."""

    @classmethod
    def broken(cls, given: Mapping[str, Any]) -> Broken:
        """One way to search."""
        if ("http" in given) == ("command" in given):
            found = "both http and command" if "http" in given else "neither http nor command"
            yield refusal(found, "give exactly one of them")
