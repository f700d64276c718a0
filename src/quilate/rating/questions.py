"""What a rater is asked about one reply or one pair, in the reader's language, with the scales and their keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quilate.agents.agent import Reply
from quilate.judge.criteria import CriterionKind, SemanticCriterion
from quilate.judge.side_by_side_rules import Gave, gave
from quilate.rating.keys import KEYS
from quilate.report.escape import Inert
from quilate.report.messages import Translator
from quilate.report.retold import spoken

NO_LABEL = "cannot_tell"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: what is stored (the same in every language), the key that gives it, what is shown."""

    value: str
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its answers; `note` explains the scale."""

    id: str
    text: str
    options: tuple[Option, ...]
    note: str = ""


def criterion_question(at: int, criterion: SemanticCriterion, t: Translator) -> Question:
    """One criterion of a reply, to be graded as a judge would."""
    keys, rubric = KEYS[t.language], criterion.rubric
    grades = (
        Option("pass", keys.passed, t.t("pass")), Option("partial", keys.partial, t.t("partial")),
        Option("fail", keys.failed, t.t("fail")), Option(NO_LABEL, keys.cannot_tell, t.t("cannot tell")),
    )  # fmt: skip
    note = ""
    if rubric is not None:
        told = ((t.t("pass"), rubric.passes), (t.t("partial"), rubric.partial), (t.t("fail"), rubric.fails))
        note = "\n".join(f"{grade}: {spoken(text, t)}" for grade, text in told)
    if criterion.kind is CriterionKind.GROUNDED:
        note = t.t("By what the tools and the search gave back alone; what you know yourself is no evidence.")
    options = tuple(each for each in grades if each.value != "partial" or criterion.partial)
    return Question(f"q{at}", spoken(criterion.text, t), options, note)


def pair_questions(replies: tuple[Reply, Reply], t: Translator) -> Iterator[Question]:
    """The guide's three dimensions for each reply, then which is better overall."""
    for number, reply in enumerate(replies, 1):
        yield from _dimensions(number, reply, t)
    yield Question(
        "overall", t.t("Best response overall"),
        (
            Option("1", "1", _response(1, t)), Option("2", "2", _response(2, t)),
            Option("tie", KEYS[t.language].neither, t.t("neither is better")),
        ),
    )  # fmt: skip


def _response(number: int, t: Translator) -> Inert:
    return t.t("response {n}", n=number)


def _dimensions(number: int, reply: Reply, t: Translator) -> Iterator[Question]:
    of, keys = _response(number, t), KEYS[t.language]
    yield Question(
        f"language_{number}", t.t("Target language, {response}: is it in the expected language?", response=of),
        (Option("yes", keys.yes, t.t("yes")), Option("no", keys.no, t.t("no"))),
        t.t("The language of the request, unless the request asks for another (a translation, say)."),
    )  # fmt: skip
    yield Question(
        f"fulfilment_{number}", t.t("Fulfilment, {response}", response=of),
        _scale(t.t("completely"), t.t("partially"), t.t("not at all")),
        _lines(
            t.t("3: the right kind of information for all that was asked."),
            t.t("2: for a part of it; or the tools found nothing, and the reply says so."),
            t.t(
                "1: not the right kind; a generic refusal; data although the tools found nothing; "
                "or the tools' outputs are errors, blank or missing."
            ),
        ),
    )  # fmt: skip
    if reply.fragments or any(gave(call) in (Gave.DATA, Gave.NOTHING) for call in reply.tool_calls):
        yield Question(
            f"factuality_{number}", t.t("Factuality, {response}", response=of),
            _scale(t.t("accurate"), t.t("mostly accurate"), t.t("not accurate")),
            _lines(
                t.t("By this reply's own tool outputs alone; outside knowledge is no evidence. (This scale is ours.)"),
                t.t("3: all that it states agrees with them."),
                t.t("2: what answers the request agrees; a detail beside it does not."),
                t.t("1: something that answers the request contradicts them, or is in none of them."),
            ),
        )  # fmt: skip


def _scale(three: str, two: str, one: str) -> tuple[Option, ...]:
    return Option("3", "3", three), Option("2", "2", two), Option("1", "1", one)


def _lines(*sentences: str) -> str:
    return "\n".join(sentences)
