"""`agent.http`: any JSON endpoint. The request is templated, the answer mapped to a reply.

Over aiohttp, since this is where the evaluation's own cost is: with 50 connections httpx needs over 7 ms of processor
time a request (its pool looks through all connections for each), aiohttp 0.2 ms.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from pydantic import JsonValue

from quilate.agents.agent import AskFailed, Fault, FaultKind, Reply, Request
from quilate.agents.command import as_json
from quilate.agents.decoding import MAX_REPLY_BYTES, TOO_LARGE, BadReplyError, decode
from quilate.agents.environment import allowed_environment
from quilate.agents.gateway import HOST_NAME
from quilate.agents.process import Launch, RunAs
from quilate.agents.results import crash, parse_result, showable
from quilate.agents.server import Server
from quilate.agents.shapes import compile_mapping
from quilate.agents.starting import CannotStartError
from quilate.agents.templates import TemplateError, Values, compile_json, compile_text
from quilate.config import HttpAgent
from quilate.errors import UnusableError, UsageError
from quilate.retrying import retry_after_s
from quilate.saying import listed, message, say
from quilate.shown import visible

if TYPE_CHECKING:
    import aiohttp

OUTAGES = frozenset({429, 503, 529})
"""To the end of the retries these are the infrastructure's; any other error status is the agent's crash."""

_DEFAULT_BODY: JsonValue = {"case_id": "{{ case_id }}", "input": "{{ input }}", "messages": "{{ messages }}"}
_MOST_REDIRECTS = 5
_LOCAL = ("127.0.0.1", "localhost", "::1")


_URL = ("agent", "http", "url")


def no_address(url: str) -> UnusableError:
    """The error for a URL that leads nowhere."""
    return UnusableError(_URL, f'text "{visible(url, 80)}", which is no address', "write http://HOST:PORT/PATH")


class HttpAgentAdapter:
    """Asks `config.url`. `env` names the variables that templates and the agent's server may see."""

    def __init__(
        self,
        config: HttpAgent,
        *,
        env: Sequence[str],
        environ: Mapping[str, str],
        base_dir: Path,
        run_as: RunAs | None = None,
    ) -> None:
        self._config = config
        self._seen = {name: environ[name] for name in env if name in environ}
        self._url = compile_text(config.url, _URL)
        self._headers = compile_json(dict(config.headers), ("agent", "http", "headers"))
        body = _DEFAULT_BODY if config.body is None and config.method != "GET" else config.body
        self._body = compile_json(body, ("agent", "http", "body"))
        self._mapped = compile_mapping(config.reply)
        self._origin = self._fixed_origin({"input": "x", "messages": [], "case_id": "x", "trial": 0})
        self._server: Server | None = None
        if config.start:
            home = run_as.home if run_as else None
            launch = Launch(config.start, base_dir, allowed_environment(environ, env, home=home), run_as)
            self._server = Server(launch, config.ready, self._origin, config.ready_timeout_s)
        self._ready = config.ready
        self._session: aiohttp.ClientSession

    def _fixed_origin(self, values: Values) -> str:
        try:
            url = str(self._url({**values, "env": self._seen}))
        except TemplateError as error:
            raise UsageError(str(error)) from None
        origin = origin_of(url)
        if origin is None:
            raise no_address(url)
        return origin

    async def __aenter__(self) -> Self:
        from quilate.agents.session import open_session

        self._session = await open_session(self._origin)
        try:
            if self._server is not None:
                await self._server.start(self._session)
        except BaseException:
            await self._session.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        try:
            if self._server is not None:
                await self._server.stop()
        finally:
            await self._session.close()

    async def ask(self, request: Request) -> Reply:
        """One request. A connection that fails, 429 and 5xx may be tried again."""
        question = request.input if isinstance(request.input, str) else as_json(request)
        values = {
            "input": question,
            "messages": as_json(request),
            "case_id": request.case_id,
            "trial": request.trial,
            "env": self._seen,
        }
        try:
            url = str(self._url(values))
            body = _encoded(self._body(values))
            headers = {"Content-Type": "application/json"} if body is not None else {}
            headers |= {name: str(value) for name, value in self._headers(values).items()}
        except TemplateError as error:
            raise crash(str(error)) from None
        if origin_of(url) != self._origin:
            message = say(
                "agent.http.url leads to {url} for this case, and not to {origin}",
                url=repr(url[:80]), origin=self._origin or "",
            )  # fmt: skip
            raise crash(message)
        started_at = time.perf_counter()
        answer = await self._send(url, headers, body)
        duration_ms = (time.perf_counter() - started_at) * 1000
        reply = self._read(answer, request)
        return reply if reply.duration_ms is not None else reply.model_copy(update={"duration_ms": duration_ms})

    async def _send(self, url: str, headers: Mapping[str, str], body: bytes | None) -> _Answer:
        import aiohttp

        try:
            for _ in range(_MOST_REDIRECTS):
                async with self._session.request(
                    self._config.method, url, headers=headers, data=body, allow_redirects=False
                ) as response:
                    where = response.headers.get("Location")
                    if response.status in (307, 308) and where is not None:
                        url = str(response.url.join(type(response.url)(where)))
                        if origin_of(url) == self._origin:
                            continue
                        message = say(
                            "the agent redirects to another host, {url}; write that in agent.http.url",
                            url=repr(url[:200]),
                        )
                        raise crash(message)
                    content = await _content(response)
                    return _Answer(response.status, dict(response.headers), content, response.content_type)
        except aiohttp.ClientConnectorError as error:
            raise await self._unreached(error) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            broken: str = say(
                "the connection to {origin} broke: {why}",
                origin=self._origin or "", why=str(error) or type(error).__name__,
            )  # fmt: skip
            if self._server is not None and await self._server.has_ended():
                broken = listed([broken, "; ", say("the server has ended"), self._server.said], by="")
            raise crash(broken, retryable=not isinstance(error, ValueError)) from None
        raise crash(say("the agent redirects more than {n} times", n=_MOST_REDIRECTS))

    async def _unreached(self, error: aiohttp.ClientConnectorError) -> CannotStartError:
        host = urlsplit(self._origin).hostname
        mend: str = say("start the agent before, or set agent.http.start")
        if self._server is not None:
            how = _SERVER_ENDED if await self._server.has_ended() else _SERVER_SILENT
            mend = listed([say(how), self._server.said], by="")
        elif isinstance(error.os_error, socket.gaierror):
            mend = say("the name does not resolve")
        elif host == HOST_NAME:
            mend = say("the server probably listens on 127.0.0.1 only; bind it to 0.0.0.0")
        elif host in _LOCAL:
            inside = say("from inside a container write {host}, and bind the server to 0.0.0.0", host=HOST_NAME)
            mend = listed([mend, inside], by="; ")
        number = error.os_error.errno or 0
        reason = os.strerror(number) if number > 0 else error.os_error.strerror or str(error.os_error)
        message = say("cannot reach {origin} ({why}): {mend}", origin=self._origin or "", why=reason, mend=mend)
        return CannotStartError(message, retryable=True)

    def _read(self, answer: _Answer, request: Request) -> Reply:
        if answer.status >= 300:
            raise self._refused(answer, request)
        if answer.content_type.startswith("text/") and not answer.content.lstrip().startswith((b"{", b'"')):
            return Reply(output=_text(answer.content))
        try:
            value = decode(answer.content)
            mapped = self._mapped({"output": value} if isinstance(value, str) else value)
            return parse_result(mapped, case_id=request.case_id)
        except BadReplyError as error:
            raise crash(error.why) from None

    def _refused(self, answer: _Answer, request: Request) -> AskFailed:
        shown = " ".join(answer.content[:600].decode("utf-8", "replace").split())[:300]
        message: str = say("the agent answers {status}", status=str(answer.status))
        if shown:
            message = listed([message, shown], by=": ")
        if answer.status < 400:
            where = answer.headers.get("Location")
            message = say(
                "the agent redirects ({status}) to {place}",
                status=str(answer.status), place=say("nowhere") if where is None else where[:200],
            )  # fmt: skip
        retryable = answer.status == 429 or answer.status >= 500
        outage = answer.status in OUTAGES or _reports_outage(answer.content)
        fault = Fault.of(FaultKind.INFRASTRUCTURE if outage else FaultKind.AGENT, showable(message))
        wait_s = retry_after_s(answer.headers, dt.datetime.now(dt.UTC))
        return AskFailed(fault, retryable=retryable, retry_after_s=wait_s)

    def describe(self) -> dict[str, JsonValue]:
        """Method and address as they are written (templates unfilled), and what is sent and read."""
        described: dict[str, JsonValue] = {"kind": "http", "method": self._config.method, "url": self._config.url}
        described["body"] = self._config.body
        described["reply"] = dict(self._config.reply)
        if self._config.start:
            described["start"] = list(self._config.start)
        return described

    def trials(self, case_id: str) -> int | None:
        """As many as the run asks for."""
        return None


_SERVER_ENDED = message("the server that agent.http.start started has ended")
_SERVER_SILENT = message("the server that agent.http.start started does not listen there")


class _Answer:
    __slots__ = ("content", "content_type", "headers", "status")

    def __init__(self, status: int, headers: dict[str, str], content: bytes, content_type: str) -> None:
        self.status = status
        self.headers = headers
        self.content = content
        self.content_type = content_type


async def _content(response: aiohttp.ClientResponse) -> bytes:
    parts = []
    size = 0
    async for part in response.content.iter_any():
        size += len(part)
        if size > MAX_REPLY_BYTES:
            raise crash(TOO_LARGE)
        parts.append(part)
    return b"".join(parts)


def _encoded(body: Any) -> bytes | None:
    if body is None:
        return None
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return text.encode("utf-8", "replace")


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise crash(say("the reply is not UTF-8 (byte {place})", place=error.start)) from None


def _reports_outage(content: bytes) -> bool:
    try:
        value = decode(content)
    except BadReplyError:
        return False
    error = value.get("error") if isinstance(value, dict) else None
    return isinstance(error, dict) and error.get("kind") == "infrastructure"


def origin_of(url: str) -> str | None:
    """Scheme, host and port of an HTTP address; None for anything else."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return None
    host = parts.hostname
    if parts.scheme not in ("http", "https") or not host:
        return None
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}:{port}"
