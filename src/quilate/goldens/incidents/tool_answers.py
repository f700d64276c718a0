"""Tools as people write them into a field: calls with arguments, or names alone; or why they cannot be taken."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from quilate.goldens.incidents.answers import Refused, items

_NAME = r"[A-Za-z_](?:[\w\-]|[.:]+(?=\w)){0,79}"
_CALL = re.compile(
    rf"^(?P<name>{_NAME})\s*(?:\((?P<inside>.*)\)|(?P<json>\{{.*\}})|:?\s*(?:(?:con|com|with)\s+)?(?P<pairs>\S.*=.*))?$",
    re.DOTALL,
)
_PAIR = re.compile(
    r"\s*(?P<key>[A-Za-z_][\w.\-]{0,79})\s*[=:]\s*(?P<value>\"[^\"]*\"|'[^']*'|[^,\"']+?)\s*"
    r"(?:,|\by\b|\be\b|\band\b|$|(?<=\s)(?=[A-Za-z_][\w.\-]{0,79}\s?=))"
)
_EITHER = re.compile(r"\b(?:or|o|ou)\b", re.IGNORECASE)
_GLOB = re.compile(r"[A-Za-z_*?][\w.:\-*?\[\]]{0,79}")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool by its name, with arguments where they were given. `as_text`: some of them had no quotes."""

    name: str
    args: dict[str, Any] | None = None
    as_text: bool = False


def calls(text: str) -> list[Call] | Refused:
    """Tool calls as people write them: `name`, `name(key=value)`, `name({…})`, `{"name": …, "arguments": {…}}`."""
    whole = _json_call(text)
    if whole:
        return whole
    found: list[Call] = []
    for item in items(text):
        line = item.strip().rstrip(".;")
        several = [part.strip("` ") for part in line.split(",")]
        one = _json_call(line) or _call(re.sub(r"`", "", line).strip())
        if one:
            found += one
        elif len(several) > 1 and all(re.fullmatch(_NAME, part) for part in several):
            found += [Call(part) for part in several]
        else:
            return Refused("no_tool_name", item)
    return found


def _json_call(text: str) -> list[Call]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    rows = value if isinstance(value, list) else [value]
    found = []
    for row in rows:
        inner = row.get("function", row) if isinstance(row, dict) else None
        if not isinstance(inner, dict) or not isinstance(inner.get("name"), str) or not inner["name"]:
            return []
        args = next((inner[key] for key in ("arguments", "args", "input") if key in inner), None)
        if isinstance(args, str):
            try:
                args = json.loads(args)
            except (ValueError, RecursionError):
                return []
        if args is not None and not isinstance(args, dict):
            return []
        found.append(Call(inner["name"], args or None))
    return found


def _call(line: str) -> list[Call]:
    match = _CALL.match(line)
    if match is None:
        return []
    inside = (match["inside"] or match["json"] or match["pairs"] or "").strip()
    if not inside:
        return [Call(match["name"])]
    if inside.startswith("{"):
        try:
            args = json.loads(inside)
        except (ValueError, RecursionError):
            return []
        return [Call(match["name"], args or None)] if isinstance(args, dict) else []
    return _pairs(match["name"], inside)


def _pairs(name: str, inside: str) -> list[Call]:
    args: dict[str, Any] = {}
    as_text, at = False, 0
    while at < len(inside):
        pair = _PAIR.match(inside, at)
        if pair is None or pair.end() == at or pair["key"] in args:
            return []
        value = pair["value"].strip()
        bare = value[:1] not in ("'", '"')
        if bare and _EITHER.search(value):
            return []
        as_text = as_text or bare
        args[pair["key"]] = value if bare else value[1:-1]
        at = pair.end()
    return [Call(name, args, as_text)]


def tool_names(text: str) -> list[str] | Refused:
    """Names of tools, globs too."""
    found: list[str] = []
    for item in items(text):
        parts = [part.strip("`'\" .") for part in re.split(r"[,;\s]+", item) if part.strip("`'\" .")]
        if len(parts) > 1 and "," not in item and ";" not in item:
            return Refused("no_tool_name", item)
        wrong = next((part for part in parts if not _GLOB.fullmatch(part)), None)
        if wrong is not None:
            return Refused("no_tool_name", item)
        found += parts
    return list(dict.fromkeys(found))
