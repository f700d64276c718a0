"""Comparing text as people read it, and finding a quotation again, with offsets of the original text."""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import regex

_COMBINING = r"\p{M}\u1160-\u11FF"
_SPACE = r"\s\x1C-\x1F"  # Python's idea of white space has four control characters more than the module's
_WORD = rf"[^{_COMBINING}{_SPACE}]+(?![{_COMBINING}])"
_SEGMENT = regex.compile(rf"[{_SPACE}]+|\P{{M}}[{_COMBINING}]{{0,30}}|\p{{M}}{{1,30}}")
"""What normalising never looks beyond: a character with its marks (or Hangul vowels and finals), or a run of space.

At most 30 marks, as in Unicode's Stream-Safe Text Format (UAX #15 §13): `unicodedata.normalize` is quadratic in the
length of a run of marks, and replies are hostile."""
_LINES = regex.compile(rf"{_WORD}(?:[{_SPACE}]{_WORD})*|{_SEGMENT.pattern}")
_WORDS = regex.compile(rf"{_WORD}|{_SEGMENT.pattern}")
_EACH_SPACE = regex.compile(rf"[{_SPACE}]")
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
    """A text made comparable, and the way back to the original offsets.

    It is made of pieces; in most of them one character became one, in the others (`_whole`) inner offsets mean nothing.
    """

    text: str
    _folded_starts: array[int]
    _starts: array[int]
    _ends: array[int]
    _whole: bytearray

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The smallest range of the original text that `self.text[start:end]` (not empty) came from."""
        first = bisect_right(self._folded_starts, start) - 1
        last = bisect_right(self._folded_starts, end - 1) - 1
        begin = 0 if self._whole[first] else start - self._folded_starts[first]
        finish = self._ends[last] if self._whole[last] else self._starts[last] + end - self._folded_starts[last]
        return self._starts[first] + begin, finish


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


Table = Mapping[int, str | None]


def folded(text: str, *, case: bool = True, spaces: bool = True, table: Table | None = None) -> Folded:
    """`text` folded, with the way back; with the defaults its text is `fold(text)` but for space at the ends.

    `case` and `spaces` turn those steps off; `table` (as for `str.translate`) is applied last.
    """
    folding = _Folding(text, case=case, spaces=spaces, table=table)
    for start, end in _spans(_LINES, text, 0, len(text)):
        if not folding.plain(start, end):
            for word_start, word_end in _spans(_WORDS, text, start, end):
                if not folding.plain(word_start, word_end):
                    for segment_start, segment_end in _spans(_SEGMENT, text, word_start, word_end):
                        folding.segment(segment_start, segment_end)
    return folding.result()


def _spans(pattern: regex.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return (match.span() for match in pattern.finditer(text, start, end))


class _Folding:
    """Folds a text piece by piece: long ones at once where every character becomes one, else segment by segment."""

    def __init__(self, text: str, *, case: bool, spaces: bool, table: Table | None) -> None:
        self._text, self._case, self._spaces, self._table = text, case, spaces, table
        self._parts: list[str] = []
        self._columns = (array("I"), array("I"), array("I"))
        self._whole = bytearray()
        self._length = 0

    def plain(self, start: int, end: int) -> bool:
        """Adds the stretch if every character of it becomes one; says whether it did."""
        stretch = self._text[start:end]
        if stretch.isspace() or _LONG_RUN.search(stretch) or not unicodedata.is_normalized("NFC", stretch):
            return False
        piece = stretch.casefold() if self._case else stretch
        if self._spaces:
            piece = _EACH_SPACE.sub(" ", piece)
        if len(piece) != end - start or not unicodedata.is_normalized("NFC", piece):
            return False
        if self._table is not None:
            piece = piece.translate(self._table)
        if len(piece) != end - start:
            return False
        self._add(piece, start, end, whole=False)
        return True

    def segment(self, start: int, end: int) -> None:
        """Adds what normalising does not look beyond."""
        segment = self._text[start:end]
        if segment.isspace():
            piece = " " if self._spaces else segment
        else:
            piece = unicodedata.normalize("NFC", segment)
            piece = unicodedata.normalize("NFC", piece.casefold()) if self._case else piece
        piece = piece if self._table is None else piece.translate(self._table)
        if piece:
            self._add(piece, start, end, whole=len(piece) != end - start or end - start > 1)

    def _add(self, piece: str, start: int, end: int, *, whole: bool) -> None:
        self._parts.append(piece)
        for column, value in zip(self._columns, (self._length, start, end), strict=True):
            column.append(value)
        self._whole.append(whole)
        self._length += len(piece)

    def result(self) -> Folded:
        return Folded("".join(self._parts), *self._columns, self._whole)


def find_span(quote: str, text: str | Folded, cutoff: float = 0.85) -> Span | None:
    """Where `quote` stands in `text`: exact after folding, else the closest stretch of about its length.

    Whoever looks for many quotations in one text gives it folded, once. `cutoff` (0 to 1) is the least similarity of a
    close stretch (normalised indel similarity, as rapidfuzz's `partial_ratio`). None where nothing is that close, or
    the quotation is empty.
    """
    wanted = fold(quote)
    if not wanted:
        return None
    source = text if isinstance(text, Folded) else folded(text)
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
