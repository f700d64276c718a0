"""Past conversations, read line by line; a line that is none is counted and said, and stops nothing."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quilate.agents.agent import Fragment
from quilate.agents.decoding import BadReplyError
from quilate.agents.results import parse_result
from quilate.errors import InputError, Problem

MAX_LINE_BYTES = 4 * 2**20
_EARLIER = {
    "invented": "invented", "invento": "invented", "inventó": "invented", "hallucination": "invented",
    "not_invented": "not_invented", "no_invento": "not_invented", "no inventó": "not_invented",
    "no_evidence": "no_evidence", "sin_evidencia": "no_evidence", "sin evidencia": "no_evidence",
}  # fmt: skip
"""How earlier evaluators spell their verdicts; anything else is another verdict."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One question and its reply. `fragments` is None where none were logged, `earlier` an older verdict."""

    line: int
    digest: str
    id: str
    question: str
    reply: str
    at: dt.datetime
    fragments: tuple[Fragment, ...] | None = None
    earlier: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no conversation, and why."""

    line: int
    digest: str
    reason: str


def read_conversations(path: Path) -> Iterator[Conversation | Unreadable]:
    """The conversations of a JSON Lines file, in constant memory. Raises `InputError` where it cannot be opened."""
    try:
        file = path.open("rb")
    except OSError as error:
        mend = "give a JSON Lines file with id, question, reply, when"
        raise InputError([Problem(str(path), None, "", f"no readable file ({error.strerror})", mend)]) from None
    with file:
        number = 0
        while raw := file.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(raw) > MAX_LINE_BYTES:
                while raw and not raw.endswith(b"\n"):
                    raw = file.readline(MAX_LINE_BYTES)
                yield Unreadable(number, "", f"longer than {MAX_LINE_BYTES} bytes")
            elif raw.strip():
                yield _conversation(raw, number)


def _conversation(raw: bytes, number: int) -> Conversation | Unreadable:
    digest = hashlib.sha256(raw.strip()).hexdigest()[:16]
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return Unreadable(number, digest, "not JSON")
    if not isinstance(value, dict):
        return Unreadable(number, digest, "not an object")
    for key in ("question", "reply"):
        if not isinstance(value.get(key), str) or not value[key].strip():
            return Unreadable(number, digest, f"no text in {key}")
    at = _time(value.get("when"))
    if at is None:
        return Unreadable(number, digest, "no ISO time in when")
    try:
        fragments = parse_result({"output": "", "fragments": value.get("fragments")}).fragments
    except BadReplyError as error:
        return Unreadable(number, digest, str(error))
    given = value.get("id")
    return Conversation(
        line=number,
        digest=digest,
        id=str(given) if isinstance(given, (str, int)) and not isinstance(given, bool) else f"line-{number}",
        question=value["question"],
        reply=value["reply"],
        at=at,
        fragments=fragments,
        earlier=_earlier(value.get("verdict")),
    )


def _time(value: Any) -> dt.datetime | None:
    """An ISO date or time; without a zone it is UTC, a date is its beginning."""
    if not isinstance(value, str):
        return None
    try:
        at = dt.datetime.fromisoformat(value)
        return (at if at.tzinfo else at.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None


def _earlier(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    return _EARLIER.get(value.strip().casefold(), "other")
