"""The questions of one request: generated ids, one schema property each, and the strict reading of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from quilate.judge.criteria import SemanticCriterion
from quilate.judge.groundedness import GroundedVerdict
from quilate.providers.lenient import json_objects
from quilate.saying import say


class Form(StrEnum):
    """In which form a question is answered."""

    MET = "met"
    """true or false"""
    GRADE = "grade"
    """pass, partial or fail, where the rubric has the three"""
    GROUNDED = "grounded"
    """invented or not, with the claims"""
    VIEW = "view"
    """yes, no or not applicable: for the reader's information, never a grade"""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `key` is generated (`c01`): what people wrote never becomes a property's name."""

    key: str
    form: Form
    text: str
    about: str
    """The criterion's id, or what a view is about."""
    criterion: SemanticCriterion | None = None


def numbered(questions: Sequence[tuple[Form, str, str, SemanticCriterion | None]]) -> tuple[Question, ...]:
    """Questions (form, text, about, criterion) with their keys."""
    return tuple(
        Question(f"c{number:02d}", form, text, about, criterion)
        for number, (form, text, about, criterion) in enumerate(questions, 1)
    )


def answer_schema(questions: Sequence[Question]) -> dict[str, Any]:
    """The JSON Schema of an answer: every question required, none added, evidence before verdict.

    Only what both providers' structured output allows: no lengths, ranges, patterns or optional properties.
    """
    return _object({question.key: _form_schema(question) for question in questions})


def _form_schema(question: Question) -> dict[str, Any]:
    text = {"type": "string"}
    match question.form:
        case Form.MET:
            return _object({"evidence": text, "justification": text, "met": {"type": "boolean"}})
        case Form.GRADE:
            properties = {"evidence": text, "justification": text}
            kinds = _kinds(question)
            failure = {"failure": _enum(*kinds, "none")} if kinds else {}
            return _object({**properties, **failure, "grade": _enum("pass", "partial", "fail")})
        case Form.VIEW:
            return _object({"evidence": text, "justification": text, "verdict": _enum("yes", "no", "not_applicable")})
        case Form.GROUNDED:
            claim = _object({"quote": text, "why": text})
            return _object(
                {
                    "unsupported_claims": {"type": "array", "items": claim},
                    "supporting_blocks": {"type": "array", "items": {"type": "integer"}},
                    "verdict": _enum(GroundedVerdict.INVENTED.value, GroundedVerdict.NOT_INVENTED.value),
                }
            )


def _kinds(question: Question) -> tuple[str, ...]:
    rubric = question.criterion.rubric if question.criterion else None
    return tuple(kind for kind, _meaning in rubric.kinds) if rubric else ()


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _enum(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def shape_of(schema: Mapping[str, Any]) -> str:
    """A schema as an example people and models read: `{"c01": {"evidence": "…", "met": true or false}}`."""
    if "enum" in schema:
        return " or ".join(f'"{value}"' for value in schema["enum"])
    match schema["type"]:
        case "object":
            return "{" + ", ".join(f'"{key}": {shape_of(part)}' for key, part in schema["properties"].items()) + "}"
        case "array":
            return f"[{shape_of(schema['items'])}, …]"
        case "boolean":
            return "true or false"
        case "integer":
            return "number"
    return '"…"'


THE_ANSWER = say("the answer")


def mismatches(value: Any, schema: Mapping[str, Any], place: str = THE_ANSWER) -> list[str]:
    """Why `value` is not exactly what `schema` asks for, each in words; empty where it is.

    Strict: the key set is equal, `"true"` and 1 are no booleans, `true` is no integer. It does not matter whether the
    provider promised to keep to the schema.
    """
    match schema["type"]:
        case "object":
            return _object_mismatches(value, schema, place)
        case "array":
            if not isinstance(value, list):
                return [say("{place} is {value}, not a list", place=place, value=_named(value))]
            return [
                found
                for index, item in enumerate(value)
                for found in mismatches(item, schema["items"], f"{place}[{index}]")
            ]
        case "boolean":
            if isinstance(value, bool):
                return []
            return [say("{place} is {value}, not true or false", place=place, value=_named(value))]
        case "integer":
            is_integer = isinstance(value, int) and not isinstance(value, bool)
            if is_integer:
                return []
            return [say("{place} is {value}, not a whole number", place=place, value=_named(value))]
    if not isinstance(value, str):
        return [say("{place} is {value}, not text", place=place, value=_named(value))]
    allowed = schema.get("enum")
    if allowed is None or value in allowed:
        return []
    known = ", ".join(allowed)
    return [say("{place} is {value}, not one of {allowed}", place=place, value=_named(value), allowed=known)]


def _object_mismatches(value: Any, schema: Mapping[str, Any], place: str) -> list[str]:
    if not isinstance(value, dict):
        return [say("{place} is {value}, not an object", place=place, value=_named(value))]
    properties = schema["properties"]
    inner = "" if place == THE_ANSWER else f"{place}."
    found: list[str] = [say("{name} is missing", name=inner + key) for key in properties if key not in value]
    found += [say("{name} was not asked for", name=inner + key[:40]) for key in value if key not in properties]
    for key, part in properties.items():
        if key in value:
            found += mismatches(value[key], part, f"{inner}{key}")
    return found


def _named(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return say("the text {value}", value=repr(value[:40]))
    if isinstance(value, int | float):
        return say("the number {value}", value=str(value))
    return say("a list") if isinstance(value, list) else say("an object")


def read_answer(text: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """The answer in `text` and no problems, or None and why it cannot be used."""
    if not text.strip():
        return None, [say("the answer is empty")]
    values = json_objects(text)
    if not values:
        return None, [say("the answer holds no JSON object")]
    usable = [value for value in values if not mismatches(value, schema)]
    if not usable:
        return None, mismatches(values[0], schema)
    if any(value != usable[0] for value in usable):
        # A judge that quotes a ready-made verdict out of the reply must not be taken at that word.
        return None, [say("the answer holds several verdicts that differ")]
    return usable[0], []
