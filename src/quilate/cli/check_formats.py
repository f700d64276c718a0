"""What `quilate check` found, as text for people, JSON for programs, and annotations for GitHub."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from quilate.errors import Problem
from quilate.github.commands import Annotation
from quilate.goldens.lint import Finding
from quilate.goldens.living import VersionRate
from quilate.shown import visible


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check came to. `files` and `cases` are counted where the goldens could be read."""

    problems: Sequence[Problem]
    findings: Sequence[Finding]
    files: int
    cases: int
    versions: Sequence[VersionRate] = ()


def as_text(checked: Checked) -> Iterator[str]:
    """A line for each, place first; the last line says everything."""
    for problem in checked.problems:
        yield _not_a_command(f"{_place(problem.file, problem.line)}: error: {_problem(problem)}")
    for finding in checked.findings:
        yield _not_a_command(f"{_place(finding.file, finding.line)}: warning: {_finding(finding)} [{finding.code}]")
    for version in checked.versions:
        yield f"version {version}"
    errors, warnings = _count(len(checked.problems), "error"), _count(len(checked.findings), "warning")
    if checked.problems:
        yield f"{errors}; nothing can be run before they are mended"
    else:
        yield f"{_count(checked.cases, 'case')} in {_count(checked.files, 'file')}: no errors, {warnings}"


def as_json(checked: Checked) -> Iterator[str]:
    """One JSON object: `schema`, `files`, `cases`, `errors`, `warnings`."""
    value: dict[str, Any] = {
        "schema": 1,
        "files": checked.files,
        "cases": checked.cases,
        "errors": [asdict(problem) for problem in checked.problems],
        "warnings": [asdict(finding) for finding in checked.findings],
    }
    if checked.versions:
        value["versions"] = [asdict(version) for version in checked.versions]
    yield json.dumps(value, ensure_ascii=False, indent=2)


def as_github(checked: Checked) -> Iterator[str]:
    """Workflow commands that put each problem on its line of the pull request's files."""
    for problem in checked.problems:
        yield Annotation("error", _problem(problem), "quilate check", problem.file, problem.line).command()
    for finding in checked.findings:
        title = f"quilate check: {finding.code}"
        yield Annotation("warning", _finding(finding), title, finding.file, finding.line).command()


def _not_a_command(line: str) -> str:
    """A runner takes a log line that begins with `::` for a command, even where it is a file's name."""
    return f"./{line}" if line.startswith((":", "#")) else line


def _place(file: str, line: int | None) -> str:
    shown = visible(file, 400)
    return shown if line is None else f"{shown}:{line}"


def _problem(problem: Problem) -> str:
    key = f"{problem.key}: " if problem.key else ""
    return f"{key}{problem.found}; {problem.mend}"


def _finding(finding: Finding) -> str:
    case = f'case "{visible(finding.case_id)}": ' if finding.case_id else ""
    return f"{case}{finding.found}; {finding.mend}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
