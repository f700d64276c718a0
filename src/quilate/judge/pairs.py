"""Two replies to one case, judged side by side: the data, as it stands in `pairs.jsonl` beside a run file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from quilate.grades import ErrorKind, RecordModel
from quilate.runs.record import Header
from quilate.saying import again

PAIRS_SCHEMA = 1
UNRELIABLE_ABOVE = Fraction(3, 10)
"""A judge that changes its mind with the order in more than this share of the pairs is announced as unreliable."""

Score = Literal[1, 2, 3]


class Side(StrEnum):
    """Whose reply."""

    BASE = "base"
    HEAD = "head"

    @property
    def other(self) -> Side:
        """The other one."""
        return Side.HEAD if self is Side.BASE else Side.BASE


class Preference(StrEnum):
    """Which reply is better overall."""

    BASE = "base"
    HEAD = "head"
    TIE = "tie"


class Rating(RecordModel):
    """One reply on the three dimensions, by the guide's scales; 3 is best.

    `factuality` is measured against the tools' outputs only, and None where no tool gave any.
    """

    target_language: bool
    fulfilment: Score
    factuality: Score | None = None


class Rule(StrEnum):
    """What code sees of a reply for which tools were expected or used."""

    TOOL_FAILED = "tool_failed"
    """Every tool output is an error, blank or missing."""
    FOUND_NOTHING = "found_nothing"
    """The tools ran and found nothing, and the reply says so."""
    HALLUCINATION = "hallucination"
    """The tools ran and found nothing, and the reply gives data anyway."""
    GENERIC_REFUSAL = "generic_refusal"


class Ruling(RecordModel):
    """A limit that code sets: fulfilment is at most `most`, whatever a judge says; `reason` is one line."""

    rule: Rule
    most: Literal[1, 2]
    reason: str

    def applied(self, rating: Rating) -> Rating:
        """`rating` within the limit. Data that no tool gave is not factual either."""
        changes: dict[str, object] = {"fulfilment": min(rating.fulfilment, self.most)}
        if self.rule is Rule.HALLUCINATION and rating.factuality is not None:
            changes["factuality"] = 1
        return rating.model_copy(update=changes)


class OrderAnswer(RecordModel):
    """What the judge said with `first`'s reply as response 1; ratings as the judge gave them, unblinded by code.

    `raw` is the validated answer itself, with its blind labels; `key` is what it is stored under.
    """

    first: Side
    base: Rating
    head: Rating
    preferred: Preference
    justification: str
    raw: dict[str, JsonValue]
    key: str
    model: str | None = None


class PairResult(RecordModel):
    """One pair: a line of `pairs.jsonl`.

    `preferred` is what both orders agree on, else a tie; None where the pair could not be judged, and `error` says
    whose fault that is. `base` and `head` are the lower rating of both orders on each dimension, within the rulings.
    """

    kind: Literal["pair"] = "pair"
    case_id: str
    base_id: str
    category: str
    trial: int
    base_reply_sha256: str
    head_reply_sha256: str
    preferred: Preference | None = None
    orders_agree: bool | None = None
    decided_by: Literal["judge", "code"] = "judge"
    reason: str
    base: Rating | None = None
    head: Rating | None = None
    rulings: dict[Side, Ruling] = {}
    answers: tuple[OrderAnswer, ...] = ()
    error: ErrorKind | None = None
    addressed_to_judge: str | None = None
    """A passage of a reply that seems to be written for the judge."""
    said: dict[str, JsonValue] = {}
    """Under `reason`, the parts of a reason that code wrote (see `saying`)."""

    @property
    def why(self) -> str:
        """The reason, with its parts where it has any."""
        return again(self.reason, self.said["reason"]) if "reason" in self.said else self.reason

    @property
    def judged(self) -> bool:
        """Whether it came to a verdict."""
        return self.preferred is not None


class RunRef(RecordModel):
    """Which run a side of the pairs comes from, by its header; runs begun in the same second may share one."""

    suite: str
    commit: str | None = None
    started_at: str = ""
    agent_fingerprint: str = ""

    @classmethod
    def of(cls, header: Header) -> RunRef:
        """The reference to the run of `header`."""
        return cls(
            suite=header.suite, commit=header.commit, started_at=header.conditions.started_at,
            agent_fingerprint=header.agent_fingerprint,
        )  # fmt: skip


class PairsHeader(RecordModel):
    """The first line of `pairs.jsonl`: which runs, which judge, and which pairs were left out."""

    kind: Literal["pairs"] = "pairs"
    schema_version: Annotated[int, Field(alias="schema")] = PAIRS_SCHEMA
    tool_version: str
    base: RunRef
    head: RunRef
    mode: Literal["changed", "all"]
    judge: dict[str, JsonValue]
    judge_fingerprint: str
    outputs_reported: bool = True
    """Whether any tool call of either run says what it gave back; else a missing output means nothing."""

    model_config = {**RecordModel.model_config, "populate_by_name": True, "serialize_by_alias": True}


class PairsFooter(RecordModel):
    """The last line of `pairs.jsonl`; a file without one was interrupted."""

    kind: Literal["pairs_end"] = "pairs_end"
    identical: int = 0
    """Pairs of identical replies that were not judged."""
    without_reply: tuple[str, ...] = ()
    """Cases to which one side has no reply (it crashed, or the provider was out of order)."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The whole of a `pairs.jsonl`."""

    header: PairsHeader
    pairs: tuple[PairResult, ...]
    footer: PairsFooter

    @property
    def count(self) -> PairCount:
        """Won, tied, lost."""
        return count_of(self.pairs)


@dataclass(frozen=True, slots=True)
class PairCount:
    """What pairs came to, from head's point of view. `flipped` of `won + tied + lost` changed with the order."""

    won: int
    tied: int
    lost: int
    flipped: int
    unjudged: int
    why_unjudged: tuple[str, ...] = ()
    """The different reasons, the most frequent first."""

    @property
    def judged(self) -> int:
        """How many came to a verdict."""
        return self.won + self.tied + self.lost

    @property
    def flip_rate(self) -> Fraction | None:
        """The share of judged pairs in which the order decided; None where none was judged."""
        return Fraction(self.flipped, self.judged) if self.judged else None

    @property
    def unreliable(self) -> bool:
        """Whether the judge is to be announced as unreliable."""
        return self.flip_rate is not None and self.flip_rate > UNRELIABLE_ABOVE


def count_of(pairs: Iterable[PairResult]) -> PairCount:
    """Counts what pairs came to."""
    preferred = {Preference.HEAD: 0, Preference.TIE: 0, Preference.BASE: 0}
    flipped, reasons = 0, dict[str, int]()
    for pair in pairs:
        if pair.preferred is None:
            reasons[pair.reason] = reasons.get(pair.reason, 0) + 1
        else:
            preferred[pair.preferred] += 1
            flipped += pair.orders_agree is False
    return PairCount(
        won=preferred[Preference.HEAD], tied=preferred[Preference.TIE], lost=preferred[Preference.BASE],
        flipped=flipped, unjudged=sum(reasons.values()),
        why_unjudged=tuple(sorted(reasons, key=lambda reason: (-reasons[reason], reason))),
    )  # fmt: skip


def lower(ratings: Sequence[Rating]) -> Rating:
    """The lower of several ratings of one reply on each dimension."""
    facts = [rating.factuality for rating in ratings if rating.factuality is not None]
    return Rating(
        target_language=all(rating.target_language for rating in ratings),
        fulfilment=min(rating.fulfilment for rating in ratings),
        factuality=min(facts) if facts else None,
    )


def better_on_the_dimensions(base: Rating, head: Rating) -> Preference:
    """The reply that is nowhere worse and somewhere better; a tie where neither is.

    A dimension that only one of them can be measured on says nothing.
    """
    compared = [(int(base.target_language), int(head.target_language)), (base.fulfilment, head.fulfilment)]
    if base.factuality is not None and head.factuality is not None:
        compared.append((base.factuality, head.factuality))
    head_better = any(new > old for old, new in compared)
    base_better = any(new < old for old, new in compared)
    if head_better == base_better:
        return Preference.TIE
    return Preference.HEAD if head_better else Preference.BASE
