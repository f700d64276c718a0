"""The last look before the comment leaves: the finished Markdown parsed once more by another parser.

Escaping should make this unnecessary. It is here because a mistake there would put somebody else's words, links or
mentions under our name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from quilate.report.escape import web_address

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Allowed:
    """The hosts a link may lead to, with their ports."""

    hosts: frozenset[str]

    @classmethod
    def of(cls, urls: Iterable[str]) -> Self:
        """Those of the given addresses, which come from the environment and from our own settings."""
        return cls(frozenset(urlsplit(address).netloc for url in urls if (address := web_address(url))))


_TAG = re.compile(
    r"</?(?:details|summary|code|sub)>|<!-- quilate suite=[a-z0-9-]+ run=\d+ attempt=\d+ head=[0-9a-f]+ -->"
)
_INLINE_TAGS = frozenset(["<sub>", "</sub>"])
_CODE = re.compile(r"<code>[^<>\n]*</code>")
_REFERENCE = re.compile(r"(?:^|\W)[@#]\w|\bGH-\d|://|\bwww\.|\b[0-9a-f]{40}\b|:[a-z0-9_+-]+:", re.IGNORECASE)
"""What GitHub turns into a mention, a reference, a link or an emoji outside of code."""
_QUOTE_PREFIX = re.compile(r"^(?:\s*>)*\s*")


def problems(text: str, allowed: Allowed) -> list[str]:
    """What is wrong with a finished comment, in English; empty where nothing is."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    lines = text.split("\n")
    found = [*_blocks(tokens, lines), *_details(tokens)]
    for token in tokens:
        for child in token.children or ():
            found += _inline(child, allowed)
    return found


def _blocks(tokens: list[Token], lines: list[str]) -> Iterator[str]:
    columns, in_header = 0, False
    for token in tokens:
        if token.type in ("thead_open", "thead_close"):
            in_header = token.type == "thead_open"
        elif token.type == "html_block":
            yield from _html_block(token.content)
        elif token.type == "code_block":
            yield f"an indented block: {token.content[:60]!r}"
        elif token.type == "fence" and token.map:
            closing = _QUOTE_PREFIX.sub("", lines[token.map[1] - 1]).strip()
            if token.map[1] - token.map[0] < 2 or set(closing) != {"`"} or len(closing) < len(token.markup):
                yield "a fence without an end"
        elif token.type == "tr_open" and token.map:
            cells = _cells(lines[token.map[0]])
            columns = cells if in_header else columns
            if cells != columns:
                yield f"a table's row with {cells} cells under a header of {columns}"


def _cells(line: str) -> int:
    r"""Cells of a row as GFM's parser splits it: a backslash takes the next sign with it, so `\\|` ends a cell."""
    return len(re.findall(r"(?:\\.|[^|\\])*\|", line.strip())) - 1


def _html_block(content: str) -> Iterator[str]:
    outside = _TAG.sub("", _CODE.sub("", content))
    if "<" in outside or ">" in outside:
        yield f"HTML of its own: {outside.strip()[:80]!r}"
    if _REFERENCE.search(outside):
        yield f"a reference in HTML: {outside.strip()[:80]!r}"


def _details(tokens: list[Token]) -> Iterator[str]:
    depth = 0
    for token in tokens:
        if token.type == "html_block":
            outside = _CODE.sub("", token.content)
            for tag in re.findall(r"</?details>", outside):
                depth += 1 if tag == "<details>" else -1
                if depth not in (0, 1):
                    yield "folds that do not match"
                    return
    if depth:
        yield "a fold without an end"


def _inline(token: Token, allowed: Allowed) -> Iterator[str]:
    if token.type == "html_inline" and token.content not in _INLINE_TAGS:
        yield f"HTML of its own: {token.content[:80]!r}"
    elif token.type == "image":
        yield "an image"
    elif token.type == "link_open":
        parts = urlsplit(str(token.attrs.get("href", "")))
        if parts.scheme not in ("http", "https") or parts.netloc not in allowed.hosts:
            yield f"a link elsewhere: {str(token.attrs.get('href', ''))[:80]!r}"
    elif token.type == "text" and _REFERENCE.search(token.content):
        yield f"a bare reference: {token.content[:80]!r}"
