"""A case from what a person gives on the command line: flags, a text, a log, an audit's candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quilate.documents import read_document
from quilate.errors import UsageError, nearest
from quilate.goldens.importers.logs import is_log, read_log
from quilate.goldens.incidents.body import LONGEST, Sections, read_sections
from quilate.goldens.incidents.form import Key
from quilate.goldens.incidents.reading import Question, Reading, read_fields
from quilate.goldens.incidents.words import LABELS

FLAGS: Mapping[Key, str] = {
    Key.ASKED: "--asked", Key.ANSWERED: "--answered", Key.EXPECTED: "--expected", Key.EXPECTED_TOOLS: "--tool",
    Key.FORBIDDEN_TOOLS: "--forbid-tool", Key.FORBIDDEN_PHRASES: "--forbid-phrase",
    Key.REQUIRED_PHRASES: "--require-phrase",
    Key.CATEGORY: "--category", Key.SEVERITY: "--severity", Key.SEEN: "--seen", Key.PEOPLE: "--person",
}  # fmt: skip

LONGEST_LOG = 10_000_000
"""Characters of a log that are read: a stream spends some 200 on every word."""


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody gave. `fields` come from flags and go before what the text says."""

    fields: Mapping[Key, tuple[str, ...]]
    text: str = ""
    text_name: str = ""


def reading_of(given: Given) -> Reading:
    """The reading of flags and text together. A text that is JSON with more than messages is an API's log."""
    sections = Sections()
    log = is_log(given.text)
    if len(given.text) > (LONGEST_LOG if log else LONGEST):
        message = f"{given.text_name}: {len(given.text)} characters; keep the conversation around the bad answer"
        raise UsageError(message)
    if log:
        sections.log = read_log(given.text, given.text_name)
        if sections.log.size > LONGEST:
            message = f"{given.text_name}: more than {LONGEST} characters of conversation; keep the last turns"
            raise UsageError(message)
    elif given.text.strip():
        sections = read_sections(given.text)
    for key, values in given.fields.items():
        text = _as_field(key, values)
        if text:
            sections.fields[key] = text
            sections.twice.discard(key)
    reading = read_fields(sections)
    if given.text.strip() and not log:
        reading.questions = [_of_a_file(question) for question in reading.questions]
    return reading


def _of_a_file(question: Question) -> Question:
    """Where a file was given, "nothing is written here" would be wrong: it holds no conversation."""
    missing = question.key is Key.ASKED and question.why == "missing"
    return Question(Key.ASKED, "no_conversation") if missing else question


def _as_field(key: Key, values: Sequence[str]) -> str:
    """Flags as a field's text: each value is one item, whatever signs it has."""
    if key is Key.FORBIDDEN_PHRASES or key is Key.REQUIRED_PHRASES:
        return "\n".join(_quoted(value) for value in values)
    if key is Key.EXPECTED:
        return "\n".join(f"- {' '.join(value.split())}" for value in values)
    return "\n".join(values)


def _quoted(phrase: str) -> str:
    sign = next((sign for sign in ('""', "«»", "“”", "``") if not set(sign) & set(phrase)), None)
    return phrase if sign is None else f"{sign[0]}{phrase}{sign[1]}"


def what_is_missing(reading: Reading) -> str:
    """The questions as one line each, with the flag that answers them."""
    from quilate.goldens.incidents.words import reason

    lines = [f"{FLAGS[each.key]} ({LABELS[each.key]}): {reason(each.why)}" for each in reading.questions]
    return "the case is not complete yet:\n" + "\n".join(lines)


def candidate(path: Path, case_id: str | None) -> dict[str, Any]:
    """One case of an audit's candidates, as it is written there. Raises `InputError`, `UsageError`."""
    value = read_document(path).value
    cases = value.get("cases") if isinstance(value, dict) else value
    rows = [row for row in cases if isinstance(row, dict)] if isinstance(cases, list) else []
    ids = [str(row.get("id")) for row in rows]
    if case_id is None and len(rows) == 1:
        return dict(rows[0])
    if case_id is None or case_id not in ids:
        guess = nearest(case_id, ids) if case_id else None
        hint = f"did you mean {guess}?" if guess else f"there are: {', '.join(ids[:20]) or 'none'}"
        message = f"{path}: name a candidate with --pick; {hint}"
        raise UsageError(message)
    return dict(rows[ids.index(case_id)])
