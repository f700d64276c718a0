"""promptfoo's templates, as far as they are only names in braces: nothing is executed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

_VARIABLE = re.compile(r"\{\{-?\s*([A-Za-z_][\w.]*)\s*(?:\|\s*(?:safe|dump|trim)\s*)?-?\}\}")
_LOGIC = re.compile(r"\{%|\{\{")


def combinations(variables: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """promptfoo asks every combination of variables that are lists."""
    names = list(variables)
    choices = [value if isinstance(value, list) and value else [value] for value in variables.values()]
    for values in itertools.product(*choices):
        yield dict(zip(names, values, strict=True))


def _render(template: str, variables: Mapping[str, Any]) -> str | None:
    """`{{name}}` by its value; None where something else stands in braces, or a name has no plain value."""
    missing = False

    def value_of(match: re.Match[str]) -> str:
        nonlocal missing
        value: Any = variables
        for step in match[1].split("."):
            value = value.get(step) if isinstance(value, dict) else None
        if value is None or isinstance(value, dict | list) or (isinstance(value, str) and value.startswith("file://")):
            missing = True
            return ""
        return str(value)

    logic = _LOGIC.search(_VARIABLE.sub("", template)) is not None
    rendered = _VARIABLE.sub(value_of, template)
    return None if missing or logic else rendered


def rendered_prompt(prompt: str, variables: Mapping[str, Any]) -> str | list[dict[str, str]] | None:
    """A prompt with its variables: a conversation where it is a list of messages (JSON or YAML), else a text."""
    messages = _messages_in(prompt)
    if messages is None:
        rendered = _render(prompt, variables)
        if rendered is None or not rendered.strip():
            return None
        return _messages_in(rendered) or rendered  # a variable alone may hold the conversation, as promptfoo sends it
    texts = [_render(message["content"], variables) for message in messages]
    if any(text is None for text in texts):
        return None
    return [{"role": message["role"], "content": text or ""} for message, text in zip(messages, texts, strict=True)]


def _messages_in(prompt: str) -> list[dict[str, str]] | None:
    if not prompt.lstrip().startswith(("[", "- ")):
        return None
    import yaml

    try:
        rows = yaml.safe_load(prompt)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if not isinstance(rows, list) or not rows:
        return None
    good = all(
        isinstance(row, dict)
        and row.get("role") in ("system", "user", "assistant")
        and isinstance(row.get("content"), str)
        for row in rows
    )
    return rows if good else None


def said(given: str | list[dict[str, str]]) -> str:
    """The words an id is made of: what the user says last."""
    if isinstance(given, str):
        return given
    return next((message["content"] for message in reversed(given) if message["role"] == "user"), given[-1]["content"])


def rendered_value(value: Any, variables: Mapping[str, Any]) -> tuple[Any, bool]:
    """An assertion's value with its variables, and whether all of it could be put in."""
    if isinstance(value, str):
        rendered = _render(value, variables)
        return rendered, rendered is not None
    if isinstance(value, list):
        rows = [rendered_value(item, variables) for item in value]
        return [row for row, _ in rows], all(good for _, good in rows)
    return value, True
