"""The agent's search behind an HTTP endpoint, asked with the agent's question and the agent's parameters."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from quilate.agents.decoding import MAX_REPLY_BYTES, BadReplyError, decode
from quilate.agents.templates import Template, TemplateError, compile_json, compile_text
from quilate.config import HttpAgent, RetrieverConfig
from quilate.errors import UsageError
from quilate.retrieval.answer import fragments_in
from quilate.retrieval.search import Query, Search, SearchSource
from quilate.saying import say

if TYPE_CHECKING:
    import httpx


class HttpRetriever:
    """A `Retriever`. URL, headers and body are templates over `question`, `messages`, `case_id`, `parameters`, `env`.

    `reply: {fragments: PATH}` is a JMESPath where the answer has its fragments elsewhere than in `fragments`. Raises
    `UsageError` for templates and paths that cannot be parsed.
    """

    def __init__(
        self,
        http: HttpAgent,
        config: RetrieverConfig,
        environ: Mapping[str, str],
        *,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._method = http.method
        self._timeout_s = config.timeout_s
        self._parameters = config.parameters
        self._env = {name: environ.get(name, "") for name in config.env}
        self._now = now
        self._client: httpx.AsyncClient | None = None
        self._url = compile_text(http.url, ("retriever", "http", "url"))
        self._headers = {
            name: compile_text(value, ("retriever", "http", "headers", name)) for name, value in http.headers.items()
        }
        self._body: Template | None = (
            None if http.body is None else compile_json(http.body, ("retriever", "http", "body"))
        )  # fmt: skip
        self._path = _compiled_path(http.reply)

    async def search(self, query: Query) -> Search:
        """One request, within the time limit."""
        consulted_at = self._now().isoformat(timespec="seconds")
        failure: str | None
        try:
            async with asyncio.timeout(self._timeout_s):
                fragments, failure = fragments_in(self._mapped(await self._answer(query))), None
        except TimeoutError:
            fragments, failure = (), say("no answer within {seconds} s", seconds=float(self._timeout_s))
        except BadReplyError as error:
            fragments, failure = (), error.why
        except TemplateError as error:
            fragments, failure = (), str(error)
        return Search(SearchSource.RETRIEVER, fragments, failure, consulted_at, self._parameters)

    async def _answer(self, query: Query) -> Any:
        import httpx

        values = {
            "question": query.question,
            "input": query.question,
            "messages": [message.model_dump(mode="json", exclude_none=True) for message in query.messages],
            "case_id": query.case_id,
            "parameters": self._parameters,
            "env": self._env,
        }
        body = (
            {"question": query.question, "messages": values["messages"], "parameters": self._parameters}
            if self._body is None
            else self._body(values)
        )
        headers = {name: str(fill(values)) for name, fill in self._headers.items()}
        content = None
        if self._method != "GET":
            headers = {"content-type": "application/json", **headers}
            content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=self._timeout_s)
        try:
            async with self._client.stream(
                self._method, str(self._url(values)), headers=headers, content=content
            ) as response:
                raw = bytearray()
                async for part in response.aiter_bytes():
                    raw += part
                    if len(raw) > MAX_REPLY_BYTES:
                        break
                if not response.is_success:
                    message = say("the search answered with status {status}", status=str(response.status_code))
                    raise BadReplyError(message)
                return decode(bytes(raw))
        except httpx.TimeoutException:
            raise TimeoutError from None
        except httpx.LocalProtocolError:  # its text quotes the header, which may hold a secret
            message = say("a header of retriever.http holds a line break or another character that cannot be sent")
            raise BadReplyError(message) from None
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            why = " ".join(str(error).split())[:200] or type(error).__name__
            message = say("the search cannot be reached: {why}", why=why)
            raise BadReplyError(message) from None

    def _mapped(self, answer: Any) -> Any:
        if self._path is None:
            return answer
        from jmespath.exceptions import JMESPathError

        try:
            return {"fragments": self._path.search(answer)}
        except (JMESPathError, TypeError, ValueError, AttributeError) as error:
            message = say(
                "retriever.http.reply.fragments cannot be applied to the search's answer ({problem})",
                problem=str(error),
            )
            raise BadReplyError(message) from None

    async def close(self) -> None:
        """Closes the connection pool."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _compiled_path(paths: Mapping[str, str]) -> Any:
    for name in paths:
        if name != "fragments":
            message = f"retriever.http.reply: {name!r} is nothing a search gives; write 'fragments'"
            raise UsageError(message)
    if "fragments" not in paths:
        return None
    import jmespath
    from jmespath.exceptions import JMESPathError

    try:
        return jmespath.compile(paths["fragments"])
    except JMESPathError as error:
        message = f"retriever.http.reply.fragments: no JMESPath ({str(error).splitlines()[0]})"
        raise UsageError(message) from None
