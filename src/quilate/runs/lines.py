"""One line of a run file, to and from bytes: always with its `kind`, without the noise of defaults."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from operator import is_
from typing import Any, TypeVar

from pydantic_core import from_json

from quilate.errors import InputError, Problem, QuilateError
from quilate.grades import CriterionGrade
from quilate.runs.record import SCHEMA, Footer, GradeLine, Header, ReplyLine

MAX_LINE_BYTES = 128 * 1024 * 1024
"""A reply may have 10 MB, each byte of which may take six in JSON; past this a line is no line of ours."""

KINDS: tuple[str, ...] = ("header", "reply", "grade", "footer")
_SURROGATES = re.compile("[\ud800-\udfff]")
_SURELY_READ_DEPTH = 150
"""Levels of nesting that every reader of JSON manages; pydantic's gives up at 200."""
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode

AnyLine = Header | ReplyLine | GradeLine | Footer
LineT = TypeVar("LineT", Header, ReplyLine, GradeLine, Footer)


def encode(line: AnyLine) -> bytes:
    """The line as UTF-8 JSON with its line feed; see `encoded`."""
    return encoded(line)[0]


def encoded(line: AnyLine) -> tuple[bytes, dict[str, Any]]:
    """The line as UTF-8 JSON with its line feed, and what a reader of it finds.

    Values equal to their defaults are left out, except in the header (its policy and conditions must keep their
    meaning when a default changes), the `kind`, a reply's `output`, a tool's `output` that is null, and who graded a
    criterion. A lone surrogate, which UTF-8 has no bytes for, becomes U+FFFD. Raises `QuilateError` for what no reader
    could read again (a number that is not finite, nesting without end, a line beyond `MAX_LINE_BYTES`).
    """
    try:
        plain, text = _of_grade(line) if isinstance(line, GradeLine) else _of(line)
        fixed = text if text.isascii() else _SURROGATES.sub("\ufffd", text)
        data = fixed.encode()
        # A reader finds what was written, unless its text was mended; too deep for it is only what opens as often.
        reads_alike = fixed == text and data.count(b"[") + data.count(b"{") <= _SURELY_READ_DEPTH
        found = plain if reads_alike else from_json(data, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        message = f"{_subject(line)} cannot be written to a run file: {error}"
        raise QuilateError(message) from error
    if len(data) >= MAX_LINE_BYTES:
        message = f"{_subject(line)} has {len(data)} bytes; a line of a run file has less than {MAX_LINE_BYTES}"
        raise QuilateError(message)
    return data + b"\n", found


def cleaned(data: bytes, clean: Callable[[str], str]) -> bytes:
    """A line without what `clean` takes out of its text; where that breaks the JSON, out of each of its texts."""
    text = data.decode("utf-8", "surrogateescape")
    said = clean(text)
    if said == text:
        return data
    try:
        json.loads(said)
    except ValueError:  # an escape was cut in two
        said = _json(_each_text(json.loads(text), clean)) + "\n"
    return said.encode("utf-8", "surrogateescape")


def _each_text(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_each_text(each, clean) for each in value]
    if isinstance(value, dict):
        return {clean(key): _each_text(each, clean) for key, each in value.items()}
    return value


def decode(data: bytes, file: str, number: int) -> dict[str, Any]:
    """A line as plain JSON with a known `kind`; raises `InputError` naming file and line."""
    try:
        value = from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise _problem(file, number, "", f"found no valid JSON ({error})", "write one JSON object a line") from error
    if not isinstance(value, dict):
        raise _problem(file, number, "", f"found {type(value).__name__}", "write one JSON object a line")
    kind = value.get("kind")
    if kind not in KINDS:
        raise _problem(file, number, "kind", f"found {kind!r:.60}", f"write one of {', '.join(KINDS)}")
    return value


def decode_as(model: type[LineT], data: bytes, file: str, number: int) -> LineT:
    """A line that `decode` has read before, as its model, wholly validated; raises `InputError` with every problem."""
    from pydantic import ValidationError

    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        decode(data, file, number)
        problems = [
            Problem(
                file=file,
                line=number,
                key=".".join(str(part) for part in found["loc"]),
                found=f"{found['msg']} (found {found['input']!r:.60})",
                mend="use a run file that quilate wrote",
            )
            for found in error.errors(include_url=False, include_context=False)
        ]
        raise InputError(problems) from error


def check_schema(value: dict[str, Any], file: str) -> None:
    """Raises `InputError` unless the first line is a header of the schema this version reads."""
    if value["kind"] != "header":
        raise _problem(file, 1, "kind", f"found {value['kind']!r}", "begin a run file with its header line")
    schema = value.get("schema")
    if schema != SCHEMA or isinstance(schema, bool):
        found = "nothing" if schema is None else f"{schema!r:.60}"
        mend = f"this version of quilate reads {SCHEMA}; use the version that wrote the file, or run again"
        raise _problem(file, 1, "schema", f"found {found}", mend)


def _problem(file: str, number: int, key: str, found: str, mend: str) -> InputError:
    return InputError([Problem(file=file, line=number, key=key, found=found, mend=mend)])


def _of(line: Header | ReplyLine | Footer) -> tuple[dict[str, Any], str]:
    """The line as plain values and as JSON text."""
    plain: dict[str, Any] = {"kind": line.kind}
    if isinstance(line, Header):
        plain |= line.model_dump(mode="json", by_alias=True, exclude_none=True)
    else:
        plain |= line.model_dump(mode="json", exclude_defaults=True)
    if isinstance(line, ReplyLine):
        plain["reply"].setdefault("output", "")
        _keep_nulls(line, plain["reply"])
    return plain, _json(plain)


def _keep_nulls(line: ReplyLine, reply: dict[str, Any]) -> None:
    """A tool that gave null found nothing; a call whose output was never reported says nothing."""
    for call, dumped in zip(line.reply.tool_calls, reply.get("tool_calls", ()), strict=True):
        if call.output is None and "output" in call.model_fields_set:
            dumped["output"] = None


def _of_grade(line: GradeLine) -> tuple[dict[str, Any], str]:
    """As `_of`. The line's criteria are those of one of its trials, and most of the line: they are made once."""
    trials = [trial.model_dump(mode="json", exclude_defaults=True) for trial in line.trials]
    written = []
    shown: tuple[list[dict[str, Any]], str] | None = None
    for trial, dumped in zip(line.trials, trials, strict=True):
        criteria = _name_graders(trial.criteria, dumped["criteria"])
        text = _json(criteria)
        written.append(_object(dumped, {"criteria": text}))
        if shown is None and _same(trial.criteria, line.criteria):
            shown = criteria, text
    if shown is None:
        alone = line.model_dump(mode="json", exclude_defaults=True, include={"criteria"})["criteria"]
        criteria = _name_graders(line.criteria, alone)
        shown = criteria, _json(criteria)
    values = line.model_dump(mode="json", exclude_defaults=True, exclude={"criteria", "trials"})
    values |= {"kind": line.kind, "criteria": shown[0], "trials": trials}
    plain = {field: values[field] for field in GradeLine.model_fields if field in values}
    return plain, _object(plain, {"criteria": shown[1], "trials": f"[{','.join(written)}]"})


def _object(values: dict[str, Any], texts: dict[str, str]) -> str:
    """The values as a JSON object; what `texts` has is text already."""
    members = (f'"{key}":{texts[key] if key in texts else _json(value)}' for key, value in values.items())
    return "{" + ",".join(members) + "}"


def _same(one: tuple[CriterionGrade, ...], other: tuple[CriterionGrade, ...]) -> bool:
    return len(one) == len(other) and all(map(is_, one, other))


def _name_graders(criteria: tuple[CriterionGrade, ...], dumped: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for criterion, each in zip(criteria, dumped, strict=True):
        each["graded_by"] = criterion.graded_by.value
    return dumped


def _subject(line: AnyLine) -> str:
    return (
        f"the {line.kind} of case {line.case_id!r}" if isinstance(line, ReplyLine | GradeLine) else f"the {line.kind}"
    )
