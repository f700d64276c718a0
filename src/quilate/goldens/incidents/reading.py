"""What somebody wrote of an incident into a case's fields, or into what is still to be said. Nothing is guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import dropwhile
from typing import Any

from quilate.errors import UsageError
from quilate.goldens.importers.logs import Logged, read_log
from quilate.goldens.importers.sse import is_streamed
from quilate.goldens.incidents import answers, tool_answers
from quilate.goldens.incidents.answers import Refused
from quilate.goldens.incidents.body import LONGEST, Sections, read_sections, without_label
from quilate.goldens.incidents.conversation import Asked, Unclear, asked_of, role_of
from quilate.goldens.incidents.form import Key
from quilate.goldens.incidents.labels import Speaker
from quilate.goldens.incidents.letters import letter_of, person_of
from quilate.goldens.incidents.message import message_of, points_elsewhere
from quilate.goldens.incidents.tool_answers import Call
from quilate.goldens.incidents.turns import Turn, from_table, of_strangers, read_turns, visible_text

EXPECTATIONS = (Key.EXPECTED, Key.EXPECTED_TOOLS, Key.FORBIDDEN_TOOLS, Key.FORBIDDEN_PHRASES, Key.REQUIRED_PHRASES)
"""Any one of these makes a case that can fail."""

MANY_TURNS = 40
"""Turns from which a conversation is rather a whole history, as a messenger exports it."""
_JSON = re.compile(r"\s*(?:\{\s*\"|\[\s*\{)")
_SPOKEN = (Key.ASKED, Key.ANSWERED)


@dataclass(frozen=True, slots=True)
class Question:
    """A field that is asked back: `why` names the reason (`incidents/words.py` says it), `about` is the line."""

    key: Key
    why: str
    about: str = ""


@dataclass
class Reading:
    """`case` holds fields of a golden case, as a golden file has them; it may be used only where nothing is asked.

    `answered` is the bad answer, `called` the tools it called, `seen` where it was, `notes` names of what a reviewer
    should look at.
    """

    case: dict[str, Any] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    answered: str | None = None
    called: list[str] = field(default_factory=list)
    severity: str | None = None
    seen: str | None = None
    people: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether it makes a case."""
        return not self.questions


def read_body(body: str) -> Reading:
    """The reading of an issue's body, or of any text with labels or headings in it."""
    if len(body) > LONGEST:
        return Reading(questions=[Question(Key.ASKED, "too_long")])
    return read_fields(read_sections(body))


def read_fields(sections: Sections) -> Reading:
    """The reading of fields and of what stands around them."""
    reading = Reading(unread=list(sections.unread))
    fields = {key: answers.content(visible_text(text), spoken=key in _SPOKEN) for key, text in sections.fields.items()}
    reading.questions += [Question(key, "twice") for key in Key if key in sections.twice]
    reading.answered = fields.get(Key.ANSWERED)
    if sections.log is not None:
        _take_answer(reading, sections.log)
    reading.seen = fields.get(Key.SEEN)
    if fields.get(Key.PEOPLE):
        reading.people += answers.people(fields[Key.PEOPLE] or "")
    if Key.ASKED not in sections.twice:
        _take_input(reading, sections, fields.get(Key.ASKED))
    for key, take in _TAKERS.items():
        text = fields.get(key)
        if text is not None and key not in sections.twice:
            take(reading, text)
    _ask_for_what_is_missing(reading)
    return reading


def _take_input(reading: Reading, sections: Sections, asked: str | None) -> None:
    if asked is not None:
        asked = without_label(asked, Key.ASKED)
        reading.unread += [text.strip()[:80] for text in sections.rest]
        turns = read_turns(asked) or _table_in(asked) or of_strangers(asked, reading.answered)
        if not turns and (_JSON.match(asked) or is_streamed(asked)):
            _take_pasted(reading, asked)
        elif turns and _is_a_message_with_labels(asked, turns):
            reading.questions.append(Question(Key.ASKED, "speakers"))
        elif not turns:
            _take_message(reading, asked)
        else:
            _take_turns(reading, turns)
        return
    if sections.log is not None:
        _take_conversation(reading, sections.log)
        return
    stretches = [(text, read_turns(text)) for text in sections.rest]
    alone = [text for text, turns in stretches if not turns and letter_of(text)]
    if len(alone) == 1 and not any(turns for _, turns in stretches) and not sections.tables:
        reading.unread += [text.strip()[:80] for text, _ in stretches if text not in alone]
        _take_message(reading, alone[0])
        return
    reading.unread += [text.strip()[:80] for text, turns in stretches if not turns]
    found = [turns for turns in (*(turns for _, turns in stretches), *map(from_table, sections.tables)) if turns]
    if len(found) == 1:
        _take_turns(reading, found[0])
        return
    reading.questions.append(Question(Key.ASKED, "several_conversations" if found else "missing"))


def _take_pasted(reading: Reading, asked: str) -> None:
    """A log in the field."""
    try:
        log = read_log(asked)
    except UsageError:
        reading.questions.append(Question(Key.ASKED, "broken_json"))
        return
    _take_answer(reading, log)
    _take_conversation(reading, log)


def _take_answer(reading: Reading, log: Logged) -> None:
    """What a log says of the bad answer; somebody's own words for it go before."""
    reading.answered = reading.answered if reading.answered is not None else log.answered
    reading.called = [_written(call) for call in log.calls]
    reading.notes += log.notes


def _take_conversation(reading: Reading, log: Logged) -> None:
    if log.messages:
        # The agent of today brings its own prompt: a copy would hide what a change to it does.
        said = tuple(dropwhile(lambda message: message["role"] == "system", log.messages))
        reading.case["input"] = replace(log, messages=said).input
        if len(said) < len(log.messages):
            reading.notes.append("system_prompt")
    else:
        reading.questions.append(Question(Key.ASKED, "no_request"))


def _written(call: Call) -> str:
    """As `--tool` takes it."""
    return f"{call.name}({json.dumps(call.args, ensure_ascii=False)})" if call.args else call.name


def _take_message(reading: Reading, asked: str) -> None:
    """One message, or a mail's text without its headers."""
    letter = letter_of(asked)
    if letter is not None and role_of(letter.sender) is Speaker.AGENT:
        reading.questions.append(Question(Key.ASKED, "no_question"))
        return
    if letter is not None and (name := person_of(letter.sender)):
        reading.people.append(name)
    said = message_of(letter.text if letter else asked, reading.answered)
    if isinstance(said, Refused):
        reading.questions.append(Question(Key.ASKED, said.why))
    else:
        reading.case["input"] = said


def _table_in(text: str) -> list[Turn]:
    """A table of turns that stands alone in a field."""
    if "|" not in text:
        return []
    sections = read_sections(text)
    return from_table(sections.tables[0]) if len(sections.tables) == 1 and not sections.rest else []


def _is_a_message_with_labels(asked: str, turns: list[Turn]) -> bool:
    """Whether text stands before `User: …` and nothing says that an agent speaks: the text would be lost."""
    sides = {role_of(turn.name) for turn in turns}
    lines = [line.strip(" -*+>_`") for line in visible_text(asked).split("\n") if line.strip()]
    labelled = any(line.startswith(f"{turns[0].name}:") for line in lines[1:])
    return Speaker.USER in sides and Speaker.AGENT not in sides and labelled and turns[0].name not in lines[0]


def _take_turns(reading: Reading, turns: list[Turn]) -> None:
    match asked_of(turns, reading.answered):
        case Asked(given, answered, people):
            reading.case["input"] = given
            reading.answered = answered
            reading.people += people
            if len(given) > MANY_TURNS and not isinstance(given, str):
                reading.notes.append("many_turns")
        case Unclear(why):
            key = Key.ANSWERED if why in ("which_answer", "not_in_it") else Key.ASKED
            reading.questions.append(Question(key, why))


def _take_expected(reading: Reading, text: str) -> None:
    found = answers.expectations(text)
    if not isinstance(found, Refused) and any(map(points_elsewhere, found)):
        found = Refused("pointer")
    _take(reading, Key.EXPECTED, "expected_behavior", found)


def _take_calls(reading: Reading, text: str) -> None:
    found = tool_answers.calls(text)
    if isinstance(found, Refused):
        reading.questions.append(Question(Key.EXPECTED_TOOLS, found.why, found.line))
        return
    if any(call.as_text for call in found):
        reading.notes.append("arguments_as_text")
    reading.case |= fields_of_calls(found)


def fields_of_calls(calls: list[Call]) -> dict[str, Any]:
    """One call is the seed's pair of fields, several are a list."""
    if len(calls) != 1:
        return {"expected_tools": [{"name": call.name} | ({"args": call.args} if call.args else {}) for call in calls]}
    (call,) = calls
    return {"expected_tool": call.name} | ({"expected_tool_args": call.args} if call.args else {})


def _take_forbidden_tools(reading: Reading, text: str) -> None:
    _take(reading, Key.FORBIDDEN_TOOLS, "forbidden_tools", tool_answers.tool_names(text))


def _take_forbidden(reading: Reading, text: str) -> None:
    _take(reading, Key.FORBIDDEN_PHRASES, "forbidden_phrases", answers.phrases(text, reading.answered))


def _take_required(reading: Reading, text: str) -> None:
    _take(reading, Key.REQUIRED_PHRASES, "required_phrases", answers.phrases(text, None))


def _take_category(reading: Reading, text: str) -> None:
    _take(reading, Key.CATEGORY, "category", answers.category(text))


def _take_severity(reading: Reading, text: str) -> None:
    found = answers.severity(text)
    if isinstance(found, Refused):
        reading.questions.append(Question(Key.SEVERITY, found.why, found.line))
        return
    reading.severity = found
    if found == "critical":
        reading.case["critical"] = True


def _take(reading: Reading, key: Key, name: str, found: list[str] | str | Refused) -> None:
    if isinstance(found, Refused):
        reading.questions.append(Question(key, found.why, found.line))
    elif found:
        reading.case[name] = found


_TAKERS: Mapping[Key, Callable[[Reading, str], None]] = {
    Key.EXPECTED: _take_expected,
    Key.EXPECTED_TOOLS: _take_calls,
    Key.FORBIDDEN_TOOLS: _take_forbidden_tools,
    Key.FORBIDDEN_PHRASES: _take_forbidden,
    Key.REQUIRED_PHRASES: _take_required,
    Key.CATEGORY: _take_category,
    Key.SEVERITY: _take_severity,
}

_OF_EXPECTATIONS = (
    "expected_behavior", "expected_tool", "expected_tools", "forbidden_tools", "forbidden_phrases", "required_phrases",
)  # fmt: skip


def _ask_for_what_is_missing(reading: Reading) -> None:
    asked = {question.key for question in reading.questions}
    if not any(reading.case.get(name) for name in _OF_EXPECTATIONS) and not asked & set(EXPECTATIONS):
        reading.questions.append(Question(Key.EXPECTED, "missing"))
    order = list(Key)
    reading.questions.sort(key=lambda question: order.index(question.key))
