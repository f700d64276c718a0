"""A merge queue's run: what was accepted on the pull request stands there too, and nothing else does."""

from __future__ import annotations

import pytest
from tests.e2e.action.conftest import FORK, READ_ONLY

LABEL = "quilate: accept drop"
READING = {"contents": "read", "pull_requests": "read", "actions": "read"}
"""All that the queue's job needs; the token that a workflow's template declares may also write."""


@pytest.fixture
def failed(opened, reply_lines):
    """A pull request whose drop failed the check."""
    opened.fake.repository.people.update(ana="write", eve="read")
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)})
    assert opened.compare(head, merge, action="opened").code == 1
    return opened, head, merge


def accept(shop, head, merge, login="ana"):
    shop.fake.repository.label(1, LABEL, login)
    return shop.compare(head, merge, action="labeled", overrides={"label": {"name": LABEL}, "sender__login": login})


def candidate(shop, files, onto="main"):
    """What a queue adds to `onto` for a pull request that it squashes."""
    base = shop.git("rev-parse", onto)
    shop.git("checkout", "-q", "--detach", base)
    made = shop.commit(files)
    shop.fake.repository.push_git(shop.folder, made)
    return base, made


def queue(shop, base, made, *, number=1, permissions=READING, **options):
    """The queue's job, on the ref as GitHub names it."""
    shop.git("checkout", "-q", "--detach", made)
    ref = f"refs/heads/gh-readonly-queue/main/pr-{number}-{base}"
    group = {"merge_group__base_sha": base, "merge_group__head_sha": made, "merge_group__head_ref": ref}
    payload = shop.payload("merge_group", None, **group)
    return shop.step("merge_group", payload, made, permissions=permissions, ref=ref, **options)


def test_what_was_accepted_on_the_pull_request_passes_in_the_queue_and_is_said(failed, reply_lines):
    shop, head, merge = failed
    assert accept(shop, head, merge).code == 0
    comments, records = shop.comments(), shop.fake.repository.refs["refs/heads/quilate-data"]
    result = queue(shop, *candidate(shop, {"replies.jsonl": reply_lines(3, 8)}), process=True)
    assert (result.code, result.outputs["verdict"], result.outputs["drop_points"]) == (0, "pass", "10"), result.log
    assert f"`ana` accepted it on pull request `#1` with the label `{LABEL}`" in result.summary
    assert "for this commit" not in result.summary
    assert f"ana accepted pull request 1 at {head[:7]} as it is" in result.log
    assert shop.comments() == comments
    assert shop.fake.repository.refs["refs/heads/quilate-data"] == records


def test_a_drop_that_nobody_accepted_fails_in_the_queue(failed, reply_lines):
    shop, head, _ = failed
    result = queue(shop, *candidate(shop, {"replies.jsonl": reply_lines(3, 8)}))
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log
    assert f"nobody with write permission has accepted pull request 1 at {head[:7]}" in result.log


def test_an_acceptance_by_someone_without_write_permission_is_none(failed, reply_lines):
    shop, head, merge = failed
    accept(shop, head, merge, "eve")
    assert queue(shop, *candidate(shop, {"replies.jsonl": reply_lines(3, 8)})).code == 1


def test_a_former_heads_acceptance_is_none(failed, reply_lines):
    shop, head, merge = failed
    accept(shop, head, merge)
    newer, _ = shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "x"})
    shop.fake.repository.add_run(900, newer, head_branch="topic-1")
    result = queue(shop, *candidate(shop, {"replies.jsonl": reply_lines(3, 8), "n.txt": "x"}))
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log


def test_an_acceptance_does_not_cover_the_pull_requests_before_it_in_the_queue(failed, reply_lines):
    shop, head, merge = failed
    accept(shop, head, merge)
    _, before = candidate(shop, {"replies.jsonl": reply_lines(5)})
    base, made = candidate(shop, {"replies.jsonl": reply_lines(3, 5, 8)}, before)
    result = queue(shop, base, made)
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log
    assert "which are not merged yet" in result.log
    assert "which are not merged yet" in result.summary
    shop.fake.repository.refs["refs/heads/main"] = before
    assert queue(shop, base, made).code == 0


def test_a_pull_request_of_another_base_branch_lends_no_acceptance(failed, reply_lines):
    shop, head, merge = failed
    accept(shop, head, merge)
    shop.fake.repository.pulls[1].base_ref = "release"
    result = queue(shop, *candidate(shop, {"replies.jsonl": reply_lines(3, 8)}))
    assert result.code == 1
    assert "is for release, the merge queue is of main" in result.log


def test_an_acceptance_is_of_no_outage(failed, reply_lines):
    shop, head, merge = failed
    accept(shop, head, merge)
    before = len(shop.fake.requests)
    result = queue(shop, *candidate(shop, {"replies.jsonl": reply_lines(errors=(1, 2, 3, 4, 5))}))
    assert (result.code, result.outputs["verdict"]) == (3, "inconclusive"), result.log
    assert not any("/pulls/" in path for _, path in shop.fake.requests[before:])


def test_a_missing_permission_is_named_and_the_verdict_stands(failed, reply_lines):
    shop, head, merge = failed
    accept(shop, head, merge)
    made = candidate(shop, {"replies.jsonl": reply_lines(3, 8)})
    result = queue(shop, *made, permissions={"contents": "read"})
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log
    assert "pull-requests: read" in result.log
    assert "pull-requests: read" in result.summary


def test_a_ref_that_names_no_pull_request_is_said_and_the_verdict_stands(failed, reply_lines):
    shop, head, merge = failed
    accept(shop, head, merge)
    made = candidate(shop, {"replies.jsonl": reply_lines(3, 8)})
    result = queue(shop, *made, number=0)
    assert result.code == 1
    assert "names no pull request" in result.log


def test_what_was_accepted_of_a_fork_passes_in_the_queue(opened, reply_lines):
    opened.fake.repository.people["ana"] = "write"
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)}, fork=FORK)
    assert opened.compare(head, merge, action="opened", permissions=READ_ONLY, run=700).code == 1
    opened.fake.repository.label(1, LABEL, "ana")
    assert opened.publish(head).code == 0
    result = queue(opened, *candidate(opened, {"replies.jsonl": reply_lines(3, 8)}))
    assert (result.code, result.outputs["verdict"]) == (0, "pass"), result.log


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "`ana` lo aceptó en el pull request `#1` con la etiqueta"),
        ("pt-BR", "`ana` aceitou no pull request `#1` com a etiqueta"),
    ],
)
def test_whose_acceptance_it_is_is_said_in_the_readers_language(failed, reply_lines, language, said):
    shop, head, merge = failed
    accept(shop, head, merge)
    config = f"suite: orders\ngoldens: [goldens.yaml]\nagent: {{replay: replies.jsonl}}\nreport_language: {language}\n"
    result = queue(shop, *candidate(shop, {"replies.jsonl": reply_lines(3, 8), "quilate.yml": config}))
    assert result.code == 0, result.log
    assert said in result.summary
