"""A workflow's event → what is to be done. Pure: plain data in, one named plan out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from quilate.github.settings import Mode

EVALUATED = ("opened", "synchronize", "reopened", "ready_for_review", "edited")
"""Actions of `pull_request` that may change what is tested or against what (`edited`: the base branch)."""

PUBLISHED = ("success", "failure")
"""Conclusions of a finished run that leave a run file. Failure above all: a regression is a failed job."""

INCIDENT_LABEL = "golden-case"
BOT_WITHOUT_SECRETS = "dependabot[bot]"
"""GitHub treats this bot's runs as a fork's: a read-only token and no secrets."""

_QUEUED = re.compile(r"refs/heads/gh-readonly-queue/.+/pr-([1-9][0-9]{0,14})-(?:[0-9a-f]{40}|[0-9a-f]{64})")
"""A merge queue's ref, as in GitHub's published `merge_group` payload; the base branch in it may hold slashes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the runner says beside the payload."""

    sha: str
    ref: str
    run_id: int
    ref_protected: bool = False
    actor: str = ""
    mode: Mode = Mode.AUTO


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """A pull request as the event tells of it. `head_repository` is None where the fork has been deleted."""

    number: int
    head_sha: str
    head_ref: str
    head_repository: str | None
    base_ref: str
    untrusted: bool
    """From a fork or from a bot without secrets: the token is read-only, secrets are absent."""


@dataclass(frozen=True, slots=True)
class Record:
    """A push to a base branch: evaluate `commit` and store its run."""

    commit: str
    branch: str


@dataclass(frozen=True, slots=True)
class Compare:
    """A pull request's new state: evaluate, compare, comment, gate."""

    pull: Pull
    tested: str
    new_head: bool
    """A push: an acceptance of the former head's drop is over."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """A label came or went: the head's verdict is said again, and may be accepted."""

    pull: Pull
    tested: str
    label: str
    sender: str
    added: bool


@dataclass(frozen=True, slots=True)
class Queue:
    """A merge queue's candidate: compare and gate; neither record nor comment.

    `number` is the pull request that the candidate adds to `base_sha`; None where the queue's ref names none.
    """

    tested: str
    base_sha: str
    base_ref: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Watch:
    """A scheduled or dispatched run: compare with the commit's own or the newest ancestor's record, gate a drop.

    `history`: on a base branch the result goes to the history.
    """

    commit: str
    branch: str
    history: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A maintainer runs the real thing on the commit of a pull request that was reviewed."""

    number: int
    commit: str


@dataclass(frozen=True, slots=True)
class Publish:
    """A fork's run has ended: grade its replies by the base's rules and comment."""

    run_id: int
    run_attempt: int
    head_sha: str
    head_branch: str
    head_repository: str


@dataclass(frozen=True, slots=True)
class Incident:
    """An issue was marked to become a golden case. `body` is what stood there when the label was set."""

    issue: int
    sender: str
    body: str = ""
    created_at: str = ""


@dataclass(frozen=True, slots=True)
class Skip:
    """Nothing is to be done, and that is right."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Nothing can be done, and a green step would mislead."""

    reason: str


Plan = Record | Compare | Repeat | Queue | Watch | Reviewed | Publish | Incident | Skip | Refuse

ALLOWED: dict[Mode, tuple[type, ...]] = {
    Mode.COMPARE: (Compare, Repeat, Queue, Watch, Reviewed, Skip),
    Mode.RECORD: (Record, Skip),
    Mode.PUBLISH: (Publish, Skip),
    Mode.INCIDENT: (Incident, Skip),
}


def plan(event_name: str, payload: Mapping[str, Any], facts: Facts) -> Plan:
    """What an event calls for. A re-run (attempt 2) is the same run again and gets the same plan."""
    decide = PLANNERS.get(event_name)
    if decide is None:
        known = ", ".join(PLANNERS)
        return Refuse(f"the event {event_name} is none of those this action serves ({known})")
    try:
        chosen = decide(payload, facts)
    except (KeyError, TypeError, ValueError) as error:
        return Refuse(f"the event file is no {event_name} event: {error!r} is missing or of another type")
    if facts.mode is not Mode.AUTO and not isinstance(chosen, (*ALLOWED[facts.mode], Refuse)):
        doing = type(chosen).__name__.lower()
        return Refuse(f"mode: {facts.mode} does not fit this {event_name} event, which calls for {doing}")
    return chosen


def _pull_request(payload: Mapping[str, Any], facts: Facts) -> Plan:
    action = payload["action"]
    pull = pull_of(payload["pull_request"], payload["repository"]["full_name"], facts.actor)
    if action == "closed" or payload["pull_request"].get("state") == "closed":
        return Skip(f"pull request {pull.number} is closed; a merge is recorded by the push it makes")
    if action in EVALUATED:
        return Compare(pull, facts.sha, new_head=action == "synchronize")
    if action in ("labeled", "unlabeled"):
        return Repeat(pull, facts.sha, str(payload["label"]["name"]), payload["sender"]["login"], action == "labeled")
    served = ", ".join((*EVALUATED, "labeled", "unlabeled", "closed"))
    return Refuse(f"pull_request: {action} changes nothing that is evaluated; `types:` may list {served}")


def pull_of(pull: Mapping[str, Any], repository: str, actor: str = "") -> Pull:
    """A pull request from GitHub's own object, in a payload or an answer of the API."""
    head = pull["head"]["repo"]
    owner = head["full_name"] if head else None
    return Pull(
        number=int(pull["number"]),
        head_sha=str(pull["head"]["sha"]),
        head_ref=str(pull["head"]["ref"]),
        head_repository=owner,
        base_ref=str(pull["base"]["ref"]),
        untrusted=owner != repository or actor == BOT_WITHOUT_SECRETS,
    )


def _push(payload: Mapping[str, Any], facts: Facts) -> Plan:
    ref = str(payload["ref"])
    if payload.get("deleted"):
        return Skip(f"{ref} was deleted")
    if not ref.startswith("refs/heads/"):
        return Refuse(
            f"a push of {ref} has nothing to record: baselines belong to branches; write `branches:` in `on: push`"
        )
    branch = ref.removeprefix("refs/heads/")
    if not _is_base(branch, payload, facts) and facts.mode is not Mode.RECORD:
        return Refuse(
            f"a push to {branch} records no baseline: it is neither the default branch nor protected. Narrow "
            f"`on: push` to your base branches, or write `mode: record` in a job that runs on them only"
        )
    return Record(facts.sha, branch)


def _is_base(branch: str, payload: Mapping[str, Any], facts: Facts) -> bool:
    return facts.ref_protected or branch == payload.get("repository", {}).get("default_branch")


def _merge_group(payload: Mapping[str, Any], facts: Facts) -> Plan:
    if payload["action"] != "checks_requested":
        return Refuse(f"merge_group: {payload['action']} asks for no check; only checks_requested does")
    group = payload["merge_group"]
    named = _QUEUED.fullmatch(str(group["head_ref"]))
    return Queue(
        tested=facts.sha,
        base_sha=str(group["base_sha"]),
        base_ref=str(group["base_ref"]).removeprefix("refs/heads/"),
        number=int(named[1]) if named else None,
    )


def _schedule(_payload: Mapping[str, Any], facts: Facts) -> Plan:
    branch = _branch(facts)
    return _no_branch(facts) if branch is None else Watch(facts.sha, branch, history=True)


def _dispatch(payload: Mapping[str, Any], facts: Facts) -> Plan:
    inputs = payload.get("inputs") or {}
    number, commit = str(inputs.get("pull_request") or "").strip(), str(inputs.get("commit") or "").strip()
    if not number and not commit:
        branch = _branch(facts)
        if branch is None:
            return _no_branch(facts)
        return Watch(facts.sha, branch, history=_is_base(branch, payload, facts))
    if not number.isascii() or not number.isdecimal() or len(number) > 15:
        return Refuse(
            f"workflow_dispatch: pull_request is {number!r}; give the pull request's number beside its commit"
        )
    if len(commit) not in (40, 64) or any(letter not in "0123456789abcdef" for letter in commit):
        return Refuse(f"workflow_dispatch: commit is {commit!r}; give the full id of the commit you reviewed")
    return Reviewed(int(number), commit)


def _branch(facts: Facts) -> str | None:
    return facts.ref.removeprefix("refs/heads/") if facts.ref.startswith("refs/heads/") else None


def _no_branch(facts: Facts) -> Refuse:
    return Refuse(f"the run is of {facts.ref or 'no ref'}, and baselines belong to branches; start it on a branch")


def _workflow_run(payload: Mapping[str, Any], _facts: Facts) -> Plan:
    run = payload["workflow_run"]
    if payload["action"] != "completed":
        return Refuse(f"workflow_run: {payload['action']} has no result yet; write `types: [completed]`")
    if run["event"] != "pull_request":
        return Skip(f"the run was started by {run['event']}, not by a pull request")
    if run["conclusion"] not in PUBLISHED:
        return Skip(f"the run ended as {run['conclusion']}; there is no result to publish")
    head = run.get("head_repository")
    if not head:
        return Skip("the fork has been deleted; there is no head to say a verdict of")
    own = head.get("full_name") == payload["repository"]["full_name"]
    if own and (run.get("actor") or {}).get("login") != BOT_WITHOUT_SECRETS:
        return Skip("the pull request is the repository's own; its run has commented itself")
    return Publish(
        run_id=int(run["id"]),
        run_attempt=int(run.get("run_attempt") or 1),
        head_sha=str(run["head_sha"]),
        head_branch=str(run["head_branch"]),
        head_repository=str(head["full_name"]),
    )


def _issues(payload: Mapping[str, Any], _facts: Facts) -> Plan:
    if payload["action"] != "labeled":
        return Refuse(f"issues: {payload['action']} is not served; write `types: [labeled]`")
    label = payload["label"]["name"]
    if label != INCIDENT_LABEL:
        return Skip(f"the label {label} is not {INCIDENT_LABEL}")
    issue = payload["issue"]
    return Incident(
        int(issue["number"]), str(payload["sender"]["login"]), str(issue.get("body") or ""), str(issue["created_at"])
    )


PLANNERS: dict[str, Callable[[Mapping[str, Any], Facts], Plan]] = {
    "pull_request": _pull_request,
    "push": _push,
    "merge_group": _merge_group,
    "schedule": _schedule,
    "workflow_dispatch": _dispatch,
    "workflow_run": _workflow_run,
    "issues": _issues,
}
