"""What judging came to: requests, verdicts made and taken over, tokens, cost."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from pydantic import JsonValue

from quilate.providers.prices import plain_usd, prices_as_of


@dataclass(slots=True)
class JudgeTotals:
    """Counts of one run. A verdict is one criterion of one reply; a request is one answered by the provider."""

    requests: int = 0
    retries: int = 0
    repairs: int = 0
    made: int = 0
    taken_over: int = 0
    from_cache: int = 0
    errors: int = 0
    searches: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    pairs: int = 0
    """Pairs judged side by side, each in both orders."""
    pair_answers_kept: int = 0
    """Answers about pairs from the cache or an earlier attempt."""
    cost_usd: Decimal | None = None
    """None where no price is known; of the requests of this run only."""

    def dump(self) -> dict[str, JsonValue]:
        """As it stands in a run's footer."""
        values: dict[str, JsonValue] = {
            "requests": self.requests,
            "retries": self.retries,
            "repairs": self.repairs,
            "made": self.made,
            "taken_over": self.taken_over,
            "from_cache": self.from_cache,
            "errors": self.errors,
            "searches": self.searches,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cached_tokens": self.cached_tokens,
        }
        if self.pairs or self.pair_answers_kept:
            values |= {"pairs": self.pairs, "pair_answers_kept": self.pair_answers_kept}
        if self.cost_usd is not None:
            values["cost_usd"] = plain_usd(self.cost_usd)
            values["prices_as_of"] = prices_as_of()
        return values
