"""Which search stands behind a reply: the agent's own fragments, or its question asked again, once a run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from quilate.agents.agent import Reply
from quilate.canonical import fingerprint
from quilate.goldens.case import GoldenCase
from quilate.retrieval.search import Query, Retriever, Search, SearchSource


class Searching:
    """Finds the search behind a reply. With `remember`, the same question is searched once.

    `non_evidence_tools` are globs of tools whose outputs are no evidence (a scratchpad, a clock).
    """

    def __init__(
        self,
        retriever: Retriever | None = None,
        *,
        non_evidence_tools: Sequence[str] = (),
        remember: bool = True,
        concurrency: int = 8,
    ) -> None:
        self.retriever = retriever
        self.non_evidence_tools = tuple(non_evidence_tools)
        self.made = 0
        self._remember = remember
        self._known: dict[str, asyncio.Task[Search]] = {}
        self._slots = asyncio.Semaphore(concurrency)

    async def for_reply(self, case: GoldenCase, reply: Reply) -> Search:
        """The agent's own fragments where it reported a search (an empty one too), else the retriever's."""
        if reply.fragments is not None:
            return Search(SearchSource.AGENT, reply.fragments)
        if self.retriever is None:
            return Search(SearchSource.NONE)
        query = Query(case.question, case.messages, case.id)
        if not self._remember:
            return await self._searched(query)
        key = fingerprint([message.model_dump(mode="json") for message in case.messages])
        task = self._known.get(key)
        if task is None:
            task = self._known[key] = asyncio.ensure_future(self._searched(query))
        return await asyncio.shield(task)

    async def _searched(self, query: Query) -> Search:
        assert self.retriever is not None
        async with self._slots:
            self.made += 1
            return await self.retriever.search(query)

    async def close(self) -> None:
        """Ends what is under way."""
        for task in self._known.values():
            task.cancel()
        await asyncio.gather(*self._known.values(), return_exceptions=True)
        if self.retriever is not None:
            await self.retriever.close()
