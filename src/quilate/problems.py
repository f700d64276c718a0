"""What pydantic refuses, as problems a person can act on: every one, with its line, what was found, what to write."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from quilate.documents import Document
from quilate.errors import Problem, nearest
from quilate.file_model import broken_rules
from quilate.shown import Path, flow_list, number_text, shown, visible


def refusal(found: str, mend: str, key: str | None = None) -> PydanticCustomError:
    """What a validator of ours raises: what it found, what to write, and the field that is to blame."""
    context = {"found": found, "mend": mend} | ({} if key is None else {"key": key})
    return PydanticCustomError("refusal", "{found}; {mend}", context)


def problems_of(
    error: ValidationError,
    document: Document,
    model: type[BaseModel],
    *,
    at: Path = (),
    written: Any,
    spelled: Mapping[str, str] | None = None,
    extra_keys: Sequence[str] = (),
    case_id: str | None = None,
) -> list[Problem]:
    """The problems of a value that did not become a `model`.

    `at` is where the value stands in `document`, `written` the value as validated, `spelled` the keys a person wrote
    where they differ from the model's fields, and `extra_keys` further keys that are known at its top. Rules over
    several keys are among them, though pydantic comes to those only once every value is right.
    """

    def problem(path: Path, found: str, mend: str) -> Problem:
        as_spelled = tuple((spelled or {}).get(str(step), step) if n == 0 else step for n, step in enumerate(path))
        return document.problem((*at, *as_spelled), found, mend, case_id)

    problems: dict[Problem, None] = {}
    details = error.errors(include_url=False)
    misspelt: set[Path] = set()
    for detail in sorted(details, key=lambda each: each["type"] == "missing"):
        path = place_of(detail, written)
        value = _value_at(written, path)
        if _follows_from_another(detail, value) or (detail["type"] == "missing" and path in misspelt):
            continue
        if detail["type"] == "extra_forbidden":
            known = [*known_keys(model, path[:-1]), *(extra_keys if len(path) == 1 else ())]
            found, mend = "an unknown key", _instead(str(path[-1]), known)
            misspelt.add((*path[:-1], nearest(str(path[-1]), known) or ""))
        elif detail["type"] == "missing":
            found, mend = "nothing", f"add {path[-1]}"
        else:
            found, mend = _words(detail, value)
        problems[problem(path, found, mend)] = None
    for path, refused in broken_rules(model, written):
        context = refused.context or {}
        key = (str(context["key"]),) if "key" in context else ()
        problems[problem((*path, *key), str(context["found"]), str(context["mend"]))] = None
    return list(problems)


def _follows_from_another(detail: ErrorDetails, value: Any) -> bool:
    """Whether a list only is too short because its items were refused, each with a problem of its own."""
    return detail["type"] == "too_short" and isinstance(value, list) and len(value) >= detail["ctx"]["min_length"]


def known_keys(model: type[BaseModel], path: Path) -> list[str]:
    """The keys that an object at `path` inside a `model` may have; empty where any key may stand."""
    models = [model]
    for step in path:
        if isinstance(step, str):
            fields = [each.model_fields[step].annotation for each in models if step in each.model_fields]
            models = [inner for annotation in fields for inner in models_in(annotation)]
    return [name for each in models for name in each.model_fields]


def models_in(annotation: Any) -> list[type[BaseModel]]:
    """The models that an annotation names, at whatever depth."""
    if (
        isinstance(annotation, type)
        and issubclass(annotation, BaseModel)
        and not isinstance(annotation, types.GenericAlias)
    ):
        return [annotation]
    return [model for inner in typing.get_args(annotation) for model in models_in(inner)]


def unknown_key(document: Document, path: Path, known: Sequence[str]) -> Problem:
    """The problem of a key that nothing is known by."""
    return document.problem(path, "an unknown key", _instead(str(path[-1]), known))


def _instead(key: str, known: Sequence[str]) -> str:
    close = nearest(key, known)
    if close is not None:
        return f"did you mean {close}?"
    return f"write one of {', '.join(sorted(set(known)))}" if known else "remove it"


def place_of(detail: ErrorDetails, written: Any) -> Path:
    """Where in `written` an error is: pydantic's location without the names of union members."""
    path: list[str | int] = []
    value = written
    location = detail["loc"]
    for position, step in enumerate(location):
        last = position == len(location) - 1
        if _is_inside(value, step):
            value = value[step]
        elif isinstance(value, dict) and last and detail["type"] == "missing":
            value = None
        else:
            continue
        path.append(step)
    key = detail.get("ctx", {}).get("key")
    if detail["type"] == "refusal" and isinstance(key, str):
        path.append(key)
    return tuple(path)


def _value_at(written: Any, path: Path) -> Any:
    for step in path:
        if not _is_inside(written, step):
            return None
        written = written[step]
    return written


def _is_inside(value: Any, step: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(step, int) and step < len(value)
    return isinstance(value, dict) and step in value


_WANTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a smaller whole number",
    "float_type": "a number",
    "finite_number": "a number that is not too large",
    "decimal_type": "a number",
    "decimal_parsing": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "date_type": "a date such as 2026-06-22",
    "date_parsing": "a date such as 2026-06-22",
    "date_from_datetime_parsing": "a date such as 2026-06-22",
    "date_from_datetime_inexact": "a date such as 2026-06-22",
    "none_required": "nothing",
}


def _words(detail: ErrorDetails, value: Any) -> tuple[str, str]:
    """What was found and what to write, for everything but missing and unknown keys."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "refusal":
        return str(context["found"]), str(context["mend"])
    found = shown(value)
    if kind in _WANTED:
        return found, f"write {_WANTED[kind]}{_in_quotes(kind, value)}{_in_brackets(kind, value)}"
    if kind == "union_tag_invalid":
        return found, f"write {str(context['expected_tags']).replace(chr(39), '').replace(', ', ', or ')}"
    if kind in ("literal_error", "enum"):
        return found, _one_of(str(context["expected"]), value)
    return found, f"write {_within(kind, context) or visible(detail['msg'], 120)}"


def _in_quotes(kind: str, value: Any) -> str:
    """Text that looks like another scalar is text in quotes."""
    if kind != "string_type" or not isinstance(value, bool | int | float):
        return ""
    bare = ("true" if value else "false") if isinstance(value, bool) else number_text(value)
    return f', in quotes if that is meant: "{bare}"'


def _in_brackets(kind: str, value: Any) -> str:
    """One text where a list of them is wanted."""
    fits = kind in ("tuple_type", "list_type") and isinstance(value, str) and 0 < len(value) <= _SHORT
    return f": {visible(flow_list([value]), 2 * _SHORT)}" if fits else ""


_SHORT = 60


def _one_of(expected: str, value: Any) -> str:
    choices = [choice.strip("'\"") for choice in expected.replace(" or ", ", ").split(", ")]
    close = nearest(value, choices) if isinstance(value, str) else None
    listed = ", ".join(choices) if len(choices) > 1 else choices[0]
    return f"write one of {listed}" + (f"; did you mean {close}?" if close else "")


def _within(kind: str, context: Mapping[str, Any]) -> str | None:
    """What a limit allows."""
    match kind:
        case "string_too_short":
            return "at least one character"
        case "string_too_long":
            return f"at most {context['max_length']} characters"
        case "too_short":
            return f"at least {_count(context['min_length'])}"
        case "too_long":
            return f"at most {_count(context['max_length'])}"
        case "greater_than":
            return f"a number above {context['gt']:g}"
        case "greater_than_equal":
            return f"{context['ge']:g} or more"
        case "less_than":
            return f"a number below {context['lt']:g}"
        case "less_than_equal":
            return f"{context['le']:g} or less"
        case _:
            return None


def _count(number: int) -> str:
    return "one item" if number == 1 else f"{number} items"
