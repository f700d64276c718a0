"""Accepting a drop by a label: who may, for which commit, and how long it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quilate.github import comment
from quilate.github.api import Api
from quilate.github.conversation import READ, Conversation, may_write, same_label
from quilate.github.event import Repeat, pull_of
from quilate.report.input import Acceptance

_MARKER = re.compile(r"<!-- quilate accepted head=([0-9a-f]{40,64}) by=([A-Za-z0-9-]{1,39}) -->")
"""Read in a comment's last line only, which is ours: further up stands what an agent said."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a label's coming or going means for the verdict. `why` is for the log where it means nothing."""

    acceptance: Acceptance | None
    why: str


def marker(login: str, head_sha: str) -> str:
    """Stands in our comment, so that later runs of the same head know that its drop was accepted."""
    return f"<!-- quilate accepted head={head_sha} by={login} -->"


def asked_by(conversation: Conversation, plan: Repeat, label: str, suite: str) -> Asked:
    """Whether the drop of the plan's head is accepted, now or earlier.

    Only a `labeled` event of the label by someone with write permission accepts; any other event finds what stands.
    """
    if plan.added and same_label(plan.label, label):
        if not may_write(conversation.api, plan.sender):
            return Asked(None, f"{plan.sender} has no write permission, so the label {label} accepts nothing")
        return Asked(Acceptance(plan.sender, label), f"{plan.sender} accepts the drop of {plan.pull.head_sha[:7]}")
    standing = standing_for(conversation, plan.pull.head_sha, label, suite)
    if standing is None:
        return Asked(None, f"the label {plan.label} accepts nothing; the verdict is said again")
    return Asked(standing, f"{standing.login} accepted the drop of {plan.pull.head_sha[:7]}")


def standing_for(conversation: Conversation, head_sha: str, label: str, suite: str) -> Acceptance | None:
    """An acceptance of exactly this head that still stands.

    Three things must agree: our own comment says who accepted this head, the label is still on the pull request, and
    GitHub says that this person set it and may. The comment alone is not believed: a bot's text can be planted.
    """
    _, every = conversation.comments()
    last_lines = [one.body.rstrip().rpartition("\n")[2] for one, _ in comment.ours(every, suite)]
    said = [found for line in last_lines if (found := _MARKER.fullmatch(line)) and found[1] == head_sha]
    if not said or conversation.label(label) is None:
        return None
    login = said[-1][2]
    by = conversation.labelled(label)
    if by is None or by.login != login or not may_write(conversation.api, login):
        return None
    return Acceptance(login, label)


def merged_with(api: Api, commit: str, label: str, suite: str) -> Acceptance | None:
    """The acceptance that a commit of the base branch was merged with; None where there was none."""
    rows = api.pages(f"/commits/{commit}/pulls", doing="find the merged pull request", needs=READ)
    for row in list(rows):
        if row.get("merged_at") and row.get("merge_commit_sha") == commit:
            pull = pull_of(row, api.repository)
            found = standing_for(Conversation(api, pull.number), pull.head_sha, label, suite)
            if found is not None:
                return found
    return None


def of_fork(conversation: Conversation, label: str, head_since: str) -> Acceptance | None:
    """An acceptance of a fork's present head: the label is on, and who set it since that head ran may.

    `head_since` is since when the branch has stood at this head. A fork's own jobs may write nothing, so the label of a
    former head is removed here.
    """
    standing = conversation.label(label)
    if standing is None:
        return None
    by = conversation.labelled(label)
    if by is None or by.at < head_since:
        conversation.remove_label(standing)
        return None
    return Acceptance(by.login, label) if may_write(conversation.api, by.login) else None
