"""Values and places as error messages show them: short, typed, with nothing invisible in them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

Path = tuple[str | int, ...]
"""Where a value stands in a document: keys of objects and indexes of lists."""

_PLAIN_KEY = re.compile(r"[^\W\d][\w/-]*")
_MOST_STEPS = 16
_INVISIBLE = ("Cc", "Cf", "Cs", "Zl", "Zp")


def invisible(char: str) -> bool:
    """Whether a character shows nothing of its own or reorders what others show (controls, bidirectional marks)."""
    return unicodedata.category(char) in _INVISIBLE


def visible(text: str, limit: int = 60) -> str:
    """`text` on one line, at most `limit` characters of it, invisible characters as `U+202E`."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return cut if cut.isprintable() else "".join(f"U+{ord(char):04X}" if invisible(char) else char for char in cut)


def shown(value: Any) -> str:
    """A JSON value with its type, as in `number 5`, `text "no"`, `a list of 3`."""
    match value:
        case None:
            return "nothing (null)"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"number {number_text(value)}"
        case str():
            return f'text "{visible(value)}"' if value else 'empty text ("")'
        case list() | tuple():
            return f"a list of {len(value)}" if value else "an empty list"
        case dict():
            keys = ", ".join(visible(str(key), 24) for key in list(value)[:4])
            more = ", …" if len(value) > 4 else ""
            return f"an object with {keys}{more}" if value else "an empty object"
        case _:
            return visible(str(value))


_PLAIN_WORD = re.compile(r"(?!(?:null|true|false)$)[^\W\d_][\w./*@+-]*")


def flow_list(words: Iterable[str]) -> str:
    """Texts as a list that YAML reads as these texts: `[python, agent.py, "--port=1"]`."""
    written = (word if _PLAIN_WORD.fullmatch(word) else json.dumps(word, ensure_ascii=False) for word in words)
    return f"[{', '.join(written)}]"


def number_text(value: float) -> str:
    """A number as JSON writes it, shortened; whole numbers too long for decimal conversion by their size."""
    if isinstance(value, int) and value.bit_length() > 10_000:
        return "of more than 3000 digits"
    return visible(json.dumps(value), 30)


def dotted(path: Path) -> str:
    """`("cases", 3, "expected_tool")` as `cases[3].expected_tool`; keys that need it are quoted in brackets."""
    text = ""
    for position, step in enumerate(path):
        if position == _MOST_STEPS:
            return f"{text}…"
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f'["{visible(step)}"]'
    return text
