"""`agent.command` with `protocol: jsonl`: processes that live on and answer a line per case.

A process is given one case at a time, and further processes are started as they are needed, up to the number of
cases in flight. A process that can do more says so with its first line, `{"ready": true, "concurrency": N}`: it is
then given up to N cases at once and may answer them in any order, each with its `case_id` and `trial`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from pydantic import JsonValue

from quilate.agents.agent import Reply, Request
from quilate.agents.command import request_line, timed
from quilate.agents.decoding import MAX_REPLY_BYTES, TOO_LARGE, BadReplyError, decode
from quilate.agents.process import Launch, Process
from quilate.agents.results import crash, parse_result
from quilate.saying import say

_LEAVE_S = 2.0
"""So long a process may take to end after its standard input has."""


class _LostError(Exception):
    """The process died, or wrote what belongs to no case, while it had several: whose fault it was is not known."""


@dataclass(slots=True)
class _Pending:
    answer: asyncio.Future[tuple[dict[str, Any], float]]
    sent_at: float


class LineProcess:
    """One process, with the cases it has in hand. `on_change` is called whenever there may be room again.

    Made `alone`, it takes one case and no more.
    """

    def __init__(self, on_change: Callable[[], None], *, alone: bool = False) -> None:
        self.capacity: int | None = None
        """How many cases it takes at once; None until it has said something."""
        self.retired = alone
        """No further case is given to it; it is ended as soon as it has none in hand."""
        self.process: Process
        self._on_change = on_change
        self._alone = alone
        self._ready_at: float | None = None
        self.fresh = True
        """Whether it has never been given a case."""
        self._pending: dict[tuple[str, int], _Pending] = {}
        self._line = bytearray()
        self._mourning: asyncio.Task[None]

    async def start(self, launch: Launch) -> None:
        """Starts the process; raises `CannotStartError`."""
        self.process = await Process.start(launch, self._read)
        self._mourning = asyncio.create_task(self._mourn())

    @property
    def free(self) -> bool:
        """Whether it can be given a case now."""
        return not self.retired and len(self._pending) < (self.capacity or 1)

    @property
    def idle(self) -> bool:
        """Whether it has no case in hand."""
        return not self._pending

    async def ask(self, request: Request) -> Reply:
        """The answer to one line. Raises `AskFailed`, or `_LostError` where the case is not known to be at fault."""
        first, self.fresh = self.fresh, False
        pending = _Pending(asyncio.get_running_loop().create_future(), time.perf_counter())
        self._pending[request.case_id, request.trial] = pending
        line = request_line(request, trial=request.trial)
        feeding = asyncio.create_task(self.process.send_first(line, close=False)) if first else None
        if not first:
            self.process.send(line)
        try:
            value, answered_at = await pending.answer
            reply = parse_result(value, case_id=request.case_id)
        except BadReplyError as error:
            raise crash(error.why) from None
        except asyncio.CancelledError:
            # Out of time, or the run ends: a process that hangs is not given another case.
            self.retired = True
            raise
        finally:
            del self._pending[request.case_id, request.trial]
            if feeding is not None:
                feeding.cancel()
        if first:
            return timed(reply, self.process.started_at, self._ready_at or self.process.taken_up_at, answered_at)
        if reply.duration_ms is not None:
            return reply
        return reply.model_copy(update={"duration_ms": (answered_at - pending.sent_at) * 1000})

    async def end(self) -> None:
        """Ends the process with its children."""
        self._mourning.cancel()
        await self.process.end()

    def _read(self, data: bytes) -> None:
        self._line += data
        if b"\n" in data:
            *lines, rest = bytes(self._line).split(b"\n")
            self._line = bytearray(rest)
            for line in lines:
                self._take(line)
        if len(self._line) > MAX_REPLY_BYTES:
            self._fail(crash(TOO_LARGE))

    def _take(self, line: bytes) -> None:
        if not line.lstrip().startswith(b"{"):
            return  # the agent's own chatter
        try:
            value = decode(line)
        except BadReplyError as error:
            self._fail(crash(error.why))
            return
        if self.capacity is None and value.get("ready") is True:
            self._ready(value.get("concurrency"))
            return
        self.capacity = self.capacity or 1
        pending = self._whose(value)
        if pending is None or pending.answer.done():
            # What nobody asked for: whose answer the next line is could not be known.
            self.retired = True
        else:
            # An answer that names a case it was not asked is out of step, and so would all be that follow it.
            self.retired = self.retired or self._is_out_of_step(value)
            pending.answer.set_result((value, time.perf_counter()))
        self._on_change()

    def _ready(self, concurrency: object) -> None:
        several = isinstance(concurrency, int) and not isinstance(concurrency, bool) and not self._alone
        self.capacity = max(1, concurrency) if several and isinstance(concurrency, int) else 1
        self._ready_at = time.perf_counter()
        self._on_change()

    def _whose(self, value: dict[str, Any]) -> _Pending | None:
        if self.capacity == 1:
            return next(iter(self._pending.values()), None)
        named, trial = value.get("case_id"), value.get("trial", 0)
        return self._pending.get((named, trial)) if isinstance(named, str) and isinstance(trial, int) else None

    def _is_out_of_step(self, value: dict[str, Any]) -> bool:
        named = value.get("case_id")
        return named is not None and all(named != case_id for case_id, _ in self._pending)

    async def _mourn(self) -> None:
        code = await self.process.gone()
        self._take(bytes(self._line))
        self._fail(crash(say("the agent {how}", how=self.process.obituary(code))))

    def _fail(self, error: Exception) -> None:
        self.retired = True
        self.capacity = self.capacity or 1
        left = [pending.answer for pending in self._pending.values() if not pending.answer.done()]
        for answer in left:
            answer.set_exception(error if len(left) == 1 else _LostError())
        self._on_change()


class LinesAgent:
    """Processes that answer a line per case. `open_launch` prepares them once; `concurrency` bounds their number."""

    def __init__(
        self, open_launch: Callable[[], Awaitable[Launch]], described: dict[str, JsonValue], concurrency: int
    ) -> None:
        self._open_launch = open_launch
        self._described = described
        self._concurrency = concurrency
        self._processes: list[LineProcess] = []
        self._capacity: int | None = None
        self._choosing = asyncio.Lock()
        self._changed = asyncio.Event()
        self._launch: Launch

    async def __aenter__(self) -> Self:
        self._launch = await self._open_launch()
        _ = self._launch.executable
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Standard input ends, which tells the processes to; then they are ended with their children."""
        for started in self._processes:
            started.process.close_stdin()
        try:
            if self._processes and value is None:
                await asyncio.wait([started.process.exited for started in self._processes], timeout=_LEAVE_S)
        finally:
            await asyncio.gather(*(started.end() for started in self._processes))
            self._processes.clear()

    async def ask(self, request: Request) -> Reply:
        """One line to a process with room. Cases that were together in a process when it died are asked alone."""
        try:
            return await self._ask(await self._with_room(), request)
        except _LostError:
            return await self._ask(await self._start(alone=True), request)

    async def _ask(self, chosen: LineProcess, request: Request) -> Reply:
        try:
            return await chosen.ask(request)
        finally:
            self._capacity = self._capacity or chosen.capacity
            self._changed.set()
            await self._end_retired()

    async def _end_retired(self) -> None:
        over = [started for started in self._processes if started.retired and started.idle and not started.fresh]
        for started in over:
            self._processes.remove(started)
        await asyncio.gather(*(started.end() for started in over))

    async def _with_room(self) -> LineProcess:
        async with self._choosing:
            while True:
                serving = [started for started in self._processes if not started.retired]
                for started in serving:
                    if started.free:
                        return started
                # What the first process says decides how many are needed.
                self._capacity = self._capacity or next((each.capacity for each in serving if each.capacity), None)
                if not serving or (self._capacity and len(serving) < self._concurrency):
                    return await self._start()
                self._changed.clear()
                await self._changed.wait()

    async def _start(self, *, alone: bool = False) -> LineProcess:
        started = LineProcess(self._changed.set, alone=alone)
        await started.start(self._launch)
        self._processes.append(started)
        return started

    def describe(self) -> dict[str, JsonValue]:
        """The command as it was written."""
        return self._described

    def trials(self, case_id: str) -> int | None:
        """As many as the run asks for."""
        return None
