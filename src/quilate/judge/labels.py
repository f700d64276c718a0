"""People as the judge: verdicts they wrote, by case, reply and criterion."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from quilate.agents.agent import Reply
from quilate.canonical import fingerprint
from quilate.documents import read_document
from quilate.errors import InputError, Problem
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, Grade, GradedBy
from quilate.judge.criteria import LeftOpen, SemanticCriterion
from quilate.judge.grader import every_criterion
from quilate.judge.identity import reply_sha256
from quilate.judge.marking import votes_shown
from quilate.judge.totals import JudgeTotals
from quilate.saying import message, say


class Label(BaseModel):
    """One verdict of one person: a line of a labels file. `criterion` is a criterion's id or its text."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["label"]
    case_id: str
    reply_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    criterion: str
    grade: Literal["pass", "partial", "fail"]
    rater: str
    at: str


def read_labels(path: Path) -> list[Label]:
    """The labels of a JSON Lines file; lines of another `kind` are passed over. Raises `InputError`."""
    document = read_document(path)
    labels: list[Label] = []
    problems: list[Problem] = []
    lines = document.value if isinstance(document.value, list) else []
    for index, line in enumerate(lines):
        if isinstance(line, dict) and line.get("kind") not in (None, "label"):
            continue
        try:
            labels.append(Label.model_validate(line))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            mend = "write {kind: label, case_id, reply_sha256, criterion, grade, rater, at}"
            problems.append(document.problem((index,), f"{place or 'the line'}: {first['msg']}", mend))
    if problems:
        raise InputError(problems)
    return labels


class LabelsGrader:
    """Grades by what people wrote; where they wrote nothing, or disagree evenly, a criterion is `not_judged`.

    Each rater's last verdict counts, and the majority of raters decides.
    """

    def __init__(self, labels: Sequence[Label], left_open: Sequence[LeftOpen] = ()) -> None:
        self.totals = JudgeTotals()
        self._left_open = left_open
        self._verdicts: dict[tuple[str, str], dict[str, dict[str, Label]]] = defaultdict(lambda: defaultdict(dict))
        for label in labels:
            self._verdicts[label.case_id, label.reply_sha256][label.criterion][label.rater] = label

    async def grade(self, case: GoldenCase, reply: Reply, trial: int) -> list[CriterionGrade]:
        """The grades people gave this very reply."""
        found = self._verdicts.get((case.id, reply_sha256(reply)), {})
        return [
            self._graded(criterion, {**found.get(criterion.text, {}), **found.get(criterion.id, {})})
            for criterion in every_criterion(case, reply, self._left_open)
        ]

    def _graded(self, criterion: SemanticCriterion, by_rater: dict[str, Label]) -> CriterionGrade:
        count = Counter(Grade(label.grade) for label in by_rater.values())
        if not count:
            return _not_judged(criterion, say("no label for this reply"))
        grade, times = count.most_common(1)[0]
        votes = {each.value: number for each, number in count.items()}
        if 2 * times <= len(by_rater):
            return _not_judged(criterion, say("the raters disagree: {votes}", votes=votes_shown(count)))
        self.totals.made += 1
        raters = ", ".join(sorted(rater for rater, label in by_rater.items() if label.grade == grade.value))
        said = say(_SAYS[grade] if times == 1 else _SAY[grade], raters=raters)
        last = max(label.at for label in by_rater.values())
        return CriterionGrade.of(
            id=criterion.id,
            text=criterion.text,
            grade=grade,
            reason=said
            if times == len(by_rater)
            else say("{said} ({n} of {raters} raters)", said=said, n=times, raters=len(by_rater)),
            graded_by=GradedBy.PERSON,
            detail={"votes": dict(votes), "at": last},
        )


_SAYS = {
    Grade.PASS: message("{raters} says pass"), Grade.PARTIAL: message("{raters} says partial"),
    Grade.FAIL: message("{raters} says fail"),
}  # fmt: skip
_SAY = {
    Grade.PASS: message("{raters} say pass"), Grade.PARTIAL: message("{raters} say partial"),
    Grade.FAIL: message("{raters} say fail"),
}  # fmt: skip


def _not_judged(criterion: SemanticCriterion, reason: str) -> CriterionGrade:
    return CriterionGrade.of(
        id=criterion.id, text=criterion.text, grade=Grade.NOT_JUDGED, reason=reason, graded_by=GradedBy.PERSON
    )


def labels_fingerprint(labels: Sequence[Label]) -> str:
    """Changes with any label: people who change their minds are another ruler."""
    return fingerprint(sorted([label.model_dump(mode="json") for label in labels], key=str))
