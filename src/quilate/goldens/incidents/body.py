"""An issue's Markdown into the fields it answers. Headings, bold labels, label lines, lists, tables; nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from quilate.goldens.incidents.form import Key
from quilate.goldens.incidents.labels import is_form_label, key_of
from quilate.goldens.incidents.turns import visible_text

if TYPE_CHECKING:
    from markdown_it.token import Token

    from quilate.goldens.importers.logs import Logged

LONGEST = 200_000
"""Characters of a body that are read; GitHub's own limit is 65,536."""

_LABEL_LINE = re.compile(
    r"^\s{0,3}(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\*\*|__)?(?P<label>[^:*_\n|]{2,60}?)\s?(?::\s?(?:\*\*|__)|(?:\*\*|__)\s?:|:)(?:\s+(?P<text>.*))?$"
)
_BOLD_LINE = re.compile(r"^\s{0,3}(?:\*\*|__)(?P<label>[^*_\n|]{2,60}?):?(?:\*\*|__)\s*$")

_LEVEL_OF_FORM = 3
"""GitHub writes a form's labels as headings of this level."""


@dataclass
class Sections:
    """What a body holds. `rest` are the stretches that no label claims; `tables` the rows of those.

    `log` is an API's, which somebody gave instead of a text.
    """

    fields: dict[Key, str] = field(default_factory=dict)
    twice: set[Key] = field(default_factory=set)
    rest: list[str] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    log: Logged | None = None

    def put(self, key: Key, text: str) -> None:
        """A field's text; a second one is noted, for nobody can say which is meant."""
        if key in self.fields and self.fields[key].strip() and text.strip():
            self.twice.add(key)
        elif text.strip() or key not in self.fields:
            self.fields[key] = text


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines `start` to `end` of the body: a heading with its text, a fence, a table, or anything else."""

    kind: str
    start: int
    end: int
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


def read_sections(body: str) -> Sections:
    """The fields and the rest of a body of at most `LONGEST` characters."""
    body = body.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    body = without_comments(body)
    lines = body.split("\n")
    sections = Sections()
    blocks = list(_blocks(body, lines))
    position = 0
    while position < len(blocks):
        block = blocks[position]
        key = key_of(block.text) if block.kind == "heading" else None
        if key is None:
            end = _next_heading(blocks, position + 1)
            if block.kind == "heading":
                sections.unread.append(visible_text(block.text)[:80])
                position += 1
            _free(sections, blocks[position:end], lines)
            position = end
            continue
        end = _end_of_section(blocks, position)
        last = blocks[end - 1].end if end > position + 1 else block.end
        sections.put(key, "\n".join(lines[block.end : last]))
        position = end
    return sections


def _next_heading(blocks: Sequence[_Block], position: int) -> int:
    return next((at for at in range(position, len(blocks)) if blocks[at].kind == "heading"), len(blocks))


def _end_of_section(blocks: Sequence[_Block], position: int) -> int:
    """A section ends at the next known label; in free Markdown also at any heading that is not below its own.

    The form's labels are the only headings that GitHub writes: every other one is a part of somebody's answer.
    """
    own = blocks[position]
    form = own.level == _LEVEL_OF_FORM and is_form_label(own.text)
    for at in range(position + 1, len(blocks)):
        block = blocks[at]
        if block.kind == "heading" and (key_of(block.text) or (not form and block.level <= own.level)):
            return at
    return len(blocks)


def _blocks(body: str, lines: Sequence[str]) -> Iterator[_Block]:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"maxNesting": 20}).enable("table").parse(body)
    at = 0
    for index, token in enumerate(tokens):
        if token.map is None or token.level > 0 or token.nesting < 0 or token.map[0] < at:
            continue
        start, end = token.map[0], min(token.map[1], len(lines))
        if start > at:
            yield _Block("text", at, start)
        at = end
        if token.type == "heading_open":
            yield _Block("heading", start, end, tokens[index + 1].content, int(token.tag[1]))
        elif token.type in ("fence", "code_block"):
            yield _Block("fence", start, end, token.content)
        elif token.type == "table_open":
            yield _Block("table", start, end, rows=_rows(tokens[index:]))
        else:
            yield _Block("text", start, end)
    if at < len(lines):
        yield _Block("text", at, len(lines))


def _rows(tokens: Sequence[Token]) -> tuple[tuple[str, ...], ...]:
    rows: list[list[str]] = []
    for index, token in enumerate(tokens):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(tokens[index + 1].content.strip())
    return tuple(tuple(row) for row in rows)


def _free(sections: Sections, blocks: Sequence[_Block], lines: Sequence[str]) -> None:
    """Text outside known headings: tables of fields, label lines, and stretches that nothing names."""
    pending: list[str] = []
    label: Key | None = None
    gap = False

    def close() -> None:
        nonlocal pending, label, gap
        if label is not None:
            sections.put(label, "\n".join(pending))
        elif any(line.strip() for line in pending):
            sections.rest.append("\n".join(pending))
        pending, label, gap = [], None, False

    for block in blocks:
        if block.kind == "table":
            if not _fields_of_table(sections, block.rows):
                close()
                sections.tables.append([list(row) for row in block.rows])
            continue
        if block.kind == "fence":
            if label is None or any(line.strip() for line in pending):
                close()
                sections.rest.append(block.text)
            else:
                pending += lines[block.start : block.end]
            continue
        for line in _without_quotes(lines[block.start : block.end]):
            found, text = _label_of(line)
            if found is not None:
                close()
                label, pending = found, [text] if text else []
                continue
            if label is not None and gap and line.strip() and not _goes_on(pending, line):
                close()
            gap = not line.strip() and any(each.strip() for each in pending)
            pending.append(line)
    close()


def _goes_on(pending: Sequence[str], line: str) -> bool:
    """Whether a line after a blank one is the next item of a labelled list; other text is not the label's."""
    last = next((each for each in reversed(pending) if each.strip()), "")
    return bool(_ITEM.match(line) and _ITEM.match(last))


_ITEM = re.compile(r"^\s{0,6}(?:[-*+•]|\d{1,3}[.)])\s")


def _label_of(line: str) -> tuple[Key | None, str]:
    bold = _BOLD_LINE.match(line)
    match = bold or _LABEL_LINE.match(line)
    key = key_of(match["label"]) if match else None
    return key, "" if bold or match is None else (match["text"] or "").strip()


def _without_quotes(lines: Sequence[str]) -> Sequence[str]:
    """A quotation's lines without its marks, where fields are labelled in it; else as they are."""
    written = [line for line in lines if line.strip()]
    if written and all(line.lstrip().startswith(">") for line in written):
        bare = [re.sub(r"^\s{0,3}>\s?", "", line) for line in lines]
        if any(_label_of(line)[0] for line in bare):
            return bare
    return lines


def _fields_of_table(sections: Sections, rows: Sequence[Sequence[str]]) -> bool:
    """Rows of label and value into fields; whether the table was one of fields."""
    named = [(key_of(row[0].strip("*_` ")), row[1]) for row in rows if len(row) == 2]
    if not any(key for key, _ in named):
        return False
    for key, text in named:
        if key is not None:
            sections.put(key, re.sub(r"<br\s*/?>", "\n", text))
    return True


def without_comments(body: str) -> str:
    """`body` without HTML comments, which nobody who reads the issue sees; those inside a code fence are seen."""
    if "<!--" not in body:
        return body
    kept: list[str] = []
    fence = ""
    inside = False
    for line in body.split("\n"):
        if not inside:
            mark = re.match(r"^\s{0,3}(`{3,}|~{3,})", line)
            if mark and (not fence or (mark[1].startswith(fence) and not line.strip().strip(fence[0]))):
                fence = "" if fence else mark[1]
            if fence:
                kept.append(line)
                continue
        line, inside = _comments_of_line(line, inside)
        kept.append(line)
    return "\n".join(kept)


def _comments_of_line(line: str, inside: bool) -> tuple[str, bool]:
    parts: list[str] = []
    at = 0
    while at < len(line):
        if inside:
            end = line.find("-->", at)
            if end < 0:
                return "".join(parts), True
            at, inside = end + 3, False
        else:
            begin = line.find("<!--", at)
            if begin < 0:
                parts.append(line[at:])
                break
            parts.append(line[at:begin])
            at, inside = begin + 4, True
    return "".join(parts), inside


def without_label(text: str, key: Key) -> str:
    """An answer without the field's own label before it, which some write into the field again."""
    first, _, rest = text.partition("\n")
    found, said = _label_of(first)
    return "\n".join(part for part in (said, rest) if part) if found is key and (said or rest.strip()) else text
