"""Finding the JSON object in an answer, for servers that ignore the schema they were given."""

from __future__ import annotations

import json
from typing import Any

MAX_ANSWER = 1_000_000
"""Characters looked at: an answer of a judge is a few thousand."""


def first_json_object(text: str) -> dict[str, Any] | None:
    """The first balanced JSON object in `text` (fences and words around it are skipped), or None.

    Duplicate keys are refused: a second `c01` would silently replace the first.
    """
    text = text[:MAX_ANSWER]
    decoder = json.JSONDecoder(object_pairs_hook=_unique)
    at = text.find("{")
    for _ in range(20):  # a text full of braces is not an answer
        if at < 0:
            return None
        try:
            value, _end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        return value if isinstance(value, dict) else None
    return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        message = "a key stands twice in one object"
        raise ValueError(message)
    return result
