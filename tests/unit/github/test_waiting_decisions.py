"""Whether a request is tried again, and when."""

from __future__ import annotations

import datetime as dt
from random import Random

import pytest

from quilate.github.waiting import Failure, wait_s

NOW = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)


def wait(failure, *, attempt=1, repeatable=True):
    return wait_s(failure, attempt, repeatable=repeatable, now=NOW, random=Random(1))


@pytest.mark.parametrize("status", [0, 500, 502, 503])
def test_an_outage_is_tried_again_only_where_twice_is_once(status):
    assert 0 < wait(Failure(status)) <= 0.5
    assert wait(Failure(status), repeatable=False) is None


@pytest.mark.parametrize("repeatable", [True, False])
@pytest.mark.parametrize(
    ("failure", "seconds"),
    [
        (Failure(429, headers={"retry-after": "7"}), 7),
        (Failure(403, "You have exceeded a secondary rate limit", {"retry-after": "7"}), 7),
        (Failure(403, "You have exceeded a secondary rate limit"), 60),
        (Failure(429), 60),
        (
            Failure(
                403,
                "API rate limit exceeded",
                {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 9)},
            ),
            10,
        ),
        (Failure(429, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}), 1),
    ],
)
def test_a_rate_limit_is_waited_for_as_github_says_since_nothing_was_done(failure, seconds, repeatable):
    assert wait(failure, repeatable=repeatable) == seconds


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 410, 422])
def test_a_refusal_is_final(status):
    assert wait(Failure(status, "Resource not accessible by integration")) is None


def test_a_secondary_limit_that_comes_again_is_waited_for_longer():
    assert wait(Failure(429), attempt=3) == 180
