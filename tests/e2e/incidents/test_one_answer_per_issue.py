"""However often an issue is edited and labelled, it has one answer of ours, and that is the newest run's."""

from __future__ import annotations

from tests.github_fake.state import Failure

COMPLETE = "### What was asked\n\nwhere is my parcel?\n\n### What it should have done\n\nlooks it up\n"
LACKS = COMPLETE.replace("looks it up", "_No response_")
MARKER = "<!-- quilate suite=orders run=1 attempt=1 head=" + "a" * 40 + " -->\n\n"


def test_an_issue_that_is_edited_three_times_has_one_answer(support, label):
    support.fake.repository.may_create_pulls = True
    for body in (LACKS, "nothing to read", LACKS, COMPLETE):
        assert label(body).code == 0
    (answer,) = support.comments(17)
    assert "/pull/" in answer
    assert "What it should have done" not in answer


def test_an_answer_of_somebody_elses_with_our_marker_is_left_alone(support, label):
    label(LACKS)
    support.fake.repository.comments.clear()
    theirs = support.fake.repository.say(17, "visitor", MARKER + "spoofed")
    label(LACKS)
    assert theirs.body == MARKER + "spoofed"
    assert len(support.comments(17)) == 1


def test_our_other_words_on_the_issue_are_left_alone(support, label):
    label(LACKS)
    (answer,) = support.fake.repository.comments
    said = support.fake.repository.say(17, answer.login, "a word of another workflow")
    label(COMPLETE)
    assert said.body == "a word of another workflow"
    assert len(support.comments(17)) == 2


def test_an_older_run_does_not_write_over_a_newer_ones_answer(support, label):
    label(COMPLETE, run=900)
    (before,) = support.comments(17)
    result = label(LACKS, run=899)
    assert result.code == 0, result.log
    assert support.comments(17) == [before]
    assert "a newer run has answered already" in result.log


def test_a_second_answer_made_at_the_same_time_is_folded_into_the_first(support, label):
    label(LACKS)
    (first,) = support.fake.repository.comments
    support.fake.repository.say(17, first.login, first.body)
    label(COMPLETE)
    (answer,) = support.fake.repository.comments
    assert answer.id == first.id


def test_an_answer_whose_making_broke_off_is_not_made_twice(support, label):
    support.fake.failures.append(Failure("POST", r"/issues/17/comments$", status=502, after=True))
    result = label(LACKS)
    assert result.code == 0, result.log
    assert len(support.comments(17)) == 1
