"""The client against trouble: outages, limits, half answers, other servers."""

from __future__ import annotations

import pytest

from quilate.github.api import Api
from quilate.github.errors import BadTokenError, ConflictError, NotFoundError, RateLimitedError, UnavailableError
from quilate.github.waiting import Patience


@pytest.fixture
def commit(fake):
    return fake.repository.commit_files({"a": "1"}, branch="main")


@pytest.fixture
def api(api_of):
    return api_of(contents="write")


@pytest.mark.parametrize(
    "trouble", [{"status": 502}, {"status": 200, "cut": True}, {"status": 429}, {"status": 503, "times": 3}]
)
def test_reading_survives_passing_trouble(fake, api, commit, trouble):
    fake.fail("GET", "/commits/", **trouble)
    assert api.commit(commit).sha == commit


def test_an_outage_to_the_end_is_told_with_what_was_wanted(fake, api, commit):
    fake.fail("GET", "/commits/", 502, times=9)
    with pytest.raises(UnavailableError, match=f"could not read commit {commit[:7]}: GitHub answered 502"):
        api.commit(commit)


def test_waits_are_as_long_as_asked_and_bounded_in_all(fake, commit):
    waited = []
    api = Api(
        fake.token(contents="read"),
        "octo/shop",
        api_url=fake.url,
        sleep=waited.append,
        patience=Patience(longest_wait_s=100),
    )
    fake.fail("GET", "/commits/", 429, headers={"Retry-After": "40"}, times=9)
    with pytest.raises(RateLimitedError):
        api.commit(commit)
    assert waited == [40, 40]


@pytest.mark.parametrize(("status", "kind"), [(404, NotFoundError), (409, ConflictError), (422, ConflictError)])
def test_refusals_are_told_apart(fake, api, commit, status, kind):
    fake.fail("GET", "/commits/", status, message="because")
    with pytest.raises(kind, match="because"):
        api.commit(commit)


def test_an_unknown_token_is_told(fake, commit):
    with pytest.raises(BadTokenError, match="leave the input `token` out"):
        Api("wrong", "octo/shop", api_url=fake.url).commit(commit)


def test_enterprise_addresses_are_used_throughout(fake, commit):
    for number in range(150):
        commit = fake.repository.commit_files({"a": str(number)}, commit)
    token = fake.token(contents="read", pull_requests="read")
    api = Api(token, "octo/shop", api_url=f"{fake.url}/api/v3", graphql_url=f"{fake.url}/api/graphql")
    assert len(list(api.history(commit))) == 151
    fake.repository.open_pull(1, commit)
    query = 'query($n: Int!) { repository(owner: "octo", name: "shop") { pullRequest(number: $n) { number } } }'
    assert api.graphql(query, {"n": 1}, doing="ask", needs="x")["repository"]["pullRequest"]["number"] == 1
    assert all(path.startswith("/api/") for _, path in fake.requests)


def test_a_download_stops_at_its_limit(fake, api_of):
    fake.repository.add_run(1, "a" * 40)
    artifact = fake.repository.add_artifact(1, "quilate", bytes(100_000))
    api = api_of(actions="read")
    path = f"/actions/artifacts/{artifact.id}/zip"
    assert len(api.download(path, max_bytes=100_000, doing="x", needs="actions: read")) == 100_000
    with pytest.raises(ValueError, match="larger than"):
        api.download(path, max_bytes=99_999, doing="x", needs="actions: read")


def test_an_expired_artifact_is_not_found(fake, api_of):
    artifact = fake.repository.add_artifact(1, "quilate", b"x")
    artifact.expired = True
    with pytest.raises(NotFoundError):
        api_of(actions="read").download(
            f"/actions/artifacts/{artifact.id}/zip", max_bytes=9, doing="x", needs="actions: read"
        )


def test_the_token_is_in_no_representation(api):
    assert api.token not in repr(api)


def test_a_download_is_tried_again_like_any_reading(fake, api_of):
    artifact = fake.repository.add_artifact(1, "quilate", b"data")
    path = f"/actions/artifacts/{artifact.id}/zip"
    fake.fail("GET", "/zip", 502)
    fake.fail("GET", "/zip", 429, headers={"Retry-After": "1"})
    fake.fail("GET", "/_storage/", 200, cut=True, message="x" * 1000)
    got = api_of(actions="read").download(path, max_bytes=10_000, doing="x", needs="actions: read")
    assert got == b"data"
