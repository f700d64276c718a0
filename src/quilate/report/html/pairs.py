"""The pairs of a report as one overview: what they came to, how far the judge is to be trusted, and every pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from quilate.judge.pairs import PairResult, Pairs, Rating
from quilate.report import asides, escape, measures
from quilate.report.html.assets import said
from quilate.report.html.pair import Outcome, outcome_of
from quilate.report.input import ReportInput
from quilate.report.voice import Voice

SHOWN_AT_ONCE = 50
"""More pairs than this are laid out when they are asked for."""
_ORDER: tuple[Outcome, ...] = ("worse", "better", "alike", "unjudged")
_NAMES = 40


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair in a line; ratings are None where there is no verdict. `address` is the case's fragment."""

    case_id: str
    outcome: Outcome
    base: Rating | None
    head: Rating | None
    agree: bool | None
    by_code: bool
    ruled: bool
    addressed: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """`counts` are how many pairs have each outcome; `sentences` say what they are worth."""

    sentences: tuple[Markup, ...]
    warning: Markup | None
    rows: tuple[PairRow, ...]
    counts: dict[Outcome, int]
    folded: bool


def overview(report: ReportInput, voice: Voice) -> Overview | None:
    """The overview of a report's pairs; None where none were asked for."""
    pairs = report.pairs
    if pairs is None:
        return None
    rows = sorted((_row(pair) for pair in pairs.pairs), key=lambda row: _ORDER.index(row.outcome))
    counts = {word: sum(row.outcome == word for row in rows) for word in _ORDER}
    warning = asides.unreliable_pairs(report.metrics.side_by_side, voice.t)
    return Overview(
        sentences=tuple(said(each) for each in _sentences(report, pairs, voice)),
        warning=None if warning is None else said(warning), rows=tuple(rows), counts=counts,
        folded=len(rows) > SHOWN_AT_ONCE,
    )  # fmt: skip


def _row(pair: PairResult) -> PairRow:
    return PairRow(
        case_id=pair.case_id, outcome=outcome_of(pair), base=pair.base, head=pair.head, agree=pair.orders_agree,
        by_code=pair.decided_by == "code", ruled=bool(pair.rulings), addressed=pair.addressed_to_judge is not None,
    )  # fmt: skip


def _sentences(report: ReportInput, pairs: Pairs, voice: Voice) -> Iterator[escape.Inert]:
    t, footer = voice.t, pairs.footer
    model = pairs.header.judge.get("model")
    judge = voice.medium.code(model if isinstance(model, str) else "?", 120)
    yield from (asides.capital(sentence) for _, sentence in measures.side_by_side(report, voice, _NAMES))
    yield t.t(
        "Judged by {judge} in both orders and blind; only a preference that survives the swap counts.", judge=judge
    )
    if footer.identical:
        yield t.tn(
            "{n} pair of identical replies was not judged.", "{n} pairs of identical replies were not judged.",
            footer.identical,
        )  # fmt: skip
    if footer.without_reply:
        count = t.tn(
            "{n} case without a reply on both sides", "{n} cases without a reply on both sides",
            len(footer.without_reply),
        )  # fmt: skip
        yield escape.Inert(f"{count}{asides.listed(footer.without_reply, voice, _NAMES)}")
    if not pairs.header.outputs_reported:
        yield t.t("No tool call of either run says what it gave back, so code rules nothing by tool outputs.")
