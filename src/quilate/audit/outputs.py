"""Writes what an audit comes to: report in Markdown and JSON, candidates for golden cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

from quilate.audit.candidates import candidates, write_candidates
from quilate.audit.entry import Entry, Outcome
from quilate.audit.journal import standing
from quilate.audit.masking import masked_entries, masked_gaps
from quilate.audit.report import About, markdown, write_json
from quilate.audit.summary import Summary, summarise

JOURNAL = "audit.jsonl"
MARKDOWN = "audit.md"
JSON = "audit.json"
CANDIDATES = "candidates.yaml"


def write_outputs(folder: Path, about: About) -> tuple[Summary, int]:
    """Reads the journal in `folder` and writes the other files beside it; returns the counts and how many candidates.

    Each pass reads the journal anew: nothing of it is held.
    """
    journal = folder / JOURNAL
    summary = summarise(standing(journal))
    summary = dataclasses.replace(summary, gaps=masked_gaps(summary.gaps))
    (folder / MARKDOWN).write_text(markdown(summary, _inventions(journal), about), encoding="utf-8", errors="replace")
    with (folder / JSON).open("w", encoding="utf-8", errors="replace") as file:
        write_json(summary, _inventions(journal), about, file)
    with (folder / CANDIDATES).open("w", encoding="utf-8", errors="replace") as file:
        number = write_candidates(candidates(_inventions(journal), summary.gaps), file)
    return summary, number


def _inventions(journal: Path) -> Iterator[Entry]:
    return masked_entries(entry for entry in standing(journal) if entry.outcome is Outcome.INVENTED)
