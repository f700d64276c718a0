"""A judged pair in the terminal's words: what it came to, both ratings, what code ruled, both orders."""

from __future__ import annotations

from collections.abc import Iterator

from quilate.judge.pairs import OrderAnswer, PairResult, Preference, Rating, Rule, Ruling, Side
from quilate.report.escape import Inert
from quilate.report.messages import Translator
from quilate.report.retold import spoken


def pair_fields(pair: PairResult, t: Translator) -> Iterator[tuple[Inert | str, str]]:
    """Label and text of each line; texts that others wrote are in them as they are."""
    yield t.t("Side by side"), f"{_outcome(pair, t)}; {_decided(pair, t)}"
    for side, rating in ((Side.BASE, pair.base), (Side.HEAD, pair.head)):
        if rating is not None:
            yield _side(side, t), _rated(rating, t)
        ruling = pair.rulings.get(side)
        if ruling is not None:
            yield ("" if rating is not None else _side(side, t)), _ruled(ruling, t)
    for answer in pair.answers:
        first = t.t("base's reply first") if answer.first is Side.BASE else t.t("this change's reply first")
        yield "", f"{first}: {_preferred(answer, t)}: “{answer.justification}”"
    if pair.addressed_to_judge is not None:
        yield "", f"{t.t('A passage speaks to the judge:')} “{pair.addressed_to_judge}”"


def _outcome(pair: PairResult, t: Translator) -> Inert:
    match pair.preferred:
        case Preference.HEAD:
            return t.t("this change's reply is better")
        case Preference.BASE:
            return t.t("this change's reply is worse")
        case Preference.TIE:
            return t.t("both replies are alike")
    return t.t("not judged")


def _decided(pair: PairResult, t: Translator) -> str:
    if not pair.judged:
        return spoken(pair.why, t)
    if pair.decided_by == "code":
        return t.t("decided by code, over the judge")
    if pair.orders_agree:
        return t.t("decided by the judge, both orders agree")
    return t.t("the judge's preference changed with the order, which makes a tie")


def _side(side: Side, t: Translator) -> Inert:
    return t.t("Base") if side is Side.BASE else t.t("This change")


def _rated(rating: Rating, t: Translator) -> Inert:
    return t.t(
        "language {yes_no}, fulfilment {fulfilment}, factuality {factuality}",
        yes_no=t.t("yes") if rating.target_language else t.t("no"), fulfilment=rating.fulfilment,
        factuality=Inert("–") if rating.factuality is None else rating.factuality,
    )  # fmt: skip


def _ruled(ruling: Ruling, t: Translator) -> str:
    rules = {
        Rule.TOOL_FAILED: t.t("the tools' outputs are errors, blank or missing"),
        Rule.FOUND_NOTHING: t.t("the tools found nothing, and the reply says so"),
        Rule.HALLUCINATION: t.t("data although the tools found nothing, a hallucination"),
        Rule.GENERIC_REFUSAL: t.t("a generic refusal"),
    }
    return f"{t.t('by code, fulfilment at most {n}:', n=ruling.most)} {rules[ruling.rule]}"


def _preferred(answer: OrderAnswer, t: Translator) -> Inert:
    match answer.preferred:
        case Preference.BASE:
            return t.t("prefers base's reply")
        case Preference.HEAD:
            return t.t("prefers this change's reply")
        case Preference.TIE:
            return t.t("prefers neither")
