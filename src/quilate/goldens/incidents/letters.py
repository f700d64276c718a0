"""Mails as people paste them: a thread with the newest on top, a forwarded one, one with its headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Letter:
    """What somebody wrote, without headers. `sender` is a name, an address or both; empty where nothing says it."""

    sender: str
    text: str


_ATTRIBUTION = re.compile(r"^\s*(?P<who>(?:El|On|Em|Le|Am)\b.{4,300}?(?:escribió|wrote|escreveu)):\s*$", re.IGNORECASE)
_FORWARDED = re.compile(
    r"^\s*(?:-{3,}\s*(?:(?:forwarded|original) message|mensaje (?:reenviado|original)"
    r"|mensagem (?:encaminhada|original))\s*-{3,}"
    r"|begin forwarded message:|inicio del mensaje reenviado:|início da mensagem encaminhada:)\s*$",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"^\s*\**(?P<key>De|From|Para|To|Asunto|Subject|Assunto|Fecha|Date|Data"
    r"|Enviado(?: el)?|Enviad[ao] em|Sent|Cc|CC|Bcc):\**\s+(?P<value>.*)$"
)
_SENDER = ("De", "From")
_TITLE = ("Asunto", "Subject", "Assunto")
_RULE = re.compile(r"^\s*[_=-]{5,}\s*$")
_MOST = 20
_MOST_HEADERS = 12


def letters(text: str) -> list[Letter]:
    """The mails in a text, newest first; empty where it is none."""
    lines: Sequence[str] = _unquoted(text.split("\n"))
    found: list[Letter] = []
    writer = ""
    mailed = False
    for _ in range(_MOST):
        start = _past(lines)
        sender, lines = _headers(lines[start:])
        own, who, below = _split(lines)
        said = "\n".join(_without_rule(own)).strip()
        mailed = mailed or bool(sender) or who is not None or _marked(text)
        if said:
            found.append(Letter(sender or writer, said))
        if who is None:
            break
        writer, lines = who, below
    return found if mailed else []


def letter_of(text: str) -> Letter | None:
    """A mail that answers none: the only one in a text, of whom its headers or the line above it say who wrote it."""
    found = letters(text)
    return found[0] if len(found) == 1 and found[0].sender else None


def person_of(sender: str) -> str:
    """The name in `Robin Example <robin@example.com>`; empty where there is only an address."""
    name = re.sub(r"[<(\[].*$", "", sender).strip(" \"'*")
    return "" if "@" in name else name


def _marked(text: str) -> bool:
    return any(_FORWARDED.match(line) for line in text.split("\n", 4)[:4])


def _unquoted(lines: Sequence[str]) -> Sequence[str]:
    """Lines without their quotation marks where every one has them."""
    if all(line.lstrip().startswith(">") for line in lines if line.strip()):
        return [re.sub(r"^\s{0,3}>\s?", "", line) for line in lines]
    return lines


def _past(lines: Sequence[str]) -> int:
    """The first line that is neither empty nor says that a forwarded mail begins."""
    return next((at for at, line in enumerate(lines) if line.strip() and not _FORWARDED.match(line)), len(lines))


def _headers(lines: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Who the headers at the beginning say wrote it, and the lines below them.

    `De: Santiago` may be where somebody travels from: headers of a mail have an address or a subject.
    """
    found = []
    for line in lines:
        match = _HEADER.match(line)
        if match is None:
            break
        found.append((match["key"], match["value"].strip()))
    sender = next((value for key, value in found if key in _SENDER), "")
    mail = any(key in _TITLE or "@" in value for key, value in found)
    return (sender, lines[len(found) :]) if sender and mail else ("", lines)


def _split(lines: Sequence[str]) -> tuple[Sequence[str], str | None, Sequence[str]]:
    """What stands above an older mail, who wrote that ("" where its headers say it), and its lines."""
    for index, line in enumerate(lines):
        two = " ".join(lines[index : index + 2])
        joined = next((each for each in (line, two) if _ATTRIBUTION.match(each[:400])), None)
        if joined is not None:
            below = lines[index + (1 if joined == line else 2) :]
            quoted = [re.sub(r"^\s?>\s?", "", each) for each in below if each.lstrip().startswith(">")]
            return lines[:index], _writer(joined), quoted or below
        if index and (
            _FORWARDED.match(line) or (_HEADER.match(line) and _headers(lines[index : index + _MOST_HEADERS])[0])
        ):
            return lines[:index], "", lines[index:]
    return lines, None, ()


def _without_rule(lines: Sequence[str]) -> Sequence[str]:
    """Without the rule that some programs draw over the mail that is answered."""
    end = len(lines)
    while end and (not lines[end - 1].strip() or _RULE.match(lines[end - 1])):
        end -= 1
    return lines[:end]


def _writer(attribution: str) -> str:
    """The name or address in `On Mon, 11 May 2026 at 09:12, NAME <a@example.com> wrote:`."""
    match = re.search(
        r"(?:\d{2}(?:\s?[ap]\.?\s?m\b\.?)?|m\.?)[,)]?\s+(?P<name>[^\d<(,:]{2,80}?)\s*(?P<address>\(?<[^>]*>\)?)?\s*(?:escribió|wrote|escreveu)",
        attribution,
        re.IGNORECASE,
    )
    if match and match["name"].strip():
        return f"{match['name'].strip()} {match['address'] or ''}".strip()
    address = re.search(r"<([^>]{3,100})>", attribution)
    return address[1] if address else attribution
