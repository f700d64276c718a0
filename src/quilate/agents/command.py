"""`agent.command`: a process per case, JSON on its standard input, JSON on its standard output."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

from pydantic import JsonValue

from quilate.agents.agent import Reply, Request
from quilate.agents.decoding import MAX_REPLY_BYTES, TOO_LARGE, BadReplyError, decode
from quilate.agents.process import Launch, Process
from quilate.agents.results import crash, parse_result
from quilate.saying import say


def request_line(request: Request, **more: JsonValue) -> bytes:
    """What a process is asked: `{case_id, input}` and `more`, in one line."""
    question = request.input if isinstance(request.input, str) else as_json(request)
    line = json.dumps({"case_id": request.case_id, **more, "input": question}, ensure_ascii=False)
    # A golden file may hold half a character; the agent gets U+FFFD, as from any UTF-8 encoder.
    return line.encode("utf-8", "replace") + b"\n"


def as_json(request: Request) -> list[dict[str, str]]:
    """The request's conversation as plain JSON."""
    return [message.model_dump(mode="json", exclude_none=True) for message in request.messages]


def result_in(stdout: bytes) -> Any:
    """The result in a process's output: all of it; or its last line that begins with `{`; or what begins there.

    Whatever else stands there is the agent's own chatter. Raises `BadReplyError`.
    """
    text = stdout.strip()
    if not text:
        message = say("the agent wrote nothing on standard output")
        raise BadReplyError(message)
    start = text.rfind(b"\n{") + 1
    refused = []
    for candidate in (text, text[start:].split(b"\n", 1)[0], text[start:]):
        try:
            return decode(candidate)
        except BadReplyError as error:
            refused.append(error)
    raise refused[1 if start else 0]


class CommandAgent:
    """A process per case. `open_launch` prepares it once (the virtual environment of `agent.setup`)."""

    def __init__(self, open_launch: Callable[[], Awaitable[Launch]], described: dict[str, JsonValue]) -> None:
        self._open_launch = open_launch
        self._described = described
        self._launch: Launch

    async def __aenter__(self) -> Self:
        self._launch = await self._open_launch()
        _ = self._launch.executable
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Nothing outlives its case."""

    async def ask(self, request: Request) -> Reply:
        """One process, ended with its children whatever happens."""
        output = _Output()
        process = await Process.start(self._launch, output.add)
        feeding = asyncio.create_task(process.send_first(request_line(request), close=True))
        ending = asyncio.create_task(process.gone())
        try:
            ends: list[asyncio.Future[Any]] = [ending, output.too_much]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if not ending.done():
                raise crash(TOO_LARGE)
            return self._reply(request, process, output, ending.result())
        finally:
            feeding.cancel()
            ending.cancel()
            await process.end()

    def _reply(self, request: Request, process: Process, output: _Output, code: int) -> Reply:
        try:
            reply = parse_result(result_in(bytes(output.data)), case_id=request.case_id)
        except BadReplyError as error:
            if code != 0:
                raise crash(say("the agent {how}", how=process.obituary(code))) from None
            words = process.stderr.last_lines(2)
            if not words:
                raise crash(error.why) from None
            raise crash(say("{problem} (standard error: {words})", problem=error.why, words=words)) from None
        if code != 0 and reply.fault is None:
            raise crash(say("the agent {how}", how=process.obituary(code)))
        return timed(reply, process.started_at, process.taken_up_at, output.last_at)

    def describe(self) -> dict[str, JsonValue]:
        """The command as it was written."""
        return self._described

    def trials(self, case_id: str) -> int | None:
        """As many as the run asks for."""
        return None


def timed(reply: Reply, started_at: float, taken_up_at: float | None, ended_at: float) -> Reply:
    """`reply` with its own time and its process's start apart, all from `time.perf_counter`.

    A time that the agent reports counts, and what remains was the start. Otherwise the start is over when the
    process takes up its request; where that cannot be known, no time is.
    """
    whole_ms = (ended_at - started_at) * 1000
    if reply.duration_ms is not None:
        return reply.model_copy(update={"startup_ms": max(0.0, whole_ms - reply.duration_ms)})
    if taken_up_at is None:
        return reply
    startup_ms = (taken_up_at - started_at) * 1000
    return reply.model_copy(update={"duration_ms": whole_ms - startup_ms, "startup_ms": startup_ms})


class _Output:
    def __init__(self) -> None:
        self.data = bytearray()
        self.last_at = time.perf_counter()
        self.too_much: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def add(self, data: bytes) -> None:
        self.last_at = time.perf_counter()
        if not self.too_much.done():
            self.data += data
            if len(self.data) > MAX_REPLY_BYTES:
                self.too_much.set_result(None)
