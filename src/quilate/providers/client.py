"""One attempt at one prompt, over HTTP; every way in which it can go wrong has a name."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from quilate.errors import UsageError
from quilate.providers.anthropic import AnthropicWire
from quilate.providers.model import Completion, Failure, Prompt, ProviderError
from quilate.providers.openai_chat import OpenAIChatWire
from quilate.providers.openai_responses import OpenAIResponsesWire
from quilate.providers.wire import Wire, a_mapping, a_text, garbled, merged, sendable
from quilate.retrying import retry_after_s
from quilate.saying import say

if TYPE_CHECKING:
    import httpx

MAX_BODY_BYTES = 16 * 2**20
_SHOWN = 200
_SPENT = frozenset(
    {
        "insufficient_quota",
        "billing_hard_limit_reached",
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
    }
)

WIRES: dict[str, type[Wire]] = {
    "anthropic": AnthropicWire,
    "openai": OpenAIChatWire,
    "openai-responses": OpenAIResponsesWire,
}


class HttpModel:
    """A model behind one of the three wire formats (see `Model`).

    `timeout_s` limits one attempt from connecting to its last byte. `key` is sent and never shown: it is cut out of
    every message. None where the environment has none, and then nothing is sent.
    """

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        key: str | None,
        key_env: str | None = None,
        base_url: str | None = None,
        max_tokens: int,
        timeout_s: float,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.wire = WIRES[provider]()
        self.model = model
        self.key_env = key_env or self.wire.default_key_env
        self.base_url = base_url or self.wire.default_base_url
        self.max_tokens = max_tokens
        self.timeout_s = timeout_s
        self._key = key.strip() if key else None  # secrets are pasted with the line break behind them
        self._extra = dict(extra or {})
        self._client: httpx.AsyncClient | None = None
        if urlsplit(self.base_url).scheme not in ("http", "https") or not urlsplit(self.base_url).hostname:
            message = f"base_url {self.base_url!r} is no address; write one like {self.wire.default_base_url}"
            raise UsageError(message)

    @property
    def name(self) -> str:
        """The model's name, as configured."""
        return self.model

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return self.wire.url(self.base_url)

    async def __aenter__(self) -> Self:
        """Opens the connection pool."""
        import httpx

        self._client = httpx.AsyncClient(timeout=self.timeout_s, follow_redirects=False)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Closes it."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def request(self, prompt: Prompt) -> dict[str, Any]:
        """The body that `complete` sends."""
        body: dict[str, Any] = sendable(merged(self.wire.body(prompt, self.model, self.max_tokens), self._extra))
        return body

    async def complete(self, prompt: Prompt) -> Completion:
        """One attempt; raises `ProviderError`."""
        if not self._key:
            message = say("no key: the environment variable {name} is not set", name=self.key_env)
            raise ProviderError(Failure.KEY_ABSENT, message)
        headers = self.wire.headers(self._key)
        if prompt.on_behalf_of:
            headers["x-on-behalf-of"] = prompt.on_behalf_of
        status, answered, content = await self._post(self.request(prompt), headers)
        if not 200 <= status < 300:
            raise self._refused(status, answered, content)
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            raise garbled(say(
                "status {status} with {what} instead of JSON", status=str(status), what=_described(content, answered)
            )) from None  # fmt: skip
        if not isinstance(body, dict):
            raise garbled(say("status {status} with JSON that is no object", status=str(status)))
        try:
            return self.wire.read(body)
        except ProviderError as error:
            raise ProviderError(
                error.failure, self._shown(error.message), status=status, retryable=error.retryable
            ) from None

    async def _post(self, body: dict[str, Any], headers: dict[str, str]) -> tuple[int, Mapping[str, str], bytes]:
        import httpx

        assert self._client is not None, "entered before it is asked"
        content = json.dumps(body, ensure_ascii=False).encode()
        headers = {"content-type": "application/json", **headers}
        try:
            async with (
                asyncio.timeout(self.timeout_s),
                self._client.stream("POST", self.url, content=content, headers=headers) as response,
            ):
                parts: list[bytes] = []
                size = 0
                async for part in response.aiter_bytes():
                    parts.append(part)
                    size += len(part)
                    if size > MAX_BODY_BYTES:
                        raise garbled(say("an answer of more than {n} bytes", n=MAX_BODY_BYTES))
                return response.status_code, response.headers, b"".join(parts)
        except (TimeoutError, httpx.TimeoutException):
            message = say("no answer within {seconds} s", seconds=float(self.timeout_s))
            raise ProviderError(Failure.UNAVAILABLE, message, retryable=True) from None
        except httpx.LocalProtocolError:  # its text quotes the header, escaped: our key, unrecognisable to `_shown`
            message = say(
                "cannot be sent: the key in {name} holds a line break or another control character", name=self.key_env
            )
            raise ProviderError(Failure.KEY_REFUSED, message) from None
        except httpx.HTTPError as error:
            message = say(
                "no connection to {host}: {why}", host=self.host, why=self._shown(str(error) or type(error).__name__)
            )
            raise ProviderError(Failure.UNAVAILABLE, message, retryable=True) from None
        except (httpx.InvalidURL, UnicodeError, ValueError) as error:
            raise ProviderError(Failure.REJECTED, say("cannot be sent: {why}", why=self._shown(str(error)))) from None

    @property
    def host(self) -> str:
        """Host and port requests go to, without user information."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""

    def _refused(self, status: int, headers: Mapping[str, str], content: bytes) -> ProviderError:
        """An error status. An unknown error type is treated by its status; what is spent is never asked for again."""
        error = _error_of(content)
        codes = {a_text(error.get("code")), a_text(error.get("type"))}
        codes.add(a_text(a_mapping(error.get("details")).get("error_code")))
        said = self._shown(a_text(error.get("message"))) or _described(content, headers)
        message = say("status {status}: {said}", status=str(status), said=said)
        if codes & _SPENT or status == 402:
            spent = say("the provider's spend limit is reached: {said}", said=message)
            return ProviderError(Failure.QUOTA, spent, status=status)
        if status in (401, 403):
            refused = say("the key in {name} was refused: {said}", name=self.key_env, said=message)
            return ProviderError(Failure.KEY_REFUSED, refused, status=status)
        retryable = status in (408, 409, 429) or status >= 500
        wish = headers.get("x-should-retry", "").lower()
        retryable = wish == "true" if wish in ("true", "false") else retryable
        failure = Failure.UNAVAILABLE if status in (408, 429) or status >= 500 else Failure.REJECTED
        return ProviderError(
            failure, message, status=status, retryable=retryable,
            after_s=retry_after_s(headers, dt.datetime.now(dt.UTC)),
        )  # fmt: skip

    def _shown(self, text: str) -> str:
        """One line of someone else's words, without our key."""
        if self._key:
            text = text.replace(self._key, "***")
        line = " ".join(text.split())
        if line == text and len(line) <= _SHOWN:
            return text  # itself, with its parts where it is a sentence of ours
        return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def _error_of(content: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    error = a_mapping(body).get("error")
    return {"message": error} if isinstance(error, str) else a_mapping(error)


def _described(content: bytes, headers: Mapping[str, str]) -> str:
    if not content.strip():
        return say("an empty body")
    kind = headers.get("content-type", "").split(";")[0].strip()
    is_html = kind == "text/html" or content.lstrip()[:1] == b"<"
    return say("an HTML page") if is_html else say("{kind} that cannot be read", kind=kind or "text")
