"""Finding JSON objects in an answer, for servers that ignore the schema they were given."""

from __future__ import annotations

import json
from typing import Any

MAX_ANSWER = 1_000_000
"""Characters looked at: an answer of a judge is a few thousand."""
MAX_BRACES = 20
"""Openings tried: a text full of braces is not an answer."""


def json_objects(text: str) -> list[dict[str, Any]]:
    """The balanced JSON objects in `text` that are not inside another, in order; fences and words are skipped.

    An object with a duplicate key is none: a second `c01` would silently replace the first.
    """
    text = text[:MAX_ANSWER]
    decoder = json.JSONDecoder(object_pairs_hook=_unique)
    found: list[dict[str, Any]] = []
    at = text.find("{")
    for _ in range(MAX_BRACES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        message = "a key stands twice in one object"
        raise ValueError(message)
    return result
