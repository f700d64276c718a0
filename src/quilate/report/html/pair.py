"""A pair of replies judged side by side, as its case's page shows it: what the guide rates, and who decided."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from quilate.agents.agent import Reply
from quilate.judge.injection import passage_for_judge
from quilate.judge.pairs import OrderAnswer, PairResult, Preference, Rating, Rule, Side
from quilate.report import visible
from quilate.report.html.diff import Range
from quilate.report.html.marked import Mark, Piece, pieces

ADDRESSED = "addressed"
"""The `grade` of a mark on a passage that speaks to the judge; it has no number."""
MAX_OUTPUTS = 20
_OUTPUT_BYTES = 2000
_REASON_BYTES = 1200
_NOTE_BYTES = 400

Outcome = Literal["better", "worse", "alike", "unjudged"]
_OUTCOMES: dict[Preference | None, Outcome] = {
    Preference.HEAD: "better", Preference.BASE: "worse", Preference.TIE: "alike", None: "unjudged",
}  # fmt: skip
_QUOTED = re.compile("«.*»")
"""The data that a ruling names; which tool failed, and how, stands with the outputs."""


@dataclass(frozen=True, slots=True)
class Output:
    """What one tool (or the agent's search) gave; `gave` is the rules' word for it, or `search`."""

    name: str
    gave: str
    text: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A limit that code set: at most `most` for fulfilment; `detail` quotes the data that no tool gave."""

    rule: str
    most: int
    detail: str


@dataclass(frozen=True, slots=True)
class PairSide:
    """One side. `reply` is None where it stands above already; `rating` None where there is no verdict."""

    side: Side
    rating: Rating | None
    ruled: Ruled | None
    outputs: tuple[Output, ...]
    outputs_left_out: int
    reply: tuple[Piece, ...] | None


@dataclass(frozen=True, slots=True)
class Note:
    """What the judge wrote about one side on one dimension."""

    side: Side
    dimension: str
    text: str


@dataclass(frozen=True, slots=True)
class Order:
    """What the judge said with `first`'s reply before the other, before code ruled anything."""

    first: Side
    preferred: Preference
    base: Rating
    head: Rating
    justification: str
    notes: tuple[Note, ...]
    model: str


@dataclass(frozen=True, slots=True)
class PairView:
    """One pair. `trial` counts from 1; `agree` is None where not both orders were answered."""

    outcome: Outcome
    trial: int
    sides: tuple[PairSide, PairSide]
    orders: tuple[Order, ...]
    agree: bool | None
    by_code: bool
    reason: str
    error: str
    addressed: str


def outcome_of(pair: PairResult) -> Outcome:
    """What a pair came to, from this change's point of view, in one word."""
    return _OUTCOMES[pair.preferred]


def pair_view(pair: PairResult, base: Reply | None, head: Reply | None, *, above: bool, reported: bool) -> PairView:
    """The view of one pair of replies.

    `above`: both replies stand above it already. `reported`: whether the runs' tool calls say what they gave back at
    all, without which a missing output means nothing.
    """
    speaks = pair.addressed_to_judge is not None

    def side(which: Side, reply: Reply | None, rating: Rating | None) -> PairSide:
        outputs = list(_outputs(reply, speaks=speaks, reported=reported)) if reply else []
        return PairSide(
            side=which, rating=rating, ruled=_ruled(pair, which), outputs=tuple(outputs[:MAX_OUTPUTS]),
            outputs_left_out=max(0, len(outputs) - MAX_OUTPUTS),
            reply=None if above or reply is None else _marked(reply.output, speaks=speaks),
        )  # fmt: skip

    return PairView(
        outcome=outcome_of(pair),
        trial=pair.trial + 1,
        sides=(side(Side.BASE, base, pair.base), side(Side.HEAD, head, pair.head)),
        orders=tuple(_order(each) for each in pair.answers[:2]),
        agree=pair.orders_agree,
        by_code=pair.decided_by == "code",
        reason=_line(pair.reason, _REASON_BYTES),
        error=pair.error.value if pair.error else "",
        addressed=_line(pair.addressed_to_judge or "", _NOTE_BYTES),
    )


def addressed_marks(text: str) -> tuple[Mark, ...]:
    """The mark on the passage of `text` that speaks to the judge; none where no passage does."""
    found = passage_for_judge(text)
    return () if found is None else (Mark(Range(*found), 0, ADDRESSED, ""),)


def _marked(text: str, *, speaks: bool) -> tuple[Piece, ...]:
    return pieces(text, (), addressed_marks(text) if speaks else ())


def _ruled(pair: PairResult, side: Side) -> Ruled | None:
    ruling = pair.rulings.get(side)
    if ruling is None:
        return None
    quoted = _QUOTED.search(ruling.reason) if ruling.rule is Rule.HALLUCINATION else None
    return Ruled(ruling.rule.value, ruling.most, _line(quoted[0], _NOTE_BYTES) if quoted else "")


def _outputs(reply: Reply, *, speaks: bool, reported: bool) -> Iterator[Output]:
    """Read lazily: the patterns of the rules take time to load, and most reports hold no pairs."""
    from quilate.judge.side_by_side_rules import Gave, gave

    for call in reply.tool_calls:
        came = gave(call)
        value = call.error if came is Gave.ERROR and call.error is not None else call.output
        text = "" if came in (Gave.MISSING, Gave.BLANK) else _text(value)
        word = "not_reported" if came is Gave.MISSING and not reported else came.value
        yield Output(_line(call.name, 200), word, _marked(text, speaks=speaks))
    for fragment in reply.fragments or ():
        yield Output(
            _line(fragment.source or fragment.id or "", 200), "search", _marked(_text(fragment.text), speaks=speaks)
        )


def _text(value: JsonValue) -> str:
    return visible.cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), _OUTPUT_BYTES)


def _order(answer: OrderAnswer) -> Order:
    return Order(
        first=answer.first, preferred=answer.preferred, base=answer.base, head=answer.head,
        justification=_line(answer.justification, _REASON_BYTES), notes=tuple(_notes(answer)),
        model=_line(answer.model or "", 120),
    )  # fmt: skip


def _notes(answer: OrderAnswer) -> Iterator[Note]:
    """The raw answer is a file's: nothing of its shape is trusted."""
    for response, side in (("response_1", answer.first), ("response_2", answer.first.other)):
        for dimension, key in (
            ("target_language", "justification"), ("fulfilment", "justification"), ("factuality", "evidence"),
        ):  # fmt: skip
            text = _at(answer.raw, (response, dimension, key))
            if text:
                yield Note(side, dimension, _line(text, _NOTE_BYTES))


def _at(value: JsonValue, path: Sequence[str]) -> str:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value.strip() if isinstance(value, str) else ""


def _line(text: str, most_bytes: int) -> str:
    return visible.line(visible.cut(text, most_bytes))
