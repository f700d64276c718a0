"""What a comparison takes of a run: its header, its cases in columns, and whether it may be measured by."""

from __future__ import annotations

from dataclasses import dataclass

from quilate.reasons import Reason
from quilate.runs.index import RunIndex
from quilate.runs.reader import RunReader
from quilate.runs.record import Header
from quilate.runs.resume import usable


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One side of a comparison."""

    header: Header
    index: RunIndex
    complete: bool
    unusable: Reason | None
    """Why it may not be a baseline."""

    @classmethod
    def of(cls, run: RunReader) -> RunSummary:
        """Reads the run once."""
        return cls(run.header, run.index, run.complete, usable(run))
