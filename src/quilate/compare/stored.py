"""A judge that only remembers: verdicts a run already holds, for comparing run files without asking anyone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quilate.agents.agent import Reply
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, ErrorKind, Grade, GradedBy
from quilate.judge.criteria import CriterionKind, LeftOpen, SemanticCriterion
from quilate.judge.grader import every_criterion
from quilate.runs.reader import RunReader
from quilate.saying import say

_DECIDING_FIELDS = {
    CriterionKind.REFERENCE: ("expected_output",),
    CriterionKind.RUBRIC: ("signal", "locale", "language", "expects", "time_sensitive"),
    CriterionKind.GROUNDED: ("grounded", "evidence"),
}


class StoredVerdicts:
    """A `Grader` of semantic criteria that takes over what `run` holds for the same reply.

    A verdict is taken over where the judge is the same and the criterion is too: a behaviour by its text, anything
    else by the fields of the case that decide it. The rest is an error, since asking is not this command's business.
    Where no judge took part in the ruler that is applied (`judged` false), nothing is judged.
    """

    def __init__(
        self,
        run: RunReader,
        own_ids: Mapping[str, str],
        *,
        judged: bool,
        same_judge: bool,
        left_open: Sequence[LeftOpen] = (),
    ) -> None:
        """`own_ids`: the id of a definition's case → its id in `run`, whose replies are graded."""
        self._run, self._own_ids = run, own_ids
        self._judged, self._same_judge, self._left_open = judged, same_judge, left_open

    async def grade(self, case: GoldenCase, reply: Reply, trial: int) -> Sequence[CriterionGrade]:
        """The stored verdict of every semantic criterion of `case`."""
        wanted = every_criterion(case, reply, self._left_open)
        if not wanted:
            return []
        if not self._judged:
            return [_without(criterion, Grade.NOT_JUDGED, say("no judge is configured")) for criterion in wanted]
        line = self._run.grade_line(self._own_ids.get(case.id, case.id))
        stored = [found for graded in line.trials if graded.trial == trial for found in graded.criteria]
        by_judge = [found for found in stored if found.graded_by is not GradedBy.CODE] if self._same_judge else []
        return [_taken(criterion, case, line.definition, by_judge) for criterion in wanted]


def _taken(
    criterion: SemanticCriterion, case: GoldenCase, old: GoldenCase, stored: Sequence[CriterionGrade]
) -> CriterionGrade:
    if criterion.kind is CriterionKind.BEHAVIOR:
        found = next((one for one in stored if one.text == criterion.text), None)
    else:
        fields = _DECIDING_FIELDS[criterion.kind]
        same = all(getattr(case, field) == getattr(old, field) for field in fields)
        found = next((one for one in stored if one.id == criterion.id), None) if same else None
    if found is None:
        lost = say("no stored verdict of the same judge; `quilate run` can ask for one")
        return _without(criterion, Grade.ERROR, lost)
    return found.model_copy(update={"id": criterion.id})


def _without(criterion: SemanticCriterion, grade: Grade, reason: str) -> CriterionGrade:
    error = ErrorKind.JUDGE if grade is Grade.ERROR else None
    return CriterionGrade.of(id=criterion.id, text=criterion.text, grade=grade, reason=reason, error=error)
