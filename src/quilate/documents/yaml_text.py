"""YAML, read as JSON's data: scalars as JSON has them, and nothing that makes a text mean something else.

Plain `null`, `~`, nothing at all, `true`, `false` and JSON's numbers are what they are in JSON; every other plain
scalar is text: `no`, `2026-06-22`, `047`, `14:30`, `1_000`, `0x1F`, `.nan`. Refused are tags, anchors and aliases
(and with them every bomb made of them), merge keys, keys that are no text, and a second document.
"""

from __future__ import annotations

import bisect
import re
from typing import Any

import yaml

from quilate.documents.build import JSON_NUMBER, REFUSED, Builder, number
from quilate.shown import visible

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_YAML_ONLY_BREAKS = re.compile("[\x85\u2028\u2029]")
_LINE_BREAK = re.compile(r"\r\n?|\n")


def read_yaml(text: str, builder: Builder) -> None:
    """The one document of `text`. Raises `InputError` at the first thing that is not YAML."""
    lines = _Lines(text)
    try:
        _read_events(text, builder, lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = lines.of(mark) if mark else 1
        if "nesting depth" in str(error.problem):  # libyaml looks ahead, and gives up before our own limit is met
            raise builder.too_deep(line) from None
        if mark and _TAB_FIRST.match(text, text.rfind("\n", 0, mark.index) + 1):
            raise builder.stop(line, "a tab before the text of a line", "indent with spaces") from None
        found = f"YAML that cannot be read ({visible(_reason(error), 120)})"
        raise builder.stop(
            line, found, "correct the YAML here or just above; text with : or # goes in quotes"
        ) from None
    except yaml.YAMLError as error:  # the reader's: a character YAML does not allow, without its line
        bad = next((match for match in [_NOT_YAML.search(text)] if match), None)
        line = 1 if bad is None else len(_LINE_BREAK.findall(text, 0, bad.start())) + 1
        found = f"the character {visible(bad[0])}" if bad else f"YAML that cannot be read ({visible(str(error), 80)})"
        raise builder.stop(line, found, 'write it as an escape in double quotes, such as "\\u0007"') from None


_TAB_FIRST = re.compile(r" *\t")
_NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _reason(error: yaml.MarkedYAMLError) -> str:
    return ", ".join(part for part in (error.context, error.problem) if part)


def _read_events(text: str, builder: Builder, lines: _Lines) -> None:
    documents = 0
    for event in yaml.parse(text, Loader=_LOADER):
        match event:
            case yaml.ScalarEvent():
                _scalar(event, lines.of(event.start_mark), builder)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                line = lines.of(event.start_mark)
                _refuse_extras(event, line, builder)
                builder.open(line, is_object=isinstance(event, yaml.MappingStartEvent))
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                builder.close()
            case yaml.AliasEvent():
                line = lines.of(event.start_mark)
                builder.note(line, f"the alias *{visible(event.anchor or '', 30)}", _WRITE_OUT)
                builder.key(REFUSED, line) if builder.wants_key else builder.scalar(REFUSED, line)
            case yaml.DocumentStartEvent():
                documents += 1
                if documents > 1:
                    raise builder.stop(lines.of(event.start_mark), "a second YAML document", "keep one document a file")
            case _:
                pass


_WRITE_OUT = "write the value out, or use defaults: for what all cases of a file share"


def _refuse_extras(event: Any, line: int, builder: Builder) -> None:
    if event.anchor is not None:
        builder.note(line, f"the anchor &{visible(event.anchor, 30)}", f"remove it; {_WRITE_OUT}")
    if event.tag is not None:
        builder.note(
            line, f"the tag {visible(event.tag, 50)}", "remove it; text that looks like a number goes in quotes"
        )


def _scalar(event: Any, line: int, builder: Builder) -> None:
    _refuse_extras(event, line, builder)
    value = event.value
    if event.style in (None, ""):  # plain; every quoted or block scalar is text
        if value == "<<" and builder.wants_key:
            builder.note(line, "the merge key <<", _WRITE_OUT)
            builder.key(REFUSED, line)
            return
        as_number = JSON_NUMBER.fullmatch(value)
        if value in _WORDS:
            value = _WORDS[value]
        elif as_number is not None:
            value = number(as_number)
            if value is None:
                builder.note(line, f"{visible(event.value, 30)}, a number too large", "put it in quotes if it is text")
                value = REFUSED
    if builder.wants_key:
        builder.key(value, line)
    else:
        builder.scalar(value, line)


class _Lines:
    """Lines as editors count them: YAML 1.1 also breaks lines at U+0085, U+2028 and U+2029, which editors do not."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] | None = None
        if _YAML_ONLY_BREAKS.search(text):
            self._starts = [match.end() for match in _LINE_BREAK.finditer(text)]

    def of(self, mark: Any) -> int:
        if self._starts is None:
            return int(mark.line) + 1
        return bisect.bisect_right(self._starts, mark.index) + 1
