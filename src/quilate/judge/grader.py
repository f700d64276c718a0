"""The judge as a grader: one request a reply, verdicts taken over where they stand already."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from quilate.agents.agent import Reply
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, Grade, GradedBy
from quilate.judge.answering import usable_answer
from quilate.judge.cache import AnswerCache
from quilate.judge.client import JudgeClient, UnjudgedError
from quilate.judge.criteria import GROUNDED, CriterionKind, LeftOpen, SemanticCriterion, open_criteria
from quilate.judge.groundedness import GROUNDED_TEXT, Evidence, gather, without_evidence
from quilate.judge.identity import sha256
from quilate.judge.injection import addressed_to_judge
from quilate.judge.marking import marked, unmarked, views
from quilate.judge.prompts import Prompts
from quilate.judge.questions import mismatches
from quilate.judge.sheet import Sheet, inconsistent, make_sheet, read_sheet
from quilate.judge.takeover import JUDGEMENT, TakeOver
from quilate.judge.totals import JudgeTotals
from quilate.retrieval.searching import Searching
from quilate.saying import say

ORIGIN = "origin"
"""The key of a criterion's `detail` that says whether its verdict was made in this run or taken over."""


class NoJudge:
    """No judge is configured: what only a judge can grade is `not_judged`, openly."""

    REASON = say("no judge is configured")

    async def grade(self, case: GoldenCase, reply: Reply, trial: int) -> list[CriterionGrade]:
        """Every semantic criterion of the case, not judged; what a check leaves open is that check's to say."""
        return [
            CriterionGrade.of(id=criterion.id, text=criterion.text, grade=Grade.NOT_JUDGED, reason=self.REASON)
            for criterion in every_criterion(case, reply)
        ]


def every_criterion(case: GoldenCase, reply: Reply, left_open: Sequence[LeftOpen] = ()) -> list[SemanticCriterion]:
    """What a judge or a person grades of a reply, groundedness included."""
    criteria = open_criteria(case, reply, left_open)
    if case.grounded:
        criteria.append(SemanticCriterion(GROUNDED, GROUNDED_TEXT, CriterionKind.GROUNDED))
    return criteria


class JudgeGrader:
    """Grades by a model. `fingerprint` identifies the judge in every key: provider, host, model, prompts, votes."""

    def __init__(
        self,
        client: JudgeClient,
        prompts: Prompts,
        *,
        fingerprint: str,
        searching: Searching,
        votes: int = 1,
        cache: AnswerCache | None = None,
        take_over: TakeOver | None = None,
        left_open: Sequence[LeftOpen] = (),
    ) -> None:
        self.client = client
        self._prompts = prompts
        self._fingerprint = fingerprint
        self._searching = searching
        self._votes = votes
        self.cache = cache
        self._take_over = take_over or TakeOver()
        self._left_open = left_open

    @property
    def totals(self) -> JudgeTotals:
        """The counts so far."""
        return self.client.totals

    async def sheet(self, case: GoldenCase, reply: Reply) -> Sheet | None:
        """What would be asked about `reply`; None where there is nothing to ask. Searches where groundedness does."""
        criteria = open_criteria(case, reply, self._left_open)
        evidence = await self._evidence(case, reply) if case.grounded else None
        if not criteria and evidence is None:
            return None
        return make_sheet(case, reply, criteria, evidence, self._prompts)

    async def grade(self, case: GoldenCase, reply: Reply, trial: int) -> list[CriterionGrade]:
        """The grades of every semantic criterion: exactly one each, whatever the judge says or does not say."""
        return (await self.grade_sheet(case, reply, trial))[1]

    async def grade_sheet(
        self, case: GoldenCase, reply: Reply, trial: int
    ) -> tuple[Sheet | None, list[CriterionGrade]]:
        """What was asked, with its evidence, and the grades."""
        sheet = await self.sheet(case, reply)
        return sheet, [] if sheet is None else await self._graded(sheet, trial)

    async def _graded(self, sheet: Sheet, trial: int) -> list[CriterionGrade]:
        key = sheet.key(self._fingerprint, trial)
        wanted = [question.about for question in sheet.questions if question.criterion or question.about == GROUNDED]
        if sheet.evidence is not None and not sheet.evidence.found:
            wanted.append(GROUNDED)
        known = self._take_over.get(key, wanted)
        if known is not None:
            self.totals.taken_over += len(wanted)
            return [_taken_over(known[about], sheet.evidence) for about in wanted]
        return [_noted(grade, sheet) for grade in await self._judged(sheet, key)]

    async def _evidence(self, case: GoldenCase, reply: Reply) -> Evidence:
        search = await self._searching.for_reply(case, reply)
        self.totals.searches = self._searching.made
        return gather(case, reply, search, self._searching.non_evidence_tools)

    async def _judged(self, sheet: Sheet, key: str) -> list[CriterionGrade]:
        outcome = await asyncio.gather(*(self._vote(sheet, key, vote) for vote in range(self._votes)))
        lost = next((each for each in outcome if isinstance(each, UnjudgedError)), None)
        answers = [each for each in outcome if not isinstance(each, UnjudgedError)]
        if lost is None:
            origin = "cached" if all(cached for _, cached in answers) else "made"
            grades = self._marks(sheet, [answer for answer, _ in answers])
            grades = [
                grade.model_copy(update={"detail": {**grade.detail, JUDGEMENT: key, ORIGIN: origin}})
                for grade in grades
            ]
            if origin == "cached":
                self.totals.from_cache += len(grades)
            else:
                self.totals.made += len(grades)
        else:
            grades = _lost(sheet, lost)
        self.totals.errors += sum(grade.grade is Grade.ERROR for grade in grades)
        return grades

    def _marks(self, sheet: Sheet, answers: Sequence[dict[str, Any]]) -> list[CriterionGrade]:
        grades = marked(sheet, answers)
        if sheet.evidence is not None and not sheet.evidence.found:
            grade = without_evidence(sheet.evidence)
            detail = {**grade.detail, "without_evidence": views(sheet, answers)}
            grades.append(grade.model_copy(update={"detail": detail}))
        return grades

    async def _vote(self, sheet: Sheet, key: str, vote: int) -> tuple[dict[str, Any], bool] | UnjudgedError:
        """One valid answer and whether it came from the cache, or why there is none."""
        stored_under = sha256([key, vote])
        model = self.client.model.name
        stored = self.cache.get(stored_under, model) if self.cache else None
        if stored is not None and not mismatches(stored, sheet.schema) and not inconsistent(sheet, stored):
            return stored, True
        try:
            answer, answered_by = await usable_answer(
                self.client, sheet.prompt, lambda text: read_sheet(sheet, text), self._prompts
            )
        except UnjudgedError as error:
            return error
        if self.cache:
            self.cache.put(stored_under, answer, model, answered_by)
        return answer, False


def _lost(sheet: Sheet, lost: UnjudgedError) -> list[CriterionGrade]:
    """Every criterion in error; where there is no evidence, code's own verdict stands all the same."""
    grades = [
        unmarked(question.criterion, lost.kind, lost.reason) for question in sheet.questions if question.criterion
    ]
    if sheet.evidence is None:
        return grades
    if sheet.evidence.found:
        grounded = SemanticCriterion(GROUNDED, GROUNDED_TEXT, CriterionKind.GROUNDED)
        grade = unmarked(grounded, lost.kind, lost.reason)
        return [*grades, grade.model_copy(update={"detail": sheet.evidence.detail()})]
    return [*grades, without_evidence(sheet.evidence)]


def _taken_over(grade: CriterionGrade, evidence: Evidence | None) -> CriterionGrade:
    """A verdict of the baseline. Where it rests on evidence, the evidence was found again now, and says when.

    Where there is none, code says so again: no file may hold another verdict than that.
    """
    if grade.id == GROUNDED and evidence is not None and not evidence.found:
        again = without_evidence(evidence)
        return again.model_copy(update={"detail": {**grade.detail, **again.detail, ORIGIN: "taken over"}})
    now = evidence.detail() if grade.id == GROUNDED and evidence is not None else {}
    return grade.model_copy(update={"detail": {**grade.detail, **now, ORIGIN: "taken over"}})


def _noted(grade: CriterionGrade, sheet: Sheet) -> CriterionGrade:
    """Tells the reader where what was judged speaks to the judge."""
    if grade.graded_by is not GradedBy.JUDGE:
        return grade
    fragments = [block.text for block in sheet.evidence.blocks] if sheet.evidence else []
    calls = [str(call.output) for call in sheet.reply.tool_calls]
    passage = addressed_to_judge([sheet.reply.output, *calls, *fragments])
    if passage is None:
        return grade
    warned = grade.because(
        say("{reason}; note: what was judged speaks to the judge («{passage}»)", reason=grade.why, passage=passage)
    )
    return warned.model_copy(update={"detail": {**grade.detail, "addressed_to_judge": passage}})
