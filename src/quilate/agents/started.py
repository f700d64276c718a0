"""An agent that is started once and asked in several rounds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Self

from pydantic import JsonValue

from quilate.agents.agent import Agent, Reply, Request
from quilate.agents.starting import CannotStartError


class StartedAgent:
    """Entered by each round of asking without being started again; an agent that could not start fails each round."""

    def __init__(self, agent: Agent, failed: CannotStartError | None) -> None:
        self._agent = agent
        self._failed = failed

    async def __aenter__(self) -> Self:
        """Raises `CannotStartError` where starting failed."""
        if self._failed is not None:
            raise self._failed
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Leaves the agent running: `started` ends it."""

    async def ask(self, request: Request) -> Reply:
        """As the agent does."""
        return await self._agent.ask(request)

    def describe(self) -> dict[str, JsonValue]:
        """As the agent does."""
        return self._agent.describe()

    def trials(self, case_id: str) -> int | None:
        """As the agent does."""
        return self._agent.trials(case_id)


@asynccontextmanager
async def started(agent: Agent) -> AsyncIterator[StartedAgent]:
    """Starts `agent` for as long as the context lasts; raises what starting raises but `CannotStartError`."""
    async with AsyncExitStack() as stack:
        failed = None
        try:
            await stack.enter_async_context(agent)
        except CannotStartError as error:
            failed = error
        yield StartedAgent(agent, failed)
