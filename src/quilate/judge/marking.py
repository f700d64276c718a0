"""A judge's answers into criteria with grade, reason and located evidence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from quilate.agents.agent import Reply
from quilate.checks.calls import and_more
from quilate.grades import CriterionGrade, ErrorKind, Evidence, Grade, GradedBy
from quilate.judge.criteria import SemanticCriterion
from quilate.judge.groundedness import GROUNDED_TEXT, GroundedVerdict
from quilate.judge.questions import Form, Question
from quilate.judge.sheet import Sheet
from quilate.saying import listed, message, one_line, say
from quilate.text import find_span

_REASON = 400
_QUOTE = 600


def marked(sheet: Sheet, answers: Sequence[dict[str, Any]]) -> list[CriterionGrade]:
    """The criteria's grades by the majority of `answers` (each valid for the sheet); views are no criteria."""
    return [
        _marked(question, [answer[question.key] for answer in answers], sheet)
        for question in sheet.questions
        if question.form is not Form.VIEW
    ]


def views(sheet: Sheet, answers: Sequence[dict[str, Any]]) -> dict[str, JsonValue]:
    """What the judge could say without evidence, for the reader: by subject, verdict and justification."""
    said: dict[str, JsonValue] = {}
    for question in sheet.questions:
        if question.form is Form.VIEW:
            given = [answer[question.key] for answer in answers]
            verdict = Counter(each["verdict"] for each in given).most_common(1)[0][0]
            said[question.about] = {
                "verdict": verdict,
                "justification": _line(next(each["justification"] for each in given if each["verdict"] == verdict)),
            }
    return said


def unmarked(criterion: SemanticCriterion, kind: ErrorKind, reason: str) -> CriterionGrade:
    """A criterion that could not be judged, through no fault of the agent."""
    return CriterionGrade.of(
        id=criterion.id, text=criterion.text, grade=Grade.ERROR, error=kind, reason=one_line(reason, _REASON),
        graded_by=GradedBy.JUDGE,
    )  # fmt: skip


def _marked(question: Question, given: Sequence[dict[str, Any]], sheet: Sheet) -> CriterionGrade:
    grades = [_grade_of(question, each) for each in given]
    count = Counter(grades)
    grade, times = count.most_common(1)[0]
    text = question.criterion.text if question.criterion else GROUNDED_TEXT
    detail: dict[str, JsonValue] = {"decided_by": "judge"}
    if len(given) > 1:
        detail["votes"] = {each.value: count[each] for each in count}
    if 2 * times <= len(given):
        split = votes_shown(count)
        return CriterionGrade.of(
            id=question.about, text=text, grade=Grade.ERROR, error=ErrorKind.JUDGE, graded_by=GradedBy.JUDGE,
            reason=say("the judge's votes have no majority: {votes}", votes=split), detail=detail,
        )  # fmt: skip
    shown = given[grades.index(grade)]
    reason = _reason(question, shown)
    if times < len(given):
        reason = say("{reason} ({n} of {votes} votes)", reason=reason, n=times, votes=len(given))
    if question.form is Form.GROUNDED:
        assert sheet.evidence is not None
        detail |= {"verdict": shown["verdict"], **sheet.evidence.detail(), "claims": list(shown["unsupported_claims"])}
        detail["supporting_blocks"] = list(shown["supporting_blocks"])
    elif shown.get("failure", "none") != "none":
        detail["failure"] = shown["failure"]
    return CriterionGrade.of(
        id=question.about,
        text=text,
        grade=grade,
        reason=reason,
        evidence=_evidence(question, shown, sheet.reply),
        graded_by=GradedBy.JUDGE,
        detail=detail,
    )


def _grade_of(question: Question, answer: dict[str, Any]) -> Grade:
    match question.form:
        case Form.MET:
            return Grade.PASS if answer["met"] is True else Grade.FAIL
        case Form.GROUNDED:
            return Grade.PASS if answer["verdict"] == GroundedVerdict.NOT_INVENTED else Grade.FAIL
    return Grade(answer["grade"])


def _reason(question: Question, answer: dict[str, Any]) -> str:
    if question.form is not Form.GROUNDED:
        return _line(answer["justification"]) or say("the judge gives no justification")
    claims = answer["unsupported_claims"]
    if not claims:
        return say("every claim is supported by the evidence")
    first = say("not in the evidence: «{quote}»", quote=_line(claims[0]["quote"], 200))
    why = _line(claims[0]["why"], 150)
    said = and_more(first, len(claims) - 1)
    return listed([said, " (", why, ")"], by="") if why else said


_VOTES = {
    Grade.PASS: message("{n} pass"), Grade.PARTIAL: message("{n} partial"), Grade.FAIL: message("{n} fail"),
}  # fmt: skip


def votes_shown(count: Mapping[Grade, int]) -> str:
    """How many voted for each grade."""
    return listed(say(_VOTES[each], n=number) for each, number in count.items())


def _evidence(question: Question, answer: dict[str, Any], reply: Reply) -> tuple[Evidence, ...]:
    quotes = (
        [claim["quote"] for claim in answer["unsupported_claims"]]
        if question.form is Form.GROUNDED
        else [answer["evidence"]]
    )
    return tuple(located(quote, reply) for quote in quotes if quote.strip())


def located(quote: str, reply: Reply) -> Evidence:
    """A quotation with its place in the reply; the reader is told where it is not there word for word."""
    quote = quote[:_QUOTE]
    span = find_span(quote, reply.output)
    if span is not None:
        return Evidence.of(quote, None if span.exact else say("close, not word for word"), span.start, span.end)
    calls = json.dumps([call.model_dump(mode="json") for call in reply.tool_calls], ensure_ascii=False)
    if reply.tool_calls and find_span(quote, calls) is not None:
        return Evidence.of(quote, say("in the tool calls"))
    return Evidence.of(quote, say("not found in the reply"))


def _line(text: str, limit: int = _REASON) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit] + "…"
