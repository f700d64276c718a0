"""What a search is asked, and what it gave back; an empty search and a broken one are two things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from pydantic import JsonValue

from quilate.agents.agent import Fragment
from quilate.goldens.case import Message


class SearchSource(StrEnum):
    """Whose search it was."""

    AGENT = "agent"
    """The agent's own, as it answered: the fragments are those it returned."""
    RETRIEVER = "retriever"
    """Ours, with the agent's question, by the configured retriever."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Query:
    """What the agent was asked."""

    question: str
    messages: tuple[Message, ...] = ()
    case_id: str = ""


@dataclass(frozen=True, slots=True)
class Search:
    """A search's outcome. `failure` says why it failed (None: it worked, and `fragments` is all it found).

    `consulted_at` is an ISO time, None where the agent searched and no time of it is known here.
    """

    source: SearchSource
    fragments: tuple[Fragment, ...] = ()
    failure: str | None = None
    consulted_at: str | None = None
    parameters: Mapping[str, JsonValue] = field(default_factory=dict)


class Retriever(Protocol):
    """The agent's search, asked again."""

    async def search(self, query: Query) -> Search:
        """One search; never raises: what goes wrong is the outcome's `failure`."""
        ...

    async def close(self) -> None:
        """Lets go of what it holds."""
        ...
