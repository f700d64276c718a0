"""A suite's turn from the plan to what was published; what breaks is told in the verdict's place."""

from __future__ import annotations

import dataclasses
import traceback

from quilate.errors import InputError, QuilateError
from quilate.github import accept, annotating, evaluate, lookup, publish
from quilate.github.branch_store import BranchStore
from quilate.github.commands import Annotation
from quilate.github.conversation import Conversation
from quilate.github.errors import GitHubError
from quilate.github.event import Compare, Plan, Queue, Record, Repeat, Watch
from quilate.github.suites import Place
from quilate.github.turn import Step, Turn
from quilate.report.escape import code_span
from quilate.report.input import Acceptance, RunIdentity

Evaluated = Record | Compare | Repeat | Queue | Watch


def guarded(step: Step, chosen: Evaluated, place: Place, talk: Conversation | None) -> Turn:
    """A suite's turn; a suite that breaks spares the others."""
    try:
        return taken(step, chosen, place, talk)
    except evaluate.UnusableRunError as error:
        said = step.redactor.text(str(error))
        return Turn(
            suite=place.name, verdict="unusable", exit_code=error.exit_code, comparison=error.comparison,
            run_file=place.run_file, annotations=(Annotation("error", said, "quilate"),),
            markdown=f"**{place.name}**: {code_span(said, 1000)}\n",
        )  # fmt: skip
    except QuilateError as error:
        return broken(step, chosen, place, talk, error, error.exit_code)
    except Exception as error:  # noqa: BLE001 - a defect of ours must be told like an outage, not end in silence
        step.console.say(step.redactor.text("".join(traceback.format_exception(error))))
        return broken(step, chosen, place, talk, error, 3)


def broken(
    step: Step, chosen: Plan, place: Place | None, talk: Conversation | None, error: BaseException, exit_code: int
) -> Turn:
    """The turn of an evaluation that broke; without a `place` the configurations themselves could not be opened."""
    found = tuple(annotating.of_input_error(error)) if isinstance(error, InputError) else ()
    name = place.name if place else step.settings.suite or "quilate"
    output = place.output if place else step.settings.output
    return publish.of_broken(
        step, name, error, exit_code, identity=identity_of(step, chosen), talk=talk, output=output, found=found
    )


def taken(step: Step, chosen: Evaluated, place: Place, talk: Conversation | None) -> Turn:
    """A suite's turn; raises what breaks."""
    match chosen:
        case Record():
            return recorded(step, chosen, place)
        case Watch():
            return watched(step, chosen, place)
        case Queue():
            base = lookup.base_of(step.api, chosen)
            compared = evaluate.compare(step, place, base, tested=chosen.tested, branch="the merge queue")
            return queued(step, chosen, compared)
        case Repeat():
            again = evaluate.repeat(step, place, chosen)
            return told(step, chosen, again or compared_with_base(step, chosen, place), talk)
        case Compare():
            return told(step, chosen, compared_with_base(step, chosen, place), talk)


def compared_with_base(step: Step, chosen: Compare | Repeat, place: Place) -> evaluate.Compared:
    """A pull request's tested commit, evaluated and compared."""
    base = lookup.base_of(step.api, chosen)
    return evaluate.compare(step, place, base, tested=chosen.tested, branch=chosen.pull.base_ref)


def told(step: Step, chosen: Compare | Repeat, compared: evaluate.Compared, talk: Conversation | None) -> Turn:
    """A pull request's comparison, accepted or not, published."""
    accepted = None
    if talk is not None and compared.comparison.acceptable:
        accepted = acceptance(step, chosen, compared.place, talk)
    return publish.of_compared(step, compared, identity=identity_of(step, chosen), talk=talk, accepted=accepted)


def queued(step: Step, chosen: Queue, compared: evaluate.Compared) -> Turn:
    """A merge queue's candidate: its pull request's acceptance stands here too. There is nobody to comment to."""
    if not compared.comparison.acceptable:
        return publish.of_compared(step, compared, identity=None, talk=None)
    place = compared.place
    try:
        asked = accept.queued(step.api, chosen, place.suite.config.accept_label, place.name)
    except GitHubError as error:
        asked = accept.Asked(None, f"whether pull request {chosen.number} is accepted cannot be read: {error}")
    turn = publish.of_compared(step, compared, identity=None, talk=None, accepted=asked.acceptance)
    if asked.acceptance is None:
        return dataclasses.replace(turn, notes=(*turn.notes, f"Not accepted: {asked.why}"))
    step.console.say(asked.why)
    return turn


def acceptance(step: Step, chosen: Compare | Repeat, place: Place, talk: Conversation) -> Acceptance | None:
    """Who accepts the head as it is; nobody where that cannot be found out."""
    label = place.suite.config.accept_label
    try:
        if isinstance(chosen, Repeat):
            asked = accept.asked_by(talk, chosen, label, place.name)
            step.console.say(asked.why)
            return asked.acceptance
        return accept.standing_for(talk, chosen.pull, label, place.name)
    except GitHubError as error:
        step.console.say(f"whether the head is accepted cannot be read, so it is not: {error}")
        return None


def recorded(step: Step, chosen: Record, place: Place) -> Turn:
    """A push's turn: it gates nothing and stores its run."""
    said, comparison = evaluate.record(step, place, chosen)
    nothing = lookup.Lookup(lookup.Base(chosen.commit, lookup.Rule.SAME), None, looked_at=0)
    compared = evaluate.Compared(place, comparison, nothing, chosen.branch)
    turn = publish.of_compared(step, compared, identity=None, talk=None)
    step.console.say(f"{place.name}: {said}")
    return dataclasses.replace(turn, verdict="recorded", exit_code=0, annotations=())


def watched(step: Step, chosen: Watch, place: Place) -> Turn:
    """A scheduled run's turn: the commit against its own or the newest earlier record, and a point in the history."""
    base = lookup.base_of(step.api, chosen)
    compared = evaluate.compare(step, place, base, tested=chosen.commit, branch=chosen.branch)
    turn = publish.of_compared(step, compared, identity=None, talk=None)
    store = evaluate.store_of(step, place, chosen.branch)
    if not chosen.history or not isinstance(store, BranchStore):
        return turn
    try:
        store.note(place.run_file, chosen.commit, turn.verdict)
    except QuilateError as error:
        return dataclasses.replace(turn, notes=(*turn.notes, f"The history was not written: {error}"))
    return turn


def identity_of(step: Step, chosen: Plan) -> RunIdentity | None:
    """Who writes a comment; nobody where there is no pull request."""
    if not isinstance(chosen, Compare | Repeat):
        return None
    return RunIdentity(step.settings.run_id, step.settings.run_attempt, chosen.pull.head_sha)
