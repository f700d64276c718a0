"""The HTTP side: permissions, the contract at every request and answer, failures on demand."""

from __future__ import annotations

import json
import threading
import time
import traceback
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.github_fake import contract, graph, routes
from tests.github_fake.routes import Call, Refused
from tests.github_fake.state import Failure, Repository, Token


@dataclass
class FakeGitHub:
    """A running server. `violations` must be empty at a test's end: each is a departure from the published API."""

    repository: Repository = field(default_factory=Repository)
    tokens: dict[str, Token] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    url: str = ""
    _server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"fake": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()

    def token(self, login: str = "github-actions[bot]", **permissions: str) -> str:
        """A job's token with what its workflow declares: `token(contents="read", pull_requests="write")`."""
        value = f"ghs_{len(self.tokens):036d}"
        self.tokens[value] = Token(value, permissions, login)
        return value

    def fail(self, method: str, path: str, status: int = 500, **values: Any) -> None:
        """The next request that matches fails so; `path` is a regular expression over the path."""
        self.failures.append(Failure(method, path, status, **values))

    def made(self, method: str, path: str) -> int:
        """How many requests of a method went to paths that contain `path`."""
        return sum(1 for verb, where in self.requests if verb == method and path in where)


ENTERPRISE = ("/api/v3", "/api")
"""What stands before the paths of REST and of GraphQL on GitHub Enterprise Server."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is no error of the server's."""


class _Handler(BaseHTTPRequestHandler):
    fake: ClassVar[FakeGitHub]
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Silent."""

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_PATCH(self) -> None:
        self._serve("PATCH")

    def do_PUT(self) -> None:
        self._serve("PUT")

    def do_DELETE(self) -> None:
        self._serve("DELETE")

    def _serve(self, method: str) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = unquote(urlsplit(self.path).path)
        for prefix in ENTERPRISE:  # as a GitHub Enterprise Server answers
            path = path.removeprefix(prefix)
        with self.fake.repository.lock:
            self.fake.requests.append((method, self.path))
            failure = next((one for one in self.fake.failures if one.matches(method, path)), None)
            if failure:
                failure.times -= 1
                if failure.after:
                    self._handle(method, path, raw)
            else:
                status, answer, headers = self._handle(method, path, raw)
        if failure is None:
            self._send(status, answer, headers)
            return
        time.sleep(failure.delay_s)
        self._send(failure.status, {"message": failure.message}, failure.headers, cut=failure.cut)

    def _handle(self, method: str, path: str, raw: bytes) -> tuple[int, Any, dict[str, str]]:
        if path.startswith("/_storage/"):
            return 200, self.fake.repository.artifacts[int(path.rpartition("/")[2])].data, {}
        token = self.fake.tokens.get((self.headers.get("Authorization") or "").rpartition(" ")[2])
        if token is None:
            return 401, {"message": "Bad credentials"}, {}
        if path == "/user":
            return 403, {"message": "Resource not accessible by integration"}, {}
        body = json.loads(raw) if raw else None
        if path == "/graphql":
            return 200, graph.execute(self.fake.repository, token, body["query"], body.get("variables") or {}), {}
        return self._rest(method, path, body, token)

    def _rest(self, method: str, path: str, body: Any, token: Token) -> tuple[int, Any, dict[str, str]]:
        query = dict(parse_qsl(urlsplit(self.path).query))
        best = None
        for route in routes.ROUTES:
            found = route.pattern.fullmatch(path) if route.method == method else None
            if found and (best is None or len(route.template) > len(best[0].template)):
                best = route, found.groupdict()
        if best is None:
            self.fake.violations.append(f"{method} {path}: the fake has no such endpoint")
            return 404, {"message": "Not Found"}, {}
        route, values = best
        problems = contract.problems_of_request(method, route.template, values, query, body)
        if problems:
            self.fake.violations += problems
            return 500, {"message": f"against the description: {problems}"}, {}
        if f"{values['owner']}/{values['repo']}" != self.fake.repository.full_name:
            return 404, {"message": "Not Found"}, {}
        if not any(token.allows(*need) for need in route.needs):
            return 403, {"message": "Resource not accessible by integration"}, {}
        call = Call(self.fake.repository, token, self.fake.url, values, query, body or {})
        try:
            status, answer = route.handler(call)
        except Refused as refusal:
            return refusal.status, {"message": refusal.message, "documentation_url": "https://docs.github.com"}, {}
        except Exception:
            self.fake.violations.append(f"{method} {path}: the fake itself failed\n{traceback.format_exc()}")
            raise
        problems = contract.problems_of_response(method, route.template, values, query, body, status, answer)
        if problems:
            self.fake.violations += problems
            return 500, {"message": f"against the description: {problems}"}, {}
        return status, answer, self._headers(call, query)

    def _headers(self, call: Call, query: dict[str, str]) -> dict[str, str]:
        headers = {}
        if "location" in call.links:
            headers["Location"] = call.links["location"]
        if "next" in call.links:
            rest = "&".join(f"{name}={value}" for name, value in query.items() if name != "page")
            page = f"{self.fake.url}{urlsplit(self.path).path}?{rest}&page={call.links['next']}"
            headers["Link"] = f'<{page}>; rel="next"'
        return headers

    def _send(self, status: int, answer: Any, headers: dict[str, str], *, cut: bool = False) -> None:
        data = answer if isinstance(answer, bytes) else b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        kind = "application/zip" if isinstance(answer, bytes) else "application/json; charset=utf-8"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data) + (1000 if cut else 0)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if cut else data)
        self.wfile.flush()
        if cut:
            self.close_connection = True
