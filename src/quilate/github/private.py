"""A run file for a public branch whose replies are nobody's business: `baseline.store_replies: false`."""

from __future__ import annotations

from pathlib import Path

from quilate.grades import CriterionGrade, TrialGrade
from quilate.runs.reader import RunReader
from quilate.runs.record import Footer, GradeLine
from quilate.runs.writer import RunWriter
from quilate.saying import say

WITHHELD = say("not stored: replies are withheld")


def without_replies(run: Path, target: Path) -> Path:
    """Writes `run` to `target` without replies and without what grades quote of them.

    Grades, definitions and counts stay; what needs the replies (grading the base again by an edited ruler) is then
    not to be had, and such cases stand outside the comparison.
    """
    target.unlink(missing_ok=True)
    with RunReader(run) as source, RunWriter(target, source.header) as writer:
        for line in source.grade_lines():
            writer.grade(_bare(line))
        footer = source.footer
        if isinstance(footer, Footer):
            writer.footer(footer)
    return target


def _bare(line: GradeLine) -> GradeLine:
    trials = tuple(
        TrialGrade(trial=one.trial, grade=one.grade, criteria=_stripped(one.criteria)) for one in line.trials
    )
    return line.model_copy(update={"criteria": _stripped(line.criteria), "trials": trials})


def _stripped(criteria: tuple[CriterionGrade, ...]) -> tuple[CriterionGrade, ...]:
    return tuple(_told_nothing(criterion) for criterion in criteria)


def _told_nothing(criterion: CriterionGrade) -> CriterionGrade:
    """The criterion and its grade; of its texts those alone that the golden case made."""
    parts = {name: each for name, each in criterion.said.items() if name in ("text", "expected")}
    gone: dict[str, object] = {"found": None, "evidence": (), "detail": {}, "said": parts}
    return criterion.model_copy(update=gone).because(WITHHELD)
