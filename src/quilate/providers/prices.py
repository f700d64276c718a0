"""What tokens cost, from one dated data file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from quilate.agents.agent import Usage

_MILLION = Decimal(1_000_000)
_DATED = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2})$")


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens. `above` holds for prompts longer than `above_tokens`."""

    input_usd: Decimal
    output_usd: Decimal
    cached_usd: Decimal | None = None
    above_tokens: int | None = None
    above_input_usd: Decimal | None = None
    above_output_usd: Decimal | None = None

    def cost_usd(self, usage: Usage) -> Decimal:
        """The price of one request. Cached tokens cost as others do where no price of theirs is known."""
        long = self.above_tokens is not None and usage.input_tokens > self.above_tokens
        into = self.above_input_usd if long and self.above_input_usd is not None else self.input_usd
        out = self.above_output_usd if long and self.above_output_usd is not None else self.output_usd
        cached = self.cached_usd if self.cached_usd is not None and not long else into
        fresh = max(usage.input_tokens - usage.cached_tokens, 0)
        return (fresh * into + usage.cached_tokens * cached + usage.output_tokens * out) / _MILLION


def price_of(model: str | None) -> Price | None:
    """The price of `model`, also by a dated name (`gpt-6-luna-2026-06-01`); None where none is known."""
    if not model:
        return None
    known = _table()["models"]
    entry = known.get(model) or known.get(_DATED.sub("", model))
    if entry is None:
        return None
    above = entry.get("above", {})
    return Price(
        input_usd=Decimal(entry["input"]),
        output_usd=Decimal(entry["output"]),
        cached_usd=Decimal(entry["cached"]) if "cached" in entry else None,
        above_tokens=above.get("tokens"),
        above_input_usd=Decimal(above["input"]) if above else None,
        above_output_usd=Decimal(above["output"]) if above else None,
    )


def prices_as_of() -> str:
    """The date of the price list."""
    as_of: str = _table()["as_of"]
    return as_of


def plain_usd(amount: Decimal) -> str:
    """An amount without exponent or trailing zeros (`0.00045`)."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(files("quilate.providers").joinpath("prices.json").read_text("utf-8"))
    return table
