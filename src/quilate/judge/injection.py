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


def addressed_to_judge(texts: Iterable[str]) -> str | None:
    """The first passage that seems to be written for a judge (one line, cut), or None."""
    for text in texts:
        found = _SPEAKS.search(text[:_LOOKED_AT])
        if found:
            passage = " ".join(text[found.start() : found.start() + _SHOWN].split())
            return passage + ("…" if len(text) > found.start() + _SHOWN else "")
    return None
