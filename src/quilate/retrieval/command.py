"""The agent's search as a command: JSON on its standard input, JSON on its standard output, a process a question."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from quilate.agents.agent import AskFailed, Fragment
from quilate.agents.command import result_in
from quilate.agents.decoding import MAX_REPLY_BYTES, BadReplyError
from quilate.agents.environment import allowed_environment
from quilate.agents.process import Launch, Process, RunAs
from quilate.config import RetrieverConfig
from quilate.retrieval.answer import fragments_in
from quilate.retrieval.search import Query, Search, SearchSource
from quilate.saying import say


class CommandRetriever:
    """A `Retriever`. The process gets `{question, messages, case_id, parameters}` and sees the allowed environment."""

    def __init__(
        self,
        command: tuple[str, ...],
        config: RetrieverConfig,
        environ: Mapping[str, str],
        base_dir: Path,
        *,
        run_as: RunAs | None = None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        home = run_as.home if run_as else None
        self._launch = Launch(
            command, base_dir.resolve(), allowed_environment(environ, config.env, home=home), run_as
        )  # fmt: skip
        self._timeout_s = config.timeout_s
        self._parameters = config.parameters
        self._now = now

    async def search(self, query: Query) -> Search:
        """One process, ended with its children whatever happens."""
        consulted_at = self._now().isoformat(timespec="seconds")
        fragments: tuple[Fragment, ...] = ()
        failure: str | None = None
        try:
            async with asyncio.timeout(self._timeout_s):
                fragments = await self._run(query)
        except TimeoutError:
            failure = say("no answer within {seconds} s", seconds=float(self._timeout_s))
        except BadReplyError as error:
            failure = error.why if "the agent " not in error.why else error.why.replace("the agent ", "the search ")
        except AskFailed as failed:
            failure = failed.fault.message.replace("agent.command", "retriever.command")
        return Search(SearchSource.RETRIEVER, fragments, failure, consulted_at, self._parameters)

    async def _run(self, query: Query) -> tuple[Fragment, ...]:
        asked: dict[str, Any] = {
            "question": query.question,
            "messages": [message.model_dump(mode="json", exclude_none=True) for message in query.messages],
            "case_id": query.case_id,
            "parameters": self._parameters,
        }
        written = bytearray()

        def take(data: bytes) -> None:
            if len(written) <= MAX_REPLY_BYTES:
                written.extend(data)

        process = await Process.start(self._launch, take)
        line = json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        feeding = asyncio.create_task(process.send_first(line, close=True))
        try:
            code = await process.gone()
            if code != 0:
                message = say("the search {how}", how=process.obituary(code))
                raise BadReplyError(message)
            return fragments_in(result_in(bytes(written)))
        finally:
            feeding.cancel()
            await asyncio.gather(feeding, return_exceptions=True)
            await process.end()

    async def close(self) -> None:
        """Nothing outlives its question."""
