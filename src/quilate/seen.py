"""A text as eyes see it: without characters that show nothing, and each sign as the plain one it looks like.

A number or a key reads the same with a zero-width space in it, in full-width digits or with keycaps around them, and
so it is found there. The way back to the original's offsets is kept.
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_right
from dataclasses import dataclass

import regex

NOTHING = r"\p{Default_Ignorable_Code_Point}"
"""Class of characters (Unicode) that show nothing where they are not understood: soft hyphen, zero-width space and
joiners, marks of direction, variation selectors, tags, fillers."""
_SHOWS_NOTHING = regex.compile(NOTHING)
_UNSEEN = regex.compile(rf"(?<=\p{{Nd}})[\p{{M}}{NOTHING}]+|{NOTHING}+")
"""Those, and what is drawn around or through a digit."""
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_DOTS = "\u2024\ufe52"
_FULL_WIDTH, _SHIFT = range(0xFF01, 0xFF5F), 0xFEE0


class Unseen(dict[int, str | None]):
    """A `str.translate` table that drops what shows nothing, and else does what it is given."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        self[code] = kept = None if _SHOWS_NOTHING.match(character) else character
        return kept


class _Plain(dict[int, str]):
    """One character for one, so that offsets hold: digits of every script, full-width forms, dashes and spaces."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if code in _FULL_WIDTH:
            plain = chr(code - _SHIFT)
        elif character in _DASHES:
            plain = "-"
        elif character in _DOTS:
            plain = "."
        elif character.isdecimal():
            plain = str(unicodedata.decimal(character))
        else:
            plain = " " if unicodedata.category(character) == "Zs" else character
        self[code] = plain
        return plain


_PLAIN = _Plain()


@dataclass(frozen=True, slots=True)
class Seen:
    """What is seen of a text, and where it stands there."""

    text: str
    _cuts: array[int]
    """Offsets in `text` before which something was left out …"""
    _shifts: array[int]
    """… and how many characters were, up to there."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original that `self.text[start:end]` (not empty) came from."""
        return self._back(start), self._back(end - 1) + 1

    def _back(self, at: int) -> int:
        before = bisect_right(self._cuts, at)
        return at + self._shifts[before - 1] if before else at


def seen(text: str) -> Seen:
    """`text` as it is seen, in time linear in its length."""
    cuts, shifts = array("q"), array("q")
    if text.isascii():
        return Seen(text, cuts, shifts)
    parts: list[str] = []
    end = left_out = 0
    for match in _UNSEEN.finditer(text):
        parts.append(text[end : match.start()])
        cuts.append(match.start() - left_out)
        left_out += match.end() - match.start()
        shifts.append(left_out)
        end = match.end()
    parts.append(text[end:])
    return Seen("".join(parts).translate(_PLAIN), cuts, shifts)
