"""Untrusted text made visible: what a reader cannot see, or what changes how the rest is read, is shown by its number.

Used for every medium (Markdown, terminal, XML), since a hidden instruction is as bad in one as in the other.
"""

from __future__ import annotations

import re
import unicodedata

ELLIPSIS = "…"
NEWLINE_MARK = " ⏎ "
TAB_MARK = "⇥"

_LINE_END = re.compile(r"\r\n?|\n")
_HARMLESS = re.compile(r"[\x20-\x7e\n\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u20a0-\u20bf\u2190-\u21ff]*")
"""Latin letters, common punctuation, currencies and arrows: nothing hidden, nothing combining. A fast way out."""

_INVISIBLE = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),  # fillers and joiners drawn as nothing
        *range(0x180B, 0x1810),  # Mongolian variation selectors
        *range(0xFE00, 0xFE0E),  # variation selectors 1 to 14; 15 and 16 choose how an emoji looks
        *range(0xE0100, 0xE01F0),  # variation selectors supplement, a known way to smuggle text
    ]
)
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_HIDDEN_CATEGORIES = frozenset(["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])
_MOST_MARKS = 4
"""More combining marks on one letter than this are drawn over the lines around it."""


def cut(text: str, max_bytes: int) -> str:
    """`text` in at most `max_bytes` of UTF-8 (at least 8), its middle replaced by `…`; whole where it fits.

    Done before anything is neutralised, so that no escape is ever cut in two. Head and tail are kept, since both the
    beginning and the end of a reply tell what it is.
    """
    if len(text) <= max_bytes and text.isascii():
        return text
    raw = text.encode("utf-8", "surrogatepass") if len(text) <= max_bytes else None
    if raw is not None and len(raw) <= max_bytes:
        return text
    room = max(max_bytes, 8) - len(ELLIPSIS.encode())
    head = text[:room].encode("utf-8", "surrogatepass")[: room - room // 3]
    tail = text[-(room // 3) :].encode("utf-8", "surrogatepass")[-(room // 3) :]
    return _whole_start(head) + ELLIPSIS + _whole_end(tail)


def _whole_start(raw: bytes) -> str:
    for spare in range(4):
        try:
            return raw[: len(raw) - spare].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            continue
    return ""


def _whole_end(raw: bytes) -> str:
    while raw and raw[0] & 0xC0 == 0x80:
        raw = raw[1:]
    return raw.decode("utf-8", "surrogatepass")


def lines(text: str) -> str:
    """`text` with every hidden character shown as `⟨U+202E⟩`; line ends (all as LF) and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _shown(_LINE_END.sub("\n", text), keep="\n\t")


def line(text: str) -> str:
    """`text` on one line: line ends as ` ⏎ `, tabs as `⇥`, every hidden character as `⟨U+202E⟩`."""
    if text.isascii() and text.isprintable():
        return text
    flat = _LINE_END.sub("\n", text)
    return _shown(flat, keep="\n\t").replace("\n", NEWLINE_MARK).replace("\t", TAB_MARK)


def _shown(text: str, keep: str) -> str:
    if _HARMLESS.fullmatch(text):
        return text
    parts: list[str] = []
    marks = 0
    previous = ""
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if character in keep:
            parts.append(character)
        elif _hidden(character, category, previous) or marks > _MOST_MARKS:
            parts.append(f"⟨U+{ord(character):04X}⟩")
        else:
            parts.append(character)
        previous = character
    return _REPEATED.sub(lambda run: f"{run[1]}×{len(run[0]) // len(run[1])}", "".join(parts))


_REPEATED = re.compile(r"(⟨U\+[0-9A-F]{4,6}⟩)\1{3,}")
"""A run of one hidden character is said once with its count: 4,000 of them would drown the reply."""


def _hidden(character: str, category: str, previous: str) -> bool:
    if character in _EMOJI_SELECTORS:
        return previous in _EMOJI_SELECTORS or not previous
    return category in _HIDDEN_CATEGORIES or ord(character) in _INVISIBLE
