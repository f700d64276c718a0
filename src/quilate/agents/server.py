"""`agent.http.start`: the agent's own server, started, awaited until it is ready, and ended with its children."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from quilate.agents.process import Launch, Process
from quilate.agents.starting import CannotStartError
from quilate.agents.tail import Tail
from quilate.saying import listed, say

if TYPE_CHECKING:
    import aiohttp

_POLL_S = 0.1
_PROBE_S = 5.0
_SEEN_S = 0.5


class Server:
    """A server process. Its output and errors are kept as a tail, for when it does not come up or goes away."""

    def __init__(self, launch: Launch, ready: str | None, url: str, timeout_s: float) -> None:
        self._launch = launch
        self._ready = ready
        self._url = url
        self._timeout_s = timeout_s
        self._output = Tail()
        self._process: Process

    async def start(self, session: aiohttp.ClientSession) -> None:
        """Starts the server and waits until `ready` answers below 500, or without `ready` until its port is open.

        Raises `CannotStartError` with the server's last words: it ended, was not ready in time, or something else
        already answers there (an older server would be measured in its place).
        """
        if await self._is_ready(session):
            raise CannotStartError(say(
                "something already answers at {address} before agent.http.start has run; stop it first",
                address=self._probed,
            ))  # fmt: skip
        self._process = await Process.start(self._launch, self._output.add)
        self._process.close_stdin()
        try:
            await self._until_ready(session)
        except BaseException:
            await self._process.end()
            raise

    async def _until_ready(self, session: aiohttp.ClientSession) -> None:
        until = time.monotonic() + self._timeout_s
        while not await self._is_ready(session):
            if self._process.exited.done():
                code = await self._process.gone()
                how = say("was killed") if code < 0 else say("exited with {code}", code=str(code))
                ended = say("agent.http.start: the server {how}", how=how)
                raise CannotStartError(listed([ended, self.said], by=""))
            if time.monotonic() > until:
                late = say(
                    "agent.http.start: {address} was not ready within {seconds} s",
                    address=self._probed, seconds=float(self._timeout_s),
                )  # fmt: skip
                raise CannotStartError(listed([late, self.said], by=""))
            await asyncio.sleep(_POLL_S)

    async def _is_ready(self, session: aiohttp.ClientSession) -> bool:
        import aiohttp

        with suppress(aiohttp.ClientError, OSError, TimeoutError):
            if self._ready is None:
                parts = urlsplit(self._url)
                port = parts.port or (443 if parts.scheme == "https" else 80)
                async with asyncio.timeout(_PROBE_S):
                    _, writer = await asyncio.open_connection(parts.hostname, port)
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
                return True
            limit = aiohttp.ClientTimeout(total=_PROBE_S)
            async with session.get(self._ready, allow_redirects=False, timeout=limit) as response:
                return response.status < 500
        return False

    @property
    def _probed(self) -> str:
        return self._ready or self._url

    @property
    def said(self) -> str:
        """The server's last words, as the end of a sentence; empty where it said nothing."""
        words = self._process.stderr.last_lines() or self._output.last_lines()
        return listed(["; ", say("its last words: {words}", words=words)], by="") if words else ""

    async def has_ended(self) -> bool:
        """Whether the server has ended by itself; a connection that breaks tells of it a moment before it is seen."""
        await asyncio.wait([self._process.exited], timeout=_SEEN_S)
        return self._process.exited.done()

    async def stop(self) -> None:
        """Ends the server and its children."""
        await self._process.end()
