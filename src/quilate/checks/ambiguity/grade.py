"""Ambiguous and clear prompts by the guide's table, where a first reading suffices; the rest is left to the judge."""

from __future__ import annotations

from pydantic import JsonValue

from quilate.checks.ambiguity.reading import Kind, Reading, Sentence, read_reply
from quilate.checks.rubric import AMBIGUITY, Failure, ambiguity_rubric
from quilate.goldens.case import Expects
from quilate.grades import CriterionGrade, Evidence, Grade
from quilate.saying import message, say

SHORT_WORDS = 45
"""A clarification of up to this many words is short: the guide's own have 9 to 10, with meanings named about 25."""
MAX_QUESTIONS = 3
"""More questions than these are a form to fill in, not a clarification."""
REMARK_WORDS = 4
"""Statements of up to this many words beside a question are a remark (`Depende.`); more may be half an answer."""


def read_ambiguity(expects: Expects, output: str, prompt: str = "") -> CriterionGrade | None:
    """The grade of a reply to an ambiguous or a clear prompt; None where only meaning can decide.

    `detail` holds `decided_by`, `asked` (whether it asked about the request) and, where an ambiguous prompt was
    failed, `failure`.
    """
    reading = read_reply(output, prompt)
    if not reading.words:
        return _graded(expects, Grade.FAIL, say("the reply is empty"), output, ())
    if reading.too_long:
        return None
    return _ambiguous(reading, output) if expects is Expects.CLARIFICATION else _clear(reading, output)


def _ambiguous(reading: Reading, output: str) -> CriterionGrade | None:
    expects = Expects.CLARIFICATION
    asking = reading.asking
    if not asking:
        return _unasked(reading, output)
    stated = sum(sentence.words for sentence in reading.of(Kind.STATEMENT))
    lists = reading.lists_meanings or reading.items >= MAX_QUESTIONS
    if reading.of(Kind.REFUSAL) and reading.of(Kind.REFUSAL)[0].start < asking[0].start:
        return None
    if reading.refuses_in_asking or (lists and not reading.lists_meanings and reading.outlines > REMARK_WORDS):
        return None
    targeted = [sentence for sentence in asking if sentence.kind is Kind.QUESTION]
    if not targeted:
        unplaced = all(sentence.kind is Kind.OTHER_QUESTION for sentence in asking)
        if unplaced or (stated and not lists and reading.invents):
            return None
        reason = say("asks, without saying what it needs to know")
        return _graded(expects, Grade.PARTIAL, reason, output, asking, asked=True)
    asked_words = sum(sentence.words for sentence in asking)
    if lists and reading.words > SHORT_WORDS:
        reason = say("lists meanings, and takes {n} words to ask", n=reading.words)
        return _graded(expects, Grade.PARTIAL, reason, output, asking, asked=True)
    if (stated > REMARK_WORDS and not lists) or (lists and reading.invents):
        return None
    if reading.words > SHORT_WORDS or asked_words > SHORT_WORDS or len(asking) > MAX_QUESTIONS:
        reason = say(
            "asks, in {words} words and {questions} questions: too long", words=reading.words, questions=len(asking)
        )
        return _graded(expects, Grade.PARTIAL, reason, output, asking, asked=True)
    return _graded(expects, Grade.PASS, say("asks a short, targeted question"), output, asking, asked=True)


def _unasked(reading: Reading, output: str) -> CriterionGrade | None:
    """No question about the request: a fail, by the kind that shows."""
    if reading.perhaps_asks:
        return None
    refusals = reading.of(Kind.REFUSAL)
    statements = reading.of(Kind.STATEMENT)
    if refusals and (not statements or refusals[0].start < statements[0].start):
        return _failed(Failure.REFUSED, say("refuses, and asks nothing"), output, refusals)
    if not statements:
        return None
    if reading.lists_meanings:
        return _failed(Failure.LISTED, say("answers several meanings, and asks nothing"), output, statements[:3])
    if reading.invents:
        return _failed(Failure.INVENTED, say("states what nobody gave, and asks nothing"), output, statements[:3])
    return _failed(Failure.GUESSED, say("answers without asking what is meant"), output, statements[:3])


def _failed(kind: Failure, reason: str, output: str, shown: tuple[Sentence, ...]) -> CriterionGrade:
    return _graded(Expects.CLARIFICATION, Grade.FAIL, reason, output, shown, failure=kind)


def _clear(reading: Reading, output: str) -> CriterionGrade | None:
    expects = Expects.DIRECT_ANSWER
    asking, statements = reading.asking, reading.of(Kind.STATEMENT)
    refusals, caveats = reading.of(Kind.REFUSAL), reading.of(Kind.CAVEAT)
    if asking:
        if statements:
            return None
        return _graded(expects, Grade.FAIL, say("asks although the request is clear"), output, asking, asked=True)
    if reading.perhaps_asks and not statements:
        return None
    if refusals and not (statements and statements[0].start < refusals[0].start):
        return None
    if not statements:
        return None
    if caveats:
        return _graded(expects, Grade.PARTIAL, say("answers, with a needless caveat"), output, caveats)
    return _graded(expects, Grade.PASS, say("answers directly"), output, statements[:1])


_NAMES = {
    Kind.QUESTION: message("question"), Kind.BROAD_QUESTION: message("broad question"),
    Kind.OTHER_QUESTION: message("other question"), Kind.COURTESY: message("courtesy"),
    Kind.LEAD_IN: message("lead in"), Kind.REFUSAL: message("refusal"), Kind.CAVEAT: message("caveat"),
    Kind.STATEMENT: message("statement"),
}  # fmt: skip


def _graded(
    expects: Expects,
    grade: Grade,
    reason: str,
    output: str,
    shown: tuple[Sentence, ...],
    *,
    asked: bool = False,
    failure: Failure | None = None,
) -> CriterionGrade:
    evidence = tuple(
        Evidence.of(output[one.start : one.end], say(_NAMES[one.kind]), one.start, one.end) for one in shown[:3]
    )
    detail: dict[str, JsonValue] = {"decided_by": "code", "expects": expects.value, "asked": asked}
    if failure is not None:
        detail["failure"] = failure.value
    return CriterionGrade.of(
        id=AMBIGUITY,
        grade=grade,
        reason=reason,
        text=ambiguity_rubric(expects).question,
        evidence=evidence,
        detail=detail,
    )
