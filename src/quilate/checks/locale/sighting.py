"""What a reader saw in a reply: a span, whether it is the locale's, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from quilate.checks.calls import and_more
from quilate.grades import CriterionGrade, Evidence, Grade
from quilate.saying import listed, say


class Standing(StrEnum):
    """How one sighting stands to the locale."""

    LOCAL = "local"
    """Right, in the local form."""
    MISFORMED = "misformed"
    """Local in kind, in another locale's form (`R$ 1,234.56`)."""
    VAGUE = "vague"
    """Neither the locale's nor another's (`27 graus`, `2026-04-05`)."""
    FOREIGN = "foreign"
    """Another locale's (`US$ 6`, miles, NIF)."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One thing seen at `start:end` of the reply's output."""

    start: int
    end: int
    standing: Standing
    note: str


MAX_QUOTES = 12


def evidence_of(sightings: Iterable[Sighting], output: str) -> tuple[Evidence, ...]:
    """Sightings as quotations, at most `MAX_QUOTES`, in the reply's order."""
    ordered = sorted(sightings, key=lambda seen: (seen.start, seen.end))[:MAX_QUOTES]
    return tuple(Evidence.of(output[seen.start : seen.end], seen.note, seen.start, seen.end) for seen in ordered)


def standing_of(sightings: Sequence[Sighting], standing: Standing) -> list[Sighting]:
    """The sightings with one standing."""
    return [seen for seen in sightings if seen.standing is standing]


def quoted(sightings: Sequence[Sighting], output: str, most: int = 3) -> str:
    """The first few quotations on one line, with what each is."""
    parts = [
        say("“{quote}” ({note})", quote=" ".join(output[seen.start : seen.end].split()), note=seen.note)
        for seen in sightings[:most]
    ]
    return and_more(listed(parts), len(sightings) - most)


@dataclass(frozen=True, slots=True)
class Finding:
    """A grade by what is visible."""

    grade: Grade
    reason: str
    sightings: tuple[Sighting, ...] = ()


def graded(criterion_id: str, text: str, finding: Finding, output: str) -> CriterionGrade:
    """A finding as a criterion's grade, with its quotations; of a pass, only those that show the locale."""
    shown = finding.sightings
    if finding.grade is Grade.PASS:
        shown = tuple(standing_of(shown, Standing.LOCAL))
    return CriterionGrade.of(
        id=criterion_id,
        grade=finding.grade,
        reason=finding.reason,
        text=text,
        evidence=evidence_of(shown, output),
        detail={"decided_by": "code"},
    )
