"""Which recorded replies can be used again, and whether a run may become a baseline."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from quilate.agents.agent import Fault, FaultKind, Reply
from quilate.goldens.case import GoldenCase
from quilate.grades import Grade
from quilate.reasons import Reason
from quilate.runs.reader import RunReader

_ASKED_AGAIN = (FaultKind.INFRASTRUCTURE, FaultKind.SECRET, FaultKind.BUDGET)


def usable_replies(run: RunReader, cases: Iterable[GoldenCase]) -> dict[tuple[str, int], Reply]:
    """(case id, trial) → reply, for every recorded reply that need not be asked for again.

    A reply is used again where the case still asks the same and nothing outside the agent went wrong: replies with
    an infrastructure, secret or budget fault are asked again; a crash of the agent is an answer. Where an agent that
    nothing reached was given up on, what was not asked (`attempts` 0) is asked, and so is what had the same fault.
    """
    found: dict[tuple[str, int], Reply] = {}
    unreached: set[Fault] = set()
    for case in cases:
        for trial, line in run.reply_lines(case.id).items():
            reply = line.reply
            if reply.attempts == 0 and reply.fault is not None:
                unreached.add(reply.fault)
            elif line.input_fingerprint == case.input_fingerprint and not _is_asked_again(reply.fault):
                found[case.id, trial] = reply
    return {place: reply for place, reply in found.items() if reply.fault not in unreached}


def _is_asked_again(fault: Fault | None) -> bool:
    return fault is not None and fault.kind in _ASKED_AGAIN


def usable(run: RunReader) -> Reason | None:
    """Why the run may not become a baseline; None: it may.

    It must be complete, cover the whole dataset, have at most its policy's `max_error_rate` percent in error, and the
    agent must have answered: a run in which all cases crashed tells of a wrong command, not of an agent.
    """
    index, total = run.index, run.header.dataset.cases
    if not run.complete:
        ended = "it was interrupted" if run.footer else "its file has no footer"
        return Reason("incomplete", {}, f"the run is incomplete: {ended}")
    if run.header.dataset.selection is not None:
        selection = run.header.dataset.selection
        return Reason("selection", {"selection": selection}, f"the run covers only a part of the dataset: {selection}")
    graded = len(index)
    if graded == 0:
        return Reason("empty", {}, "the run holds no case")
    if graded != total:
        text = f"the run holds {graded} of the dataset's {total} cases"
        return Reason("cases_missing", {"cases": graded, "dataset": total}, text)
    errors = sum(1 for _, grade in index.grades() if grade is Grade.ERROR)
    limit = exact(run.header.policy.max_error_rate)
    if 100 * errors > limit * graded:
        text = f"{errors} of the run's {graded} cases are in error, more than {run.header.policy.max_error_rate:g} %"
        return Reason("errors", {"errors": errors, "cases": graded, "max_error_rate": limit}, text)
    if all(case.grade is Grade.FAIL and not case.substantive for case in index.summaries()):
        return Reason("only_crashes", {"cases": graded}, f"none of its {graded} cases was answered in time")
    return None


def exact(number: float) -> Fraction:
    """A number as a person wrote it, exactly: 0.1 is one tenth."""
    return Fraction(repr(number))
