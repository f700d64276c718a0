"""Which lines of golden files are annotated. Pure; GitHub shows ten of a level a step and drops the rest in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from quilate.compare.comparison import Comparison
from quilate.errors import InputError
from quilate.github.commands import Annotation, Level
from quilate.grades import CriterionGrade, Grade
from quilate.report.asides import erred
from quilate.report.messages import Language, Translator
from quilate.report.retold import spoken
from quilate.report.visible import line as one_line
from quilate.runs.reader import RunReader
from quilate.saying import say

MOST = 10
LONGEST = 500


def of_comparison(comparison: Comparison, head: RunReader, language: Language = "en") -> list[Annotation]:
    """A newly failing case is an error at its own line, a case in error a warning, in the report's language."""
    t = Translator(language)
    broke = [
        _of_case(head, case_id, "error", spoken(say("{case} broke", case=case_id), t), None, t)
        for case_id in comparison.broke
    ]
    errors = [
        _of_case(
            head, case_id, "warning", spoken(say("{case} could not be graded", case=case_id), t),
            erred(case_id, why, head, t), t,
        )
        for case_id, why in comparison.errors.items()
    ]  # fmt: skip
    return [
        *limited(
            broke,
            lambda n, why: spoken(say("{n} cases that broke, all alike: {why}", n=n, why=why), t),
            lambda n: spoken(say("{n} more cases that broke: see the report", n=n), t),
        ),
        *limited(
            errors,
            lambda n, why: spoken(say("{n} cases in error, all alike: {why}", n=n, why=why), t),
            lambda n: spoken(say("{n} more cases in error: see the report", n=n), t),
        ),
    ]


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
    return limited(
        found, lambda n, why: f"{n} problems, all alike: {why}", lambda n: f"{n} more problems: see the report"
    )


def limited(
    annotations: Sequence[Annotation], alike: Callable[[int, str], str], more: Callable[[int], str]
) -> list[Annotation]:
    """At most `MOST`; the last then says how many more there are. What all say alike is said once."""
    if len(annotations) > 2 and len({one.message for one in annotations}) == 1:
        first = annotations[0]
        return [Annotation(first.level, alike(len(annotations), first.message), "quilate")]
    if len(annotations) <= MOST:
        return list(annotations)
    rest = len(annotations) - MOST + 1
    return [*annotations[: MOST - 1], Annotation(annotations[0].level, more(rest), "quilate")]


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


def _of_case(head: RunReader, case_id: str, level: Level, title: str, why: str | None, t: Translator) -> Annotation:
    try:
        line = head.grade_line(case_id)
    except KeyError:
        return Annotation(level, _short(why or title), _short(title))
    place = line.location
    return Annotation(
        level,
        _short(why or _reason(line.criteria, t)),
        _short(title),
        place.file if place else None,
        place.line if place else None,
    )


def _reason(criteria: Iterable[CriterionGrade], t: Translator) -> str:
    bad = [one for one in criteria if one.grade in (Grade.FAIL, Grade.PARTIAL)]
    return "; ".join(f"{one.id}: {spoken(one.why, t)}" for one in bad) or spoken(say("it did not pass"), t)


def _short(text: str) -> str:
    plain = one_line(text)
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
