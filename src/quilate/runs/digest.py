"""What a run's index keeps of a grade line, read from plain JSON without validating the whole line."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, NamedTuple

from quilate.grades import Grade
from quilate.runs.fields import (
    LATENCY,
    MalformedLineError,
    criteria_of,
    expectations_print,
    first_grade,
    grade_of,
    is_graded,
    list_of,
    only_latency,
    print_of,
    text_of,
    trial_of,
)

GROUNDED = "grounded"
"""The id of the criterion that says whether a reply invents."""


@dataclass(frozen=True, slots=True)
class QuarantineState:
    """A case's quarantine as its definition states it; `until` is an ISO date, the last day it holds."""

    owner: str
    reason: str
    until: str


class Mark(IntFlag):
    """What is true of a case, a bit each."""

    SUBSTANTIVE = 1
    """A criterion that says something of what the reply is for was graded."""
    LATENCY_ONLY = 2
    """Not approved, and nothing but latency stood against it."""
    CRITICAL = 4
    DEFAULT_LIMIT = 8
    """The case states no latency limit of its own."""
    WAITING = 16
    """A criterion, and no necessary one, was not judged."""
    MEASURED = 32
    """It may count in what is measured beside the pass rate: asking back, a locale's signal, invention."""


class GradeDigest(NamedTuple):
    """A grade line in short; `prints` are the 16 bytes each of what is asked, what grades it, what it expects."""

    category: str
    grade: Grade
    first: Grade
    trials: int
    approved: int
    graded: int
    confirmations: int
    prints: bytes
    marks: int
    location: tuple[str, int] | None
    template: str | None
    quarantine: QuarantineState | None
    error: str | None


def digest(line: dict[str, Any], asked_trials: int, max_latency_ms: float | None) -> GradeDigest:
    """A decoded grade line in short; raises `MalformedLineError`.

    `asked_trials` is how often every case was asked: later trials are confirmations. `max_latency_ms` is the limit of
    cases that state none: it grades them, so it is part of their ruler here.
    """
    definition = line.get("definition")
    if not isinstance(definition, dict):
        raise MalformedLineError("definition", definition, "an object")
    trials = [trial_of(trial, f"trials[{at}]") for at, trial in enumerate(list_of(line, "trials"))]
    if not trials or len(trials) > 65_535:
        raise MalformedLineError("trials", f"{len(trials)} trials", "1 to 65,535 trials")
    grade = grade_of(line, "grade")
    every = [found for _, found, _ in trials]
    regular = [found for number, found, _ in trials if number < asked_trials] or every
    criteria = [criterion for _, _, found in trials for criterion in found]
    return GradeDigest(
        category=text_of(line, "category"),
        grade=grade,
        first=first_grade(regular, every, grade),
        trials=len(trials),
        approved=every.count(Grade.PASS),
        graded=sum(1 for found in every if found.graded),
        confirmations=len(every) - len(regular),
        prints=print_of(line, "input_fingerprint")
        + _ruler(line, definition, max_latency_ms)
        + expectations_print(definition),
        marks=_marks(definition, criteria, criteria_of(line)),
        location=_location(line),
        template=_template(definition),
        quarantine=_quarantine(definition),
        error=_error(criteria) if grade is Grade.ERROR else None,
    )


def _marks(definition: dict[str, Any], criteria: list[dict[str, Any]], shown: list[dict[str, Any]]) -> int:
    """`criteria` are those of every trial, `shown` those that the case's grade is told by."""
    measured = definition.get("expects") is not None or definition.get("signal") is not None
    return (
        Mark.SUBSTANTIVE.value * any(is_graded(found) and not found.get("necessary") for found in criteria)
        | Mark.LATENCY_ONLY.value * only_latency(criteria)
        | Mark.CRITICAL.value * (definition.get("critical") is True)
        | Mark.DEFAULT_LIMIT.value * (definition.get(LATENCY) is None)
        | Mark.WAITING.value * any(found.get("grade") == "not_judged" and not found.get("necessary") for found in shown)
        | Mark.MEASURED.value * (measured or any(found.get("id") == GROUNDED for found in shown))
    )


def _ruler(line: dict[str, Any], definition: dict[str, Any], max_latency_ms: float | None) -> bytes:
    ruler = print_of(line, "ruler")
    if definition.get(LATENCY) is not None or max_latency_ms is None:
        return ruler
    return hashlib.sha256(ruler + repr(max_latency_ms).encode()).digest()[:16]


def _location(line: dict[str, Any]) -> tuple[str, int] | None:
    location = line.get("location")
    if location is None:
        return None
    if not isinstance(location, dict):
        raise MalformedLineError("location", location, "an object")
    file, number = text_of(location, "file", "location."), location.get("line")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 2**32:
        raise MalformedLineError("location.line", number, "a line's number")
    return file, number


def _template(definition: dict[str, Any]) -> str | None:
    return text_of(definition, "template", "definition.") if definition.get("template") is not None else None


def _quarantine(definition: dict[str, Any]) -> QuarantineState | None:
    state = definition.get("quarantine")
    if state is None:
        return None
    if not isinstance(state, dict):
        raise MalformedLineError("definition.quarantine", state, "an object")
    place = "definition.quarantine."
    until = text_of(state, "until", place)
    try:
        until = dt.date.fromisoformat(until).isoformat()
    except ValueError:
        raise MalformedLineError("definition.quarantine.until", until, "an ISO date") from None
    return QuarantineState(text_of(state, "owner", place), text_of(state, "reason", place), until)


def _error(criteria: list[dict[str, Any]]) -> str | None:
    """Why a case is in error, by the first criterion that is."""
    why = next((found for found in criteria if found.get("grade") == Grade.ERROR), None)
    return None if why is None else f"{why.get('error') or 'error'}: {why.get('reason') or ''}"[:500]
