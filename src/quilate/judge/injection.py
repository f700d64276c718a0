"""Noticing text that speaks to the judge. It changes nothing in a grade; the reader is told."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SPEAKS = re.compile(
    r"""
    "(?:met|grade|verdict|score|pass)"\s*:\s*(?:true|"(?:pass|met|not_invented)"|1\b)
    | \b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:previous|prior|above|earlier|all)\b
        .{0,30}\b(?:instruction|prompt|rule|criteri)
    | \b(?:ignor[ae]|olvid[ae]|desconsider[ae]|esque[cç]a)\b.{0,40}\b(?:instruc|instruç|criteri|critéri|reglas|regras)
    | ^[^\w\n]{0,20}(?:system|sistema)\s*:
    | \b(?:mark|grade|rate|score|judge)\b.{0,30}\b(?:every|all|each|this)\b
        .{0,30}\b(?:criteri|as\s+(?:met|passed|pass|correct))
    | \b(?:marc[ae]|calific[ae]|aprueb[ae]|aprov[ae]|avali[ae])\b.{0,30}\b(?:tod[oa]s)\b.{0,30}\b(?:criteri|critéri)
    | </\s*data
    | \b(?:llm|ai)\s+judge\b
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_LOOKED_AT = 200_000
_SHOWN = 80


def passage_for_judge(text: str) -> tuple[int, int] | None:
    """Where the first passage that seems to be written for a judge starts and ends, or None."""
    found = _SPEAKS.search(text[:_LOOKED_AT])
    return None if found is None else (found.start(), min(len(text), max(found.end(), found.start() + _SHOWN)))


def addressed_to_judge(texts: Iterable[str]) -> str | None:
    """The first passage that seems to be written for a judge (one line, cut), or None."""
    for text in texts:
        found = passage_for_judge(text)
        if found:
            passage = " ".join(text[found[0] : found[0] + _SHOWN].split())
            return passage + ("…" if len(text) > found[0] + _SHOWN else "")
    return None
