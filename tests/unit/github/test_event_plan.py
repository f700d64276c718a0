"""Event → plan, over GitHub's own published examples."""

from __future__ import annotations

import copy
import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.github import event
from quilate.github.event import Compare, Facts, Incident, Publish, Queue, Record, Refuse, Repeat, Reviewed, Skip, Watch
from quilate.github.settings import Mode

SHA = "a" * 40
FACTS = Facts(sha=SHA, ref="refs/pull/2/merge", run_id=7)


def example(webhooks, name, which=None, /, **overrides):
    payload = copy.deepcopy(next(one for one in webhooks[name] if which is None or one.get("action") == which))
    for path, value in overrides.items():
        target = payload
        *parents, last = path.split("__")
        for key in parents:
            target = target[key]
        target[last] = value
    return payload


def planned(name, payload, **facts):
    return event.plan(name, payload, dataclasses.replace(FACTS, **facts))


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("opened", Compare),
        ("synchronize", Compare),
        ("reopened", Compare),
        ("ready_for_review", Compare),
        ("labeled", Repeat),
        ("unlabeled", Repeat),
        ("closed", Skip),
        ("assigned", Refuse),
        ("locked", Refuse),
        ("review_requested", Refuse),
        ("converted_to_draft", Refuse),
    ],
)
def test_pull_request_actions(webhooks, action, kind):
    payload = example(webhooks, "pull_request", action, pull_request__state="open" if action != "closed" else "closed")
    assert type(planned("pull_request", payload)) is kind


def test_every_published_pull_request_example_gets_a_plan(webhooks):
    served = {"opened", "synchronize", "reopened", "ready_for_review", "labeled", "unlabeled", "closed"}
    for payload in webhooks["pull_request"]:
        refused = isinstance(planned("pull_request", payload), Refuse)
        assert refused is (payload["action"] not in served and payload["pull_request"]["state"] == "open")


def test_an_opened_pull_request_tests_the_merge_commit(webhooks):
    chosen = planned("pull_request", example(webhooks, "pull_request", "opened"))
    assert chosen == Compare(
        event.Pull(
            number=2,
            head_sha="ec26c3e57ca3a959ca5aad62de7213c562f8c821",
            head_ref="changes",
            head_repository="Codertocat/Hello-World",
            base_ref="master",
            untrusted=False,
        ),
        SHA,
        new_head=False,
    )


def test_only_a_push_to_the_pull_request_ends_an_acceptance(webhooks):
    assert planned("pull_request", example(webhooks, "pull_request", "synchronize")).new_head
    assert not planned("pull_request", example(webhooks, "pull_request", "reopened")).new_head


@pytest.mark.parametrize("repo", [None, {"full_name": "someone/Hello-World"}])
def test_a_fork_or_a_deleted_fork_is_untrusted(webhooks, repo):
    payload = example(webhooks, "pull_request", "opened", pull_request__head__repo=repo)
    assert planned("pull_request", payload).pull.untrusted


def test_the_dependency_bot_is_untrusted_like_a_fork(webhooks):
    payload = example(webhooks, "pull_request", "opened")
    assert planned("pull_request", payload, actor="dependabot[bot]").pull.untrusted


def test_a_label_says_who_set_which(webhooks):
    payload = example(webhooks, "pull_request", "labeled", label__name="quilate: accept drop")
    chosen = planned("pull_request", payload)
    assert (chosen.label, chosen.sender, chosen.added) == ("quilate: accept drop", "Codertocat", True)


def test_a_label_on_a_closed_pull_request_is_nothing_to_do(webhooks):
    assert isinstance(
        planned("pull_request", example(webhooks, "pull_request", "labeled", pull_request__state="closed")), Skip
    )


def push(webhooks, branch, **overrides):
    return example(webhooks, "push", ref=f"refs/heads/{branch}", deleted=False, **overrides)


def test_a_push_to_the_default_branch_records(webhooks):
    assert planned("push", push(webhooks, "master")) == Record(SHA, "master")


def test_a_push_to_a_protected_branch_records(webhooks):
    assert planned("push", push(webhooks, "release/1.x"), ref_protected=True) == Record(SHA, "release/1.x")


def test_a_push_to_another_branch_is_refused_unless_asked_for(webhooks):
    assert isinstance(planned("push", push(webhooks, "feature")), Refuse)
    assert planned("push", push(webhooks, "feature"), mode=Mode.RECORD) == Record(SHA, "feature")


def test_tags_are_refused_and_deletions_are_nothing_to_do(webhooks):
    kinds = {type(planned("push", payload)) for payload in webhooks["push"] if payload["ref"].startswith("refs/tags/")}
    assert kinds == {Refuse, Skip}


def test_a_merge_queue_compares_with_the_base_it_names_and_is_of_the_pull_request_it_adds(webhooks):
    chosen = planned("merge_group", example(webhooks, "merge_group"))
    assert chosen == Queue(SHA, "380387fbc80638b734a49e1be1c4dfec1c01b33c", "main", 104)
    assert isinstance(planned("merge_group", example(webhooks, "merge_group", action="destroyed")), Refuse)


@pytest.mark.parametrize(
    ("ref", "number"),
    [
        (f"refs/heads/gh-readonly-queue/main/pr-104-{SHA}", 104),
        (f"refs/heads/gh-readonly-queue/release/2026/pr-7-{SHA}", 7),
        (f"refs/heads/gh-readonly-queue/release/pr-3-{SHA}/pr-7-{SHA}", 7),
        (f"refs/heads/gh-readonly-queue/main/pr-104-{'a' * 64}", 104),
        (f"refs/heads/gh-readonly-queue/main/pr-104-{'a' * 50}", None),
        (f"refs/heads/gh-readonly-queue/main/pr-0-{SHA}", None),
        (f"refs/heads/gh-readonly-queue/main/pr-104٣-{SHA}", None),
        (f"refs/heads/gh-readonly-queue/main/pr-{'9' * 16}-{SHA}", None),
        (f"refs/heads/gh-readonly-queue/main/pr-104-{SHA}\n", None),
        (f"refs/heads/gh-readonly-queue/main/pr-104-{SHA}/x", None),
        (f"refs/heads/x/gh-readonly-queue/main/pr-104-{SHA}", None),
        (f"refs/heads/gh-readonly-queue/pr-104-{SHA}", None),
        ("refs/heads/gh-readonly-queue/main/pr-104", None),
        ("refs/heads/main", None),
        (None, None),
    ],
)
def test_a_merge_queues_ref_names_the_pull_request_or_none(webhooks, ref, number):
    chosen = planned("merge_group", example(webhooks, "merge_group", merge_group__head_ref=ref))
    assert isinstance(chosen, Queue)
    assert chosen.number == number


def test_a_merge_queues_base_branch_may_hold_slashes(webhooks):
    payload = example(webhooks, "merge_group", merge_group__base_ref="refs/heads/release/2026")
    assert planned("merge_group", payload).base_ref == "release/2026"


def test_a_schedule_watches_the_branch_it_runs_on():
    assert planned("schedule", {"schedule": "0 5 * * *"}, ref="refs/heads/main") == Watch(SHA, "main", history=True)


def test_a_dispatch_goes_to_the_history_on_a_base_branch_only(webhooks):
    payload = example(webhooks, "workflow_dispatch", repository__default_branch="main")
    assert planned("workflow_dispatch", payload, ref="refs/heads/main") == Watch(SHA, "main", history=True)
    assert planned("workflow_dispatch", payload, ref="refs/heads/topic") == Watch(SHA, "topic", history=False)


def test_a_dispatch_with_a_reviewed_commit(webhooks):
    inputs = {"pull_request": "12", "commit": "b" * 40}
    assert planned("workflow_dispatch", example(webhooks, "workflow_dispatch", inputs=inputs)) == Reviewed(12, "b" * 40)


@pytest.mark.parametrize(
    "inputs",
    [
        {"pull_request": "12"},
        {"commit": "b" * 40},
        {"pull_request": "12", "commit": "b" * 7},
        {"pull_request": "12;x", "commit": "b" * 40},
        {"pull_request": "١٢", "commit": "b" * 40},
        {"pull_request": "12", "commit": "main"},
    ],
)
def test_a_dispatch_without_the_exact_commit_is_refused(webhooks, inputs):
    assert isinstance(planned("workflow_dispatch", example(webhooks, "workflow_dispatch", inputs=inputs)), Refuse)


def finished(webhooks, **overrides):
    values = {
        "workflow_run__event": "pull_request",
        "workflow_run__conclusion": "failure",
        "workflow_run__head_repository": {"full_name": "someone/octo-repo"},
        **overrides,
    }
    return example(webhooks, "workflow_run", "completed", **values)


@pytest.mark.parametrize("conclusion", ["success", "failure"])
def test_a_forks_finished_run_is_published_whatever_it_came_to(webhooks, conclusion):
    chosen = planned("workflow_run", finished(webhooks, workflow_run__conclusion=conclusion))
    assert isinstance(chosen, Publish)
    assert chosen.head_repository == "someone/octo-repo"


@pytest.mark.parametrize(
    ("overrides", "kind"),
    [
        ({"workflow_run__conclusion": "cancelled"}, Skip),
        ({"workflow_run__event": "push"}, Skip),
        ({"repository__full_name": "someone/octo-repo"}, Skip),
        ({"action": "requested"}, Refuse),
    ],
)
def test_what_leaves_nothing_to_publish(webhooks, overrides, kind):
    assert isinstance(planned("workflow_run", finished(webhooks, **overrides)), kind)


def test_the_dependency_bots_run_is_published(webhooks):
    own = finished(
        webhooks,
        repository__full_name="someone/octo-repo",
        workflow_run__actor={"login": "dependabot[bot]"},
    )
    assert isinstance(planned("workflow_run", own), Publish)


def test_an_issue_labelled_as_a_golden_case_is_an_incident(webhooks):
    chosen = planned("issues", example(webhooks, "issues", "labeled", label__name="golden-case"))
    assert isinstance(chosen, Incident)
    assert isinstance(planned("issues", example(webhooks, "issues", "labeled", label__name="bug")), Skip)
    assert isinstance(planned("issues", example(webhooks, "issues", "opened")), Refuse)


@pytest.mark.parametrize("name", ["pull_request_target", "issue_comment", "release", "check_run", ""])
def test_any_other_event_is_refused_by_name(name):
    chosen = planned(name, {})
    assert isinstance(chosen, Refuse)
    assert "pull_request, push" in chosen.reason


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        (Mode.COMPARE, Compare),
        (Mode.RECORD, Refuse),
        (Mode.PUBLISH, Refuse),
        (Mode.INCIDENT, Refuse),
        (Mode.AUTO, Compare),
    ],
)
def test_a_mode_that_does_not_fit_the_event_is_refused(webhooks, mode, kind):
    assert isinstance(planned("pull_request", example(webhooks, "pull_request", "opened"), mode=mode), kind)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["action", "pull_request", "ref", "inputs"]), inner)
    ),
    max_leaves=6,
)


@given(
    name=st.sampled_from(sorted(event.PLANNERS)), payload=st.dictionaries(st.text(max_size=5) | st.just("action"), JSON)
)
def test_a_garbled_payload_is_refused_and_never_evaluated(name, payload):
    assert isinstance(planned(name, payload, ref="refs/heads/x"), Refuse | Skip | Watch)


def test_a_deleted_forks_finished_run_is_nothing_to_do(webhooks):
    payload = example(
        webhooks, "workflow_run", "completed", workflow_run__event="pull_request", workflow_run__conclusion="failure",
        workflow_run__head_repository=None,
    )  # fmt: skip
    chosen = planned("workflow_run", payload)
    assert isinstance(chosen, Skip)
    assert "deleted" in chosen.reason


@pytest.mark.parametrize(("name", "payload"), [("workflow_dispatch", {"inputs": None}), ("schedule", {})])
def test_a_run_of_a_tag_says_that_baselines_belong_to_branches(name, payload):
    chosen = planned(name, payload, ref="refs/tags/v1")
    assert isinstance(chosen, Refuse)
    assert "refs/tags/v1" in chosen.reason
    assert "start it on a branch" in chosen.reason
