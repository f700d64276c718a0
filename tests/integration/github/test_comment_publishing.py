"""One comment of a suite: found by marker and authorship, made once, never older than what it replaces."""

from __future__ import annotations

import threading

import pytest

from quilate.github import comment
from quilate.github.comment import Written
from quilate.github.conversation import Conversation
from quilate.github.errors import ForbiddenError, LockedError, RateLimitedError, UnavailableError
from quilate.report.escape import marker
from quilate.report.input import RunIdentity

BOT = "github-actions[bot]"
OLD, NEW = "a" * 40, "b" * 40


def by(run=7, attempt=1, head=NEW):
    return RunIdentity(run_id=run, attempt=attempt, head_sha=head)


def body(identity, suite="orders", text="report"):
    return f"{marker(suite, identity.run_id, identity.attempt, identity.head_sha)}\n## {text}\n"


@pytest.fixture
def talk(fake, api_of):
    fake.repository.open_pull(1, NEW)
    return Conversation(api_of(contents="read", pull_requests="write"), 1)


def publish(talk, identity, suite="orders", text="report"):
    return comment.publish(talk, suite, body(identity, suite, text), identity)


def bodies(fake):
    return [one.body for one in fake.repository.comments_by(BOT, 1)]


def test_it_is_made_once_and_then_updated(fake, talk):
    assert publish(talk, by(7)).written is Written.CREATED
    outcome = publish(talk, by(8), text="better")
    assert outcome.written is Written.UPDATED
    assert bodies(fake) == [body(by(8), text="better")]
    assert outcome.url.endswith(f"#issuecomment-{fake.repository.comments[0].id}")


def test_it_is_found_behind_95_comments_and_not_by_a_marker_someone_else_wrote(fake, talk):
    for number in range(94):
        fake.repository.say(1, "someone", f"comment {number}")
    fake.repository.say(1, "mallory", body(by(1)))
    fake.repository.say(1, "someone", "and more")
    publish(talk, by(2))
    for number in range(150):
        fake.repository.say(1, "someone", f"later {number}")
    publish(talk, by(3))
    assert bodies(fake) == [body(by(3))]
    assert fake.repository.comments_by("mallory", 1)[0].body == body(by(1))


def test_a_marker_that_our_bot_quotes_further_down_is_no_comment_of_ours(fake, talk):
    fake.repository.say(1, BOT, f"Another action quotes:\n{body(by(99))}")
    publish(talk, by(2))
    assert len(bodies(fake)) == 2


def test_each_suite_has_its_own(fake, talk):
    publish(talk, by(7), "orders")
    publish(talk, by(7), "orders-eu")
    publish(talk, by(8), "orders")
    assert sorted(bodies(fake)) == sorted([body(by(8), "orders"), body(by(7), "orders-eu")])


@pytest.mark.parametrize("older", [by(6), by(7, attempt=1), by(9, head=OLD)])
def test_an_older_run_never_overwrites(fake, talk, older):
    """The last: a re-run for a head that is no longer the pull request's, though its run number is higher."""
    publish(talk, by(7, attempt=2), text="newest")
    assert publish(talk, older, text="old").written is Written.SUPERSEDED
    assert bodies(fake) == [body(by(7, attempt=2), text="newest")]


def test_a_rerun_of_the_same_run_updates(fake, talk):
    publish(talk, by(7, attempt=1), text="fail")
    assert publish(talk, by(7, attempt=2), text="pass").written is Written.UPDATED
    assert bodies(fake) == [body(by(7, attempt=2), text="pass")]


def test_the_present_heads_run_replaces_an_old_heads_whatever_its_number(fake, talk):
    publish(talk, by(9, head=OLD))
    assert publish(talk, by(8, head=NEW)).written is Written.UPDATED


def test_two_runs_at_once_leave_one_comment(fake, api_of, talk):
    """Both found none and both make one; the oldest stays, with the newer run's words."""
    barrier = threading.Barrier(2)

    class Together(Conversation):
        __slots__ = ()

        def say(self, text):
            barrier.wait(10)
            return Conversation.say(self, text)

    def run(identity):
        publish(Together(api_of(pull_requests="write"), 1), identity)

    threads = [threading.Thread(target=run, args=(by(number),)) for number in (7, 8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert fake.made("POST", "/issues/1/comments") == 2
    assert bodies(fake) == [body(by(8))]


def test_duplicates_of_the_past_are_folded_into_the_oldest(fake, talk):
    first = fake.repository.say(1, BOT, body(by(3)))
    fake.repository.say(1, BOT, body(by(4)))
    fake.repository.say(1, BOT, body(by(5)))
    publish(talk, by(7))
    assert [(one.id, one.body) for one in fake.repository.comments_by(BOT, 1)] == [(first.id, body(by(7)))]


def test_folding_keeps_a_newer_runs_words(fake, talk):
    fake.repository.say(1, BOT, body(by(3)))
    fake.repository.say(1, BOT, body(by(9), text="newest"))
    assert publish(talk, by(7)).written is Written.SUPERSEDED
    assert bodies(fake) == [body(by(9), text="newest")]


def test_a_creation_behind_a_502_is_not_repeated(fake, talk):
    fake.fail("POST", "/issues/1/comments", 502, after=True)
    publish(talk, by(7))
    assert bodies(fake) == [body(by(7))]
    assert fake.made("POST", "/issues/1/comments") == 1


def test_a_creation_that_a_502_swallowed_is_made_after_looking(fake, talk):
    fake.fail("POST", "/issues/1/comments", 502)
    publish(talk, by(7))
    assert bodies(fake) == [body(by(7))]


def test_an_answer_that_was_cut_off_is_looked_up(fake, talk):
    fake.fail("POST", "/issues/1/comments", 201, after=True, cut=True)
    publish(talk, by(7))
    assert bodies(fake) == [body(by(7))]


def test_an_outage_to_the_end_says_so(fake, talk):
    fake.fail("POST", "/issues/1/comments", 503, times=9)
    with pytest.raises(UnavailableError, match="re-run the job"):
        publish(talk, by(7))


def test_a_rate_limit_is_waited_for_and_a_creation_then_made_once(fake, talk):
    fake.fail("POST", "/issues/1/comments", 429, headers={"Retry-After": "2"})
    fake.fail("POST", "/issues/1/comments", 403, message="You have exceeded a secondary rate limit. Please wait.")
    publish(talk, by(7))
    assert bodies(fake) == [body(by(7))]


def test_a_rate_limit_longer_than_a_job_may_wait_is_told(fake, talk):
    fake.fail("POST", "/issues/1/comments", 429, headers={"Retry-After": "3600"}, times=9)
    with pytest.raises(RateLimitedError):
        publish(talk, by(7))
    assert fake.made("POST", "/issues/1/comments") == 1


def test_a_locked_conversation_is_told_apart(fake, talk):
    fake.repository.issues[1].locked = True
    with pytest.raises(LockedError, match="unlock the conversation"):
        publish(talk, by(7))


def test_a_missing_permission_is_named_with_the_lines_to_write(fake, api_of, talk):
    with pytest.raises(ForbiddenError) as caught:
        publish(Conversation(api_of(contents="read"), 1), by(7))
    assert "permissions:\n  contents: read\n  pull-requests: write" in str(caught.value)


def test_a_readable_conversation_that_may_not_be_written_is_forbidden_too(api_of, talk):
    with pytest.raises(ForbiddenError, match="pull-requests: write"):
        publish(Conversation(api_of(contents="read", pull_requests="read"), 1), by(7))


def test_a_comment_someone_deleted_is_made_again(fake, talk):
    publish(talk, by(7))
    fake.repository.comments.clear()
    assert publish(talk, by(8)).written is Written.CREATED


def test_the_token_is_never_asked_who_it_is(fake, talk):
    publish(talk, by(7))
    assert fake.made("GET", "/user") == 0


def test_a_comment_that_is_not_listed_at_once_is_not_made_twice(fake, api_of, talk):
    """GitHub reads from replicas: the first listing after a creation may be without it."""

    class Behind(Conversation):
        __slots__ = ()

        def comments(self):
            head, every = Conversation.comments(self)
            return head, every if fake.made("POST", "/graphql") > 2 else []

    publish(Behind(talk.api, 1), by(7))
    assert fake.made("POST", "/issues/1/comments") == 1
    assert bodies(fake) == [body(by(7))]
