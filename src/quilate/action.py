"""The door for a GitHub event: a step in, an exit code out. It tells the story and holds no rule."""

from __future__ import annotations

import asyncio
import dataclasses
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from quilate.errors import QuilateError
from quilate.github import accept, publish, suites
from quilate.github.commands import Annotation
from quilate.github.conversation import Conversation
from quilate.github.errors import GitHubError
from quilate.github.event import (
    Compare,
    Facts,
    Incident,
    Plan,
    Publish,
    Pull,
    Queue,
    Record,
    Refuse,
    Repeat,
    Reviewed,
    Skip,
    Watch,
    plan,
)
from quilate.github.finish import finish
from quilate.github.settings import Settings
from quilate.github.suite_turn import Evaluated, broken, guarded
from quilate.github.suites import Place
from quilate.github.turn import Step, Turn, worst
from quilate.github.workspace import head_commit
from quilate.redaction import Redactor, secret_values

INTERRUPTED = 130
"""The shell's exit code for a process that was interrupted."""

DEFECT = 3
"""Nothing was measured: neither a pass nor a failure of the change."""

UNTRUSTED = (
    "this pull request's token is read-only (a fork, or a bot without secrets), so no comment is written here; "
    "the workflow on workflow_run comments (docs/forks.md)"
)


def action(step: Step, payload: Mapping[str, Any]) -> int:
    """Does what the event calls for and gives the exit code: the gate's, or 2 for what cannot be carried out."""
    settings = step.settings
    step.console.begin(step.redactor.values)
    try:
        return carried_out(step, plan(settings.event_name, payload, facts_of(settings)))
    except QuilateError as error:
        step.console.annotate([Annotation("error", step.redactor.text(str(error)), "quilate")])
        return error.exit_code
    except (KeyboardInterrupt, asyncio.CancelledError):
        step.console.say("interrupted: the job was cancelled")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - a traceback holds others' text, which the runner must not read
        step.console.say(step.redactor.text("".join(traceback.format_exception(error))))
        said = f"quilate itself failed ({type(error).__name__}); the log says where. Please report it"
        step.console.annotate([Annotation("error", said, "quilate")])
        return DEFECT
    finally:
        step.console.end()


def facts_of(settings: Settings) -> Facts:
    """What the runner says; of a pull request, the commit that is really checked out."""
    sha = settings.sha
    if settings.event_name == "pull_request":
        sha = head_commit(settings.workspace) or sha
    return Facts(
        sha=sha, ref=settings.ref, run_id=settings.run_id, ref_protected=settings.ref_protected,
        actor=settings.actor, mode=settings.mode,
    )  # fmt: skip


def carried_out(step: Step, chosen: Plan) -> int:
    """One plan."""
    match chosen:
        case Skip(reason):
            step.console.say(f"nothing to do: {reason}")
            return 0
        case Refuse(reason):
            raise QuilateError(reason)
        case Publish():
            from quilate.github.fork import publish_fork

            return publish_fork(step, chosen)
        case Incident():
            from quilate.github.incident_pr import open_incident

            return open_incident(step, chosen)
        case Reviewed():
            compare, talk = reviewed(step, chosen)
            turns = evaluated(step, compare, talk)
            return worst([finish(step, turns), statuses(step, chosen.commit, turns)])
        case Compare() | Repeat():
            step = dataclasses.replace(step, withheld=chosen.pull.untrusted)
            return finish(step, evaluated(step, chosen, conversation(step, chosen.pull)))
        case Record() | Queue() | Watch():
            check_tested(step.settings, chosen)
            return finish(step, evaluated(step, chosen, None))


def evaluated(step: Step, chosen: Evaluated, talk: Conversation | None) -> list[Turn]:
    """Every suite's turn."""
    settings = step.settings
    try:
        places = suites.find(settings.config, settings.suite, settings.output)
    except QuilateError as error:
        return [broken(step, chosen, None, talk, error, error.exit_code)]
    step = with_secrets(step, places)
    if isinstance(chosen, Compare) and chosen.new_head and settings.run_attempt == 1:
        end_acceptance(step, chosen.pull, talk, {place.suite.config.accept_label for place in places})
    return [guarded(step, chosen, place, talk) for place in places]


def check_tested(settings: Settings, chosen: Record | Queue | Watch) -> None:
    """A run must be told of the commit it was made on: raises where something else is checked out."""
    tested = chosen.tested if isinstance(chosen, Queue) else chosen.commit
    found = head_commit(settings.workspace)
    if found is not None and found != tested:
        message = f"checked out is {found}, the event is of {tested}; leave `ref:` out of the checkout step"
        raise QuilateError(message)


def reviewed(step: Step, chosen: Reviewed) -> tuple[Compare, Conversation]:
    """A maintainer's run of a reviewed commit: exactly that one, still the head, and really what is checked out."""
    talk = Conversation(step.api, chosen.number)
    pull = talk.pull()
    if pull.head_sha != chosen.commit:
        message = (
            f"pull request {chosen.number} stands at {pull.head_sha}, not at the reviewed {chosen.commit}; "
            f"review what came since, and start again with the new commit"
        )
        raise QuilateError(message)
    found = head_commit(step.settings.workspace)
    if found != chosen.commit:
        message = (
            f"checked out is {found or 'nothing'}, not the reviewed {chosen.commit}; "
            "write `ref: ${{ inputs.commit }}` in the checkout step"
        )
        raise QuilateError(message)
    return Compare(dataclasses.replace(pull, untrusted=False), chosen.commit, new_head=False), talk


def statuses(step: Step, sha: str, turns: Sequence[Turn]) -> int:
    """A commit status a suite, where this job's own check is not on the pull request; 2 where one cannot be set."""
    code = 0
    for turn in turns:
        try:
            publish.set_status(step.api, step, sha, turn)
        except GitHubError as error:
            step.console.annotate([Annotation("error", str(error), "quilate")])
            code = 2
    return code


def conversation(step: Step, pull: Pull) -> Conversation | None:
    """The pull request's conversation; None where the token is known to be read-only."""
    if pull.untrusted:
        step.console.say(UNTRUSTED)
        return None
    return Conversation(step.api, pull.number)


def end_acceptance(step: Step, pull: Pull, talk: Conversation | None, labels: set[str]) -> None:
    """A push ends an acceptance: what was accepted is no longer what would be merged.

    A label that came after the push, while this run was waiting, is of the new head and stays.
    """
    if talk is None:
        return
    try:
        for label in sorted(labels):
            standing = outdated_label(step, pull, talk, label)
            if standing is not None:
                talk.remove_label(standing)
                step.console.say(f"the label {standing} was removed: it accepted the former head's drop")
    except GitHubError as error:
        step.console.annotate([Annotation("warning", str(error), "quilate")])


def outdated_label(step: Step, pull: Pull, talk: Conversation, label: str) -> str | None:
    """A former head's acceptance as it stands on the pull request; in doubt any, since a label is soon set again."""
    try:
        return accept.outdated(talk, pull, label)
    except GitHubError as error:
        step.console.say(f"since when the branch has stood here cannot be read, so no label stays: {error}")
        return talk.label(label)


def with_secrets(step: Step, places: Sequence[Place]) -> Step:
    """The step with everything masked and redacted that the configurations name as a secret."""
    values = secret_values(step.environ, step.settings.token, [place.suite.config for place in places])
    step.console.mask(values)
    return dataclasses.replace(step, redactor=Redactor(values))
