"""CSV, JSON Lines and JSON rows with a mapping of columns; DeepEval's goldens are such rows with names of their own."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from quilate.errors import UsageError, nearest
from quilate.goldens.case import GoldenCase
from quilate.goldens.importers.table import Fate, Import, slug, unique

_LISTS = frozenset(
    {"expected_behavior", "forbidden_phrases", "required_phrases", "forbidden_tools", "must_not_leak", "tags"}
)
_OBJECTS = frozenset({"expected_tool_args", "expected_tools", "max_metrics", "time_sensitive", "quarantine"})
_FLAGS = frozenset({"critical", "grounded"})
_NUMBERS = frozenset({"max_latency_ms"})

DEEPEVAL = {
    "input": "input",
    "expected_output": "expected_output",
    "expected_tools": "expected_tools",
    "name": "id",
}
"""DeepEval's golden keys that have an equivalent."""
_DEEPEVAL_WHY = {
    "actual_output": "a reply is not a part of a case; `agent: replay` takes replies",
    "retrieval_context": "fragments come from the agent's own search",
    "context": "fragments come from the agent's own search",
    "tools_called": "what was called is a part of a reply",
}
_DEEPEVAL_SPELLED = {
    "actualOutput": "actual_output", "expectedOutput": "expected_output", "retrievalContext": "retrieval_context",
    "expectedTools": "expected_tools", "toolsCalled": "tools_called", "additionalMetadata": "additional_metadata",
    "sourceFile": "source_file",
}  # fmt: skip


def rows_of_csv(text: str) -> list[dict[str, str]]:
    """The rows of a CSV with a header line; comma, semicolon or tab between."""
    text = text.removeprefix("\ufeff")
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        return [{str(key).strip(): value or "" for key, value in row.items() if key is not None} for row in reader]
    except csv.Error as error:
        message = f"the CSV cannot be read after line {reader.line_num}: {error}"
        raise UsageError(message) from None


def mapping_of(pairs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """`column=field` pairs, and columns that are named as fields of a case are. Raises `UsageError`."""
    known = tuple(GoldenCase.model_fields)
    found = {column: column for column in columns if column in known}
    for pair in pairs:
        column, sign, target = pair.rpartition("=")
        if not sign or not column:
            message = f"--map {pair!r}: write COLUMN=FIELD, such as question=input"
            raise UsageError(message)
        if target not in known:
            close = nearest(target, known)
            message = f"--map {pair!r}: there is no field {target!r}; " + (
                f"did you mean {close}?" if close else "see docs/goldens.md"
            )
            raise UsageError(message)
        if column not in columns:
            close = nearest(column, columns)
            message = f"--map {pair!r}: there is no column {column!r}; " + (
                f"did you mean {close}?" if close else f"there are: {', '.join(columns)}"
            )
            raise UsageError(message)
        found[column] = target
    if "input" not in found.values():
        message = f"no column is the input; write --map COLUMN=input (there are: {', '.join(columns)})"
        raise UsageError(message)
    return found


def read_rows(rows: Sequence[Mapping[str, Any]], mapping: Mapping[str, str], *, category: str) -> Import:
    """A case a row. Cells of lists are split at line ends and `|`, cells of objects are JSON."""
    found = Import()
    taken: set[str] = set()
    for number, row in enumerate(rows, 1):
        _row(found, f"row {number}", row, mapping, category, taken)
    columns = {column for row in rows for column in row if column not in mapping}
    for column in sorted(columns):
        found.note("columns", f"column {column}"[:32], Fate.NOT_TAKEN, "no field was named for it")
    return found


def _row(
    found: Import, where: str, row: Mapping[str, Any], mapping: Mapping[str, str], category: str, taken: set[str]
) -> None:
    case: dict[str, Any] = {}
    lost: list[str] = []
    for column, target in mapping.items():
        value = row.get(column)
        if value is None or value == "":
            continue
        converted = _converted(target, value)
        if converted is None:
            lost.append(column)
        else:
            case[target] = converted
    if not case.get("input"):
        found.note(where, "row", Fate.NOT_TAKEN, "its input is empty")
        return
    title = case.get("id") or (case["input"] if isinstance(case["input"], str) else where)
    wanted = str(case["id"]) if case.get("id") else slug(str(title), where.replace(" ", "-"))
    case["id"] = unique(wanted, taken)
    case.setdefault("category", category)
    found.cases.append({name: case[name] for name in ("id", "category", "input")} | case)
    if lost:
        found.note(where, "row", Fate.IN_PART, f"cannot be read: {', '.join(lost)}")
    else:
        found.note(where, "row", Fate.TAKEN)


def _converted(target: str, value: Any) -> Any:
    """A cell as the field has it; None where it cannot be."""
    if not isinstance(value, str):
        return value
    if target in _OBJECTS or (target in ("input", "expected_output") and value.lstrip().startswith(("[{", '{"'))):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return None if target in _OBJECTS else value
    if target in _LISTS:
        return [part.strip() for line in value.splitlines() for part in line.split("|") if part.strip()]
    if target in _FLAGS:
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(value.casefold())
    if target in _NUMBERS:
        try:
            return float(value)
        except ValueError:
            return None
    return value


def read_deepeval(value: Any, *, category: str) -> Import:
    """DeepEval's goldens: a list of objects, or an object with them in `goldens`. Raises `UsageError`."""
    rows = value.get("goldens", value.get("test_cases")) if isinstance(value, dict) else value
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        message = "no DeepEval goldens: write a list of objects with input"
        raise UsageError(message)
    plain = [{_DEEPEVAL_SPELLED.get(key, key): value for key, value in row.items()} for row in rows]
    found = Import()
    taken: set[str] = set()
    for number, row in enumerate(plain, 1):
        if isinstance(row.get("expected_tools"), list):
            row["expected_tools"] = [_call(tool) for tool in row["expected_tools"] if _call(tool)] or None
        _row(found, f"golden {number}", row, DEEPEVAL, category, taken)
    for key in sorted(
        {key for row in plain for key, value in row.items() if key not in DEEPEVAL and value not in (None, "", [], {})}
    ):
        found.note("goldens", key[:32], Fate.NOT_TAKEN, _DEEPEVAL_WHY.get(key, "no equivalent"))
    return found


def _call(tool: Any) -> dict[str, Any] | None:
    if isinstance(tool, str):
        return {"name": tool}
    if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
        return None
    args = tool.get("input_parameters", tool.get("inputParameters"))
    return {"name": tool["name"]} | ({"args": args} if isinstance(args, dict) and args else {})
