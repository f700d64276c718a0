"""A text cut where something in it is marked: changed words, quoted evidence; long texts without their dull parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from quilate.report import visible
from quilate.report.html.diff import Range

MAX_CHARACTERS = 16_000
"""Of one reply that is shown whole; a longer one keeps its beginning, its end and what is quoted from it."""
_AROUND = 300
MAX_MARKS = 60


@dataclass(frozen=True, slots=True)
class Mark:
    """A quotation: which criterion it is evidence of (a number shown beside it), and how that criterion fared."""

    range: Range
    number: int
    grade: str
    title: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that is marked alike. `left_out` counts the characters that stand there unseen instead."""

    text: str
    changed: bool = False
    mark: Mark | None = None
    ends: tuple[Mark, ...] = ()
    """Quotations that end with this piece, to be numbered there."""
    left_out: int = 0


def pieces(text: str, changed: Sequence[Range] = (), marks: Sequence[Mark] = ()) -> tuple[Piece, ...]:
    """The text in order, cut at every edge; of overlapping quotations the shorter one colours the text.

    `changed` is ascending and without overlaps.
    """
    within = [each for each in marks if 0 <= each.range.start < each.range.end <= len(text)][:MAX_MARKS]
    found: list[Piece] = []
    at = 0
    for kept in _kept(len(text), [each.range for each in within]):
        if kept.start > at:
            found.append(Piece("", left_out=kept.start - at))
        found += _cut(text, kept, changed, within)
        at = kept.end
    return tuple(found)


def _kept(length: int, quoted: Iterable[Range]) -> list[Range]:
    if length <= MAX_CHARACTERS:
        return [Range(0, length)] if length else []
    head = 2 * MAX_CHARACTERS // 3
    every = [Range(0, head), Range(length - (MAX_CHARACTERS - head), length)]
    for each in quoted:
        end = min(each.end, each.start + MAX_CHARACTERS // 8)
        every.append(Range(max(0, each.start - _AROUND), min(length, end + _AROUND)))
    joined: list[Range] = []
    for each in sorted(every):
        if joined and each.start <= joined[-1].end:
            joined[-1] = Range(joined[-1].start, max(joined[-1].end, each.end))
        else:
            joined.append(each)
    return joined


def _cut(text: str, kept: Range, changed: Sequence[Range], marks: Sequence[Mark]) -> list[Piece]:
    edges = {kept.start, kept.end}
    for start, end in (*changed, *(each.range for each in marks)):
        edges.update(edge for edge in (start, end) if kept.start < edge < kept.end)
    order = sorted(edges)
    found: list[Piece] = []
    ahead = 0  # the first changed range that does not lie before the stretch; they are in order
    for start, end in pairwise(order):
        while ahead < len(changed) and changed[ahead].end <= start:
            ahead += 1
        over = [each for each in marks if each.range.start <= start and end <= each.range.end]
        found.append(
            Piece(
                text=visible.lines(text[start:end]),
                changed=ahead < len(changed) and changed[ahead].start <= start,
                mark=min(over, key=lambda each: each.range.end - each.range.start, default=None),
                ends=tuple(each for each in over if each.range.end == end),
            )
        )
    return found
