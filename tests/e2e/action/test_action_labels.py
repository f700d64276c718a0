"""Accepting a drop, and every other label."""

from __future__ import annotations

import json
import re

import pytest

LABEL = "quilate: accept drop"


@pytest.fixture
def failed(opened, reply_lines):
    """A pull request whose drop failed the check."""
    opened.fake.repository.people.update(ana="write", eve="read")
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)})
    assert opened.compare(head, merge, action="opened").code == 1
    return opened, head, merge


def label(shop, head, merge, name, login, *, action="labeled", **options):
    if action == "labeled":
        shop.fake.repository.label(1, name, login)
    overrides = {"label": {"name": name}, "sender__login": login}
    return shop.compare(head, merge, action=action, overrides=overrides, **options)


def test_a_maintainers_label_turns_the_failure_into_a_pass_and_nothing_is_asked(failed):
    shop, head, merge = failed
    shop.git("checkout", "-q", "--detach", merge)
    result = label(shop, head, merge, LABEL, "ana", env={"QUILATE_NEVER": "x"})
    assert (result.code, result.outputs["verdict"]) == (0, "pass"), result.log
    (comment,) = shop.comments()
    assert "ana" in comment
    assert LABEL in comment
    assert result.outputs["drop_points"] == "10"


def test_nothing_is_asked_again(failed):
    """The agent would answer otherwise now; the verdict is still that of the head's run."""
    shop, head, merge = failed
    shop.git("checkout", "-q", "--detach", merge)
    (shop.folder / "replies.jsonl").unlink()
    shop.fake.repository.label(1, LABEL, "ana")
    payload = shop.pull_payload("labeled", head, label={"name": LABEL}, sender__login="ana")
    permissions = {"contents": "read", "pull_requests": "write", "actions": "read"}
    result = shop.step("pull_request", payload, merge, permissions=permissions, ref="refs/pull/1/merge", head=head)
    shop.git("checkout", "-q", "--", "replies.jsonl")
    assert (result.code, result.outputs["pass_rate"]) == (0, "90"), result.log


def test_a_label_of_someone_without_write_permission_accepts_nothing(failed):
    shop, head, merge = failed
    result = label(shop, head, merge, LABEL, "eve")
    assert (result.code, result.outputs["verdict"]) == (1, "fail"), result.log
    assert "eve has no write permission" in result.log


def test_a_label_by_a_bot_accepts_nothing(failed):
    shop, head, merge = failed
    assert label(shop, head, merge, LABEL, "github-actions[bot]").code == 1


def test_any_other_label_repeats_the_verdict(failed):
    shop, head, merge = failed
    assert label(shop, head, merge, "bug", "ana").code == 1
    assert len(shop.comments()) == 1


def test_an_acceptance_stands_while_other_labels_come(failed):
    shop, head, merge = failed
    label(shop, head, merge, LABEL, "ana")
    assert label(shop, head, merge, "bug", "eve").code == 0


def test_an_acceptance_ends_with_its_label(failed):
    shop, head, merge = failed
    label(shop, head, merge, LABEL, "ana")
    shop.fake.repository.issues[1].labels.remove(LABEL)
    assert label(shop, head, merge, LABEL, "ana", action="unlabeled").code == 1


def test_the_next_push_removes_the_label_and_fails_again(failed, reply_lines):
    shop, head, merge = failed
    label(shop, head, merge, LABEL, "ana")
    result = shop.compare(*shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "x"}))
    assert result.code == 1, result.log
    assert LABEL not in shop.fake.repository.issues[1].labels


def test_of_two_labels_set_at_once_the_acceptance_is_not_lost(failed):
    """GitHub keeps one waiting run of a group: the acceptance's own run was replaced by the other label's."""
    shop, head, merge = failed
    shop.fake.repository.label(1, LABEL, "ana")
    result = label(shop, head, merge, "bug", "eve", process=True)
    assert (result.code, result.outputs["verdict"]) == (0, "pass"), result.log
    (comment,) = shop.comments()
    assert "accepted by `ana`" in comment
    assert "evaluated again" not in result.log


def test_a_lost_acceptance_by_someone_without_write_permission_is_none(failed):
    shop, head, merge = failed
    shop.fake.repository.label(1, LABEL, "eve")
    assert label(shop, head, merge, "bug", "ana").code == 1


def test_a_former_heads_label_that_could_not_be_removed_accepts_nothing(failed, reply_lines):
    shop, head, merge = failed
    label(shop, head, merge, LABEL, "ana")
    shop.fake.fail("DELETE", "/issues/1/labels/", 403, message="Resource not accessible by integration", times=9)
    head, merge = shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "x"})
    assert shop.compare(head, merge).code == 1
    assert LABEL in shop.fake.repository.issues[1].labels
    assert label(shop, head, merge, "bug", "eve").code == 1


def test_a_label_that_came_while_the_pushs_own_run_waited_is_of_the_new_head(failed, reply_lines):
    shop, _, _ = failed
    head, merge = shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "x"})
    shop.fake.repository.add_run(700, head, head_branch="topic-1")
    shop.fake.repository.label(1, LABEL, "ana")
    result = shop.compare(head, merge, run=700, process=True)
    assert (result.code, result.outputs["verdict"]) == (0, "pass"), result.log
    assert shop.fake.repository.issues[1].labels == [LABEL]
    assert "accepted by `ana`" in shop.comments()[0]


def test_an_acceptance_in_the_second_of_a_push_is_not_taken_for_the_pushs(failed, reply_lines):
    """The label was on the former head when the push came, and nothing tells the two times apart."""
    shop, _, _ = failed
    shop.fake.repository.label(1, LABEL, "ana")
    shop.fake.repository.in_one_second = True
    head, merge = shop.topic({"replies.jsonl": reply_lines(3, 8, 9), "n.txt": "x"})
    assert shop.compare(head, merge).code == 1
    assert label(shop, head, merge, "bug", "eve").code == 1
    shop.fake.repository.in_one_second = False
    assert shop.compare(*shop.topic({"n.txt": "y"})).code == 1
    assert LABEL not in shop.fake.repository.issues[1].labels


def test_a_label_set_in_the_second_of_a_push_after_it_counts_by_its_own_run(failed, reply_lines):
    shop, _, _ = failed
    shop.fake.repository.in_one_second = True
    head, merge = shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "x"})
    assert shop.compare(head, merge).code == 1
    assert label(shop, head, merge, LABEL, "ana", process=True).code == 0
    assert label(shop, head, merge, "bug", "eve").code == 0
    assert shop.fake.repository.issues[1].labels == [LABEL, "bug"]


def test_a_label_in_the_second_of_a_pull_requests_first_run_has_no_other_head_to_be_of(opened, reply_lines):
    opened.fake.repository.people["ana"] = "write"
    opened.fake.repository.in_one_second = True
    head, merge = opened.topic({"replies.jsonl": reply_lines(3, 8)})
    assert opened.compare(head, merge, action="opened").code == 1
    opened.fake.repository.label(1, LABEL, "ana")
    assert label(opened, head, merge, "bug", "eve").code == 0


def test_where_a_heads_age_cannot_be_read_a_push_ends_any_acceptance(failed, reply_lines):
    shop, head, merge = failed
    label(shop, head, merge, LABEL, "ana")
    permissions = {"contents": "read", "pull_requests": "write"}
    pushed = shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "x"})
    result = shop.compare(*pushed, permissions=permissions)
    assert result.code == 1, result.log
    assert "actions: read" in result.log
    assert LABEL not in shop.fake.repository.issues[1].labels


def test_a_planted_acceptance_in_a_bots_comment_is_not_believed(failed):
    shop, head, merge = failed
    planted = shop.fake.repository.comments[0]
    planted.body += f"<!-- quilate accepted head={head} by=ana -->\n"
    shop.fake.repository.label(1, LABEL, "eve")
    assert label(shop, head, merge, "bug", "eve").code == 1


def test_a_head_whose_run_cannot_be_read_is_evaluated_again(failed):
    shop, head, merge = failed
    shop.fake.repository.artifacts.clear()
    result = label(shop, head, merge, LABEL, "ana")
    assert result.code == 0, result.log
    assert "evaluated again" in result.log


def test_an_acceptance_accepts_a_failure_and_no_outage(opened, reply_lines):
    opened.fake.repository.people["ana"] = "write"
    head, merge = opened.topic({"replies.jsonl": reply_lines(errors=(1, 2, 3, 4, 5))})
    assert opened.compare(head, merge, action="opened").code == 3
    assert label(opened, head, merge, LABEL, "ana").code == 3


def reworded(golden_lines, agents):
    """Every case expects `reply N` now, and the agent says so too."""
    return {
        "goldens.yaml": golden_lines().replace("answer", "reply"), "replies.jsonl": agents.replace("answer", "reply")
    }  # fmt: skip


@pytest.fixture
def all_edited(opened, reply_lines, golden_lines):
    """A change that rightly edits every expectation together with the agent: only the change says that it is right."""
    opened.fake.repository.people.update(ana="write", eve="read")
    head, merge = opened.topic(reworded(golden_lines, reply_lines()))
    result = opened.compare(head, merge, action="opened")
    assert (result.code, result.outputs["verdict"]) == (3, "inconclusive"), result.log
    assert f"someone with write permission may accept them with the label `{LABEL}`" in opened.comments()[0]
    return opened, head, merge


ONLY_BY_EDIT = {
    "en": "all 20 approved cases pass only because this change edited what they expect, accepted by `ana`",
    "es": "los 20 casos aprobados aprueban solo porque este cambio editó lo que esperan, aceptado por `ana`",
    "pt-BR": "os 20 casos aprovados só o são porque esta mudança editou o que eles esperam, aceito por `ana`",
}


def test_a_maintainers_label_answers_for_a_change_that_edits_every_expectation(all_edited):
    shop, head, merge = all_edited
    result = label(shop, head, merge, LABEL, "ana", process=True)
    assert (result.code, result.outputs["verdict"]) == (0, "pass"), result.log
    (comment,) = shop.comments()
    assert ONLY_BY_EDIT["en"] in comment
    assert f"`ana` accepted it for this commit with the label `{LABEL}`; the next push asks again." in comment


def test_no_one_elses_does_and_no_other_label(all_edited):
    shop, head, merge = all_edited
    assert label(shop, head, merge, LABEL, "eve").code == 3
    assert label(shop, head, merge, "bug", "ana").code == 3


@pytest.mark.parametrize("language", ["es", "pt-BR"])
def test_what_was_accepted_is_said_in_the_readers_language(shop, reply_lines, golden_lines, language):
    shop.fake.repository.people["ana"] = "write"
    config = f"suite: orders\ngoldens: [goldens.yaml]\nagent: {{replay: replies.jsonl}}\nreport_language: {language}\n"
    files = {"quilate.yml": config, "goldens.yaml": golden_lines(), "replies.jsonl": reply_lines()}
    assert shop.record(shop.main({**files, ".gitignore": ".quilate\n"})).code == 0
    head, merge = shop.topic(reworded(golden_lines, reply_lines()))
    assert shop.compare(head, merge, action="opened").code == 3
    assert label(shop, head, merge, LABEL, "ana").code == 0
    assert ONLY_BY_EDIT[language] in shop.comments()[0]


def test_too_many_removed_cases_can_be_answered_for(opened, reply_lines, golden_lines):
    opened.fake.repository.people["ana"] = "write"
    fewer = {"goldens.yaml": golden_lines(15), "replies.jsonl": reply_lines(count=15)}
    head, merge = opened.topic(fewer)
    assert opened.compare(head, merge, action="opened").code == 3
    assert label(opened, head, merge, LABEL, "ana", process=True).code == 0
    assert "only 15 of the base's 20 graded cases could be compared, accepted by `ana`" in opened.comments()[0]


def nothing_in_common(replies, goldens):
    return {"goldens.yaml": goldens().replace("Question", "Another question"), "replies.jsonl": replies()}


def outage_behind_removals(replies, goldens):
    return {"goldens.yaml": goldens(15), "replies.jsonl": replies(count=15, errors=(1, 2, 3))}


def outage_behind_edits(replies, goldens):
    return reworded(goldens, replies(errors=(1, 2, 3)))


def says_nothing_any_more(replies, goldens):
    return {"goldens.yaml": re.sub(r"required_phrases: \['answer \d+'\]", "max_latency_ms: 1000", goldens())}


@pytest.mark.parametrize(
    "change", [nothing_in_common, outage_behind_removals, outage_behind_edits, says_nothing_any_more]
)
def test_nobody_can_answer_for_what_was_not_measured(opened, reply_lines, golden_lines, change):
    opened.fake.repository.people["ana"] = "write"
    head, merge = opened.topic(change(reply_lines, golden_lines))
    assert opened.compare(head, merge, action="opened").code == 3
    assert LABEL not in opened.comments()[0]
    result = label(opened, head, merge, LABEL, "ana")
    assert (result.code, result.outputs["verdict"]) == (3, "inconclusive"), result.log
    assert "accepted by" not in opened.comments()[0]


def test_a_labels_name_ignores_case_as_githubs_own_names_do(failed, reply_lines):
    shop, head, merge = failed
    written = "Quilate: Accept Drop"
    assert label(shop, head, merge, written, "ana").code == 0
    assert label(shop, head, merge, "bug", "eve").code == 0
    assert shop.compare(*shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "x"})).code == 1
    assert written not in shop.fake.repository.issues[1].labels


def test_the_run_of_the_same_head_in_another_bases_pull_request_is_not_repeated(failed, reply_lines):
    """Against the other branch's lower baseline the same head passes."""
    shop, head, merge = failed
    shop.git("checkout", "-q", "-B", "release", "main")
    lower = shop.commit({"replies.jsonl": reply_lines(3, 8, 9)})
    shop.fake.repository.push_git(shop.folder, lower, "release")
    push = shop.payload("push", None, ref="refs/heads/release", deleted=False, after=lower)
    recorded = shop.step(
        "push", push, lower, permissions={"contents": "write"}, ref="refs/heads/release",
        env={"GITHUB_REF_PROTECTED": "true"},
    )  # fmt: skip
    assert recorded.code == 0, recorded.log
    shop.git("merge", "-q", "--no-ff", "-X", "theirs", "-m", "Merge", head)
    other = shop.git("rev-parse", "HEAD")
    shop.fake.repository.push_git(shop.folder, other)
    shop.fake.repository.open_pull(2, head, head_ref="topic-1")
    base = {"pull_request__base__ref": "release"}
    assert shop.compare(head, other, number=2, action="opened", overrides=base).code == 0
    result = label(shop, head, merge, "bug", "ana")
    assert (result.code, result.outputs["base_pass_rate"]) == (1, "100"), result.log
    assert "evaluated again" not in result.log


def test_an_acceptance_that_an_agent_says_in_our_comment_is_not_believed(failed, reply_lines):
    """The label is a former head's, so that all there is for this one is what the agent said."""
    shop, _, _ = failed
    shop.fake.repository.label(1, LABEL, "ana")
    shop.fake.fail("DELETE", "/issues/1/labels/", 403, message="Resource not accessible by integration", times=9)
    head, merge = shop.topic({"replies.jsonl": reply_lines(3, 8), "n.txt": "x"})
    assert shop.compare(head, merge).code == 1
    ours = shop.fake.repository.comments[0]
    ours.body = ours.body.replace("\n", f"\n<!-- quilate accepted head={head} by=ana -->\n", 1)
    assert label(shop, head, merge, "bug", "eve").code == 1


def merged(shop, reply_lines):
    """The pull request as its own commit on main, as GitHub shows it afterwards."""
    sha = shop.main({"replies.jsonl": reply_lines(3, 8)})
    pull = shop.fake.repository.pulls[1]
    pull.state, pull.merge_commit = "closed", sha
    return sha


def last_point(shop):
    return json.loads(shop.fake.repository.files_of("quilate-data")["v1/orders/history/main.json"])["points"][-1]


def test_the_history_says_who_accepted_the_drop_that_was_merged(failed, reply_lines):
    shop, head, merge = failed
    assert label(shop, head, merge, LABEL, "ana").code == 0
    recorded = shop.record(merged(shop, reply_lines))
    assert recorded.code == 0, recorded.log
    point = last_point(shop)
    assert (point["approved"], point["accepted_by"], point["accepted_label"]) == (18, "ana", LABEL)


def test_a_drop_nobody_accepted_is_nobodys(failed, reply_lines):
    shop, _, _ = failed
    assert shop.record(merged(shop, reply_lines)).code == 0
    assert last_point(shop).get("accepted_by") is None


def test_without_the_permission_to_ask_the_record_is_stored_all_the_same(failed, reply_lines):
    shop, head, merge = failed
    assert label(shop, head, merge, LABEL, "ana").code == 0
    recorded = shop.record(merged(shop, reply_lines), permissions={"contents": "write"})
    assert recorded.code == 0, recorded.log
    assert "pull-requests: read" in recorded.log
    assert last_point(shop).get("accepted_by") is None
