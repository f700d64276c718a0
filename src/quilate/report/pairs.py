"""Replies judged side by side, as a report tells them: from the pairs file beside a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from quilate.report.input import ReportInput, SideBySide
from quilate.report.sources import ReadRun

if TYPE_CHECKING:
    from quilate.judge.pairs import PairCount, Pairs


def with_pairs(report: ReportInput, run_file: Path, head: ReadRun, base: ReadRun | None) -> ReportInput:
    """`report` with the pairs that stand beside `run_file`, where they are those of these two runs.

    Raises `InputError` for a pairs file that cannot be read.
    """
    from quilate.judge.pairs_file import beside

    path = beside(run_file)
    if base is None or not path.exists():
        return report
    from quilate.judge.pairs_file import pairs_of_runs

    found = pairs_of_runs(path, head, base)
    return report if found is None else told(report, found)


def told(report: ReportInput, pairs: Pairs) -> ReportInput:
    """`report` with `pairs` in it."""
    metrics = replace(report.metrics, side_by_side=counted(pairs.count))
    return replace(report, metrics=metrics, pairs=pairs)


def counted(count: PairCount) -> SideBySide | None:
    """Won, tied, lost as the comment tells them; None where there was no pair at all."""
    if not count.judged and not count.unjudged:
        return None
    return SideBySide(
        better=count.won, worse=count.lost, alike=count.tied, flip_rate=count.flip_rate,
        unjudged=count.unjudged, why_unjudged=count.why_unjudged[0] if count.why_unjudged else "",
    )  # fmt: skip
