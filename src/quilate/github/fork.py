"""Stage 2 of a fork's pull request: its replies, graded here by the base's rules. Nothing else of it is believed."""

from __future__ import annotations

import dataclasses
import json
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quilate.agents.agent import FaultKind, Reply
from quilate.canonical import fingerprint
from quilate.config import AgentConfig
from quilate.errors import InputError, QuilateError
from quilate.github import accept, artifacts, base_files, evaluate, lookup, publish
from quilate.github.artifacts import BadArtifactError
from quilate.github.base_files import Snapshot
from quilate.github.commands import Annotation
from quilate.github.conversation import Conversation, pulls_of_head
from quilate.github.errors import ConflictError, GitHubError, NotFoundError
from quilate.github.event import Publish, Pull
from quilate.github.finish import finish
from quilate.github.lookup import Base, Rule
from quilate.github.suites import Place, find
from quilate.github.turn import Step, Turn, worst
from quilate.goldens.case import Dataset
from quilate.redaction import Redactor, secret_values
from quilate.report.input import Acceptance, RunIdentity
from quilate.runs.reader import RunReader
from quilate.runs.record import ReplyLine

ABSENT = "the fork's run has no reply to this question (its goldens differ, or it was left out)"
WITHHELD = (FaultKind.SECRET, FaultKind.BUDGET, FaultKind.INFRASTRUCTURE)


def publish_fork(step: Step, plan: Publish) -> int:
    """Comments on and sets the status of every open pull request whose head is exactly what ran.

    The status is the gate; the exit code says whether it could be published.
    """
    pulls = pulls_of_head(step.api, plan.head_repository, plan.head_branch, plan.head_sha)
    if not pulls:
        step.console.say(f"no open pull request has the head {plan.head_sha[:7]} of {plan.head_repository}")
        return 0
    return worst([_published(step, plan, pull) for pull in pulls])


def _published(step: Step, plan: Publish, pull: Pull) -> int:
    talk = Conversation(step.api, pull.number)
    identity = RunIdentity(plan.run_id, plan.run_attempt, plan.head_sha)
    with tempfile.TemporaryDirectory(prefix="quilate-base-") as folder:
        turns = list(_turns(step, plan, pull, talk, identity, Path(folder)))
    code = 0
    for turn in turns:
        try:
            publish.set_status(step.api, step, plan.head_sha, turn)
        except GitHubError as error:
            step.console.annotate([Annotation("error", str(error), "quilate")])
            code = 2
    finish(step, turns)
    return code


def _turns(
    step: Step, plan: Publish, pull: Pull, talk: Conversation, identity: RunIdentity, folder: Path
) -> Iterator[Turn]:
    """Each of the base's suites."""
    settings = step.settings
    try:
        zips = _zips(step, plan)
        base = _base_of(step, plan, pull, zips)
        places = _base_suites(step, base.commit, folder)
    except QuilateError as error:
        name = settings.suite or "quilate"
        yield publish.of_broken(step, name, error, 3, identity=identity, talk=talk, output=settings.output)
        return
    values = secret_values(step.environ, settings.token, [place.suite.config for place in places])
    step.console.mask(values)
    step = dataclasses.replace(step, redactor=Redactor(values))
    for place in places:
        try:
            yield _turn(step, pull, talk, identity, place, base, zips)
        except Exception as error:  # noqa: BLE001 - whatever a hostile file brings about is told, not left pending
            code = error.exit_code if isinstance(error, QuilateError) else 3
            if not isinstance(error, QuilateError):
                step.console.say(step.redactor.text("".join(traceback.format_exception(error))))
            yield publish.of_broken(step, place.name, error, code, identity=identity, talk=talk, output=place.output)


def _turn(
    step: Step, pull: Pull, talk: Conversation, identity: RunIdentity, place: Place, base: Base, zips: list[bytes]
) -> Turn:
    """One suite: the fork's replies through the base's graders, compared with the base's record."""
    replayed = _replayed(place, _run_of(zips, place.name))
    found = lookup.nearest(step.api, evaluate.store_of(step, place, pull.base_ref), base)
    evaluate.say_skipped(step, found)
    comparison = evaluate.evaluate(step, replayed, commit=identity.head_sha, base=evaluate.base_path(found))
    compared = evaluate.Compared(replayed, comparison, found, pull.base_ref)
    accepted = _acceptance(step, talk, pull, place.suite.config.accept_label)
    return publish.of_compared(step, compared, identity=identity, talk=talk, accepted=accepted, fork=True)


def _acceptance(step: Step, talk: Conversation, pull: Pull, label: str) -> Acceptance | None:
    try:
        return accept.of_fork(talk, pull, label)
    except GitHubError as error:
        step.console.say(f"whether the head is accepted cannot be read, so it is not: {error}")
        return None


def _zips(step: Step, plan: Publish) -> list[bytes]:
    """The run's artifacts, the newest first; raises `BadArtifactError` where there is none that may be read."""
    listed = artifacts.of_run(step.api, plan.run_id)
    found: list[bytes] = []
    problems: list[str] = []
    for artifact in listed[:5]:
        try:
            found.append(artifacts.download(step.api, artifact))
        except BadArtifactError as error:
            problems.append(str(error))
    if not found:
        why = "; ".join(problems) or f"its run left none whose name begins with {artifacts.PREFIX}"
        message = f"the fork's replies cannot be read: {why}"
        raise BadArtifactError(message)
    return found


def _run_of(zips: list[bytes], suite: str) -> bytes:
    problems: list[str] = []
    for data in zips:
        try:
            run = artifacts.run_in(data, suite)
            with RunReader.of_bytes(run, "the fork's run") as reader:
                if reader.header.suite == suite:
                    return run
                problems.append("its run is of another suite")
        except (BadArtifactError, InputError) as error:
            problems.append(str(error))
    message = f"the fork's replies cannot be read: {'; '.join(problems)}"
    raise BadArtifactError(message)


def _base_of(step: Step, plan: Publish, pull: Pull, zips: list[bytes]) -> Base:
    """The first parent of the merge that stage 1 says it tested, if GitHub confirms that it is one of this head with
    a commit of the base branch; else the merge base.

    Either is the fork's choice: it may branch from an old commit, or merge with one. So it is counted how old.
    """
    claimed = _claimed_commit(zips)
    if claimed is not None and claimed != plan.head_sha:
        try:
            parents = step.api.commit(claimed).parents
            of_this_head = len(parents) == 2 and parents[1] == plan.head_sha
            if of_this_head:
                found = step.api.divergence(pull.base_ref, parents[0])
                if found.ahead == 0:
                    return Base(parents[0], Rule.PARENT, found.behind)
        except (NotFoundError, ConflictError):
            pass
    found = step.api.divergence(pull.base_ref, plan.head_sha)
    return Base(found.merge_base, Rule.MERGE_BASE, found.behind)


def _claimed_commit(zips: list[bytes]) -> str | None:
    """What the artifact says was tested: a hint that is checked, never a fact."""
    for data in zips:
        try:
            with RunReader.of_bytes(artifacts.run_in(data, None), "the fork's run") as run:
                commit = run.header.commit or ""
        except (BadArtifactError, InputError):
            continue
        if len(commit) in (40, 64) and not set(commit) - set("0123456789abcdef"):
            return commit
    return None


def _base_suites(step: Step, commit: str, folder: Path) -> list[Place]:
    """The suites as they stand at the base commit, with everything that grades read over the API."""
    from quilate.config_load import load_config

    snapshot = base_files.snapshot(step.api, commit)
    configs = snapshot.matching(step.settings.config)
    if not configs:
        message = f"the base commit {commit[:7]} has no {', '.join(step.settings.config)}: there is nothing to grade by"
        raise QuilateError(message)
    snapshot.fetch(configs, folder)
    for path in configs:
        _fetch_named(snapshot, path, base_files.needed(load_config(folder / path).config), folder)
    return find(configs, step.settings.suite, step.settings.output, root=folder)


def _fetch_named(snapshot: Snapshot, config_path: str, patterns: list[str], folder: Path) -> None:
    below = str(Path(config_path).parent.as_posix())
    snapshot.fetch(snapshot.matching(patterns, "" if below == "." else below), folder)


def _replayed(place: Place, run: bytes) -> Place:
    """The base's suite with the fork's replies in the agent's place."""
    place.output.mkdir(parents=True, exist_ok=True)
    replies = (place.output / "fork-replies.jsonl").resolve()
    with RunReader.of_bytes(run, "the fork's run") as reader, replies.open("w", encoding="utf-8") as file:
        for row in _rows(place.suite.dataset, reader, place.suite.config.trials):
            file.write(json.dumps(row, ensure_ascii=True) + "\n")
    agent = AgentConfig(replay=str(replies), concurrency=place.suite.config.agent.concurrency)
    config = place.suite.config.model_copy(update={"agent": agent})
    return dataclasses.replace(place, suite=dataclasses.replace(place.suite, config=config))


def _rows(dataset: Dataset, run: RunReader, trials: int) -> Iterator[dict[str, Any]]:
    """A line per case and trial of the base's dataset: the reply to exactly that question, or that there is none.

    A reply that was left out is an error, never a pass: too many of them make the verdict inconclusive.
    """
    for case in dataset.cases:
        lines = run.reply_lines(case.id)
        for trial in range(trials):
            line = lines.get(trial)
            if line is None or question_of(line) != case.input_fingerprint:
                yield {"case_id": case.id, "error": {"kind": "infrastructure", "message": ABSENT}}
            else:
                yield row_of(case.id, line.reply)


def question_of(line: ReplyLine) -> str:
    """The fingerprint of what a reply answers, from the question itself: the one the file states is the fork's word."""
    return fingerprint([message.model_dump(mode="json", exclude_none=True) for message in line.prompt])


def row_of(case_id: str, reply: Reply) -> dict[str, Any]:
    """A reply in the shape a replay reads."""
    if reply.fault is not None:
        kind = "infrastructure" if reply.fault.kind in WITHHELD else "agent"
        return {"case_id": case_id, "error": {"kind": kind, "message": reply.fault.message}}
    row: dict[str, Any] = {
        "case_id": case_id,
        "output": reply.output,
        "tool_calls": [call.model_dump(mode="json", exclude_unset=True) for call in reply.tool_calls],
        "metrics": reply.metrics,
        "duration_ms": reply.duration_ms,
    }
    if reply.fragments is not None:
        row["fragments"] = [fragment.model_dump(mode="json", exclude_none=True) for fragment in reply.fragments]
    return row
