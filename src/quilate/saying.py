"""Sentences of ours, kept with what they were made of, so that a report can say them in the reader's language.

A `Said` is its English text and is used as any other text. What makes it more is `data`: the template and its values as
plain JSON, which a run file keeps beside the text. Words of people and of models are plain texts, and stay as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Self

from pydantic import JsonValue

from quilate.shown import visible

SAY = "say"
"""The key of a sentence's data that holds its template; the others are its values by their names."""
LANGUAGE = "language"
"""The only key of the data of a language's code."""
MOST_CHARACTERS = 4000
"""Of a text that is kept with its parts: a hostile call of ten thousand arguments is kept as its beginning alone."""

Value = str | int | float
"""What stands in a template's place: a text as it is, a sentence of ours, or a number."""


class Said(str):
    """An English text with its parts.

    They are `{"say": template, name: value, …}`, `[separator, value, …]` or `{"language": code}`.
    """

    __slots__ = ("data",)
    data: JsonValue

    def __new__(cls, text: str, data: JsonValue) -> Self:
        """`text` is what `data` says in English."""
        said = str.__new__(cls, text)
        said.data = data
        return said


def say(template: str, /, **values: Value) -> Said:
    """The sentence `template` with `values` in its `{places}`. The template is a message of the catalogues.

    A value's braces mean nothing. Raises KeyError where a value is missing.
    """
    filled = template.format_map({name: value_text(value) for name, value in values.items()})
    return Said(filled, {SAY: template, **{name: _data(value) for name, value in values.items()}})


def message(template: str) -> str:
    """`template` itself, for one that is chosen from several: so that the catalogues' extraction sees it."""
    return template


def listed(items: Iterable[str], by: str = ", ") -> Said:
    """The items one after the other; a separator with a word in it (` or `) is a message of the catalogues."""
    every = list(items)
    return Said(by.join(every), [by, *map(_data, every)])


def language_name(code: str) -> Said:
    """A language by its code, which English sentences keep: another language names it."""
    return Said(code, {LANGUAGE: code})


def value_text(value: Value) -> str:
    """A value in English: a text as it is, a number with up to twelve digits."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _data(value: Value) -> JsonValue:
    if isinstance(value, Said):
        return value.data
    if isinstance(value, str) or (isinstance(value, float) and not math.isfinite(value)):
        return value_text(value)  # JSON has no NaN
    return value


def again(text: str, parts: JsonValue) -> Said:
    """A stored text with its parts, as `kept` gave them: to be a value of another sentence."""
    return Said(text, {SAY: text} if parts == {} else parts)


def one_line(text: str, limit: int) -> str:
    """`text` on one line of at most `limit` characters, invisible ones shown; of a sentence, its parts stay whole."""
    if isinstance(text, Said) and len(text) <= MOST_CHARACTERS:
        return Said(visible(text, limit), text.data)
    return visible(text, limit)


def kept(**texts: str | None) -> dict[str, JsonValue]:
    """The parts of those texts that are sentences of ours, by name; `{}` where the text is its template itself."""
    return {
        name: {} if text.data == {SAY: text} else text.data for name, text in texts.items() if isinstance(text, Said)
    }
