"""Trying again: how long to wait, and when to stop. Used for agents, judges and retrievers alike."""

from __future__ import annotations

import asyncio
import datetime as dt
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from random import Random
from typing import TypeVar

T = TypeVar("T")

LONGEST_WAIT_S = 60.0
"""A server that asks for a longer wait is not waited for: the run would hang where a person needs a word."""


@dataclass(frozen=True, slots=True)
class Again:
    """A failure after which another attempt makes sense; `after_s` is the wait the server asked for, if it did."""

    after_s: float | None = None


def retry_after_s(headers: Mapping[str, str], now: dt.datetime) -> float | None:
    """Seconds to wait as the response asks, or None where it does not say.

    Reads `retry-after-ms`, then `retry-after` as seconds or as an HTTP date (RFC 9110 §10.2.3), names in any case.
    `now` is an aware time. Never negative; what cannot be read counts as not said.
    """
    named = {name.lower(): value.strip() for name, value in headers.items()}
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _number(named.get(name, ""))
        if seconds is not None:
            return seconds * scale
    try:
        when = parsedate_to_datetime(named.get("retry-after", ""))
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    return max(0.0, (when.replace(tzinfo=when.tzinfo or dt.UTC) - now).total_seconds())


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def backoff_s(attempt: int, random: Random) -> float:
    """Seconds to wait after failed attempt number `attempt` (from 0): min(0.5 * 2^attempt, 8), less up to 25 %.

    The jitter goes downward only, so that 8 seconds is a promise.
    """
    return min(0.5 * 2.0 ** min(attempt, 10), 8.0) * (1 - 0.25 * random.random())


async def retrying(
    attempt: Callable[[int], Awaitable[T]],
    *,
    retries: int,
    again: Callable[[Exception], Again | None],
    random: Random,
    longest_wait_s: float = LONGEST_WAIT_S,
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> T:
    """What `attempt(number)` returns (number from 1), tried up to `retries` more times.

    `again` says of a failure whether another attempt makes sense; None ends it. A server's own waiting time is
    honoured, unless it is longer than `longest_wait_s`, which ends it too. Raises the last attempt's exception.
    """
    number = 1
    while True:
        try:
            return await attempt(number)
        except Exception as error:
            verdict = again(error)
            if verdict is None or number > retries or (verdict.after_s or 0) > longest_wait_s:
                raise
            wait_s = backoff_s(number - 1, random) if verdict.after_s is None else verdict.after_s
        number += 1
        await sleep(wait_s)
