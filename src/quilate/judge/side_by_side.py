"""The judge of pairs: both orders, blind, and what code makes of the two answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from quilate.agents.agent import Reply
from quilate.canonical import fingerprint
from quilate.grades import ErrorKind
from quilate.judge.answering import usable_answer
from quilate.judge.cache import AnswerCache
from quilate.judge.client import JudgeClient, UnjudgedError
from quilate.judge.identity import reply_sha256
from quilate.judge.injection import addressed_to_judge
from quilate.judge.pairs import (
    OrderAnswer,
    PairResult,
    Preference,
    Ruling,
    Side,
    better_on_the_dimensions,
    lower,
)
from quilate.judge.prompts import Prompts
from quilate.judge.questions import mismatches
from quilate.judge.side_by_side_rules import ruling_of
from quilate.judge.side_by_side_sheet import (
    PairSheet,
    TwoReplies,
    first_side,
    inconsistent,
    make_pair_sheet,
    read_pair,
    unblinded,
)
from quilate.saying import Said, kept, one_line

SIDE_BY_SIDE_VERSION = 1
"""Part of every key; raised when what code does with a judge's answer changes its meaning."""
_REASON = 400

Known = Mapping[str, tuple[dict[str, JsonValue], str | None]]
"""Answers of an earlier attempt, by key: the raw answer, and the model that gave it."""


class PairJudge:
    """Judges pairs by a model. The client's budget and counts are those of the run it is part of."""

    def __init__(
        self,
        client: JudgeClient,
        prompts: Prompts,
        *,
        judge: str,
        non_evidence_tools: Sequence[str] = (),
        outputs_reported: bool = True,
        cache: AnswerCache | None = None,
        known: Known | None = None,
    ) -> None:
        """`judge` is the judge's fingerprint, `prompts` those of `prompts.SIDE_BY_SIDE`."""
        self._client = client
        self._prompts = prompts
        self._non_evidence_tools = non_evidence_tools
        self._outputs_reported = outputs_reported
        self._cache = cache
        self._known = known or {}
        self.fingerprint = fingerprint([SIDE_BY_SIDE_VERSION, judge, prompts.fingerprint, list(non_evidence_tools)])

    async def judge(self, two: TwoReplies) -> PairResult:
        """The pair, judged in both orders; an error of the judge leaves it without a verdict."""
        first = first_side(two.case.id)
        answers = await asyncio.gather(*(self._answer(two, side) for side in (first, first.other)))
        rulings = {side: ruling for side in Side if (ruling := self._ruling(two, side)) is not None}
        lost = next((each for each in answers if isinstance(each, UnjudgedError)), None)
        given = tuple(each for each in answers if not isinstance(each, UnjudgedError))
        self._client.totals.pairs += lost is None
        return decided(two, given, rulings) if lost is None else unjudged(two, lost.kind, lost.reason, given, rulings)

    def _ruling(self, two: TwoReplies, side: Side) -> Ruling | None:
        return ruling_of(
            two.case, two.of(side), outputs_reported=self._outputs_reported,
            non_evidence_tools=self._non_evidence_tools,
        )  # fmt: skip

    async def _answer(self, two: TwoReplies, first: Side) -> OrderAnswer | UnjudgedError:
        sheet = make_pair_sheet(two, first, self._prompts, non_evidence_tools=self._non_evidence_tools)
        key = sheet.key(self.fingerprint)
        stored, by = self._stored(key, sheet)
        if stored is not None:
            self._client.totals.pair_answers_kept += 1
            return unblinded(sheet, stored, key, by)
        try:
            answer, by = await usable_answer(
                self._client, sheet.prompt, lambda text: read_pair(sheet, text), self._prompts
            )
        except UnjudgedError as error:
            return error
        if self._cache:
            self._cache.put(key, answer, self._client.model.name, by)
        return unblinded(sheet, answer, key, by)

    def _stored(self, key: str, sheet: PairSheet) -> tuple[dict[str, Any] | None, str | None]:
        """An answer of an earlier attempt or of the cache; validated again, since both are files."""
        answer, by = self._known.get(key, (None, None))
        if answer is None and self._cache is not None:
            answer = self._cache.get(key, self._client.model.name)
        if answer is None or mismatches(answer, sheet.schema) or inconsistent(sheet, answer):
            return None, None
        return dict(answer), by


def decided(two: TwoReplies, answers: Sequence[OrderAnswer], rulings: Mapping[Side, Ruling]) -> PairResult:
    """What both orders' answers come to.

    Orders that disagree make a tie, whatever else is seen. Where they agree and a ruling of code lowered a rating,
    the reply that is nowhere worse and somewhere better on the dimensions is preferred, since the guide rests the
    preference on them; otherwise the judge's preference stands.
    """
    base = [_within(rulings.get(Side.BASE), answer, Side.BASE) for answer in answers]
    head = [_within(rulings.get(Side.HEAD), answer, Side.HEAD) for answer in answers]
    changed = any(
        answer.base != old or answer.head != new for answer, old, new in zip(answers, base, head, strict=True)
    )
    agreed = len({answer.preferred for answer in answers}) == 1
    by_code = {better_on_the_dimensions(old, new) for old, new in zip(base, head, strict=True)} if changed else set()
    preferred = answers[0].preferred if agreed else Preference.TIE
    decides = agreed and len(by_code) == 1 and Preference.TIE not in by_code and preferred not in by_code
    if decides:
        preferred = by_code.pop()
    return PairResult(
        **_about(two),
        preferred=preferred,
        orders_agree=agreed,
        decided_by="code" if decides else "judge",
        reason=_reason(answers, rulings, agreed=agreed, by_code=decides),
        base=lower(base),
        head=lower(head),
        rulings=dict(rulings),
        answers=tuple(answers),
        addressed_to_judge=addressed_to_judge(_texts(two)),
    )


def unjudged(
    two: TwoReplies,
    kind: ErrorKind,
    reason: str,
    answers: Sequence[OrderAnswer] = (),
    rulings: Mapping[Side, Ruling] | None = None,
) -> PairResult:
    """A pair without a verdict, through no fault of either reply."""
    said = one_line(reason, _REASON) if isinstance(reason, Said) else _line(reason)
    return PairResult(
        **_about(two), preferred=None, orders_agree=None, reason=str(said), rulings=dict(rulings or {}),
        answers=tuple(answers), error=kind, said=kept(reason=said),
    )  # fmt: skip


def _within(ruling: Ruling | None, answer: OrderAnswer, side: Side) -> Any:
    rating = answer.base if side is Side.BASE else answer.head
    return rating if ruling is None else ruling.applied(rating)


def _about(two: TwoReplies) -> dict[str, Any]:
    return {
        "case_id": two.case.id,
        "base_id": two.base_id,
        "category": two.case.category,
        "trial": two.trial,
        "base_reply_sha256": reply_sha256(two.base),
        "head_reply_sha256": reply_sha256(two.head),
    }


def _reason(answers: Sequence[OrderAnswer], rulings: Mapping[Side, Ruling], *, agreed: bool, by_code: bool) -> str:
    seen = "; ".join(f"{side.value}: {ruling.reason}" for side, ruling in sorted(rulings.items()))
    if by_code:
        return _line(f"by the tools' outputs: {seen}")
    said = answers[0].justification if agreed else "the judge's preference changed with the order"
    return _line(f"{said} ({seen})" if seen else said)


def _texts(two: TwoReplies) -> list[str]:
    def of(reply: Reply) -> list[str]:
        return [reply.output, *(str(call.output) for call in reply.tool_calls)]

    return [*of(two.base), *of(two.head)]


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _REASON else line[:_REASON] + "…"
