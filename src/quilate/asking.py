"""Asking the agent every case: so many at a time, each within its time, again where it helps."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from types import TracebackType
from typing import Self

from pydantic import JsonValue

from quilate.agents.agent import Agent, AskFailed, Fault, FaultKind, Reply, Request
from quilate.agents.results import agent_fault
from quilate.agents.starting import CannotStartError
from quilate.goldens.case import GoldenCase
from quilate.retrying import LONGEST_WAIT_S, Again, retrying
from quilate.saying import say

GIVE_UP_AFTER = 5
"""So many askings that never reached the agent, and none that did: the rest is not asked."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One trial of one case, answered: a failed asking is a reply with a `fault`."""

    case: GoldenCase
    trial: int
    reply: Reply
    asked_at: dt.datetime


@dataclass(frozen=True, slots=True)
class Asking:
    """What an asking came to. `common` is the fault that every asking had, None unless all crashed alike.

    `not_asked` counts trials that were given the common fault without being asked, since nothing ever answered.
    """

    answered: int
    not_asked: int
    common: Fault | None


def common_crash(faults: Iterable[Fault | None], least: int = 2) -> Fault | None:
    """The first fault, when every one of at least `least` is the agent's and says the same, numbers aside; else None.

    `faults` holds None for a reply without one; it is read once, in constant memory.
    """
    crashes = _Alike(least)
    for fault in faults:
        crashes.add(fault)
    return crashes.common


class _Alike:
    def __init__(self, least: int = 2) -> None:
        self._least = least
        self._first: Fault | None = None
        self._alike = True
        self._count = 0

    def add(self, fault: Fault | None) -> None:
        self._count += 1
        self._first = self._first or fault
        self._alike = self._alike and fault is not None and _gist(fault) == _gist(self._first)

    @property
    def common(self) -> Fault | None:
        whose = self._first is not None and self._first.kind is FaultKind.AGENT
        return self._first if whose and self._alike and self._count >= self._least else None


def _gist(fault: Fault | None) -> tuple[FaultKind, str] | None:
    # Process ids, addresses, line numbers and times differ between crashes that are one.
    return None if fault is None else (fault.kind, re.sub(r"0x[0-9a-f]+|\d+", "#", fault.message))


@asynccontextmanager
async def started(agent: Agent) -> AsyncIterator[Agent]:
    """`agent` entered, and left at the end. Where it cannot be started, one in its place that has that fault ready.

    So a run has a reply for every trial, whatever happens. What a person has to mend (`InputError`) is raised.
    """
    async with AsyncExitStack() as stack:
        try:
            ready: Agent = await stack.enter_async_context(agent)
        except AskFailed as failed:
            ready = NotStarted(agent, failed.fault)
        yield ready


class NotStarted:
    """Stands in for an agent that could not be started."""

    def __init__(self, agent: Agent, fault: Fault) -> None:
        self.fault = fault
        self._agent = agent

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Nothing was started."""

    async def ask(self, request: Request) -> Reply:
        """Raises `AskFailed`, always."""
        raise AskFailed(self.fault)

    def describe(self) -> dict[str, JsonValue]:
        """The agent's own description."""
        return self._agent.describe()

    def trials(self, case_id: str) -> int | None:
        """The agent's own number."""
        return self._agent.trials(case_id)


async def ask_all(
    agent: Agent,
    cases: Iterable[GoldenCase],
    on_reply: Callable[[Answered], Awaitable[None] | None],
    *,
    trials: int = 1,
    concurrency: int = 8,
    timeout_s: float = 30,
    retries: int = 3,
    already: Container[tuple[str, int]] = frozenset(),
    seed: int = 0,
    longest_wait_s: float = LONGEST_WAIT_S,
    now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> Asking:
    """Asks `agent` each trial of each case (trials from 0) but those in `already`, and hands on every reply.

    `agent` is entered (see `started`). `cases` is read as it is needed, at most `concurrency` are in flight, and
    nothing is kept: memory does not grow with the dataset. A replay's recorded trials count instead of `trials`. Each
    attempt has `timeout_s`, with its process's start; running out of it is the agent's crash and is not tried again.
    Transport faults, 429 and 5xx are, up to `retries` times.

    `on_reply` gets the replies in the order they come. It may be a coroutine function, which is then waited for before
    the next case is taken; what it does before it first awaits (the journal) is done even when the asking is
    cancelled, so that whatever was answered is recorded. What it raises (a full disk) ends the
    asking and is raised here. An agent that could not be started, or that none of the first askings reaches, gives
    each case the same fault without asking further: a run always has a reply for every trial.
    """
    work = _work(agent, cases, trials, already)
    asker = _Asker(agent, on_reply, timeout_s, retries, longest_wait_s, Random(seed), now, sleep)  # noqa: S311 - jitter
    if isinstance(agent, NotStarted):
        asker.gone = agent.fault
    await _in_parallel(lambda: asker.drain(work), concurrency)
    return Asking(answered=asker.answered, not_asked=asker.not_asked, common=asker.alike.common)


def _work(
    agent: Agent, cases: Iterable[GoldenCase], trials: int, already: Container[tuple[str, int]]
) -> Iterator[tuple[GoldenCase, int]]:
    for case in cases:
        recorded = agent.trials(case.id)
        for trial in range(trials if recorded is None else recorded):
            if (case.id, trial) not in already:
                yield case, trial


async def _in_parallel(work: Callable[[], Awaitable[None]], lanes: int) -> None:
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(lanes):
                group.create_task(_awaited(work()))
    except BaseExceptionGroup as failures:
        # One lane's failure ended the others; the first is the reason, and what callers know by its type.
        raise failures.exceptions[0] from None


async def _awaited(work: Awaitable[None]) -> None:
    await work


@dataclass(slots=True)
class _Asker:
    agent: Agent
    on_reply: Callable[[Answered], Awaitable[None] | None]
    timeout_s: float
    retries: int
    longest_wait_s: float
    random: Random
    now: Callable[[], dt.datetime]
    sleep: Callable[[float], Awaitable[object]]
    answered: int = 0
    not_asked: int = 0
    unreached: int = 0
    reached: bool = False
    gone: Fault | None = None
    alike: _Alike = field(default_factory=_Alike)

    async def drain(self, work: Iterator[tuple[GoldenCase, int]]) -> None:
        for case, trial in work:
            asked_at = self.now()
            if self.gone is None:
                reply = await self._ask(case, trial)
            else:
                self.not_asked += 1
                reply = Reply(fault=self.gone, attempts=0)
            self.answered += 1
            self.alike.add(reply.fault)
            handing_on = self.on_reply(Answered(case, trial, reply, asked_at))
            if handing_on is not None:
                await handing_on

    async def _ask(self, case: GoldenCase, trial: int) -> Reply:
        request = Request(case_id=case.id, messages=case.messages, input=case.input, trial=trial)
        attempts = 0

        async def attempt(number: int) -> Reply:
            nonlocal attempts
            attempts = number
            return await self._attempt(request)

        try:
            reply = await retrying(
                attempt,
                retries=self.retries,
                again=_again,
                random=self.random,
                longest_wait_s=self.longest_wait_s,
                sleep=self.sleep,
            )
        except AskFailed as failed:
            self._note(failed)
            return Reply(fault=failed.fault, attempts=attempts)
        self.reached = True
        return reply.model_copy(update={"attempts": attempts}) if attempts > 1 else reply

    async def _attempt(self, request: Request) -> Reply:
        try:
            async with asyncio.timeout(self.timeout_s):
                return await self.agent.ask(request)
        except TimeoutError:
            raise AskFailed(agent_fault(say("no reply within {seconds} s", seconds=float(self.timeout_s)))) from None

    def _note(self, failed: AskFailed) -> None:
        if not isinstance(failed, CannotStartError):
            self.reached = True
            return
        self.unreached += 1
        if not self.reached and self.unreached >= GIVE_UP_AFTER:
            self.gone = failed.fault


def _again(error: Exception) -> Again | None:
    return Again(error.retry_after_s) if isinstance(error, AskFailed) and error.retryable else None


@contextmanager
def cancelled_by_signals(*signals: signal.Signals) -> Iterator[None]:
    """Within, each of `signals` (default SIGINT and SIGTERM) cancels the current task, so that all ends in order.

    For use inside a running event loop. Where the platform's loop has no signal handlers, they keep their meaning.
    """
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    handled = []
    for number in signals or (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, lambda: task is not None and task.cancel())
            handled.append(number)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
