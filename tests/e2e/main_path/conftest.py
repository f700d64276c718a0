"""A folder with a suite in it, and `quilate …` run there as a process, as a person runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

QUILATE = str(Path(sys.executable).with_name("quilate"))
BASE = ".quilate/base"


@dataclass(frozen=True)
class Ran:
    """What one command left: its exit code, what it printed, and the folder it wrote to."""

    code: int
    out: str
    err: str
    written: Path

    @property
    def comment(self) -> str:
        return (self.written / "comment.md").read_text("utf-8")

    @property
    def headline(self) -> str:
        """The comment's first line of text, without its heading's marks."""
        lines = (line.strip() for line in self.comment.splitlines())
        return next(line.lstrip("# ") for line in lines if line and not line.startswith("<!--"))

    @property
    def last_line(self) -> str:
        return self.out.strip().splitlines()[-1]

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """The run file's whole lines of a kind, in their order."""
        raw = (self.written / "run.jsonl").read_bytes().splitlines()
        return [line for line in map(json.loads, raw) if line["kind"] == kind]

    def grades(self) -> dict[str, str]:
        """Case id → grade; the last line counts."""
        return {line["case_id"]: line["grade"] for line in self.lines("grade")}

    def criteria(self, case_id: str) -> dict[str, dict[str, Any]]:
        (line,) = [line for line in self.lines("grade") if line["case_id"] == case_id][-1:]
        return {each["id"]: each for each in line["criteria"]}


@dataclass
class Suite:
    """One suite in one folder."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def config(self, name: str = "quilate.yml", **fields: Any) -> Path:
        written = {"suite": "orders", "goldens": ["goldens.json"], "agent": {"replay": "replies.jsonl"}, **fields}
        return self.write(name, json.dumps(written))

    def goldens(self, cases: Iterable[Mapping[str, Any]], name: str = "goldens.json", version: str = "1") -> Path:
        return self.write(name, json.dumps({"version": version, "cases": list(cases)}))

    def replies(self, lines: Iterable[Mapping[str, Any]], name: str = "replies.jsonl") -> Path:
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def environment(self) -> dict[str, str]:
        unset = ("QUILATE_", "GITHUB_", "FORCE_COLOR", "NO_COLOR", "COLUMNS")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
        return kept | {"PYTHONUTF8": "1"} | self.environ

    def start(self, *arguments: str, **more: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [QUILATE, *arguments], cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", **more,
        )  # fmt: skip

    def quilate(self, *arguments: str, **more: Any) -> Ran:
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=600)
        where = arguments[arguments.index("--out") + 1] if "--out" in arguments else ".quilate"
        return Ran(process.returncode, out, err, self.folder / where)

    def run(self, *arguments: str) -> Ran:
        return self.quilate("run", *arguments)

    def base(self, *arguments: str) -> Ran:
        """Runs what is there, as the base branch."""
        return self.run("--out", BASE, *arguments)

    def head(self, *arguments: str) -> Ran:
        """Runs what is there and compares it with the base."""
        return self.run("--baseline", f"{BASE}/run.jsonl", *arguments)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)


@dataclass
class Asked:
    """One request to the server."""

    path: str
    body: Any


Answer = tuple[int, Any]


class Server:
    """An HTTP server on loopback; `answer(asked)` gives the status and the JSON body (bytes as they are)."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answer: Callable[[Asked], Answer] = lambda _: (200, {"output": "ok"})
        self.headers: dict[str, str] = {}
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked = Asked(self.path, json.loads(raw) if raw else None)
                with outer._lock:
                    outer.asked.append(asked)
                status, body = outer.answer(asked)
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    for name, value in outer.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # a client that was killed is what some tests are about

            def log_message(self, *args: Any) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # the same

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def case_ids(self) -> list[str]:
        """Which cases an agent's requests asked."""
        return [asked.body["case_id"] for asked in self.asked]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server()
    yield one
    one.close()


@pytest.fixture
def judge_server() -> Iterator[Server]:
    one = Server()
    yield one
    one.close()
