"""Accepting by a label what the gate holds back: who may, for which commit, and how long it stands."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass

from quilate.github import artifacts, comment
from quilate.github.api import Api
from quilate.github.conversation import READ, Conversation, may_write, same_label
from quilate.github.event import Pull, Queue, Repeat, pull_of
from quilate.report.input import Acceptance

_MARKER = re.compile(r"<!-- quilate accepted head=([0-9a-f]{40,64}) by=([A-Za-z0-9_-]{1,64}) -->")
"""Read in a comment's last line only, which is ours: further up stands what an agent said."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a label's coming or going means for the verdict. `why` is for the log where it means nothing."""

    acceptance: Acceptance | None
    why: str


def marker(login: str, head_sha: str) -> str:
    """Stands in our comment, so that later runs of the same head know that it was accepted."""
    return f"<!-- quilate accepted head={head_sha} by={login} -->"


def asked_by(conversation: Conversation, plan: Repeat, label: str, suite: str) -> Asked:
    """Whether the plan's head is accepted as it is, now or earlier.

    A `labeled` event of the label by someone with write permission accepts; any other event finds what stands.
    """
    head = plan.pull.head_sha[:7]
    if plan.added and same_label(plan.label, label):
        if not may_write(conversation.api, plan.sender):
            return Asked(None, f"{plan.sender} has no write permission, so the label {label} accepts nothing")
        return Asked(Acceptance(plan.sender, label), f"{plan.sender} accepts {head} as it is")
    standing = standing_for(conversation, plan.pull, label, suite)
    if standing is None:
        return Asked(None, f"the label {plan.label} accepts nothing; the verdict is said again")
    return Asked(standing, f"{standing.login} accepted {head} as it is")


def standing_for(conversation: Conversation, pull: Pull, label: str, suite: str) -> Acceptance | None:
    """An acceptance of exactly the pull request's head that stands, whichever run was to tell of it.

    GitHub keeps one waiting run of a concurrency group: of two labels set at once the first one's run may never start,
    so that the event itself is no condition. The label has been on the pull request since it stood at this head (our
    own comment says so, or GitHub's times do), and who set it may.
    """
    return _standing(conversation, pull.head_sha, label, suite, lambda at: _since(conversation, pull).covers(at))


def queued(api: Api, plan: Queue, label: str, suite: str) -> Asked:
    """Whether a merge queue's candidate may pass since its pull request was accepted at its present head.

    The queue drops a request whose head moves, so that what stands there is what the candidate holds. Where requests
    that are not merged yet stand before it in the queue, what is measured is theirs as well, and nobody has accepted
    that. Raises `GitHubError` where it cannot be found out.
    """
    if plan.number is None:
        return Asked(None, "the merge queue's ref names no pull request, so there is no acceptance to look up")
    conversation = Conversation(api, plan.number, needs=READ)
    pull = conversation.pull()
    of_which = f"pull request {plan.number} at {pull.head_sha[:7]}"
    if pull.base_ref != plan.base_ref:
        return Asked(None, f"{of_which} is for {pull.base_ref}, the merge queue is of {plan.base_ref}")
    standing = standing_for(conversation, pull, label, suite)
    if standing is None:
        return Asked(None, f"nobody with write permission has accepted {of_which} with the label {label}")
    if api.divergence(plan.base_ref, plan.base_sha).ahead:
        return Asked(
            None,
            f"{standing.login} accepted {of_which}, and this is measured with the pull requests before it in the "
            f"queue, which are not merged yet: add it to the queue again when they are",
        )
    accepted = dataclasses.replace(standing, queued=plan.number)
    return Asked(accepted, f"{standing.login} accepted {of_which} as it is")


def _standing(
    conversation: Conversation, head_sha: str, label: str, suite: str, of_this_head: Callable[[str], bool]
) -> Acceptance | None:
    """The comment alone is not believed, since a bot's text can be planted: label, person and permission must agree."""
    if conversation.label(label) is None:
        return None
    by = conversation.labelled(label)
    if by is None or not (_said_of(conversation, head_sha, suite) == by.login or of_this_head(by.at)):
        return None
    return Acceptance(by.login, label) if may_write(conversation.api, by.login) else None


def _said_of(conversation: Conversation, head_sha: str, suite: str) -> str | None:
    """Who accepted this head, as our own comment says."""
    _, every = conversation.comments()
    last_lines = [one.body.rstrip().rpartition("\n")[2] for one, _ in comment.ours(every, suite)]
    said = [found for line in last_lines if (found := _MARKER.fullmatch(line)) and found[1] == head_sha]
    return said[-1][2] if said else None


def _since(conversation: Conversation, pull: Pull) -> artifacts.HeadSince:
    return artifacts.head_since(conversation.api, pull.head_repository or "", pull.head_ref, pull.head_sha)


def outdated(conversation: Conversation, pull: Pull, label: str) -> str | None:
    """The label as it stands on the pull request, where it was set before the branch stood at the present head.

    One that was set in the very second of the push stays: its own run knows of which head it is.
    """
    return _unless(conversation, label, lambda at: not _since(conversation, pull).came_after(at))


def _unless(conversation: Conversation, label: str, stays: Callable[[str], bool]) -> str | None:
    """The label as it stands on the pull request, unless it stays by the time at which it was set."""
    standing = conversation.label(label)
    by = conversation.labelled(label) if standing else None
    return standing if by is None or not stays(by.at) else None


def merged_with(api: Api, commit: str, label: str, suite: str) -> Acceptance | None:
    """The acceptance that a commit of the base branch was merged with; None where there was none."""
    rows = api.pages(f"/commits/{commit}/pulls", doing="find the merged pull request", needs=READ)
    for row in list(rows):
        if row.get("merged_at") and row.get("merge_commit_sha") == commit:
            pull = pull_of(row, api.repository)
            found = _standing(Conversation(api, pull.number), pull.head_sha, label, suite, lambda _: False)
            if found is not None:
                return found
    return None


def of_fork(conversation: Conversation, pull: Pull, label: str) -> Acceptance | None:
    """An acceptance of a fork's present head: the label is on, and who set it since that head ran may.

    A fork's own jobs may write nothing, so the label of a former head is removed here; so is one that may be of it.
    """
    standing = _unless(conversation, label, lambda at: _since(conversation, pull).covers(at))
    if standing is not None:
        conversation.remove_label(standing)
        return None
    by = conversation.labelled(label) if conversation.label(label) else None
    return Acceptance(by.login, label) if by and may_write(conversation.api, by.login) else None
