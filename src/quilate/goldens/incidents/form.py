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
    """A field: the label, which GitHub writes as a heading over its answer, and what to write in it."""

    key: Key
    label: str
    help: str


FIELDS = (
    Field(Key.ASKED, "What was asked", "the message, or the conversation, one turn a line"),
    Field(Key.ANSWERED, "What the agent answered", "the bad answer, word for word"),
    Field(Key.EXPECTED, "What it should have done", "one expectation a line"),
    Field(Key.EXPECTED_TOOLS, "Tools it should have called", "one a line, with arguments where they matter"),
    Field(Key.FORBIDDEN_TOOLS, "Tools it must not call", "one name a line"),
    Field(Key.FORBIDDEN_PHRASES, "Phrases that must not appear", "one a line, word for word"),
    Field(Key.CATEGORY, "Category", "the group it is reported in"),
    Field(Key.SEVERITY, "Severity", "normal or critical"),
    Field(Key.SEEN, "Where it was seen", "a link to the trace or ticket, or the channel and the day"),
    Field(Key.PEOPLE, "Names to replace", "people named above, with commas between"),
)  # fmt: skip
"""In the form's order. Free Markdown may also name phrases that must appear."""

SEVERITIES = ("critical", "high", "medium", "low")
