"""Comparing text as people read it, and finding a quotation again, with offsets of the original text."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

import regex

_SEGMENT = regex.compile(r"[\s\x1C-\x1F]+|\P{M}[\p{M}\u1160-\u11FF]{0,30}|\p{M}{1,30}")
"""What normalising never looks beyond: a character with its marks (or Hangul vowels and finals), or a run of space.

At most 30 marks, as in Unicode's Stream-Safe Text Format (UAX #15 §13): `unicodedata.normalize` is quadratic in the
length of a run of marks, and replies are hostile."""
_LONG_RUN = regex.compile(r"\p{M}{31}")
_LONG_QUOTE = 2000


@dataclass(frozen=True, slots=True)
class Span:
    """Where a quotation stands: `text[start:end]` of the original text. `exact` is equality after folding."""

    start: int
    end: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Folded:
    """A text made comparable, and the way back to the original offsets."""

    text: str
    _folded_starts: tuple[int, ...]
    _original_starts: tuple[int, ...]
    _original_ends: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The smallest range of the original text that `self.text[start:end]` (not empty) came from."""
        first = bisect_right(self._folded_starts, start) - 1
        last = bisect_right(self._folded_starts, end - 1) - 1
        return self._original_starts[first], self._original_ends[last]


def nfc(text: str) -> str:
    """`text` in Unicode's composed normal form, in linear time."""
    if text.isascii():
        return text
    if _LONG_RUN.search(text):
        return "".join(unicodedata.normalize("NFC", segment) for segment in _SEGMENT.findall(text))
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """`text` in NFC, case folded, every run of white space as one space, stripped."""
    return nfc(" ".join(nfc(text).split()).casefold())


def folded(
    text: str, *, case: bool = True, spaces: bool = True, table: Mapping[int, str | None] | None = None
) -> Folded:
    """`text` folded, with the way back; with the defaults its text is `fold(text)` but for space at the ends.

    `case` and `spaces` turn those steps off; `table` (as for `str.translate`) is applied to each folded segment.
    """
    parts: list[str] = []
    folded_starts: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    length = 0
    for match in _SEGMENT.finditer(text):
        segment = match.group()
        if segment.isspace():
            piece = " " if spaces else segment
        elif segment.isascii():
            piece = segment.lower() if case else segment
        else:
            piece = unicodedata.normalize("NFC", segment)
            piece = unicodedata.normalize("NFC", piece.casefold()) if case else piece
        if table is not None:
            piece = piece.translate(table)
        if piece:
            parts.append(piece)
            folded_starts.append(length)
            starts.append(match.start())
            ends.append(match.end())
            length += len(piece)
    return Folded("".join(parts), tuple(folded_starts), tuple(starts), tuple(ends))


def find_span(quote: str, text: str, cutoff: float = 0.85) -> Span | None:
    """Where `quote` stands in `text`: exact after folding, else the closest stretch of about its length.

    `cutoff` (0 to 1) is the least similarity of a close stretch (normalised indel similarity, as rapidfuzz's
    `partial_ratio`). None where nothing is that close, or the quotation is empty.
    """
    wanted = fold(quote)
    if not wanted:
        return None
    source = folded(text)
    at = source.text.find(wanted)
    if at >= 0:
        return Span(*source.original(at, at + len(wanted)), exact=True)
    close = _closest(wanted, source.text, cutoff)
    return None if close is None else Span(*source.original(*close), exact=False)


def _closest(wanted: str, text: str, cutoff: float) -> tuple[int, int] | None:
    from rapidfuzz import fuzz  # slow to import, and most quotations are exact

    if not text.strip():
        return None
    if len(wanted) >= len(text):  # partial_ratio would look for the text in the quotation
        return (0, len(text)) if fuzz.ratio(wanted, text) >= 100 * cutoff else None
    if len(wanted) > _LONG_QUOTE:  # its cost is the product of both lengths: find both ends, then compare
        head = _closest(wanted[: _LONG_QUOTE // 2], text, cutoff)
        tail = _closest(wanted[-_LONG_QUOTE // 2 :], text, cutoff)
        if head is None or tail is None or tail[1] <= head[0]:
            return None
        found = (head[0], tail[1])
        return (
            found
            if _similar_length(found, wanted) and fuzz.ratio(wanted, text[slice(*found)]) >= 100 * cutoff
            else None
        )
    best = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=100 * cutoff)
    return None if best is None or best.dest_end <= best.dest_start else (best.dest_start, best.dest_end)


def _similar_length(found: tuple[int, int], wanted: str) -> bool:
    return found[1] - found[0] <= 2 * len(wanted)
