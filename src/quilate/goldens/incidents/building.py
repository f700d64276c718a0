"""A reading into a golden file with one case: redacted, validated, without a secret; or why there is none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quilate.documents import parse_document
from quilate.errors import InputError, Problem
from quilate.goldens.append import new_file
from quilate.goldens.case import GoldenCase
from quilate.goldens.incidents.duplicates import Near, exact_duplicate, near_duplicates
from quilate.goldens.incidents.form import Key
from quilate.goldens.incidents.reading import Question, Reading
from quilate.goldens.redact import Redaction, Replaced, leftover_secrets
from quilate.goldens.similar import without_accents
from quilate.goldens.validate import validate_case

CATEGORY = "incident"
"""Of a case whose category nobody stated."""
_ORDER = (
    "id", "category", "input", "expected_tool", "expected_tool_args", "expected_tools", "forbidden_tools",
    "expected_behavior", "forbidden_phrases", "required_phrases", "expected_output", "critical", "tags", "owner",
    "source", "added",
)  # fmt: skip
_KEYS = {
    "input": Key.ASKED, "expected_tool": Key.EXPECTED_TOOLS, "expected_tool_args": Key.EXPECTED_TOOLS,
    "expected_tools": Key.EXPECTED_TOOLS, "forbidden_tools": Key.FORBIDDEN_TOOLS, "expected_behavior": Key.EXPECTED,
    "forbidden_phrases": Key.FORBIDDEN_PHRASES, "required_phrases": Key.REQUIRED_PHRASES, "category": Key.CATEGORY,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """What is known of an incident beside its words: its case's id, where it was reported, when, whose it is."""

    case_id: str
    added: dt.date
    address: str | None = None
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """A case that may be published. `written` is its golden-file form, `text` a whole file of it alone.

    `called` are the tools that the bad answer called, where a log says it.
    """

    case: GoldenCase
    written: dict[str, Any]
    text: str
    answered: str | None
    seen: str | None
    replaced: tuple[Replaced, ...]
    near: tuple[Near, ...]
    notes: tuple[str, ...]
    called: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Incomplete:
    """What is asked back."""

    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class SecretLeft:
    """The kinds of secrets whose shape is still there after redacting."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The case that asks exactly the same."""

    case_id: str


def build(
    reading: Reading, source: Source, known: Sequence[GoldenCase] = ()
) -> Built | Incomplete | SecretLeft | Duplicate:
    """The case of a reading. Redaction comes first: nothing below it sees what was written."""
    if not reading.complete:
        return Incomplete(tuple(reading.questions))
    redaction = Redaction(people=reading.people)
    fields: dict[str, Any] = redaction.value(reading.case)
    answered = None if reading.answered is None else redaction.text(reading.answered)
    seen = None if reading.seen is None else redaction.text(reading.seen)
    called = tuple(map(redaction.text, reading.called))
    notes = list(reading.notes)
    fields["category"] = known_spelling(fields.get("category"), (case.category for case in known))
    if fields["category"] is None:
        fields["category"] = CATEGORY
        notes.append("category_unstated")
    fields |= {"id": source.case_id, "tags": ["incident"], "added": source.added.isoformat()}
    fields |= {name: value for name, value in (("source", source.address), ("owner", source.owner)) if value}
    written = ordered(fields)
    text = new_file([written], version=source.added.isoformat())
    kinds = leftover_secrets("\n".join(part for part in (text, answered, seen, *called) if part))
    if kinds:
        return SecretLeft(kinds)
    case, problems = checked(text)
    if case is None:
        return Incomplete(tuple(dict.fromkeys(Question(_key_of(problem), "invalid") for problem in problems)))
    same = exact_duplicate(case, known)
    if same is not None:
        return Duplicate(same)
    near = near_duplicates(case, known)
    return Built(case, written, text, answered, seen, redaction.replaced, near, tuple(notes), called)


def ordered(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields in the order people read a case in."""
    known = {name: fields[name] for name in _ORDER if name in fields}
    return known | {name: value for name, value in fields.items() if name not in known}


def checked(text: str) -> tuple[GoldenCase | None, list[Problem]]:
    """The one case of a golden file's text, read as `quilate check` reads it, and what is wrong with it."""
    try:
        document = parse_document(text, file="the case", kind="yaml")
    except InputError as error:
        return None, list(error.problems)
    return validate_case(document, ("cases", 0), document.value["cases"][0], {})


def known_spelling(category: str | None, known: Iterable[str]) -> str | None:
    """A category as the dataset writes it, where it has it in another case or with other accents."""
    if category is None:
        return None
    wanted = without_accents(category).casefold()
    return next((each for each in known if without_accents(each).casefold() == wanted), category)


def _key_of(problem: Problem) -> Key:
    field = problem.key.split("].", 1)[-1].split(".")[0].split("[")[0]
    return _KEYS.get(field, Key.ASKED)
