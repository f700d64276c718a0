"""Which commit a change is compared with, and the nearest ancestor of it that has a usable record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from quilate.github.api import Api, Commit
from quilate.github.data_branch import BadRecordError
from quilate.github.event import Compare, Queue, Repeat, Watch

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


@dataclass(frozen=True, slots=True)
class Passed:
    """An ancestor whose record could not be used, and why."""

    commit: str
    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """The baseline: `distance` commits back from the base along first parents."""

    base: Base
    commit: str
    distance: int
    data: bytes
    """The verified record, a gzip run file."""
    passed: tuple[Passed, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """No baseline: none of `looked_at` commits had a record, or every record was `passed` over."""

    base: Base
    looked_at: int
    passed: tuple[Passed, ...] = ()


class Records(Protocol):
    """Where records are: the data branch, or a folder."""

    def commits(self) -> frozenset[str]:
        """The commits that have a record."""
        ...

    def load(self, commit: str) -> bytes:
        """A verified record, as a gzip run file; raises `BadRecordError`."""
        ...


def base_of(api: Api, plan: Compare | Repeat | Queue | Watch) -> Base:
    """The base of what was tested."""
    if isinstance(plan, Watch):
        return Base(plan.commit, Rule.SAME)
    if isinstance(plan, Queue):
        return Base(plan.base_sha, Rule.MERGE_GROUP)
    return base_of_tested(api, plan.tested, plan.pull.head_sha, plan.pull.base_ref)


def base_of_tested(api: Api, tested: str, head: str, base_ref: str) -> Base:
    """First parent where a merge of `head` was tested, else the merge base of `base_ref` and what was."""
    if tested != head:
        parents = api.commit(tested).parents
        if len(parents) == 2 and parents[1] == head:
            return Base(parents[0], Rule.PARENT)
    return Base(api.divergence(base_ref, tested).merge_base, Rule.MERGE_BASE)


def nearest(api: Api, records: Records, base: Base, *, furthest: int = FURTHEST) -> Found | Missing:
    """The record of the base or of its nearest ancestor that can be used; a bad one is passed over."""
    stored = records.commits()
    if not stored:
        return Missing(base, looked_at=0)
    passed: list[Passed] = []
    distance = -1
    for distance, commit in enumerate(first_parents(_limited(api.history(base.commit)), base.commit, furthest)):
        if commit not in stored:
            continue
        try:
            data = records.load(commit)
        except BadRecordError as error:
            passed.append(Passed(commit, str(error)))
            continue
        return Found(base, commit, distance, data, tuple(passed))
    return Missing(base, distance + 1, tuple(passed))


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
