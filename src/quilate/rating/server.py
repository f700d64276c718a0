"""The local page's server: loopback only, a secret in the address, nothing from any other site."""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from quilate.rating.session import BadAnswerError, Session
from quilate.rating.words import page
from quilate.report.escape import Inert

HOST = "127.0.0.1"
MAX_BODY = 200_000
_FILES = {
    "rate.js": ("rate.js", "text/javascript; charset=utf-8"),
    "rate.css": ("rate.css", "text/css; charset=utf-8"),
}
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Replies are hostile: even if one became markup, it could load, run and send nothing."""


class RatingServer:
    """Serves one session until `stop` is asked for on the page, or `close` is called."""

    def __init__(self, session: Session, port: int = 0) -> None:
        """Binds to loopback; port 0: any free one. Raises `OSError` where the port is taken."""
        self._token = secrets.token_urlsafe(24)
        self._lock = threading.Lock()
        self._session = session
        self.page = page(session.t)
        self.t = session.t
        self._server = _Server(port, self)

    @property
    def url(self) -> str:
        """The address of the page; whoever knows it may rate."""
        return f"http://{HOST}:{self.port}/{self._token}/"

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.server_address[1])

    @property
    def done(self) -> int:
        """How many tasks are rated."""
        with self._lock:
            return self._session.done

    def serve(self) -> None:
        """Answers until it is stopped."""
        try:
            self._server.serve_forever(poll_interval=0.1)
        finally:
            self._server.server_close()

    def close(self) -> None:
        """Ends `serve` from another thread."""
        self._server.shutdown()

    def allows(self, headers: Any, *, writes: bool) -> bool:
        """Whether a request comes from this very page or from the address bar.

        Its Host must be ours: a name of somebody else's that resolves to loopback (DNS rebinding) is not. A request of
        another site is refused by what browsers say of it.
        """
        ours = {f"{host}:{self.port}" for host in (HOST, "localhost")}
        if headers.get("Host") not in ours:
            return False
        if headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            return False
        origin = headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in ours}:
            return False
        return not writes or headers.get("Content-Type", "").split(";")[0].strip() == "application/json"

    def below_token(self, path: str) -> str | None:
        """What follows the secret in a path; None where the secret is wrong."""
        _, token, *rest = [*path.split("/", 2), ""]
        given = token.encode("utf-8", "surrogateescape")
        return rest[0] if hmac.compare_digest(given, self._token.encode()) and path.count("/") >= 2 else None

    def task(self, query: dict[str, list[str]]) -> dict[str, Any]:
        """The task at `at`, or the next open one after `after`."""
        with self._lock:
            at = _number(query.get("at"))
            if at is not None:
                return self._session.page(at)
            after = _number(query.get("after"))
            return self._session.page(self._session.next_open(-1 if after is None else after))

    def save(self, body: Any) -> dict[str, Any]:
        """Writes labels; raises `BadAnswerError`."""
        if not isinstance(body, dict) or not isinstance(body.get("place"), int) or isinstance(body["place"], bool):
            raise BadAnswerError("write {place, answers, justification}")
        with self._lock:
            self._session.save(body["place"], body.get("answers"), body.get("justification", ""))
            return {"done": self._session.done}

    def stop_soon(self) -> None:
        """Ends `serve` once the answer under way is sent."""
        threading.Thread(target=self._server.shutdown, daemon=True).start()


def _number(values: list[str] | None) -> int | None:
    text = values[0] if values else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, rating: RatingServer) -> None:
        self.rating = rating
        super().__init__((HOST, port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 30
    server_version = "quilate"
    sys_version = ""

    def do_GET(self) -> None:
        """A page or a task."""
        parts = urlsplit(self.path)
        below = self.server.rating.below_token(parts.path)
        if not self.server.rating.allows(self.headers, writes=False):
            self._send(HTTPStatus.FORBIDDEN)
        elif below == "":
            self._send(HTTPStatus.OK, self.server.rating.page, "text/html; charset=utf-8")
        elif below is not None and below in _FILES:
            name, kind = _FILES[below]
            self._send(HTTPStatus.OK, files("quilate.rating").joinpath("page", name).read_bytes(), kind)
        elif below == "task":
            self._json(HTTPStatus.OK, self.server.rating.task(parse_qs(parts.query)))
        else:
            self._send(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Labels, or the end."""
        below = self.server.rating.below_token(urlsplit(self.path).path)
        length = self.headers.get("Content-Length", "")
        if not self.server.rating.allows(self.headers, writes=True):
            self._send(HTTPStatus.FORBIDDEN)
        elif not (length.isascii() and length.isdigit()) or len(length) > 9 or int(length) > MAX_BODY:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        elif below == "labels":
            self._save(self.rfile.read(int(length)))
        elif below == "stop":
            self._json(HTTPStatus.OK, {"stopped": True})
            self.server.rating.stop_soon()
        else:
            self._send(HTTPStatus.NOT_FOUND)

    def _save(self, data: bytes) -> None:
        try:
            self._json(HTTPStatus.OK, self.server.rating.save(json.loads(data)))
        except BadAnswerError as error:
            self._json(HTTPStatus.UNPROCESSABLE_ENTITY, {"problem": str(error)})
        except (ValueError, RecursionError):
            self._json(HTTPStatus.BAD_REQUEST, {"problem": "that is no JSON"})
        except OSError as error:
            why = Inert(error.strerror or type(error).__name__)
            problem = self.server.rating.t.t("The labels could not be written ({why}); nothing was saved.", why=why)
            self._json(HTTPStatus.INTERNAL_SERVER_ERROR, {"problem": problem})

    def _json(self, status: HTTPStatus, value: Any) -> None:
        data = json.dumps(value, ensure_ascii=True).encode()
        self._send(status, data, "application/json; charset=utf-8")

    def _send(self, status: HTTPStatus, data: bytes = b"", kind: str = "text/plain; charset=utf-8") -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: Any) -> None:
        """Silent: the address is a secret."""
