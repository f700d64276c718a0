"""The past runs of a suite in a folder: a store's own, or a checkout of the data branch."""

from __future__ import annotations

from pathlib import Path

from quilate.errors import QuilateError
from quilate.goldens.living import PastRun
from quilate.runs.reader import RunReader

MOST = 50
"""Runs that are looked at: the newest."""


def past_runs(folder: Path, suite: str) -> tuple[PastRun, ...]:
    """The complete runs of `suite` below `folder`, oldest first; files that are none are passed over."""
    found: list[PastRun] = []
    for path in sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.jsonl.gz")]):
        try:
            with RunReader(path) as run:
                header = run.header
                if header.suite != suite or not run.complete or header.dataset.selection is not None:
                    continue
                grades = {line.case_id: line.grade for line in run.grade_lines()}
                at = header.conditions.started_at or (run.footer.ended_at if run.footer else "")
                found.append(PastRun(header.dataset.version, at or "", grades))
        except QuilateError:
            continue
    return tuple(sorted(found, key=lambda run: run.at)[-MOST:])
