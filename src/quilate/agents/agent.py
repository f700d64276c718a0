"""The one seam to the agent under test: a request goes in, a reply comes out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Any, Protocol, Self

from pydantic import JsonValue

from quilate.goldens.case import Message
from quilate.grades import RecordModel
from quilate.saying import again, kept


class ToolCall(RecordModel):
    """One call of a tool by the agent.

    `args` is what the agent passed (an object; anything else is kept as it came and fails where arguments are
    checked). `output` is None where the agent reported none; `error` where the tool itself failed.
    """

    name: str
    args: JsonValue = None
    output: JsonValue = None
    error: str | None = None


class Fragment(RecordModel):
    """A passage the agent's search returned."""

    text: str
    id: str | None = None
    source: str | None = None
    score: float | None = None


class Usage(RecordModel):
    """Tokens, as the provider counts them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


class FaultKind(StrEnum):
    """Whose fault it is that there is no reply."""

    AGENT = "agent"
    """The agent crashed, timed out or answered garbage: the change broke it, and the case fails."""
    INFRASTRUCTURE = "infrastructure"
    """A provider's outage or limit: the case is in error, neither for nor against the agent."""
    SECRET = "secret"  # noqa: S105 - the word, no password
    """The run has no access to a secret the agent needs (a fork's pull request)."""
    BUDGET = "budget"


class Fault(RecordModel):
    """Why there is no reply."""

    kind: FaultKind
    message: str
    said: dict[str, Any] = {}
    """Under `message`, the parts of a message that code wrote (see `saying`)."""

    @classmethod
    def of(cls, kind: FaultKind, message: str) -> Self:
        """A fault whose message keeps its parts, where it is a sentence of ours."""
        return cls(kind=kind, message=str(message), said=kept(message=message))

    def __hash__(self) -> int:
        return hash((self.kind, self.message))

    @property
    def why(self) -> str:
        """The message, with its parts where it has any."""
        return again(self.message, self.said["message"]) if "message" in self.said else self.message


class Reply(RecordModel):
    """What the agent gave back for one case.

    `duration_ms` is the agent's own time, from the sending of the attempt that answered to its last byte (or what
    the agent itself reported); None where no time was recorded. `startup_ms` is a process's start, where it was
    measured apart. `fragments` is None where the agent reported no search at all, empty where a search found nothing.
    """

    output: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    fragments: tuple[Fragment, ...] | None = None
    metrics: dict[str, float] = {}
    usage: Usage | None = None
    cost_usd: str | None = None
    model: str | None = None
    duration_ms: float | None = None
    startup_ms: float | None = None
    attempts: int = 1
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What the agent is asked: never an expectation, never a secret."""

    case_id: str
    messages: tuple[Message, ...]
    input: str | tuple[Message, ...]
    trial: int = 0


class AskFailed(Exception):  # noqa: N818 - an outcome of one attempt, not a programming error
    """One attempt gave no reply. `asking.py` decides whether to try again."""

    def __init__(self, fault: Fault, *, retryable: bool = False, retry_after_s: float | None = None) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.retryable = retryable
        self.retry_after_s = retry_after_s


class Agent(Protocol):
    """An agent adapter. Entered once a run (it may start a server or a process), left at its end."""

    async def __aenter__(self) -> Self:
        """Starts what the agent needs; raises `AskFailed` when it cannot be started."""
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Ends what was started, with its children."""
        ...

    async def ask(self, request: Request) -> Reply:
        """One attempt at one request; raises `AskFailed`. The time limit is the caller's."""
        ...

    def describe(self) -> dict[str, JsonValue]:
        """What identifies this agent in a run's header (kind, model, command …), without secrets."""
        ...

    def trials(self, case_id: str) -> int | None:
        """How many trials are recorded for the case, where that is fixed beforehand (a replay); else None."""
        ...
