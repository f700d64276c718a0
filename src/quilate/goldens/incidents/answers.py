"""What people write into a field: lists, phrases, severities, names; or why it cannot be taken."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quilate.goldens.incidents.form import SEVERITIES
from quilate.goldens.incidents.labels import plain
from quilate.text import fold

_NOTHING = frozenset(plain(word) for word in (
    "no response", "none", "n/a", "na", "no", "nothing", "ninguna", "ninguno", "nada", "no aplica", "sin respuesta",
    "nenhuma", "nenhum", "não se aplica", "nao", "x", "-", "tbd", "to be defined", "not sure", "idk", "unknown",
    "pendiente", "por definir", "no sé", "a definir", "não sei",
))  # fmt: skip
_SAYABLE = frozenset({"no", "nao", "nothing", "nada", "x", "no se", "nao sei", "unknown", "not sure"})
"""Of these, what a customer and an agent do say."""
_BULLET = re.compile(r"^\s{0,6}(?:[-*+•·–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"^\s{0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<inside>.*?)\n?\s{0,3}(?P=fence)[`~]*\s*$", re.DOTALL)
_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“", "'": "'", "‘": "’", "`": "`", "”": "”"}
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|`([^`]+)`|‘([^’]+)’|'([^']+)'")
_BETWEEN = re.compile(r"[\s,;/]*(?:\b(?:y|e|and|or|o|ou|u)\b)?[\s,;/]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a field's text cannot be taken: a reason's name, and the line it is about."""

    why: str
    line: str = ""


def content(text: str | None, *, spoken: bool = False) -> str | None:
    """A field's text without a fence around all of it; None where nothing was answered.

    `spoken`: the field holds somebody's own words, and "no" is an answer.
    """
    if text is None:
        return None
    text = text.strip("\n")
    fenced = _FENCE.match(text.strip())
    if fenced:
        text = fenced["inside"]
    stripped = text.strip()
    says_something = re.search(r"\w", stripped) or _emoji(stripped)
    literal = _emoji(stripped) or stripped[:1] in _QUOTES
    nothing = _NOTHING - _SAYABLE if spoken else _NOTHING
    return stripped if says_something and (literal or plain(stripped) not in nothing) else None


def _emoji(text: str) -> bool:
    return any(ord(char) > 0x2190 for char in text)


def items(text: str) -> list[str]:
    """The items of a list, or the lines of a text; a line that goes on with the one before joins it."""
    lines = [line.rstrip() for line in text.split("\n")]
    listed = any(_BULLET.match(line) for line in lines)
    found: list[str] = []
    gap = True
    for line in lines:
        bullet = _BULLET.match(line)
        said = line[bullet.end() :].strip() if bullet else line.strip()
        if not said:
            gap = True
            continue
        goes_on = found and not bullet and not gap and (listed or _wrapped(found[-1], said))
        if goes_on:
            found[-1] += " " + said
        else:
            found.append(said)
        gap = False
    # Beside other items "no" is an item: only alone does it say that there is none.
    return found if len(found) > 1 else [item for item in found if content(item)]


def expectations(text: str) -> list[str] | Refused:
    """One expectation an item. An item that ends with a colon takes the items below it along; struck text is left out.

    Refused are tables, and lines that name another field in words nobody knows (`Tool that was right: …`): taken as an
    expectation they would be judged as one.
    """
    text = re.sub(r"~~[^~\n]+~~", "", text)
    if re.search(r"(?m)^\s{0,3}\|.*\|\s*$", text):
        return Refused("table")
    heading = _HEADING.search(text)
    if heading:
        return Refused("other_field", heading[0][:80])
    found = items(_nested(text))
    for item in found:
        label = re.match(r"(?P<label>[^:\n]{2,60}):\s+\S", item)
        if label and _OTHER_FIELD.search(plain(label["label"])) and len(label["label"].split()) <= _WORDS_OF_A_LABEL:
            return Refused("other_field", item[:80])
    return found


_HEADING = re.compile(r"(?m)^\s{0,3}#{1,6}\s.*$")
"""A heading that is no field's, in an answer that is a list: what stands below it is about something else."""
_WORDS_OF_A_LABEL = 8
_OTHER_FIELD = re.compile(
    r"^(?:(?:the|la|las|el|los|a|as|o|os) )?(?:tools?|herramientas?|ferramentas?|frases?|phrases?|categor(?:y|ia)"
    r"|severity|gravedad|severidad|gravidade|prioridad|prioridade|priority)\b"
    r"|^(?:agente|agent|bot)$"
)


def _nested(text: str) -> str:
    """A list's items under one that ends with a colon, put into it."""
    kept: list[str] = []
    inside = -1
    for line in text.split("\n"):
        bullet = _BULLET.match(line)
        depth = len(line) - len(line.lstrip())
        if bullet and 0 <= inside < depth:
            said = line[bullet.end() :].strip()
            kept[-1] += f" {said}" if kept[-1].rstrip().endswith(":") else f"; {said}"
            continue
        inside = depth if bullet and line.rstrip().endswith(":") else -1
        kept.append(line)
    return "\n".join(kept)


def _wrapped(before: str, line: str) -> bool:
    """Whether a line is the second half of a long one that a mail program broke."""
    long = len(before) > (40 if before[0].isupper() else 60)
    return long and line[:1].islower() and before[-1] not in ".;:!?…"


def unquoted(text: str) -> str:
    """`text` without quotes around all of it."""
    text = text.strip()
    if len(text) > 2 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        return text[1:-1].strip()
    return text


def phrases(text: str, answered: str | None) -> list[str] | Refused:
    """One phrase a line, or several in quotes.

    A comma outside quotes may be a phrase's own or stand between two: only a phrase that the bad answer has word for
    word is taken with it.
    """
    heading = _HEADING.search(text)
    if heading:
        return Refused("other_field", heading[0][:80])
    found: list[str] = []
    for item in items(text):
        quoted = _all_quoted(item)
        if quoted:
            found += quoted
        elif answered and fold(item) in fold(answered):
            found.append(unquoted(item))
        elif _SEVERAL.search(item) or (_QUOTED.search(item) and unquoted(item) == item and item[:1] in _QUOTES):
            return Refused("several_in_a_line", item)
        elif _DESCRIBED.match(item):
            return Refused("described", item)
        else:
            found.append(unquoted(item))
    return list(dict.fromkeys(found))


_SEVERAL = re.compile(r"[,;|]| / | (?:o|or|ou) ", re.IGNORECASE)
_DESCRIBED = re.compile(
    r"(?:any|anything|every|all|none|cualquiera?|todos?|todas?|ningun[oa]?|ningún|qualquer|nenhum|nenhuma)\b|/.+/[a-z]{0,3}$",
    re.IGNORECASE,
)
"""Phrases that are described, and a pattern: no reply has them word for word, so that they would forbid nothing."""


def _all_quoted(item: str) -> list[str]:
    """The phrases of a line that is nothing but quoted phrases."""
    between = _QUOTED.sub("\0", item)
    if "\0" not in between or not all(_BETWEEN.fullmatch(part) for part in between.split("\0")):
        return []
    return [next(group for group in match if group).strip() for match in _QUOTED.findall(item)]


# --- one word --------------------------------------------------------------------------------------------------

_SEVERITY = {plain(word): severity for severity, words in (
    ("critical", "critical | critica | critico | blocker | p0 | sev0 | sev1 | maxima | muy alta | critica!"),
    ("high", "high | alta | alto | grave | p1 | sev2 | severa"),
    ("medium", "medium | media | medio | moderada | p2 | sev3 | normal"),
    ("low", "low | baja | bajo | baixa | baixo | leve | minor | p3 | sev4"),
) for word in words.split("|")}  # fmt: skip
assert set(_SEVERITY.values()) == set(SEVERITIES)
_LONGEST_CATEGORY = 60


def severity(text: str) -> str | Refused:
    """One of `SEVERITIES`."""
    return _SEVERITY.get(plain(text)) or Refused("no_severity", text[:80])


def category(text: str) -> str | Refused:
    """A category is a word or a few, on one line."""
    name = unquoted(items(text)[0]) if len(items(text)) == 1 else ""
    if not name or len(name) > _LONGEST_CATEGORY or len(name.split()) > 5 or not re.search(r"\w", name):
        return Refused("no_category", text[:80])
    return name


def people(text: str) -> list[str]:
    """Names, one a line or with commas between."""
    return [name.strip() for item in items(text) for name in re.split(r"[,;]", item) if name.strip()]
