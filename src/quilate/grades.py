"""The words every stage shares: grades, error kinds, verdicts, and how the worst of several is found."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, JsonValue

from quilate.saying import again, kept


class Grade(StrEnum):
    """What one criterion, one trial or one case came to."""

    PASS = "pass"  # noqa: S105 - the word, no password
    PARTIAL = "partial"
    FAIL = "fail"
    ERROR = "error"
    NOT_JUDGED = "not_judged"

    @property
    def graded(self) -> bool:
        """Whether the grade counts in a pass rate (pass, partial and fail do)."""
        return self in (Grade.PASS, Grade.PARTIAL, Grade.FAIL)


class ErrorKind(StrEnum):
    """Why something could not be graded, through no fault of the agent."""

    JUDGE = "judge"
    INFRASTRUCTURE = "infrastructure"
    BUDGET = "budget"
    SECRET = "secret"  # noqa: S105 - the word, no password


class Verdict(StrEnum):
    """What a comparison came to; the exit code is another thing."""

    PASS = "pass"  # noqa: S105 - the word, no password
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


class GradedBy(StrEnum):
    """Who graded a criterion."""

    CODE = "code"
    JUDGE = "judge"
    PERSON = "person"


class RecordModel(BaseModel):
    """Base of everything that is written to and read from a run file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Evidence(RecordModel):
    """A quotation that supports a grade.

    `start` and `end` are character offsets in the reply's output; both are None where the quotation was not found
    there, and the reader is told so.
    """

    quote: str
    start: int | None = None
    end: int | None = None
    note: str | None = None
    said: dict[str, Any] = {}
    """Under `note` and `quote`, the parts of those that code wrote (see `saying`): a masked quotation is one."""

    @classmethod
    def of(cls, quote: str, note: str | None, start: int | None = None, end: int | None = None) -> Self:
        """Evidence whose note and quotation keep their parts, where they are sentences of ours."""
        return cls(
            quote=str(quote), start=start, end=end, note=note and str(note), said=kept(quote=quote, note=note)
        )  # fmt: skip


class CriterionGrade(RecordModel):
    """One criterion's grade, with everything a person needs to act on it in `reason` (one line)."""

    id: str
    grade: Grade
    reason: str
    text: str | None = None
    expected: str | None = None
    found: str | None = None
    evidence: tuple[Evidence, ...] = ()
    graded_by: GradedBy = GradedBy.CODE
    error: ErrorKind | None = None
    necessary: bool = False
    """Necessary but never sufficient (latency, metrics, not crashing): passed alone it leaves a case not judged."""
    detail: dict[str, JsonValue] = {}
    """What a metric counts by: the kind of an ambiguity's failure, a groundedness verdict and its search, votes …"""
    said: dict[str, Any] = {}
    """The parts of those of `text`, `reason`, `expected` and `found` that code wrote (see `saying`), by those names."""

    @classmethod
    def of(
        cls,
        *,
        id: str,  # noqa: A002 - the field's name
        grade: Grade,
        reason: str,
        text: str | None = None,
        expected: str | None = None,
        found: str | None = None,
        evidence: tuple[Evidence, ...] = (),
        graded_by: GradedBy = GradedBy.CODE,
        error: ErrorKind | None = None,
        necessary: bool = False,
        detail: dict[str, JsonValue] | None = None,
    ) -> Self:
        """A criterion whose texts keep their parts, where they are sentences of ours."""
        return cls(
            id=id, grade=grade, reason=reason, text=text, expected=expected, found=found, evidence=evidence,
            graded_by=graded_by, error=error, necessary=necessary, detail=detail or {},
            said=kept(text=text, reason=reason, expected=expected, found=found),
        )  # fmt: skip

    @property
    def why(self) -> str:
        """The reason, with its parts where it has any."""
        return again(self.reason, self.said["reason"]) if "reason" in self.said else self.reason

    def because(self, reason: str, grade: Grade | None = None) -> Self:
        """The same criterion for another reason, with another grade where one is given."""
        said = {**self.said, **kept(reason=reason)} if kept(reason=reason) else _without(self.said, "reason")
        return self.model_copy(update={"reason": str(reason), "grade": grade or self.grade, "said": said})


def _without(said: dict[str, JsonValue], *names: str) -> dict[str, JsonValue]:
    return {name: parts for name, parts in said.items() if name not in names}


class TrialGrade(RecordModel):
    """The grade of one trial of one case."""

    trial: int
    grade: Grade
    criteria: tuple[CriterionGrade, ...]


_SEVERITY = (Grade.FAIL, Grade.PARTIAL, Grade.ERROR, Grade.PASS)


def worst(criteria: Iterable[CriterionGrade]) -> Grade:
    """The grade of a reply from its criteria: fail, partial, error, pass in that order, `not_judged` set aside.

    What failed stands, whatever else could not be graded. Necessary criteria (latency, metrics, not crashing) can
    fail a reply; passed alone they leave it `not_judged`, since nothing was said about what the reply is for.
    """
    seen: set[Grade] = set()
    for criterion in criteria:
        if criterion.necessary and criterion.grade is Grade.PASS:
            continue
        seen.add(criterion.grade)
    return next((grade for grade in _SEVERITY if grade in seen), Grade.NOT_JUDGED)


def of_trials(grades: Iterable[Grade]) -> Grade:
    """The grade of a case from its trials' grades.

    Erred and not-judged trials are set aside; if they are half or more, the case is `error` if any erred, else
    `not_judged`. Otherwise `pass` if more than half of the others pass, `partial` if more than half pass or are
    partial, else `fail`.
    """
    every = list(grades)
    counted = [grade for grade in every if grade.graded]
    if 2 * (len(every) - len(counted)) >= len(every):
        return Grade.ERROR if Grade.ERROR in every else Grade.NOT_JUDGED
    passed = counted.count(Grade.PASS)
    if 2 * passed > len(counted):
        return Grade.PASS
    if 2 * (passed + counted.count(Grade.PARTIAL)) > len(counted):
        return Grade.PARTIAL
    return Grade.FAIL
