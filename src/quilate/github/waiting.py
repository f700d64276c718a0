"""Whether to try a request again, and after how long. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from quilate.retrying import backoff_s, retry_after_s

SECONDARY_LIMIT_WAIT_S = 60.0
"""GitHub's advice where a secondary rate limit names no time: wait at least one minute."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How much waiting one request may cost. `scale` shortens every wait (tests)."""

    attempts: int = 5
    longest_wait_s: float = 180.0
    """In all, for one request: a job that sleeps for an hour helps nobody."""
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt. `status` 0: the connection broke, and whether the request arrived is not known."""

    status: int
    message: str = ""
    headers: Mapping[str, str] | None = None

    @property
    def rate_limited(self) -> bool:
        """Whether GitHub refused for the number of requests; such a request had no effect."""
        headers = self.headers or {}
        if self.status == 429:
            return True
        said = self.message.lower()
        named = "rate limit" in said or "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
        return self.status == 403 and named


def wait_s(failure: Failure, attempt: int, *, repeatable: bool, now: dt.datetime, random: Random) -> float | None:
    """Seconds to wait before attempt `attempt` + 1 (the first is 1), or None where trying again is wrong or useless.

    `repeatable`: doing it twice is the same as doing it once. What is not is tried again only where GitHub said that
    it did nothing (rate limits).
    """
    if failure.rate_limited:
        return _limit_wait_s(failure, attempt, now)
    if failure.status == 0 or failure.status >= 500:
        return backoff_s(attempt - 1, random) if repeatable else None
    return None


def _limit_wait_s(failure: Failure, attempt: int, now: dt.datetime) -> float:
    headers = failure.headers or {}
    told = retry_after_s(headers, now)
    if told is not None:
        return told
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        return max(0.0, int(reset) - now.timestamp()) + 1
    return SECONDARY_LIMIT_WAIT_S * attempt
