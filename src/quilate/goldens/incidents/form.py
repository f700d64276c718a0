"""What an incident's form asks for. The issue form, the reader of its answers and the command line share this list."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Key(StrEnum):
    """A field of the form; the values are the `id`s in the issue form."""

    ASKED = "asked"
    ANSWERED = "answered"
    EXPECTED = "expected"
    EXPECTED_TOOLS = "expected_tools"
    FORBIDDEN_TOOLS = "forbidden_tools"
    FORBIDDEN_PHRASES = "forbidden_phrases"
    REQUIRED_PHRASES = "required_phrases"
    CATEGORY = "category"
    SEVERITY = "severity"
    SEEN = "seen"
    PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class Field:
    """A field: the label that the form shows and that GitHub writes as a heading, and what to write in it."""

    key: Key
    label: str
    help: str


FIELDS = (
    Field(Key.ASKED, "What was asked", "The user's message, or the conversation up to the bad answer, one turn a line: User: …, Agent: …"),
    Field(Key.ANSWERED, "What the agent answered", "The bad answer, word for word."),
    Field(Key.EXPECTED, "What it should have done", "One thing a line: each becomes a criterion of its own."),
    Field(Key.EXPECTED_TOOLS, "Tools it should have called", "One a line: its name, with arguments where they matter: consultarPedido(numero=47821)."),
    Field(Key.FORBIDDEN_TOOLS, "Tools it must not call", "One name a line; cancel_* stands for all that begin so."),
    Field(Key.FORBIDDEN_PHRASES, "Phrases that must not appear", "One a line, word for word."),
    Field(Key.REQUIRED_PHRASES, "Phrases that must appear", "One a line, word for word."),
    Field(Key.CATEGORY, "Category", "One of the dataset's categories, or a new one."),
    Field(Key.SEVERITY, "Severity", "critical, high, medium or low. A critical case that breaks again fails every gate."),
    Field(Key.SEEN, "Where it was seen", "Channel, date, a link to the trace."),
    Field(Key.PEOPLE, "Names of people to replace", "One a line: each is replaced by an invented name everywhere."),
)  # fmt: skip
"""In the form's order. Only what was asked and one expectation (a behaviour, tools or phrases) are needed."""

SEVERITIES = ("critical", "high", "medium", "low")
