"""A case as YAML that people like to read, and that every reader of YAML takes for the same text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_PLAIN = re.compile(r"[A-Za-zÀ-ÖØ-öø-ÿ¿¡](?:[\wÀ-ÖØ-öø-ÿ ¿?¡!,.;()'\"/%+*=$€-]*[\wÀ-ÖØ-öø-ÿ?!.)%])?")
_OTHERS_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"})
_FLOW_SIGNS = frozenset(",[]{}?")
_WIDE = 100


def case_lines(case: Mapping[str, Any], *, dash: str = "  - ") -> list[str]:
    """The lines of one case as an item of a block list; `dash` is what the first begins with, the others align.

    Takes JSON data. Reading the lines gives the same data.
    """
    indent = " " * len(dash)
    lines = _mapping(case, indent)
    return [dash + lines[0][len(indent) :], *lines[1:]]


def case_flow(case: Mapping[str, Any]) -> str:
    """One case as an item of a flow list, on one line."""
    return _flow(dict(case))


def _mapping(value: Mapping[str, Any], indent: str) -> list[str]:
    lines: list[str] = []
    for key, inner in value.items():
        name = scalar(str(key), flow=False)
        if isinstance(inner, dict) and inner and not _fits(inner, indent):
            lines += [f"{indent}{name}:", *_mapping(inner, indent + "  ")]
        elif isinstance(inner, list) and inner and not _short_list(inner, indent):
            lines += [f"{indent}{name}:", *_list(inner, indent + "  ")]
        elif isinstance(inner, str) and _as_block(inner):
            lines += [f"{indent}{name}: |-", *(f"{indent}  {line}" if line else "" for line in inner.split("\n"))]
        elif isinstance(inner, str):
            lines.append(f"{indent}{name}: {scalar(inner, flow=False)}")
        else:
            lines.append(f"{indent}{name}: {_flow(inner)}")
    return lines


def _list(items: list[Any], indent: str) -> list[str]:
    lines: list[str] = []
    for item in items:
        if isinstance(item, dict) and item and not _fits(item, indent):
            lines += case_lines(item, dash=indent + "- ")
        elif isinstance(item, str) and not _as_block(item):
            lines.append(f"{indent}- {scalar(item, flow=False)}")
        else:
            lines.append(f"{indent}- {_flow(item)}")
    return lines


def _fits(value: Mapping[str, Any], indent: str) -> bool:
    flat = not any(isinstance(inner, str) and "\n" in inner for inner in value.values())
    return flat and len(indent) + len(_flow(dict(value))) <= _WIDE


def _short_list(items: list[Any], indent: str) -> bool:
    words = all(isinstance(item, str) and len(item.split()) <= 3 for item in items)
    return words and len(indent) + len(_flow(items)) <= _WIDE


def _as_block(text: str) -> bool:
    """Whether a text of several lines is safe as a block: nothing at the edges of its lines, nothing unseen in it."""
    lines = text.split("\n")
    edges = all(line == line.rstrip() and not line.startswith((" ", "\t")) for line in lines)
    return len(lines) > 1 and edges and bool(lines[0]) and bool(lines[-1]) and all(line.isprintable() for line in lines)


def _flow(value: Any) -> str:
    if isinstance(value, str):
        return scalar(value, flow=True)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(str(key), flow=True)}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(inner) for inner in value) + "]"
    return json.dumps(value)


def scalar(text: str, *, flow: bool) -> str:
    """A text plain where that is safe in YAML 1.1 and 1.2 alike, else in double quotes."""
    safe = _PLAIN.fullmatch(text) is not None and text.casefold() not in _OTHERS_WORDS
    if safe and flow and _FLOW_SIGNS & set(text):
        safe = False
    if safe and not text.isprintable():
        safe = False
    return text if safe else '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    """A character of a double-quoted scalar (YAML 1.2.2 §5.7); half of a surrogate pair becomes U+FFFD."""
    if char in '"\\':
        return "\\" + char
    if char == "\n":
        return "\\n"
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if char.isprintable() and char != "\ufeff":
        return char
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
