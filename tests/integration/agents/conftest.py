"""Real processes and a real loopback server for the agents' adapters."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from quilate.agents.agent import Reply
from quilate.agents.open import open_agent
from quilate.asking import Answered, ask_all, started
from quilate.config import AgentConfig
from quilate.goldens.case import GoldenCase

NO_WAIT = {"sleep": lambda _: asyncio.sleep(0)}


@dataclass
class Bench:
    """A folder with an agent in it, asked through the configuration as a person writes it."""

    folder: Path
    environ: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    options: dict[str, Any] = field(default_factory=dict)

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return name

    def python(self, source: str) -> list[str]:
        return [sys.executable, self.write("agent.py", source)]

    def ask_each(self, agent: dict[str, Any], *inputs: Any, **asking: Any) -> list[Answered]:
        cases = [a_question(f"case-{number}", text) for number, text in enumerate(inputs or ("hola",), 1)]
        return self.ask_cases(agent, cases, **asking)

    def ask_cases(self, agent: dict[str, Any], cases: list[GoldenCase], **asking: Any) -> list[Answered]:
        config = AgentConfig.model_validate_json(json.dumps(agent))
        opened = open_agent(config, base_dir=self.folder, environ=self.environ, **self.options)
        answered: list[Answered] = []
        limits = {"concurrency": config.concurrency, "timeout_s": config.timeout_s, "retries": config.retries}

        async def go() -> None:
            async with started(opened) as ready:
                await ask_all(ready, cases, answered.append, **{**limits, **NO_WAIT, **asking})

        asyncio.run(go())
        return sorted(answered, key=lambda each: (each.case.id, each.trial))

    def ask(self, agent: dict[str, Any], text: Any = "hola", **asking: Any) -> Reply:
        return self.ask_each(agent, text, **asking)[0].reply


def a_question(case_id: str = "case-1", text: Any = "hola", **fields: Any) -> GoldenCase:
    return GoldenCase.model_validate_json(
        json.dumps({"id": case_id, "category": "orders", "input": text, "expected_tool": "secret_tool", **fields})
    )


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def question() -> Callable[..., GoldenCase]:
    return a_question


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


class Loopback:
    """An HTTP server on loopback. `answer(received)` gives (status, headers, body: bytes or what JSON can hold)."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answer: Callable[[Received], tuple[int, dict[str, str], Any]] = lambda _: (200, {}, {"output": "ok"})
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                try:
                    body = json.loads(raw)
                except ValueError:
                    body = raw.decode()
                received = Received(self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                outer.received.append(received)
                status, headers, content = outer.answer(received)
                if status == 0:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                data = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        for method in ("GET", "POST", "PUT"):
            setattr(Handler, f"do_{method}", Handler.handle_any)

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # a client that has hung up is what some tests are about

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/ask"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def gone() -> Callable[[str], bool]:
    """Whether the processes with these ids are over, within a grace that only a failing test uses up."""

    def over(pid: str) -> bool:
        stat = Path(f"/proc/{pid}/stat")
        try:
            return stat.read_text().rpartition(")")[2].split()[0] == "Z"
        except (FileNotFoundError, ProcessLookupError):
            return True

    def all_over(pids: str) -> bool:
        for _ in range(250):
            if all(over(pid) for pid in pids.split()):
                return True
            time.sleep(0.02)
        return False

    return all_over


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
