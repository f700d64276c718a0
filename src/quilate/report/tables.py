"""Results for other programs: `results.csv` for a spreadsheet, `results.json` with a documented shape."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from typing import Any, TextIO

from quilate.grades import Grade
from quilate.report import visible
from quilate.report.input import CaseRecord
from quilate.report.sources import ReadRun
from quilate.report.story import record_of

SCHEMA = 1
COLUMNS = (
    "case_id", "category", "grade", "base_grade", "approved_trials", "graded_trials", "duration_ms", "failed_criteria",
    "reason", "file", "line",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(run: ReadRun, out: TextIO, base: ReadRun | None = None) -> None:
    """A line a case under `COLUMNS`; `base_grade` by the same id, empty where base has none.

    Text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(run, base):
        writer.writerow([_cell(row[name]) for name in COLUMNS])


def write_json(run: ReadRun, out: TextIO, base: ReadRun | None = None) -> None:
    """`{"schema": 1, "suite", "commit", "dataset", "trials", "cases": [{…}]}`; a case's keys are `COLUMNS`.

    `failed_criteria` is a list, `null` stands where there is nothing. Written case by case.
    """
    header = run.header
    head: dict[str, Any] = {
        "schema": SCHEMA, "suite": header.suite, "commit": header.commit, "dataset": header.dataset.version,
        "trials": header.conditions.trials,
    }  # fmt: skip
    out.write(json.dumps(head, ensure_ascii=True)[:-1] + ', "cases": [')
    out.writelines(
        (",\n" if number else "\n") + json.dumps(row, ensure_ascii=True) for number, row in enumerate(rows(run, base))
    )
    out.write("\n]}\n")


def rows(run: ReadRun, base: ReadRun | None = None) -> Iterator[dict[str, Any]]:
    """Every graded case as plain values, in the order of the file."""
    for summary in run.index.summaries():
        record = run.case(summary.case_id)
        before = record_of(summary.case_id, base)
        line = record.grade_line
        failed = [each for each in line.criteria if each.grade in (Grade.FAIL, Grade.PARTIAL, Grade.ERROR)]
        yield {
            "case_id": line.case_id, "category": line.category, "grade": line.grade.value,
            "base_grade": before.grade_line.grade.value if before else None,
            "approved_trials": summary.approved_trials, "graded_trials": summary.graded_trials,
            "duration_ms": _duration_ms(record), "failed_criteria": [each.id for each in failed],
            "reason": failed[0].reason if failed else None,
            "file": line.location.file if line.location else None,
            "line": line.location.line if line.location else None,
        }  # fmt: skip


def _duration_ms(record: CaseRecord) -> float | None:
    times = [reply.duration_ms for reply in record.replies.values() if reply.duration_ms is not None]
    return sum(times) / len(times) if times else None


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = "; ".join(str(each) for each in value) if isinstance(value, list) else str(value)
    shown = visible.lines(visible.cut(text, 30_000))
    return f"'{shown}" if isinstance(value, str | list) and shown.startswith(_FORMULA) else shown
