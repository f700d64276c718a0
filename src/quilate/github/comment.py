"""The one comment of a suite on a pull request: found, made once, kept the newest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from quilate.github.conversation import Comment, Conversation
from quilate.github.errors import NotFoundError, UnavailableError
from quilate.report.input import RunIdentity

_MARKER = re.compile(
    r"<!-- quilate suite=([a-z0-9]+(?:-[a-z0-9]+)*) run=([0-9]{1,20}) attempt=([0-9]{1,9}) head=([0-9a-f]{7,64}) -->"
)
ROUNDS = 4
"""How often a comment is written again because an older run wrote over it meanwhile."""

LAG_S = 1.0
"""Before a comment that was just made is looked for again: GitHub reads from replicas, which may not have it yet."""


class Written(StrEnum):
    """What became of a comment."""

    CREATED = "created"
    UPDATED = "updated"
    SUPERSEDED = "superseded"
    """A newer run has spoken; this one keeps silent."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, and where the comment is."""

    written: Written
    url: str


def identity_of(body: str, suite: str) -> RunIdentity | None:
    """Which run wrote a comment of this suite; None where its first line is no marker of the suite."""
    first = body.split("\n", 1)[0].strip()
    found = _MARKER.fullmatch(first)
    if found is None or found[1] != suite:
        return None
    return RunIdentity(run_id=int(found[2]), attempt=int(found[3]), head_sha=found[4])


def ours(comments: Iterable[Comment], suite: str) -> list[tuple[Comment, RunIdentity]]:
    """Our comments of a suite, oldest first. A marker in another's comment is text, whoever wrote it."""
    found = [(comment, identity_of(comment.body, suite)) for comment in comments if comment.ours]
    return sorted(((comment, by) for comment, by in found if by), key=lambda pair: pair[0].id)


def supersedes(other: RunIdentity, mine: RunIdentity, head_now: str) -> bool:
    """Whether `other` has said something newer than `mine` can.

    A later run or a later attempt of the same run. Between runs of different heads, the one of the pull request's
    present head is the newer, whatever the numbers say: a re-run of an old commit is old.
    """
    if other.head_sha != mine.head_sha:
        if head_now.startswith(other.head_sha):
            return True
        if head_now.startswith(mine.head_sha):
            return False
    return (other.run_id, other.attempt) > (mine.run_id, mine.attempt)


def publish(conversation: Conversation, suite: str, body: str, mine: RunIdentity) -> Outcome:
    """Makes or updates the comment of `suite`; `body` begins with its marker.

    Afterwards the conversation is read again: of two comments made at once the oldest stays and the others are
    folded into it, and what an older run wrote over is written again. Raises the errors of `github/errors.py`.
    """
    said: str | None = None
    written = Written.UPDATED
    url = ""
    for _ in range(ROUNDS):
        head_now, every = conversation.comments()
        found = ours(every, suite)
        if not found and written is Written.CREATED:
            conversation.api.sleep(LAG_S * conversation.api.patience.scale)
            continue
        if not found:
            url = _create(conversation, suite, body, mine)
            said, written = body, Written.CREATED
            continue
        oldest, by = found[0]
        newer = next((pair for pair in found if supersedes(pair[1], mine, head_now)), None)
        text, author = (newer[0].body, newer[1]) if newer else (body, mine)
        if newer:
            written = Written.SUPERSEDED
        url = oldest.url
        # What was just written is known by its marker: GitHub may hand white space back otherwise than it came.
        if len(found) == 1 and (oldest.body == text or (said == text and by == author)):
            break
        said = text
        _settle(conversation, oldest, [comment for comment, _ in found[1:]], text)
    return Outcome(written, url)


def _create(conversation: Conversation, suite: str, body: str, mine: RunIdentity) -> str:
    """The new comment's address; where the answer was lost, the conversation says whether there is one."""
    try:
        return conversation.say(body)
    except UnavailableError:
        _, every = conversation.comments()
        made = next((comment for comment, by in ours(every, suite) if by == mine), None)
        return made.url if made else conversation.say(body)


def _settle(conversation: Conversation, oldest: Comment, others: list[Comment], text: str) -> None:
    try:
        if oldest.body != text:
            conversation.edit(oldest.id, text)
        for comment in others:
            conversation.delete(comment.id)
    except NotFoundError:
        return  # another run folded it first; the next round sees what is left
