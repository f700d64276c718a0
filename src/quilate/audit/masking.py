"""Users' words before they are reported: an issue is read by more people than a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from quilate.audit.entry import Entry
from quilate.audit.gaps import Gap, Gaps
from quilate.personal_data import find_personal_data
from quilate.secret_shapes import find_secrets


def masked(text: str) -> str:
    """`text` with what has the shape of personal data or a secret replaced by the name of its kind.

    Names and addresses have no shape: a person looks through what is published all the same.
    """
    for find in (find_secrets, find_personal_data):
        parts: list[str] = []
        end = 0
        for found in find(text):
            parts += [text[end : found.start], f"[{found.kind.value}]"]
            end = found.end
        text = "".join((*parts, text[end:]))
    return text


def masked_entry(entry: Entry) -> Entry:
    """The entry as a report shows it."""
    return entry.model_copy(
        update={
            "question": None if entry.question is None else masked(entry.question),
            "reply": None if entry.reply is None else masked(entry.reply),
            "reason": masked(entry.reason),
            "claims": tuple(_masked_claim(claim) for claim in entry.claims),
            "fragments": tuple(masked(text) for text in entry.fragments),
        }
    )


def _masked_claim(claim: dict[str, Any]) -> dict[str, Any]:
    return {key: masked(value) if isinstance(value, str) else value for key, value in claim.items()}


def masked_gaps(gaps: Gaps) -> Gaps:
    """The groups as a report shows them."""
    groups = tuple(
        Gap(masked(gap.question), gap.count, gap.ids, [masked(each) for each in gap.examples]) for gap in gaps.groups
    )
    return Gaps(groups, gaps.ungrouped)


def masked_entries(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Each as a report shows it."""
    return (masked_entry(entry) for entry in entries)
