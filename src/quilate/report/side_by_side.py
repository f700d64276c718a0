"""The document of `quilate side-by-side`: every pair, as Markdown for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from quilate.judge.pairs import OrderAnswer, PairResult, Pairs, Preference, Rating, Side
from quilate.report import escape

SCHEMA = 1
_OUTCOME = {Preference.HEAD: "won", Preference.TIE: "tied", Preference.BASE: "lost"}


def as_json(pairs: Pairs) -> dict[str, Any]:
    """The contract of `--format json`: counts beside every rate, every pair whole."""
    count = pairs.count
    return {
        "schema": SCHEMA,
        "base": pairs.header.base.model_dump(mode="json"),
        "head": pairs.header.head.model_dump(mode="json"),
        "judge": dict(pairs.header.judge),
        "mode": pairs.header.mode,
        "won": count.won,
        "tied": count.tied,
        "lost": count.lost,
        "unjudged": count.unjudged,
        "flips": {"part": count.flipped, "whole": count.judged},
        "unreliable": count.unreliable,
        "identical": pairs.footer.identical,
        "without_reply": list(pairs.footer.without_reply),
        "pairs": [pair.model_dump(mode="json", exclude={"kind", "said"}) for pair in pairs.pairs],
    }


def markdown(pairs: Pairs) -> str:
    """The document; untrusted text stands in code spans only."""
    blocks = ["# Replies side by side", *summary(pairs)]
    if pairs.pairs:
        blocks += ["\n".join(table(pairs))]
    for pair in pairs.pairs:
        blocks += _pair(pair)
    return "\n\n".join(blocks) + "\n"


def last_line(pairs: Pairs) -> str:
    """The whole in one line."""
    count = pairs.count
    said = f"side by side: {count.won} won, {count.tied} tied, {count.lost} lost"
    if count.flip_rate is not None:
        said += f"; the order decided in {count.flipped} of {count.judged}"
    if count.unreliable:
        said += ": this judge is unreliable here"
    return f"{said}; {count.unjudged} without an answer" if count.unjudged else said


def summary(pairs: Pairs) -> Iterator[str]:
    """What the pairs came to and how far the judge is to be trusted, a sentence each, as Markdown."""
    count, footer = pairs.count, pairs.footer
    yield (
        f"{count.won} won, {count.tied} tied, {count.lost} lost: head's replies against base's, judged by "
        f"{escape.code_span(str(pairs.header.judge.get('model')), 120)} in both orders, under blind labels."
    )
    if count.flip_rate is not None:
        said = f"The judge changed its mind with the order in {count.flipped} of {count.judged} pairs"
        said += f" ({float(100 * count.flip_rate):.0f} %), which makes a tie."
        yield f"{said} **This judge is unreliable here.**" if count.unreliable else said
    if count.unjudged:
        reasons = "; ".join(escape.code_span(each, 300) for each in count.why_unjudged[:5])
        yield f"{count.unjudged} without an answer of the judge: {reasons}."
    left_out = [f"{footer.identical} identical"] if footer.identical else []
    if footer.without_reply:
        names = ", ".join(escape.code_span(each, 120) for each in footer.without_reply[:20])
        left_out.append(f"{len(footer.without_reply)} without a reply on both sides ({names})")
    if left_out:
        yield f"Not compared: {'; '.join(left_out)}."
    if not pairs.header.outputs_reported:
        yield "No tool call of either run says what it gave back, so nothing is ruled by the tools' outputs."


def table(pairs: Pairs) -> Iterator[str]:
    """The lines of a Markdown table, a pair each: outcome, the three dimensions base → head, orders, who decided."""
    yield "| case | head | language | fulfilment | factuality | orders | decided by |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for pair in pairs.pairs:
        outcome = _OUTCOME[pair.preferred] if pair.preferred is not None else "not judged"
        orders = {True: "agree", False: "disagree", None: "–"}[pair.orders_agree]
        moves = [_move(pair, name) for name in ("target_language", "fulfilment", "factuality")]
        by = pair.decided_by if pair.judged else "–"
        yield f"| {' | '.join([escape.cell(pair.case_id), outcome, *moves, orders, by])} |"


def _move(pair: PairResult, name: str) -> str:
    return f"{_value(pair.base, name)} → {_value(pair.head, name)}" if pair.judged else "–"


def _value(rating: Rating | None, name: str) -> str:
    value = getattr(rating, name) if rating is not None else None
    if value is None:
        return "–"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _pair(pair: PairResult) -> Iterator[str]:
    yield f"## {escape.code_span(pair.case_id, 200)}"
    outcome = _OUTCOME[pair.preferred] if pair.preferred is not None else "not judged"
    yield f"**{outcome}**: {escape.code_span(pair.reason, 600)}"
    lines = [f"- {side.value}: {_reason(pair, side)}" for side in Side if side in pair.rulings]
    lines += [
        f"- {each.first.value} first: prefers {each.preferred.value} ({_rated(each)}), "
        f"{escape.code_span(each.justification, 600)}"
        for each in pair.answers
    ]
    if pair.addressed_to_judge is not None:
        lines.append(f"- a reply speaks to the judge: {escape.code_span(pair.addressed_to_judge, 200)}")
    if lines:
        yield "\n".join(lines)


def _rated(answer: OrderAnswer) -> str:
    """Both ratings as the judge gave them, before code ruled anything."""
    return "; ".join(
        f"{side.value}: language {_value(rating, 'target_language')}, fulfilment {_value(rating, 'fulfilment')}, "
        f"factuality {_value(rating, 'factuality')}"
        for side, rating in ((Side.BASE, answer.base), (Side.HEAD, answer.head))
    )


def _reason(pair: PairResult, side: Side) -> str:
    ruling = pair.rulings[side]
    rule = ruling.rule.value.replace("_", " ")
    return f"fulfilment at most {ruling.most} by code ({rule}), {escape.code_span(ruling.reason, 300)}"
