"""Asking the judge's model: so many at a time, again where it helps, and never beyond the budget."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from decimal import Decimal
from random import Random

from quilate.agents.agent import Usage
from quilate.grades import ErrorKind
from quilate.judge.totals import JudgeTotals
from quilate.providers.model import Completion, Failure, Model, Prompt, ProviderError
from quilate.providers.prices import Price, plain_usd
from quilate.retrying import Again, retrying
from quilate.saying import say

_ERROR_OF = {
    Failure.UNAVAILABLE: ErrorKind.INFRASTRUCTURE,
    Failure.QUOTA: ErrorKind.INFRASTRUCTURE,
    Failure.KEY_ABSENT: ErrorKind.SECRET,
    Failure.KEY_REFUSED: ErrorKind.JUDGE,
    Failure.REJECTED: ErrorKind.JUDGE,
    Failure.GARBLED: ErrorKind.JUDGE,
}


class UnjudgedError(Exception):
    """No verdict, and why: an error of a criterion, never a grade."""

    def __init__(self, kind: ErrorKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class JudgeClient:
    """A model with the run's limits around it; counts in `totals`.

    `max_usd` is looked at before each request: what is under way is finished, so it can be passed by at most
    `concurrency` requests. A failure that every request would share (no key, a refused key, an exhausted quota) is
    remembered, and the rest is not sent.
    """

    def __init__(
        self,
        model: Model,
        totals: JudgeTotals,
        *,
        retries: int,
        concurrency: int,
        max_usd: Decimal | None = None,
        price: Price | None = None,
        random: Random | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.model = model
        self.totals = totals
        self._retries = retries
        self._slots = asyncio.Semaphore(concurrency)
        self._max_usd = max_usd
        self._price = price
        self._random = random or Random()  # noqa: S311 - jitter of waiting times, no secret
        self._sleep = sleep
        self._lasting: ProviderError | None = None
        if price is not None:
            totals.cost_usd = Decimal(0)

    async def ask(self, prompt: Prompt) -> Completion:
        """The model's completion. Raises `UnjudgedError`."""
        async with self._slots:
            try:
                completion = await retrying(
                    lambda number: self._attempt(prompt, number),
                    retries=self._retries,
                    again=_again,
                    random=self._random,
                    sleep=self._sleep,
                )
            except ProviderError as error:
                if error.lasting:
                    self._lasting = error
                reason = say("the judge gave no answer: {why}", why=error.message)
                raise UnjudgedError(_ERROR_OF[error.failure], reason) from None
        return completion

    async def _attempt(self, prompt: Prompt, number: int) -> Completion:
        self._check_budget()
        if self._lasting is not None:
            raise self._lasting
        self.totals.retries += number > 1
        completion = await self.model.complete(prompt)
        self.totals.requests += 1
        self._count(completion.usage, prompt, completion.text)
        return completion

    def _check_budget(self) -> None:
        spent = self.totals.cost_usd
        if self._max_usd is not None and spent is not None and spent >= self._max_usd:
            reason = say(
                "the judge's budget is spent: {spent} of {limit} USD (judge.max_usd)",
                spent=plain_usd(spent), limit=plain_usd(self._max_usd),
            )  # fmt: skip
            raise UnjudgedError(ErrorKind.BUDGET, reason)

    def _count(self, usage: Usage | None, prompt: Prompt, answer: str) -> None:
        if usage is not None:
            self.totals.input_tokens += usage.input_tokens
            self.totals.output_tokens += usage.output_tokens
            self.totals.cached_tokens += usage.cached_tokens
        if self._price is not None:
            assert self.totals.cost_usd is not None
            self.totals.cost_usd += self._price.cost_usd(usage or _estimated(prompt, answer))


def _again(error: Exception) -> Again | None:
    return Again(error.after_s) if isinstance(error, ProviderError) and error.retryable else None


def _estimated(prompt: Prompt, answer: str) -> Usage:
    """A server that counts no tokens still costs: about three characters a token, which is on the dear side."""
    asked = len(prompt.system) + sum(len(turn.text) for turn in prompt.turns)
    return Usage(input_tokens=asked // 3, output_tokens=len(answer) // 3)
