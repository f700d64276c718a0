"""One started process: bounded pipes, its start told apart from its work, and an end that takes its children along."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from quilate.agents.starting import FOUR_WAYS, CannotStartError
from quilate.agents.tail import Tail
from quilate.saying import listed, say

GRACE_S = 1.0


@dataclass(frozen=True, slots=True)
class RunAs:
    """Another user for the agent: who cannot read this process's environment."""

    uid: int
    gid: int
    home: str | None = None


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started, where, with which environment (the whole of it), as whom."""

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]
    run_as: RunAs | None = None

    @property
    def executable(self) -> str:
        """The program's path. Raises `CannotStartError` where it is not installed."""
        import shutil

        name = self.argv[0]
        path = str(self.cwd / name) if os.sep in name else name
        found = shutil.which(path, path=self.env.get("PATH", os.defpath))
        if found is not None:
            return found
        if os.sep in name:
            raise CannotStartError(say(
                "agent.command: {name} is not there, or is not executable (looked in {folder}); "
                "write the path relative to quilate.yml",
                name=repr(name), folder=str(self.cwd),
            ))  # fmt: skip
        # As another user: in the container, which lacks other languages and where nothing can be installed.
        mend = say("install it, or write its path") if self.run_as is None else say("mind that {ways}", ways=FOUR_WAYS)
        raise CannotStartError(say("agent.command: {name} is not installed here; {mend}", name=repr(name), mend=mend))


class Process(asyncio.SubprocessProtocol):
    """A process of its own session. `on_stdout` gets its output as it comes; standard error is kept as a tail."""

    def __init__(self, on_stdout: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self.stderr = Tail()
        self.started_at = time.perf_counter()
        self.exited: asyncio.Future[int] = loop.create_future()
        """The exit code (negative: the signal), as soon as the process itself is gone, whoever holds its pipes."""
        self._pipes_open = {1, 2}
        self._pipes_closed: asyncio.Future[None] = loop.create_future()
        self._on_stdout = on_stdout
        self._transport: asyncio.SubprocessTransport
        self._stdin: asyncio.WriteTransport
        self._unread_fd: int | None = None
        self._sent = 0
        self._not_taken_at = self.started_at
        self._uptake: float | None = None

    @classmethod
    async def start(cls, launch: Launch, on_stdout: Callable[[bytes], None]) -> Self:
        """Starts `launch`. Raises `CannotStartError` where the system refuses."""
        loop = asyncio.get_running_loop()
        options: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {}
        if launch.run_as is not None:
            options |= {"user": launch.run_as.uid, "group": launch.run_as.gid, "extra_groups": []}
        process = cls(on_stdout)
        reading_end = await process._open_stdin() if os.name == "posix" else subprocess.PIPE
        try:
            await loop.subprocess_exec(
                lambda: process,
                launch.executable,
                *launch.argv[1:],
                stdin=reading_end,
                cwd=launch.cwd,
                env=dict(launch.env),
                **options,
            )
        except BaseException as error:
            if os.name == "posix":
                process.close_stdin()
            if isinstance(error, OSError | ValueError):
                message = say(
                    "agent.command: {name} cannot be started: {why}", name=repr(launch.argv[0]), why=str(error)
                )
                raise CannotStartError(message) from None
            raise
        if os.name != "posix":
            pipe = process._transport.get_pipe_transport(0)
            assert isinstance(pipe, asyncio.WriteTransport)
            process._stdin = pipe
        return process

    async def _open_stdin(self) -> int:
        reading, writing = os.pipe()
        # The reading end is kept, and never read: it can be asked for what lies unread in the pipe.
        self._unread_fd = reading
        loop = asyncio.get_running_loop()
        self._stdin, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(writing, "wb", 0))
        return reading

    @property
    def pid(self) -> int:
        """The process's id, which is also its group's and its session's."""
        return self._transport.get_pid()

    def send(self, data: bytes) -> None:
        """Writes `data` to standard input without waiting."""
        if not self._stdin.is_closing():
            self._stdin.write(data)
            self._sent += len(data)

    async def send_first(self, data: bytes, *, close: bool) -> None:
        """Writes `data` and watches for the moment the process begins to read it: that is when its start is over.

        `close` ends standard input after that. The pipe is asked for what lies unread in it, more rarely the longer
        it takes (within 2 %). On Windows the moment stays unknown.
        """
        began = time.perf_counter()
        self.send(data)
        while self._unread_fd is not None and not self._taken():
            self._not_taken_at = time.perf_counter()
            await asyncio.sleep(min(0.02, max(0.001, (self._not_taken_at - began) / 50)))
        if close:
            self._uptake = self.taken_up_at
            self.close_stdin()

    def close_stdin(self) -> None:
        """Ends standard input, once all is written."""
        self._stdin.close()
        if self._unread_fd is not None:
            os.close(self._unread_fd)
            self._unread_fd = None

    @property
    def taken_up_at(self) -> float | None:
        """When (`time.perf_counter`) the process began to read its first request; None where that is not known."""
        return self._not_taken_at if self._uptake is None and self._taken() else self._uptake

    def _taken(self) -> bool:
        if self._unread_fd is None or sys.platform == "win32":
            return False
        import array
        import fcntl
        import termios

        unread = array.array("i", [0])
        with suppress(OSError):
            fcntl.ioctl(self._unread_fd, termios.FIONREAD, unread)
            return self._stdin.get_write_buffer_size() + unread[0] < self._sent
        return False

    async def end(self) -> None:
        """Ends the process and all it started: asks, waits a second, then kills. Harmless when it is over."""
        if os.name != "posix":
            self._transport.close()
            return
        family = _family(self.pid) if not self.exited.done() else set()
        try:
            if not self.exited.done():
                _signal(self.pid, family, signal.SIGTERM)
                await asyncio.wait([self.exited], timeout=GRACE_S)
        finally:
            # Also when the waiting is cancelled: nothing may outlive the run.
            if not self.exited.done():
                family |= _family(self.pid)
            _signal(self.pid, family, signal.SIGKILL)
            self.close_stdin()
            self._transport.close()
        await asyncio.wait([self.exited], timeout=GRACE_S)

    async def gone(self) -> int:
        """Waits for the process's own end, and for its last words. Returns the exit code (negative: the signal).

        What it left behind is killed, so that nobody holds its pipes open.
        """
        await asyncio.wait([self.exited])
        if os.name == "posix":
            _signal(self.pid, set(), signal.SIGKILL)
        await asyncio.wait([self._pipes_closed], timeout=GRACE_S)
        return self.exited.result()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:  # noqa: D102 - the event loop's callback
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: D102 - the event loop's callback
        if fd == 1:
            self._on_stdout(data)
        else:
            self.stderr.add(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: D102 - the event loop's callback
        self._pipes_open.discard(fd)
        if not self._pipes_open and not self._pipes_closed.done():
            self._pipes_closed.set_result(None)

    def process_exited(self) -> None:  # noqa: D102 - the event loop's callback
        code = self._transport.get_returncode()
        if not self.exited.done():
            self.exited.set_result(0 if code is None else code)

    def obituary(self, code: int) -> str:
        """How it ended, with the last words on standard error."""
        words = self.stderr.last_lines()
        how = (
            say("was killed by {signal}", signal=_signal_name(-code))
            if code < 0
            else say("exited with {code}", code=str(code))
        )
        return listed([how, words], by=": ") if words else say("{how}, with nothing on standard error", how=how)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _family(leader: int) -> set[tuple[int, str]]:
    """The processes of the leader's session and its descendants, each with its start time: ids are used again.

    Known on Linux only; elsewhere the process group has to do.
    """
    parents: dict[int, int] = {}
    sessions: dict[int, int] = {}
    born: dict[int, str] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = _stat(stat)
        if fields is not None:
            pid = int(stat.parent.name)
            parents[pid], sessions[pid], born[pid] = int(fields[1]), int(fields[3]), fields[19]
    members = {pid for pid, session in sessions.items() if session == leader} | ({leader} & born.keys())
    grown = True
    while grown:
        children = {pid for pid, parent in parents.items() if parent in members} - members
        members |= children
        grown = bool(children)
    return {(pid, born[pid]) for pid in members}


def _stat(path: Path) -> Sequence[str] | None:
    try:
        # The name in parentheses may itself hold spaces and parentheses; what follows the last one is regular.
        return path.read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None


def _signal(leader: int, family: set[tuple[int, str]], number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)
    for pid, born in family:
        fields = _stat(Path(f"/proc/{pid}/stat"))
        if fields is not None and fields[19] == born:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)
