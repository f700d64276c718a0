"""A first reading of a reply: what it asks, states, lists, refuses and warns of. Portuguese, Spanish and English."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import regex

from quilate.documents import read_document

TIMEOUT_S = 2.0
"""A reply is hostile; a pattern that takes longer reads nothing."""
MAX_CHARS = 20_000
"""Beyond this a reply is no short question, whatever else stands in it."""


class Kind(StrEnum):
    """What one sentence of a reply does."""

    QUESTION = "question"
    """Asks about the request, and says what."""
    BROAD_QUESTION = "broad_question"
    """Asks for more, without saying what."""
    OTHER_QUESTION = "other_question"
    """Asks something that this reading cannot place: what is meant, or whether the answer pleases."""
    COURTESY = "courtesy"
    """Offers more, or says goodbye, with a question mark."""
    LEAD_IN = "lead_in"
    """Opens or closes the reply and answers nothing."""
    REFUSAL = "refusal"
    CAVEAT = "caveat"
    STATEMENT = "statement"


ASKING = (Kind.QUESTION, Kind.BROAD_QUESTION, Kind.OTHER_QUESTION)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence at `start:end` of the reply's output."""

    start: int
    end: int
    words: int
    kind: Kind
    item: bool
    """Whether it is an item of a list."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as a first reading sees it."""

    sentences: tuple[Sentence, ...]
    words: int
    lists_meanings: bool
    """Says that there are several meanings, or names several (`pode ser …, pode ser …`), or defines them in a list."""
    invents: bool
    outlines: int
    """Words stated outside its lists."""
    refuses_in_asking: bool
    """A sentence refuses and asks in one breath."""
    perhaps_asks: bool
    """A word that may be a request this reading does not know."""
    too_long: bool
    """Longer than this reading reads."""

    @property
    def asking(self) -> tuple[Sentence, ...]:
        """The sentences that ask about the request."""
        return tuple(sentence for sentence in self.sentences if sentence.kind in ASKING)

    def of(self, kind: Kind) -> tuple[Sentence, ...]:
        """The sentences of one kind."""
        return tuple(sentence for sentence in self.sentences if sentence.kind is kind)

    @property
    def items(self) -> int:
        """How many items its lists have."""
        return sum(sentence.item for sentence in self.sentences)


@lru_cache(maxsize=1)
def _cues() -> dict[str, regex.Pattern[str]]:
    table = read_document(Path(__file__).with_name("cues.yaml")).value
    return {name: regex.compile("|".join(f"(?:{one})" for one in patterns)) for name, patterns in table.items()}


_SENTENCE = regex.compile(r"[^.!?\n…]*(?:[.!?…]+(?=[\s\"”»)*_]|$)[\"”»)*_]*|\n|(?:[.!?…](?!\s))|$)")
_ITEM = regex.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)]|[a-e]\))\s+")
_DEFINED = regex.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)]|[a-e]\))\s+(?:\S+\s+){0,5}\S+\s?[:–—]")
_MARKER = regex.compile(r"\s*(?:\d{1,2}[.)]|[a-e]\))\s*")
MARKER_CHARS = 8
_INLINE_ITEM = regex.compile(r"(?<=[\s:;])(?:\d{1,2}[.)]|[a-e]\))\s+(?=\S)")
_INNER_QUESTION = regex.compile(r"(?<=[,;:]\s)¿")
"""Spanish says where a question begins: `Cuesta 15 pesos, ¿te lo envío?` states and asks."""
_WORD = regex.compile(r"\w+(?:[-'’.,]\w+)*")
_CODE = regex.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", regex.DOTALL)
_HEADING = regex.compile(r"^\s*#{1,6}\s|^\s*\*\*[^*\n]+\*\*\s*$")


def plain(text: str) -> str:
    """`text` in lower case without accents, letter for letter, so that offsets stay."""
    out = []
    for char in text:
        base = unicodedata.normalize("NFD", char)[0] if not char.isascii() else char
        low = base.lower()
        out.append(low if len(low) == 1 else base)
    return "".join(out)


def _has(cue: str, text: str) -> bool:
    try:
        return _cues()[cue].search(text, timeout=TIMEOUT_S) is not None
    except TimeoutError:
        return False


def read_reply(output: str, prompt: str = "") -> Reading:
    """The first reading of `output`. What stands in code, a heading, or an echo of the prompt is no question."""
    read = output[:MAX_CHARS]
    text = _CODE.sub(lambda match: " " * len(match.group()), plain(read))
    echo = _bare(plain(prompt))
    sentences = tuple(_sentences(text, echo))
    asked = [text[one.start : one.end] for one in sentences if one.kind in ASKING]
    stated = " ".join(text[one.start : one.end] for one in sentences if one.kind is Kind.STATEMENT)
    defined = sum(one.item and _DEFINED.search(text, one.start, one.end) is not None for one in sentences)
    several = stated.count("pode ser") + stated.count("puede ser") + stated.count("could be") >= 2
    return Reading(
        sentences=sentences,
        words=len(_WORD.findall(text)),
        lists_meanings=_has("listings", text) or several or defined >= 2,
        outlines=sum(one.words for one in sentences if one.kind is Kind.STATEMENT and not one.item),
        refuses_in_asking=any(_has("refusals", one) for one in asked),
        invents=_has("inventions", stated) or any(_HEADING.match(line) for line in text.splitlines()),
        perhaps_asks=any(_has("perhaps_requests", text[one.start : one.end]) for one in sentences),
        too_long=len(output) > MAX_CHARS,
    )


def _bare(text: str) -> str:
    return " ".join(_WORD.findall(text))


def _sentences(text: str, echo: str) -> list[Sentence]:
    spans = []
    for match in _SENTENCE.finditer(text):
        start, end = match.span()
        inner = {one.start() for cut in (_INLINE_ITEM, _INNER_QUESTION) for one in cut.finditer(text, start, end)}
        cuts = [start, *sorted(inner - {start}), end]
        spans += list(pairwise(cuts))
    sentences: list[Sentence] = []
    answered = False
    for start, end in _joined(text, spans):
        body = text[start:end]
        lead = len(body) - len(body.lstrip())
        start, body = start + lead, body.strip()
        words = len(_WORD.findall(body))
        if not words:
            continue
        item = _ITEM.match(body) is not None
        kind = _kind(body, echo, answered=answered)
        answered = answered or kind is Kind.STATEMENT
        sentences.append(Sentence(start, start + len(body), words, kind, item))
    return sentences


def _joined(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans with a number's or an abbreviation's full stop, and a list marker, put back to what follows."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined:
            first, last = joined[-1]
            glued = last > first and text[last - 1] in ".!?…" and end > start and not text[start].isspace()
            marker = last - first <= MARKER_CHARS and _MARKER.fullmatch(text, first, last) is not None
            if glued or marker:
                joined[-1] = (first, end)
                continue
        joined.append((start, end))
    return joined


def _kind(body: str, echo: str, *, answered: bool) -> Kind:
    asks = body.rstrip('"”»)*_ ').endswith("?")
    if asks:
        if _HEADING.match(body) or (echo and _bare(body) == echo):
            return Kind.LEAD_IN
        if _has("broad", body) and not answered and not _targeted(body):
            return Kind.BROAD_QUESTION
        if _has("courtesies", body) and (answered or not _has("targeted", body) or _opens_with_offer(body)):
            return Kind.COURTESY
        if _targeted(body):
            return Kind.QUESTION
        return Kind.BROAD_QUESTION if _has("broad", body) else Kind.OTHER_QUESTION
    if _has("caveats", body):
        return Kind.CAVEAT
    if _has("requests", body):
        return Kind.QUESTION if _targeted(body) else Kind.BROAD_QUESTION
    if _has("lacking", body):
        return Kind.BROAD_QUESTION
    if _has("refusals", body):
        return Kind.REFUSAL
    return Kind.LEAD_IN if _has("lead_ins", body) else Kind.STATEMENT


def _opens_with_offer(body: str) -> bool:
    return _has("lead_ins", body)


def _targeted(body: str) -> bool:
    """Whether a question says what it wants: the words that ask for more in general are set aside first."""
    rest = _cues()["broad"].sub(" ", body)
    return _has("targeted", rest) and not (rest != body and not _specific(rest))


def _specific(rest: str) -> bool:
    """What remains of a broad question still names something: an interrogative, not only `o que`/`que` of a clause."""
    return regex.search(r"\b(?:qual|quais|quem|onde|cual|cuales|quien|donde|which|who|where)\b", rest) is not None
