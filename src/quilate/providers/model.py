"""The one seam to a language model: a prompt goes in, a completion comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Any, Literal, Protocol, Self

from pydantic import JsonValue

from quilate.agents.agent import ToolCall, Usage


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a prompt."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked.

    `schema` is the JSON Schema its answer must have (an object, every property required, none added); `tools` are
    definitions as `{name, description, parameters}`, or in the provider's own form, which is sent as it is.
    """

    system: str
    turns: tuple[Turn, ...]
    schema: Mapping[str, Any] | None = None
    tools: tuple[Mapping[str, JsonValue], ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    on_behalf_of: str | None = None


class Stop(StrEnum):
    """Why a model stopped."""

    END = "end"
    TOOLS = "tools"
    LENGTH = "length"
    REFUSAL = "refusal"
    FILTERED = "filtered"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model gave back. `model` is the one the provider says it used; `refusal` its words where it refused."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    model: str | None = None
    stop: Stop = Stop.END
    refusal: str | None = None


class Failure(StrEnum):
    """The kinds of ways in which there is no completion."""

    UNAVAILABLE = "unavailable"
    """429, 5xx, no connection, no answer in time."""
    QUOTA = "quota"
    """A spend limit or quota is exhausted: no waiting helps."""
    KEY_ABSENT = "key_absent"
    KEY_REFUSED = "key_refused"
    REJECTED = "rejected"
    """Any other 4xx: the request or the configuration is wrong."""
    GARBLED = "garbled"
    """A success status with a body that is none of the provider's."""


class ProviderError(Exception):
    """No completion. `retryable` says whether the same request may succeed later, `after_s` when the server said so."""

    def __init__(
        self,
        failure: Failure,
        message: str,
        *,
        status: int | None = None,
        retryable: bool = False,
        after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.failure = failure
        self.message = message
        self.status = status
        self.retryable = retryable
        self.after_s = after_s

    @property
    def lasting(self) -> bool:
        """Whether every further request of this run would fail alike."""
        return self.failure in (Failure.QUOTA, Failure.KEY_ABSENT, Failure.KEY_REFUSED)


class Model(Protocol):
    """A language model. Entered once, left at the end."""

    @property
    def name(self) -> str:
        """The model's name, as configured."""
        ...

    async def __aenter__(self) -> Self:
        """Opens what a request needs."""
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Closes it."""
        ...

    async def complete(self, prompt: Prompt) -> Completion:
        """One attempt at one prompt; raises `ProviderError`."""
        ...

    def request(self, prompt: Prompt) -> dict[str, Any]:
        """The body that `complete` would send, as JSON data."""
        ...
