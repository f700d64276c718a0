"""The customer's own words where no conversation was pasted; or why what stands there was not asked like that."""

from __future__ import annotations

import re

from quilate.goldens.incidents.answers import Refused, unquoted
from quilate.goldens.incidents.labels import Speaker, speaker_of
from quilate.text import fold

_LINKS = re.compile(
    r"!?\[[^\]\n]{0,400}\]\([^)\s]{1,2000}\)|<img\b[^>]{0,2000}>|<?https?://[^\s>]{1,2000}>?|(?<!\w)#\d{1,9}\b"
)
_POINTS = re.compile(
    r"^\W{0,3}(?:(?:please|pls|por favor|favor)\W+)?(?:see|look at|check|same as"
    r"|ver|vea|vean|v[eé]ase|veja|vide|mirar|igual (?:que|a|ao?)"
    r"|lo mismo que|o mesmo que|[ií]dem)\b(?P<rest>.{0,80})",
    re.IGNORECASE,
)
_PLACES = re.compile(
    r"\b(?:screen ?shots?|captur[ae]s?|pantallazos?|im[aá]ge(?:n|ns|m)|images?|fotos?|photos?|prints?"
    r"|attach(?:ed|ments?)|adjunt[oa]s?|anex[oa]s?|below|above|abajo|arriba|abaixo|acima|links?|enlaces?|tickets?|traces?|hilos?|threads?|logs?|issues?)\b",
    re.IGNORECASE,
)
_PICTURE_ALONE = re.compile(
    r"(?:(?:la|el|una?|the|an?|o|um)\s+)?"
    r"(?:screen ?shot|captura(?: de (?:pantalla|tela))?|pantallazo|image[mn]?|adjunt[oa]|attached|anexo)"
    r"(?:\s+(?:adjunt[oa]|attached|anex[oa]))?",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"^\W{0,3}(?:(?:the|an?|el|la|un|una|o|um|uma|our|nuestr[oa]|noss[oa])\s+)?"
    r"(?:customer|client|user|caller|shopper|cliente|clienta|usuari[oa]|comprador[a]?)\s+(?:[^\W\d_]{1,20}\s+){0,3}?"
    r"(?:asked|asks|wanted|wants|said|says|wrote|writes|was asking|pregunt[oó]|pregunta|preguntaba|consult[oó]|consulta"
    r"|quer[ií]a|quiere|pidi[oó]|pide|dijo|dice|escribi[oó]|perguntou|pergunta|quer|pediu|disse|escreveu)\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SHORT_LABEL = re.compile(r"^\s{0,3}(?P<name>[A-Z]{1,2})\s?:\s+\S")
_MARKED = re.compile(
    r"^\s{0,3}(?:<\|?(?P<tag>[^<>|\n]{1,40})\|?>|(?P<name>[^\W\d_][^\n:<>|–-]{0,39}?)\s{1,3}[-–—>|]\s)"
)
_TAG = re.compile(r"<\|(?P<tag>[a-z_]{2,30})\|>", re.IGNORECASE)
_ROBOT = "\N{ROBOT FACE}"
_LINES_OF_A_TRANSCRIPT = 3
_LONG_ENOUGH_TO_BE_A_QUOTATION = 12


def message_of(text: str, answered: str | None) -> str | Refused:
    """What the customer wrote, without quotation marks around all of it.

    Refused are a `pointer` to a picture or a page, words that are `reported` and not the customer's own, and a
    `transcript` in no known notation, which would put the agent's answer into the question.
    """
    text = _without_quote_marks(text)
    if points_elsewhere(text):
        return Refused("pointer")
    reported = _REPORTED.match(text)
    if reported:
        own = re.match(r"\s*:\s*(?P<words>\S.*)$", reported["rest"], re.DOTALL)
        if own is None:
            return Refused("reported")
        text = _without_quote_marks(own["words"])
    if _holds_the_answer(text, answered) or _like_a_transcript(text.split("\n")):
        return Refused("transcript")
    return unquoted(text)


def points_elsewhere(text: str) -> bool:
    """Whether a text only says where to look: a link, a picture, "see below"."""
    without = _LINKS.sub(" ", text)
    linked = without != text
    if linked and not re.search(r"\w", without):
        return True
    if _PICTURE_ALONE.fullmatch(without.strip(" .:!\n")):
        return True
    points = _POINTS.match(text)
    if points is None:
        return False
    # A pointer is short, or its link comes at once; "see you below deck" of a longer message is the customer's.
    return bool(_LINKS.search(points["rest"])) or (len(text) <= 80 and bool(_PLACES.search(points["rest"])))


def _without_quote_marks(text: str) -> str:
    lines = text.strip("\n").split("\n")
    if all(line.lstrip().startswith(">") for line in lines if line.strip()):
        lines = [re.sub(r"^\s{0,3}>\s?", "", line) for line in lines]
    return "\n".join(lines).strip()


def _holds_the_answer(text: str, answered: str | None) -> bool:
    answer = fold(answered or "")
    return len(answer) >= _LONG_ENOUGH_TO_BE_A_QUOTATION and answer in fold(text)


def _like_a_transcript(lines: list[str]) -> bool:
    if any(line.lstrip().startswith(_ROBOT) for line in lines) or any(_TAG.search(line) for line in lines):
        return True
    if len({match["name"] for line in lines if (match := _SHORT_LABEL.match(line))}) > 1:
        return True
    if any(_agents(match["tag"] or match["name"]) for line in lines if (match := _MARKED.match(line))):
        return True
    written = [line for line in lines if line.strip()]
    return len(written) >= _LINES_OF_A_TRANSCRIPT and any(_agents(line.strip(" *_#")) for line in written)


def _agents(name: str) -> bool:
    return speaker_of(name) is Speaker.AGENT
