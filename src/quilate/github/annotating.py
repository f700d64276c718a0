"""Which lines of golden files are annotated. Pure; GitHub shows ten of a level a step and drops the rest in silence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quilate.compare.comparison import Comparison
from quilate.errors import InputError
from quilate.github.commands import Annotation, Level
from quilate.grades import Grade
from quilate.report.visible import line as one_line
from quilate.runs.reader import RunReader

MOST = 10
LONGEST = 500


def of_comparison(comparison: Comparison, head: RunReader) -> list[Annotation]:
    """A newly failing case is an error at its own line, a case in error a warning."""
    broke = [_of_case(head, case_id, "error", f"{case_id} broke") for case_id in comparison.broke]
    errors = [
        _of_case(head, case_id, "warning", f"{case_id} could not be graded", why)
        for case_id, why in comparison.errors.items()
    ]
    return [*limited(broke, "cases that broke"), *limited(errors, "cases in error")]


def of_input_error(error: InputError) -> list[Annotation]:
    """Each problem of a configuration or golden file, at its line."""
    found = [
        Annotation(
            "error",
            _short(f"{problem.key + ': ' if problem.key else ''}{problem.found}; {problem.mend}"),
            "quilate",
            problem.file,
            problem.line,
        )
        for problem in error.problems
    ]
    return limited(found, "problems")


def limited(annotations: Sequence[Annotation], what: str) -> list[Annotation]:
    """At most `MOST`; the last then says how many more there are. What all say alike is said once."""
    if len(annotations) > 2 and len({one.message for one in annotations}) == 1:
        first = annotations[0]
        return [Annotation(first.level, f"{len(annotations)} {what}, all alike: {first.message}", "quilate")]
    if len(annotations) <= MOST:
        return list(annotations)
    rest = len(annotations) - MOST + 1
    more = Annotation(annotations[0].level, f"{rest} more {what}: see the report", "quilate")
    return [*annotations[: MOST - 1], more]


def of_step(annotations: Sequence[Annotation]) -> list[Annotation]:
    """Those of all suites together, within GitHub's limit of a level a step; what is said at a line goes first."""
    kept: list[Annotation] = []
    for level in ("error", "warning", "notice"):
        found = [one for one in annotations if one.level == level]
        if len(found) > MOST:
            rest = len(found) - MOST + 1
            found = sorted(found, key=lambda one: one.file is None)[: MOST - 1]
            found.append(Annotation(level, f"{rest} more: see the job's summary and the report", "quilate"))
        kept += found
    return kept


def _of_case(head: RunReader, case_id: str, level: Level, title: str, why: str | None = None) -> Annotation:
    try:
        line = head.grade_line(case_id)
    except KeyError:
        return Annotation(level, _short(why or title), _short(title))
    place = line.location
    return Annotation(
        level,
        _short(why or _reason(line.criteria)),
        _short(title),
        place.file if place else None,
        place.line if place else None,
    )


def _reason(criteria: Iterable[object]) -> str:
    bad = [one for one in criteria if getattr(one, "grade", None) in (Grade.FAIL, Grade.PARTIAL)]
    said = "; ".join(f"{one.id}: {one.reason}" for one in bad)  # type: ignore[attr-defined]
    return said or "it did not pass"


def _short(text: str) -> str:
    plain = one_line(text)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
