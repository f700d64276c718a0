"""An agent that is not asked, since the run may not see the secrets it needs."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from pydantic import JsonValue

from quilate.agents.agent import AskFailed, Fault, FaultKind, Reply, Request
from quilate.saying import say


class WithheldAgent:
    """Gives every case the same fault: neither for nor against the agent."""

    def __init__(self, kind: str, missing: Sequence[str]) -> None:
        self._kind = kind
        self._message = say(
            "the agent needs {names}, which this run has not (a fork's pull request sees no secrets)",
            names=", ".join(missing),
        )  # fmt: skip

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Nothing was started."""

    async def ask(self, request: Request) -> Reply:
        """Raises `AskFailed`, always."""
        raise AskFailed(Fault.of(FaultKind.SECRET, self._message))

    def describe(self) -> dict[str, JsonValue]:
        """The kind of the agent that was not asked."""
        return {"kind": self._kind, "withheld": True}

    def trials(self, case_id: str) -> int | None:
        """As many as the run asks for."""
        return None
