"""A pasted conversation into turns: chat exports, labelled lines, tables, quoted mail, JSON. Who is who comes after."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quilate.goldens.incidents.copies import copied
from quilate.goldens.incidents.labels import Speaker, is_detail, key_of, speaker_of
from quilate.goldens.incidents.letters import letters
from quilate.text import fold


@dataclass(frozen=True, slots=True)
class Turn:
    """Something said. `name` is as written; empty where a mail does not name its writer."""

    name: str
    text: str


_INVISIBLE = dict.fromkeys(
    map(ord, "\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
)
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_DAY = r"\d{1,2}[./-]\d{1,2}"
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?\s?[Mm]\.?)?"
_STAMPED = re.compile(
    rf"^\s*(?:\[(?:{_DATE}|{_DAY}),?\s{{1,3}}{_TIME}\]|\({_TIME}\)|{_DATE},?\s{{1,3}}{_TIME}\s?[-–—]"
    rf"|\[{_TIME},?\s{{1,3}}{_DATE}\]|\[{_TIME}\]|{_TIME}\s?[-–—]|{_TIME}\s(?=[^\W\d_][^:\n]{{0,59}}:\s))\s?(?P<rest>.*)$"
)
_NAMED = re.compile(r"^(?P<name>[^:\n]{1,60}?):(?:\s+|$)(?P<text>.*)$")
_MEDIA = re.compile(
    r"<?(?:multimedia omitido|media omitted|m[ií]dia oculta|imagen omitida|image omitted|imagem ocultada"
    r"|audio omitido|audio omitted|sticker omitido|sticker omitted|v[ií]deo omitido|video omitted|archivo omitido"
    r"|gif omitido|gif omitted|figurinha omitida|document(?:o)? (?:omitido|omitted)"
    r"|(?:attached|adjunto|anexado): [^\n>]{1,200}|null"
    r"|(?:messages and calls are end-to-end encrypted|los mensajes y las llamadas est[aá]n cifrados"
    r"|as mensagens e (?:as )?(?:liga[cç][oõ]es|chamadas) s[aã]o).{0,400}"
    r"|(?:you deleted this message|this message was deleted|eliminaste este mensaje|se elimin[oó] este mensaje"
    r"|este mensaje fue eliminado|voc[eê] apagou esta mensagem|esta mensagem foi apagada|mensagem apagada)\.?)>?",
    re.IGNORECASE,
)
_EDITED = re.compile(
    r"\s*<(?:this message was edited|se edit[oó] este mensaje\.?|este mensaje fue editado|mensagem editada)>\s*$",
    re.IGNORECASE,
)  # fmt: skip
_LABELLED = re.compile(
    r"^\s{0,3}(?:[-*+]\s+|>\s?|\d{1,3}[.)]\s+)?(?:[\u2190-\U0001faff\ufe0f]{1,4}\s*)?(?P<open>\*\*|__|\*|`)?(?P<name>[^\W\d_][^:*`_|\n]{0,39}?)(?:(?P=open))?"
    r"(?:\s?[\[(](?P<note>[^\])\n]{1,24})[\])])?\s?:(?:\*\*|__|\*|`)?(?:\s+(?P<text>.*))?$"
)


def visible_text(text: str) -> str:
    """`text` without marks that only steer its direction or are not seen at all."""
    return text.translate(_INVISIBLE)


def read_turns(text: str) -> list[Turn]:
    """The turns in `text`, oldest first; empty where it is no conversation."""
    text = visible_text(text).strip("\n")
    found = from_json(text) or _stamped(text) or _copied(text) or _thread(text) or _labelled(text)
    return [turn for turn in found if turn.text.strip()]


def _copied(text: str) -> list[Turn]:
    return [Turn(name, said) for name, said in copied(text)]


def _thread(text: str) -> list[Turn]:
    """A mail with what it answers below it, oldest first."""
    found = letters(text)
    return [Turn(one.sender, one.text) for one in reversed(found)] if len(found) > 1 else []


# --- JSON ------------------------------------------------------------------------------------------------------


def from_json(text: str) -> list[Turn]:
    """Messages of `{role, content}`, alone or in an object's `messages`."""
    if not text.lstrip().startswith(("[", "{")):
        return []
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    rows = value.get("messages") if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and isinstance(row.get("role"), str) for row in rows
    ):
        return []
    said = [row for row in rows if row["role"] not in ("tool", "function")]
    names = {"model": "assistant"}  # Gemini's word for it
    return [Turn(names.get(row["role"], row["role"]), text_of(row.get("content"))) for row in said]


def text_of(content: Any) -> str:
    """The text of a message's content: text, or parts of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


# --- chat exports ----------------------------------------------------------------------------------------------


def _stamped(text: str) -> list[Turn]:
    """Lines that begin with a date or a time, as messengers export them; lines without one go on."""
    turns: list[list[str]] = []
    gap = False
    seen = 0
    lines = text.split("\n")
    last = max((index for index, line in enumerate(lines) if _STAMPED.match(line)), default=-1)
    for index, line in enumerate(lines):
        stamp = _STAMPED.match(line)
        if stamp is None:
            gap = gap or not line.strip()
            if turns and not (gap and index > last):
                turns[-1][1] += "\n" + line
            continue
        seen, gap = seen + 1, False
        named = _NAMED.match(stamp["rest"])
        if named and not _MEDIA.fullmatch(named["text"].strip()):
            turns.append([_bare(named["name"]), _EDITED.sub("", named["text"])])
        elif turns:
            turns.append(["", ""])  # what the messenger itself says, or a picture: nothing goes on with it
    return [Turn(name, said.strip()) for name, said in turns if name] if seen else []


# --- labelled lines --------------------------------------------------------------------------------------------


def _labelled(text: str) -> list[Turn]:
    """Lines such as `User: …`, at least one of them by somebody who is known by the word."""
    turns = _by_label(text)
    known = any(speaker_of(turn.name) in (Speaker.USER, Speaker.AGENT) for turn in turns)
    return turns if known else []


def of_strangers(text: str, answered: str | None) -> list[Turn]:
    """Lines such as `Vera: …` by people no word tells of: two or more, from the first line on.

    What people label in a message of their own looks the same: one of them must speak again, or give the bad answer.
    """
    turns = _by_label(visible_text(text).strip())
    names = [turn.name for turn in turns]
    begins = text.lstrip(" \n>*_`-").startswith(names[0]) if names else False
    if not begins or len(set(names)) < 2 or any(map(is_detail, names)):
        return []
    answers = answered is not None and any(fold(turn.text) == fold(answered) for turn in turns)
    return turns if answers or len(set(names)) < len(names) else []


def _by_label(text: str) -> list[Turn]:
    """Turns of lines that begin with a name; lines without one go on, but for what follows the last after a gap."""
    lines = text.split("\n")
    matches = [_LABELLED.match(line) for line in lines]
    named = [match if match and _like_a_name(match["name"]) else None for match in matches]
    turns: list[list[str]] = []
    last = max((index for index, match in enumerate(named) if match), default=-1)
    gap = False
    for index, (line, match) in enumerate(zip(lines, named, strict=True)):
        if match:
            turns.append([_named(match), match["text"] or ""])
            gap = False
            continue
        gap = gap or not line.strip()
        if turns and not (gap and index > last):
            turns[-1][1] += "\n" + line
    return [Turn(name, said.strip()) for name, said in turns]


def _named(match: re.Match[str]) -> str:
    """The name, with what stands behind it in brackets where that is a word for a speaker: `Vera (AI)`."""
    name, note = match["name"].strip(), match["note"] or ""
    return f"{name} ({note})" if speaker_of(note) else name


def _like_a_name(name: str) -> bool:
    """A word for a speaker, or what is written as names are: few words, each with a capital."""
    name = name.strip()
    if speaker_of(name):
        return True
    words = name.split()
    return len(words) <= 3 and all(word[:1].isupper() for word in words) and key_of(name) is None


def _bare(name: str) -> str:
    return name.strip().strip("*_`~").strip()


def from_table(rows: Sequence[Sequence[str]]) -> list[Turn]:
    """Rows of a table of which a column names speakers and the last holds what they say."""
    width = max((len(row) for row in rows), default=0)
    sides = (Speaker.USER, Speaker.AGENT)
    at = next(
        (at for at in range(width - 1) if any(speaker_of(row[at]) in sides for row in rows if len(row) > at)), None
    )
    if at is None:
        return []
    body = [row for row in rows if len(row) > at + 1 and row[at].strip()]
    return [Turn(_bare(row[at]), row[-1].strip()) for row in body[1 if speaker_of(body[0][at]) is None else 0 :]]
