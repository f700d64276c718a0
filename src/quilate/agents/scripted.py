"""An agent that answers from a script: for tests, ours and those of whoever builds on quilate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from pydantic import JsonValue

from quilate.agents.agent import AskFailed, Fault, FaultKind, Reply, Request

Answer = Reply | AskFailed


class ScriptedAgent:
    """Answers each case from `answers`: one answer for every asking, or a sequence taken in turn (the last repeats).

    An `AskFailed` is raised. A case without an answer crashes. `requests` keeps what was asked, in order;
    `entered` and `left` count the use as a context.
    """

    def __init__(self, answers: Mapping[str, Answer | Sequence[Answer]], *, trials: int | None = None) -> None:
        self.requests: list[Request] = []
        self.entered = 0
        self.left = 0
        self._answers = answers
        self._trials = trials
        self._asked: Counter[str] = Counter()

    async def __aenter__(self) -> Self:
        self.entered += 1
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.left += 1

    async def ask(self, request: Request) -> Reply:
        """The next answer for the request's case."""
        self.requests.append(request)
        answer = self._next(request.case_id)
        if isinstance(answer, AskFailed):
            # A fresh exception: one that is raised twice carries the first raising's traceback.
            raise AskFailed(answer.fault, retryable=answer.retryable, retry_after_s=answer.retry_after_s)
        return answer

    def _next(self, case_id: str) -> Answer:
        scripted = self._answers.get(case_id)
        if scripted is None:
            return AskFailed(Fault(kind=FaultKind.AGENT, message=f"the script has no answer for case {case_id!r}"))
        if isinstance(scripted, Reply | AskFailed):
            return scripted
        turn = self._asked[case_id]
        self._asked[case_id] += 1
        return scripted[min(turn, len(scripted) - 1)]

    def describe(self) -> dict[str, JsonValue]:
        """The kind alone."""
        return {"kind": "scripted"}

    def trials(self, case_id: str) -> int | None:
        """As many as the agent was made with, or whatever the run asks for."""
        return self._trials
