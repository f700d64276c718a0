"""JSON (RFC 8259) and JSON Lines, read strictly, without recursion, with the line of every value."""

from __future__ import annotations

import json
import math
import re
from json import JSONDecodeError, JSONDecoder

from quilate.documents.build import JSON_NUMBER, MAX_DEPTH, REFUSED, Builder, number
from quilate.shown import visible

_SPACE = re.compile(r"[ \t\r\n]*")
_WORDS = {"true": True, "false": False, "null": None}
_WORD = re.compile(r"[\w$.+-]+")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_BRACKET = re.compile(r"[\[\]{}]")
_DECODER = JSONDecoder()


def read_json(text: str, builder: Builder) -> None:
    """One JSON value. Raises `InputError` at the first thing that is not JSON."""
    _read(text, builder, 1)


def read_json_lines(text: str, builder: Builder) -> None:
    """A JSON value a line, as one list; blank lines are skipped, and count as lines."""
    builder.open(1, is_object=False)
    # splitlines() would also split at U+2028 and others, which may stand in a JSON text
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip(" \t\r"):
            continue
        _read(content, builder, line)
    builder.close()


def _read(text: str, builder: Builder, line: int) -> None:
    """A JSON value that begins on `line`. Where it ends there as well, every value in it stands on that line."""
    try:
        value = _plain(text) if "\n" not in text.rstrip() else None
    except ValueError:
        value = None
    if value is None:
        _Reader(text, builder, line).read()
    else:
        builder.whole(value, line)


def _plain(line: str) -> object:
    """An ordinary line by the fast parser of the standard library; `ValueError` where more care is needed."""
    if "\\ud" in line or "\\uD" in line or _depth(line) > MAX_DEPTH:
        raise ValueError
    return json.loads(line, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite)


def _depth(text: str) -> int:
    """How deep objects and lists lie in each other; no less than that where `text` is no JSON."""
    if (at_most := text.count("{") + text.count("[")) <= MAX_DEPTH:
        return at_most
    deepest = depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _unique(members: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(members)
    if len(value) < len(members):
        raise ValueError
    return value


def _refuse(_: str) -> object:
    raise ValueError


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


class _Reader:
    """A cursor over one JSON text."""

    def __init__(self, text: str, builder: Builder, line: int) -> None:
        self.text = text
        self.builder = builder
        self.base = builder.depth
        self.at = 0
        self._line = line
        self._counted = 0

    def line(self) -> int:
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def peek(self) -> str:
        match = _SPACE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return self.text[self.at : self.at + 1]

    def read(self) -> None:
        self.value()
        while self.builder.depth > self.base:
            self.next_member()
        if self.peek():
            raise self.builder.stop(
                self.line(), f"{self.here()} after the end of the value",
                "keep one JSON value; a file with one JSON value a line is named .jsonl",
            )  # fmt: skip

    def next_member(self) -> None:
        """What stands in an open object or list: its end, or a comma and the next member."""
        builder, char = self.builder, self.peek()
        if char == ("}" if builder.in_object else "]"):
            self.at += 1
            builder.close()
            return
        if not builder.empty:
            if char != ",":
                raise self.refuse('a comma or "}"' if builder.in_object else 'a comma or "]"')
            self.at += 1
            if self.peek() in ("}", "]"):
                raise builder.stop(self.line(), "a comma before the end", "remove the comma")
        if builder.in_object:
            self.key()
        self.value()

    def key(self) -> None:
        if self.peek() != '"':
            raise self.refuse("a key in double quotes")
        line = self.line()
        self.builder.key(self.string(), line)
        if self.peek() != ":":
            raise self.refuse('":"')
        self.at += 1

    def value(self) -> None:
        builder, char = self.builder, self.peek()
        line = self.line()
        if char in ("{", "["):
            builder.open(line, is_object=char == "{")
            self.at += 1
        elif char == '"':
            builder.scalar(self.string(), line)
        else:
            builder.scalar(self.word(line), line)

    def string(self) -> str:
        try:
            value, self.at = _DECODER.raw_decode(self.text, self.at)
        except JSONDecodeError as error:
            self.at = max(error.pos, self._counted)
            if error.msg.startswith("Unterminated"):
                raise self.builder.stop(self.line(), "a text without its closing quote", 'close it with "') from None
            if error.msg.startswith("Invalid control"):
                mend = "write line breaks as \\n and other controls as \\u00XX"
                raise self.builder.stop(self.line(), f"{self.here()} inside a text", mend) from None
            mend = "write a backslash as \\\\, and characters as themselves or as \\uXXXX"
            raise self.builder.stop(self.line(), "an escape that JSON has not", mend) from None
        assert isinstance(value, str)
        return value

    def word(self, line: int) -> object:
        match = _WORD.match(self.text, self.at)
        if match is None:
            raise self.refuse("a value")
        word = match[0]
        as_number = JSON_NUMBER.fullmatch(word)
        if word in _WORDS:
            value: object = _WORDS[word]
        elif as_number is not None:
            value = number(as_number)
            if value is None:
                self.builder.note(line, f"{visible(word, 30)}, a number too large", "write a smaller number")
                value = REFUSED
        else:
            raise self.refuse("a value")
        self.at = match.end()
        return value

    def refuse(self, wanted: str) -> Exception:
        if self.text.startswith(("//", "/*", "#"), self.at):
            return self.builder.stop(self.line(), "a comment, which JSON has not", "remove it, or write YAML")
        return self.builder.stop(self.line(), f"{self.here()} where {wanted} should be", f"write {wanted}")

    def here(self) -> str:
        if self.at >= len(self.text):
            return "the end"
        match = _WORD.match(self.text, self.at)
        return visible(match[0] if match else self.text[self.at], 30)
