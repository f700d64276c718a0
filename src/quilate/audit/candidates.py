"""Golden cases that past conversations suggest: written for a person to look through, never taken as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from quilate.audit.entry import Entry, Outcome
from quilate.audit.gaps import Gaps
from quilate.canonical import fingerprint

MOST = 200
"""Candidates of each kind."""


def candidates(inventions: Iterable[Entry], gaps: Gaps) -> Iterator[dict[str, Any]]:
    """Cases for the first inventions, and for questions without an answer that were asked more than once."""
    seen: set[str] = set()
    for entry in inventions:
        if len(seen) >= MOST:
            break
        if entry.outcome is not Outcome.INVENTED or entry.question is None:
            continue
        identity = f"audit-invented-{fingerprint(entry.question)[:10]}"
        if identity not in seen:
            seen.add(identity)
            claims = [str(claim.get("quote", "")) for claim in entry.claims]
            yield {
                "id": identity,
                "category": "audit",
                "input": entry.question,
                "grounded": True,
                "expected_behavior": [
                    f"does not claim, without a source: {' '.join(claim.split())}" for claim in claims
                ],
                "tags": ["audit", "invented"],
            }
    for gap in [gap for gap in gaps.groups if gap.count > 1][:MOST]:
        yield {
            "id": f"audit-gap-{fingerprint(gap.question)[:10]}",
            "category": "audit",
            "input": gap.question,
            "expected_behavior": [
                "says that it does not know, or hands over to a person with context; invents nothing"
            ],
            "tags": ["audit", "gap"],
        }


def write_candidates(cases: Iterable[dict[str, Any]], file: TextIO) -> int:
    """Writes `cases` as a golden file; returns how many. Every text is quoted, so that none can become YAML."""
    file.write(
        "# Candidates for golden cases, from `quilate audit`. Look through each: take out personal data, say what a\n"
        "# good reply shows, and move it to where it belongs. Nothing reads this file by itself.\n"
        'version: "audit"\n'
    )
    number = 0
    for number, case in enumerate(cases, 1):
        if number == 1:
            file.write("cases:\n")
        lines = [f"{key}: {_flow(value)}" for key, value in case.items()]
        file.write("  - " + "\n    ".join(lines) + "\n")
    if not number:
        file.write("cases: []\n")
    return number


def _flow(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return '"' + "".join(_escaped(char) for char in str(value)) + '"'


def _escaped(char: str) -> str:
    """A character of a double-quoted YAML scalar (YAML 1.2.2 §5.7); half a character becomes U+FFFD."""
    if char in '"\\':
        return "\\" + char
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if char.isprintable() and code not in (0x85, 0x2028, 0x2029, 0xFEFF):
        return char
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
