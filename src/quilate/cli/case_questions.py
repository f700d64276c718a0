"""What `quilate case add` asks on a terminal: what is missing, then what it is good to know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from quilate.goldens.incidents.adding import Given, reading_of
from quilate.goldens.incidents.building import CATEGORY
from quilate.goldens.incidents.form import FIELDS, Key
from quilate.goldens.incidents.reading import Question, Reading
from quilate.goldens.incidents.words import LABELS, reason
from quilate.shown import visible

_PASTED = (Key.ASKED, Key.ANSWERED)
"""Fields whose answer may have empty lines in it, as a pasted mail has."""
_END = "."
_ROUNDS = 20
_NAMED = 12
_SHOWN = 6


def ask_for(given: Given, reading: Reading, categories: Sequence[str]) -> Reading:
    """Asks field by field until the case is complete; no answer to a question ends it.

    `categories` are those the dataset has. Complete, it asks for what nobody must say: category, names to replace.
    """
    fields = dict(given.fields)
    _show(reading)
    for _ in range(_ROUNDS):
        if reading.complete:
            break
        question = reading.questions[0]
        _put(question)
        lines = list(_lines(until=_END if question.key in _PASTED else ""))
        if not any(line.strip() for line in lines):
            return reading
        fields[question.key] = ("\n".join(lines),) if question.key in _PASTED else tuple(lines)
        reading = reading_of(Given(fields, given.text, given.text_name))
    if not reading.complete:
        return reading
    if "category" not in reading.case:
        names = ", ".join(visible(name, 40) for name in list(dict.fromkeys(categories))[:_NAMED])
        category = _line(f"{LABELS[Key.CATEGORY]} (there are: {names})" if names else LABELS[Key.CATEGORY], CATEGORY)
        fields |= {Key.CATEGORY: (category,)} if category != CATEGORY else {}
    if Key.PEOPLE not in fields:
        people = _line(f"{LABELS[Key.PEOPLE]} (with commas between)", "none")
        fields |= {Key.PEOPLE: (people,)} if people != "none" else {}
    return reading_of(Given(fields, given.text, given.text_name))


def _show(reading: Reading) -> None:
    """What was read by now, so that nobody answers about another conversation."""
    given = reading.case.get("input")
    turns = [{"role": "user", "content": given}] if isinstance(given, str) else given or []
    if len(turns) > _SHOWN:
        click.echo(f"… {len(turns) - _SHOWN} turns before", err=True)
    for turn in turns[-_SHOWN:]:
        click.echo(f"{turn['role']}: {visible(_flat(turn['content']), 200)}", err=True)
    if turns and reading.answered:
        click.echo(f"the bad answer: {visible(_flat(reading.answered), 200)}", err=True)


def _put(question: Question) -> None:
    helps = {field.key: field.help for field in FIELDS}
    why = "" if question.why == "missing" else f": {reason(question.why)}"
    click.echo(f"{LABELS[question.key]}{why}", err=True)
    end = "a line with only a full stop ends it" if question.key in _PASTED else "an empty line ends it"
    click.echo(f"({helps.get(question.key, 'one a line')}; {end})", err=True)


def _lines(until: str) -> Iterator[str]:
    """What is typed up to the line `until`, or to the end of input."""
    while True:
        try:
            line = click.prompt("", default="", show_default=False, prompt_suffix="> ", err=True)
        except click.Abort as abort:
            if isinstance(abort.__context__, EOFError):
                click.echo(err=True)
                return
            raise
        if line.strip() == until:
            return
        yield line


def _line(label: str, default: str) -> str:
    return str(click.prompt(label, default=default, err=True)).strip()


def _flat(text: str) -> str:
    return " ".join(text.split())
