"""The keys of a run file's lines that are read without validating the whole line; whatever is wrong is named."""

from __future__ import annotations

from typing import Any

from quilate.canonical import fingerprint
from quilate.goldens.case import RULER_FIELDS
from quilate.grades import Grade, of_trials

LATENCY = "max_latency_ms"
"""The latency criterion's id, and the key of its limit in a definition."""
GRADES = tuple(grade.value for grade in Grade)


class MalformedLineError(ValueError):
    """A line's key does not hold what the format says; the reader adds file and line."""

    def __init__(self, key: str, found: object, wanted: str) -> None:
        super().__init__(f"{key}: found {found!r:.60}; write {wanted}")
        self.key, self.found, self.wanted = key, found, wanted


def expectations_print(definition: dict[str, Any]) -> bytes:
    """The fingerprint of a dumped definition's expectations, equal to `GoldenCase.ruler_fingerprint` of the case."""
    return bytes.fromhex(fingerprint({key: definition[key] for key in RULER_FIELDS if key in definition}))


def first_grade(regular: list[Grade], every: list[Grade], grade: Grade) -> Grade:
    """The grade before confirmations; `grade` is that of `every` trial."""
    return grade if len(regular) == len(every) else of_trials(regular)


def trial_of(value: object, key: str) -> tuple[int, Grade, list[dict[str, Any]]]:
    """A trial's number, grade and criteria."""
    if not isinstance(value, dict):
        raise MalformedLineError(key, value, "an object")
    number = value.get("trial")
    if not isinstance(number, int) or isinstance(number, bool):
        raise MalformedLineError(f"{key}.trial", number, "a whole number from 0")
    return number, grade_of(value, "grade"), criteria_of(value, f"{key}.")


def criteria_of(value: dict[str, Any], place: str = "") -> list[dict[str, Any]]:
    """The criteria of a line or of a trial; `place` is what errors put before the key."""
    criteria = list_of(value, "criteria")
    for at, criterion in enumerate(criteria):
        if not isinstance(criterion, dict):
            raise MalformedLineError(f"{place}criteria[{at}]", criterion, "an object")
    return criteria


def is_graded(criterion: dict[str, Any]) -> bool:
    """Whether the criterion passed, failed or is partial."""
    return criterion.get("grade") in (Grade.PASS, Grade.PARTIAL, Grade.FAIL)


def only_latency(criteria: list[dict[str, Any]]) -> bool:
    """Whether something stands against the reply, and it is latency alone."""
    against = {str(found.get("id")) for found in criteria if found.get("grade") in (Grade.FAIL, Grade.PARTIAL)}
    return against == {LATENCY}


def text_of(line: dict[str, Any], key: str, place: str = "") -> str:
    """The text at `key`; `place` is what errors put before the key."""
    value = line.get(key)
    if not isinstance(value, str):
        raise MalformedLineError(place + key, value, "text")
    return value


def list_of(line: dict[str, Any], key: str) -> list[Any]:
    """The list at `key`."""
    value = line.get(key)
    if not isinstance(value, list):
        raise MalformedLineError(key, value, "a list")
    return value


def grade_of(line: dict[str, Any], key: str) -> Grade:
    """The grade at `key`."""
    value = line.get(key)
    if not isinstance(value, str) or value not in GRADES:
        raise MalformedLineError(key, value, f"one of {', '.join(GRADES)}")
    return Grade(value)


def print_of(line: dict[str, Any], key: str) -> bytes:
    """The fingerprint at `key` as 16 bytes; other text than 32 hexadecimal digits is hashed to as many."""
    value = text_of(line, key)
    try:
        found = bytes.fromhex(value)
    except ValueError:
        found = b""
    return found if len(found) == 16 else bytes.fromhex(fingerprint(value))
