"""Which commit a change is compared with, and the nearest ancestor of it that has a usable record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from quilate.errors import QuilateError
from quilate.github.api import Api, Commit
from quilate.github.errors import ConflictError, NotFoundError
from quilate.github.event import Compare, Queue, Repeat, Watch
from quilate.runs.store import BaselineStore, Found

FURTHEST = 50
"""Commits walked back; a measure older than this says little about the change."""

MOST_LISTED = 1000
"""Commits listed for that: merges list their branches' commits too."""


class Rule(StrEnum):
    """How the base was found."""

    PARENT = "parent"
    """First parent of the tested merge commit: what the change would be merged into."""
    MERGE_BASE = "merge_base"
    """The head itself was tested, so what others merged meanwhile must not count."""
    MERGE_GROUP = "merge_group"
    SAME = "same"
    """A scheduled run: the commit's own record, else its ancestors'."""


@dataclass(frozen=True, slots=True)
class Base:
    """The commit to compare with, before any record is looked for."""

    commit: str
    rule: Rule
    behind: int = 0
    """How many commits of the base branch came after it; counted for a fork."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """What was looked for and what was found: `found` is None where none of `looked_at` commits has a usable record.

    `unusable`: some have one that cannot be used.
    """

    base: Base
    found: Found | None
    looked_at: int
    unusable: bool = False


def base_of(api: Api, plan: Compare | Repeat | Queue | Watch) -> Base:
    """The base of what was tested."""
    if isinstance(plan, Watch):
        return Base(plan.commit, Rule.SAME)
    if isinstance(plan, Queue):
        return Base(plan.base_sha, Rule.MERGE_GROUP)
    return base_of_tested(api, plan.tested, plan.pull.head_sha, plan.pull.base_ref)


def base_of_tested(api: Api, tested: str, head: str, base_ref: str) -> Base:
    """First parent where a merge of `head` was tested, else the merge base of `base_ref` and what was.

    Raises `UnknownCommitError` where GitHub does not know what was tested.
    """
    if tested != head:
        parents = _known(api, tested).parents
        if len(parents) == 2 and parents[1] == head:
            return Base(parents[0], Rule.PARENT)
    return Base(api.divergence(base_ref, tested).merge_base, Rule.MERGE_BASE)


class UnknownCommitError(QuilateError):
    """What was tested is no commit of the repository on GitHub."""


def _known(api: Api, tested: str) -> Commit:
    try:
        return api.commit(tested)
    except (NotFoundError, ConflictError) as error:
        message = (
            f"what is checked out, {tested[:7]}, is no commit that GitHub knows, so it has no base; "
            "check out the event's own commit, and commit nothing in the job (in a private repository the job may also "
            "lack the permission `contents: read`)"
        )
        raise UnknownCommitError(message) from error


def nearest(api: Api, store: BaselineStore, base: Base, *, furthest: int = FURTHEST) -> Lookup:
    """The record of the base or of its nearest ancestor that can be used; a bad one is passed over."""
    stored = set(store.list())
    if not stored:
        return Lookup(base, None, looked_at=0)
    commits = list(first_parents(_limited(api.history(base.commit)), base.commit, furthest))
    found = store.nearest(commits)
    return Lookup(base, found, len(commits), unusable=found is None and not stored.isdisjoint(commits))


def first_parents(listed: Iterable[Commit], start: str, furthest: int) -> Iterator[str]:
    """`start` and its first parents, at most `furthest` back, from commits listed newest first.

    A base branch's own line: a branch's commits that were merged into it never stood on it. A listing by date may
    name a parent before its child is reached; such a one is remembered.
    """
    known: dict[str, Commit] = {}
    wanted, walked = start, 0
    for commit in listed:
        known[commit.sha] = commit
        while wanted in known:
            yield wanted
            parents = known[wanted].parents
            walked += 1
            if not parents or walked > furthest:
                return
            wanted = parents[0]


def _limited(commits: Iterable[Commit]) -> Iterator[Commit]:
    for number, commit in enumerate(commits):
        if number >= MOST_LISTED:
            return
        yield commit
