"""A pasted conversation into turns: chat exports, labelled lines, tables, quoted mail, JSON. Who is who comes after."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from quilate.goldens.incidents.labels import Speaker, key_of, speaker_of


@dataclass(frozen=True, slots=True)
class Turn:
    """Something said. `name` is as written; empty where a mail does not name its writer."""

    name: str
    text: str


_INVISIBLE = dict.fromkeys(
    map(ord, "\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
)
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?\s?[Mm]\.?)?"
_STAMPED = re.compile(
    rf"^\s*(?:\[{_DATE},?\s{{1,3}}{_TIME}\]|{_DATE},?\s{{1,3}}{_TIME}\s?[-–—]"
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
_ATTRIBUTION = re.compile(r"^\s*(?P<who>(?:El|On|Em|Le|Am)\b.{4,300}?(?:escribió|wrote|escreveu)):\s*$", re.IGNORECASE)
_HEADER = re.compile(
    r"^\s*\**(?P<key>De|From|Para|To|Asunto|Subject|Assunto|Fecha|Date|Data"
    r"|Enviado|Enviada em|Sent|Cc|CC|Bcc):\**\s+(?P<value>.*)$"
)
_MAX_QUOTES = 20


def visible_text(text: str) -> str:
    """`text` without marks that only steer its direction or are not seen at all."""
    return text.translate(_INVISIBLE)


def read_turns(text: str) -> list[Turn]:
    """The turns in `text`, oldest first; empty where it is no conversation."""
    text = visible_text(text).strip("\n")
    found = from_json(text) or _stamped(text) or _mail(text) or _labelled(text)
    return [turn for turn in found if turn.text.strip()]


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
    lines = text.split("\n")
    matches = [_LABELLED.match(line) for line in lines]
    names = [_named(match) for match in matches if match and _like_a_name(match["name"])]
    if not any(speaker_of(name) in (Speaker.USER, Speaker.AGENT) for name in names):
        return []
    turns: list[list[str]] = []
    last = max(index for index, match in enumerate(matches) if match and _like_a_name(match["name"]))
    gap = False
    for index, (line, match) in enumerate(zip(lines, matches, strict=True)):
        if match and _like_a_name(match["name"]):
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


# --- mail ------------------------------------------------------------------------------------------------------


def _mail(text: str) -> list[Turn]:
    """A thread with the newest on top and what it answers quoted below."""
    turns: list[Turn] = []
    lines: Sequence[str] = text.split("\n")
    writer = ""
    for _ in range(_MAX_QUOTES):
        own, who, quoted = _split_mail(lines)
        sender, said = _without_headers(own)
        if said:
            turns.append(Turn(sender or writer, said))
        if who is None:
            break
        writer, lines = who, quoted
    return turns[::-1] if len(turns) > 1 else []


def _split_mail(lines: Sequence[str]) -> tuple[Sequence[str], str | None, Sequence[str]]:
    """What stands above an attribution, who it names, and what is quoted below it without its marks."""
    for index, line in enumerate(lines):
        joined = next(
            (each for each in (line, " ".join(lines[index : index + 2])) if _ATTRIBUTION.match(each[:400])), None
        )
        if joined is None:
            continue
        below = lines[index + (1 if joined == line else 2) :]
        quoted = [re.sub(r"^\s?>\s?", "", each) for each in below if each.lstrip().startswith(">")]
        return lines[:index], _writer(joined), quoted
    return lines, None, ()


def _writer(attribution: str) -> str:
    """The name or address in `On Mon, 11 May 2026 at 09:12, NAME <a@example.com> wrote:`."""
    match = re.search(
        r"(?:\d{2}|m\.?)[,)]?\s+(?P<name>[^\d<(,:]{2,80}?)\s*(?:\(?<[^>]*>\)?)?\s*(?:escribió|wrote|escreveu)",
        attribution,
    )
    if match and match["name"].strip():
        return match["name"].strip()
    address = re.search(r"<([^>]{3,100})>", attribution)
    return address[1] if address else attribution


def _without_headers(lines: Iterable[str]) -> tuple[str, str]:
    """Who the headers say wrote it, and the text without them."""
    sender, kept, at_head = "", [], True
    for line in lines:
        header = _HEADER.match(line) if at_head else None
        if header:
            if header["key"] in ("De", "From"):
                sender = header["value"].strip()
            continue
        at_head = at_head and not line.strip()
        kept.append(line)
    return sender, "\n".join(kept).strip()
