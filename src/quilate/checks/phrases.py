"""Forbidden and required phrases: whole words by Unicode's word boundaries, whatever the case, accents' form or space.

A phrase in slashes (`/po+/`) is a regular expression, found anywhere and in any case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import regex

from quilate.checks.calls import and_more
from quilate.checks.criterion import graded
from quilate.checks.patterns import MatcherError, Pattern
from quilate.checks.values import shown
from quilate.grades import CriterionGrade, Evidence
from quilate.saying import listed, say
from quilate.seen import Unseen
from quilate.text import Folded, folded

MAX_HITS = 5
"""Of one phrase, as evidence; one is enough to grade."""
MAX_NAMED = 8

_ALIKE = Unseen(
    {
        **dict.fromkeys(map(ord, "’ʼ‛＇′"), "'"),
        **dict.fromkeys(map(ord, "“”„‟"), '"'),
        **dict.fromkeys(map(ord, "\u2010\u2011"), "-"),
        # Turkish: case folding leaves the dot of «İ» standing alone, and has no capital of its own for «ı».
        0x307: None,
        ord("ı"): "i",
    }
)
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]")
_UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"
)
_MARK = regex.compile(r"\p{M}")
_LETTER = regex.compile(r"\p{L}")
_INSIDE_WORDS = "'·"
_ELISION = regex.compile(
    r"(?<![\p{L}\p{N}\p{M}'])(?:[cdjlmnst]|qu|(?:jus|lors|puis|quoi|presq|quel)qu|pr|gl|un|(?:d|n|s|qu|b)ell|all|dall|coll|sull)\Z"
)
"""What loses its vowel before the next word in Portuguese, French, Italian, Catalan: «d'água», «l'acqua», «qu'il»."""
_LONGEST_ELISION = 8
_POSSESSIVE = regex.compile(r"s(?![\p{L}\p{N}\p{M}'])")
_INSIDE_NUMBERS = ".,'٫٬"


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a phrase stands, in offsets of the text as it is."""

    phrase: str
    start: int
    end: int


class Sought:
    """A text prepared for looking up many phrases, as far as they need it (linear in its length)."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def words(self) -> Folded:
        """What phrases of words are looked for in."""
        return folded(self._text, table=_ALIKE)

    @cached_property
    def letters(self) -> Folded:
        """Composed only: what regular expressions see."""
        return folded(self._text, case=False, spaces=False)


class Phrase:
    """One phrase, ready to be looked for."""

    def __init__(self, source: str) -> None:
        """Raises `MatcherError` where the phrase has nothing to look for, or is a wrong pattern."""
        self.source = source
        self._pattern: Pattern | None = None
        self._wanted = ""
        if len(source) > 2 and source.startswith("/") and source.endswith("/"):
            self._pattern = Pattern(source[1:-1], ignore_case=True)
        else:
            self._wanted = folded(source, table=_ALIKE).text.strip()
            if not self._wanted:
                raise MatcherError((), f"{shown(source)} has nothing to look for", "write words, or leave it out")

    def hits(self, sought: Sought) -> Iterator[Hit]:
        """Where the phrase stands, from left to right, without overlaps. May raise `PatternTimeoutError`."""
        if self._pattern is not None:
            for start, end in self._pattern.spans(sought.letters.text):
                yield Hit(self.source, *sought.letters.original(start, end))
            return
        text, wanted = sought.words.text, self._wanted
        at = text.find(wanted)
        while at >= 0:
            end = at + len(wanted)
            whole = _edge(text, at, outward=-1) and _edge(text, end, outward=1)
            if whole:
                yield Hit(self.source, *sought.words.original(at, end))
            at = text.find(wanted, end if whole else at + 1)


def _edge(text: str, at: int, *, outward: int) -> bool:
    """Whether a phrase may begin (`outward` -1) or end (1) at offset `at`: no word goes on across it.

    Unicode's default word boundaries (UAX #29), with three differences: `_` is no part of a word, since `_po_` is an
    emphasised «po», and neither is a full stop between letters («listo.po»); and an apostrophe parts words where it
    stands for an elided vowel («d'água») or before a possessive s («Acme's»). Only a few characters beyond are looked
    at, so that a text of nothing but marks takes no longer than any other.
    """
    inside = text[at - 1] if outward > 0 else text[at]
    near = at if outward > 0 else at - 1
    if not 0 <= near < len(text):
        return True
    beyond = text[near]
    if outward > 0 and _MARK.match(beyond):
        return False  # the last character of the phrase is another one there
    if not _WORD.match(inside) or _UNSPACED.match(inside) or _UNSPACED.match(beyond):
        return True
    if _WORD.match(beyond):
        return False
    far = near + outward
    further = text[far] if 0 <= far < len(text) else " "
    if beyond in _INSIDE_WORDS and _LETTER.match(inside) and _LETTER.match(further):
        return beyond == "'" and _parted(text, near, outward)
    return not (beyond in _INSIDE_NUMBERS and inside.isdecimal() and further.isdecimal())


def _parted(text: str, apostrophe: int, outward: int) -> bool:
    if outward > 0:
        return _POSSESSIVE.match(text, apostrophe + 1) is not None
    return _ELISION.search(text[max(0, apostrophe - _LONGEST_ELISION) : apostrophe]) is not None


def compile_phrases(phrases: Sequence[str]) -> tuple[Phrase, ...]:
    """Every phrase, ready; raises `MatcherError` whose path is the wrong phrase's index."""
    compiled = []
    for index, phrase in enumerate(phrases):
        try:
            compiled.append(Phrase(phrase))
        except MatcherError as problem:
            raise problem.under(index) from None
    return tuple(compiled)


def grade_forbidden(phrases: Sequence[Phrase], output: str) -> CriterionGrade:
    """None of the phrases is in the output; each place where one is, is evidence. May raise `PatternTimeoutError`."""
    sought = Sought(output)
    found: list[Hit] = []
    for phrase in phrases:
        found.extend(hit for hit, _ in zip(phrase.hits(sought), range(MAX_HITS), strict=False))
    names = _named(phrase.source for phrase in phrases)
    return graded(
        "forbidden_phrases", not found, _said_what_is_forbidden(found) if found else say("no forbidden phrase is said"),
        text=say("does not say {phrases}", phrases=names), expected=say("none of {phrases}", phrases=names),
        found=_named(output[hit.start : hit.end] for hit in found) if found else None,
        evidence=tuple(_evidence(hit, output) for hit in found),
    )  # fmt: skip


def _said_what_is_forbidden(found: Sequence[Hit]) -> str:
    phrases = dict.fromkeys(hit.phrase for hit in found)
    if len(phrases) == 1:
        return say("forbidden phrase {phrases}", phrases=_named(phrases))
    return say("forbidden phrases {phrases}", phrases=_named(phrases))


def grade_required(phrases: Sequence[Phrase], output: str) -> CriterionGrade:
    """Every phrase is in the output; where each stands first is evidence. May raise `PatternTimeoutError`."""
    sought = Sought(output)
    first = [next(phrase.hits(sought), None) for phrase in phrases]
    missing = [phrase.source for phrase, hit in zip(phrases, first, strict=True) if hit is None]
    names = _named(phrase.source for phrase in phrases)
    return graded(
        "required_phrases", not missing,
        say("does not say {phrases}", phrases=_named(missing)) if missing else say("says what is required"),
        text=say("says {phrases}", phrases=names), expected=names, found=shown(output) if missing else None,
        evidence=tuple(_evidence(hit, output) for hit in first if hit is not None),
    )  # fmt: skip


def _evidence(hit: Hit, output: str) -> Evidence:
    return Evidence(quote=output[hit.start : hit.end], start=hit.start, end=hit.end, note=hit.phrase)


def _named(phrases: Iterator[str] | Sequence[str] | dict[str, None]) -> str:
    names = [shown(phrase, 80) for phrase in phrases]
    return and_more(listed(names[:MAX_NAMED]), len(names) - MAX_NAMED)
