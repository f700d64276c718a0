from __future__ import annotations

import asyncio
import datetime as dt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.retrying import Again, backoff_s, retry_after_s, retrying

NOW = dt.datetime(2026, 6, 1, 12, 0, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"Retry-After-Ms": "250", "Retry-After": "9"}, 0.25),
        ({"retry-after": "Mon, 01 Jun 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 01 Jun 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "x", "retry-after": "3"}, 3.0),
        ({"retry-after": "Mon, 01 Jun 99999999999 12:00:30 GMT"}, None),
    ],
)
def test_the_wait_is_read_from_the_headers(headers, seconds):
    assert retry_after_s(headers, NOW) == seconds


@given(st.text(), st.text())
def test_no_header_value_breaks_the_reading(ms, seconds):
    waited = retry_after_s({"retry-after-ms": ms, "retry-after": seconds}, NOW)
    assert waited is None or waited >= 0


@given(st.integers(0, 10_000), st.integers())
def test_the_backoff_grows_to_eight_seconds_and_jitters_downward(attempt, seed):
    ideal = min(0.5 * 2 ** min(attempt, 10), 8)
    assert 0.75 * ideal <= backoff_s(attempt, Random(seed)) <= ideal


class BusyError(Exception):
    def __init__(self, after_s: float | None = None) -> None:
        self.after_s = after_s


def _again(error: Exception) -> Again | None:
    return Again(error.after_s) if isinstance(error, BusyError) else None


def _run(outcomes, *, retries=3, longest_wait_s=60.0):
    waits: list[float] = []
    numbers: list[int] = []

    async def attempt(number: int) -> str:
        numbers.append(number)
        outcome = outcomes[number - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def go() -> str | Exception:
        try:
            return await retrying(
                attempt, retries=retries, again=_again, random=Random(1), longest_wait_s=longest_wait_s, sleep=sleep
            )
        except (BusyError, ValueError) as error:
            return error

    return asyncio.run(go()), numbers, waits


def test_the_servers_own_wait_is_honoured():
    result, numbers, waits = _run([BusyError(4), BusyError(), "there"])
    assert result == "there"
    assert numbers == [1, 2, 3]
    assert waits[0] == 4
    assert 0.75 <= waits[1] <= 1


def test_a_failure_that_will_not_pass_is_not_tried_again():
    result, numbers, _ = _run([ValueError("no"), "never"])
    assert isinstance(result, ValueError)
    assert numbers == [1]


def test_the_last_failure_is_raised_when_the_retries_are_spent():
    last = BusyError()
    result, numbers, _ = _run([BusyError(), BusyError(), last, "never"], retries=2)
    assert result is last
    assert numbers == [1, 2, 3]


def test_a_wait_longer_than_the_longest_ends_at_once():
    result, numbers, waits = _run([BusyError(3600), "never"])
    assert isinstance(result, BusyError)
    assert (numbers, waits) == ([1], [])
