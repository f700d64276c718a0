"""`junit.xml`, as GitHub's, GitLab's and Jenkins' test views read it.

A test suite a category, a test case a golden case. What failed is a `failure`, what is in error an `error`, what
nothing could be said about `skipped`. Written as it is read: a run of any size takes no memory. Of a case that passed
or was not judged the index says enough; only the others are read whole.

Elements and attributes are those that the schema of Jenkins' xUnit plugin (junit-10.xsd) knows: it refuses a whole file
for one other attribute, so a test case has no `file` and `line`. A suite whose cases share a file names it, and every
failure's text begins with the golden case's own place.
"""

from __future__ import annotations

from io import TextIOWrapper
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

from quilate.grades import CriterionGrade, Grade
from quilate.report import visible
from quilate.report.input import CaseRecord
from quilate.report.sources import ReadRun
from quilate.runs.index import CaseSummary

MAX_TEXT_BYTES = 20_000


def write(run: ReadRun, out: BinaryIO) -> None:
    """Writes the run as JUnit XML, in UTF-8."""
    by_category: dict[str, list[CaseSummary]] = {}
    for summary in run.index.summaries():
        by_category.setdefault(summary.category, []).append(summary)
    every = [summary for group in by_category.values() for summary in group]
    xml = _Writer(out)
    xml.open("testsuites", {"name": run.header.suite, **_counts(every), "time": _time(run, every)})
    for category, group in by_category.items():
        _suite(xml, run, category, group)
    xml.close("testsuites")
    xml.end()


def _suite(xml: _Writer, run: ReadRun, category: str, group: list[CaseSummary]) -> None:
    started = run.header.conditions.started_at
    attributes = {"name": category, **_counts(group), "skipped": str(_skipped(group)), "time": _time(run, group)}
    if len(started) >= 19:
        attributes["timestamp"] = started[:19]  # to the second and without a zone, as Jenkins reads it
    file = _shared_file(run, group)
    if file is not None:
        attributes["file"] = file
    xml.open("testsuite", attributes)
    xml.open("properties", {})
    header = run.header
    for name, value in (
        ("suite", header.suite), ("commit", header.commit or ""), ("dataset", header.dataset.version),
        ("trials", str(header.conditions.trials)), ("quilate", header.tool_version),
    ):  # fmt: skip
        xml.empty("property", {"name": name, "value": value})
    xml.close("properties")
    for summary in group:
        _case(xml, run, summary)
    xml.close("testsuite")


def _shared_file(run: ReadRun, group: list[CaseSummary]) -> str | None:
    files = {run.index.file(summary.case_id) for summary in group}
    return files.pop() if len(files) == 1 else None


def _time(run: ReadRun, group: list[CaseSummary]) -> str:
    return _seconds(sum(sum(run.index.durations_ms(each.case_id)) for each in group))


def _counts(group: list[CaseSummary]) -> dict[str, str]:
    failures = sum(each.grade in (Grade.FAIL, Grade.PARTIAL) for each in group)
    errors = sum(each.grade is Grade.ERROR for each in group)
    return {"tests": str(len(group)), "failures": str(failures), "errors": str(errors)}


def _skipped(group: list[CaseSummary]) -> int:
    return sum(each.grade is Grade.NOT_JUDGED for each in group)


def _case(xml: _Writer, run: ReadRun, summary: CaseSummary) -> None:
    time = _seconds(sum(run.index.durations_ms(summary.case_id)))
    classname = f"{run.header.suite}.{summary.category}"
    xml.open("testcase", {"name": summary.case_id, "classname": classname, "time": time})
    if summary.grade is Grade.NOT_JUDGED:
        xml.empty("skipped", {"message": "not judged: nothing that could be graded says what the reply is for"})
    elif summary.grade is not Grade.PASS:
        _told(xml, run.case(summary.case_id))
    xml.close("testcase")


def _told(xml: _Writer, record: CaseRecord) -> None:
    line = record.grade_line
    worst = _worst(line.criteria, line.grade)
    message = worst.reason if worst else ""
    if line.grade is Grade.ERROR:
        kind = worst.error.value if worst and worst.error else "error"
        xml.text("error", {"message": message, "type": kind}, _details(record))
    else:
        xml.text("failure", {"message": message, "type": line.grade.value}, _details(record))


def _worst(criteria: tuple[CriterionGrade, ...], grade: Grade) -> CriterionGrade | None:
    return next((each for each in criteria if each.grade is grade), None)


def _details(record: CaseRecord) -> str:
    line = record.grade_line
    place = f"{line.location.file}:{line.location.line}" if line.location else ""
    parts = [*([place] if place else []), f"asked: {line.definition.question}"]
    for criterion in line.criteria:
        if criterion.grade in (Grade.FAIL, Grade.PARTIAL, Grade.ERROR):
            parts.append(f"{criterion.grade.value} {criterion.text or criterion.id}: {criterion.reason}")
            parts += [f"  expected: {criterion.expected}"] if criterion.expected is not None else []
            parts += [f"  found: {criterion.found}"] if criterion.found is not None else []
    parts += [f"reply (trial {trial + 1}): {reply.output}" for trial, reply in sorted(record.replies.items())]
    return "\n".join(parts)


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.3f}"


class _Writer:
    """XML 1.0 to a stream. Characters that XML forbids are shown by their number, as everywhere."""

    def __init__(self, out: BinaryIO) -> None:
        self._text = TextIOWrapper(out, encoding="utf-8", errors="xmlcharrefreplace", newline="\n")
        self._text.write('<?xml version="1.0" encoding="utf-8"?>')
        self._depth = 0

    def open(self, name: str, attributes: dict[str, str]) -> None:
        self._text.write(f"{self._line()}<{name}{_attributes(attributes)}>")
        self._depth += 1

    def close(self, name: str) -> None:
        self._depth -= 1
        self._text.write(f"{self._line()}</{name}>")

    def empty(self, name: str, attributes: dict[str, str]) -> None:
        self._text.write(f"{self._line()}<{name}{_attributes(attributes)}/>")

    def text(self, name: str, attributes: dict[str, str], content: str) -> None:
        shown = escape(visible.lines(visible.cut(content, MAX_TEXT_BYTES)))
        self._text.write(f"{self._line()}<{name}{_attributes(attributes)}>{shown}</{name}>")

    def end(self) -> None:
        self._text.write("\n")
        self._text.detach()

    def _line(self) -> str:
        return "\n" + "  " * self._depth


def _attributes(values: dict[str, str]) -> str:
    shown = ((name, visible.line(visible.cut(value, 4000))) for name, value in values.items())
    return "".join(f" {name}={quoteattr(value)}" for name, value in shown)
