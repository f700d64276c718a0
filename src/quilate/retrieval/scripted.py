"""A search that answers from a script: for tests, ours and yours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quilate.agents.agent import Fragment
from quilate.retrieval.search import Query, Search, SearchSource

Found = Sequence[str] | Exception


class ScriptedRetriever:
    """Finds what the script says; an exception is a broken search. Keeps the queries in `queries`."""

    def __init__(self, script: Callable[[Query], Found], *, consulted_at: str = "2026-01-01T00:00:00+00:00") -> None:
        self._script = script
        self._consulted_at = consulted_at
        self.queries: list[Query] = []

    async def search(self, query: Query) -> Search:
        """The script's outcome."""
        self.queries.append(query)
        found = self._script(query)
        if isinstance(found, Exception):
            return Search(SearchSource.RETRIEVER, (), str(found), self._consulted_at)
        fragments = tuple(Fragment(text=text) for text in found)
        return Search(SearchSource.RETRIEVER, fragments, None, self._consulted_at)

    async def close(self) -> None:
        """Nothing to close."""
