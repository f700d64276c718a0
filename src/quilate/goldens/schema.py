"""The file formats as JSON Schema (draft 2020-12), with the descriptions that editors show."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, TypeAdapter

from quilate.config import Config
from quilate.goldens.case import GoldenCase
from quilate.goldens.written import DEFAULT_KEYS
from quilate.problems import models_in

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]


def schema_of(name: str) -> Schema:
    """The schema of `config`, `golden` or `run` (one line of a run file)."""
    match name:
        case "config":
            return config_schema()
        case "golden":
            return golden_schema()
        case _:
            return run_schema()


def config_schema() -> Schema:
    """quilate.yml."""
    schema = Config.model_json_schema()
    schema["properties"]["$schema"] = _EDITORS
    return _finished(schema, "quilate configuration", [Config])


def run_schema() -> Schema:
    """One line of a run file."""
    from quilate.runs import record

    schema = TypeAdapter(record.Line).json_schema()
    return _finished(
        schema, "A line of a quilate run file", [record.Header, record.ReplyLine, record.GradeLine, record.Footer]
    )


def golden_schema() -> Schema:
    """A golden file: an object with cases, or a list of them. A line of a JSON Lines file is `#/$defs/Case`.

    Where a file has defaults, a case need not be complete by itself, and this schema does not ask it to be.
    """
    case = GoldenCase.model_json_schema()
    definitions: Schema = case.pop("$defs")
    _describe(case, GoldenCase)
    fields = {name: field if name == "id" else _or_absent(field) for name, field in case["properties"].items()}
    fields |= _guide_keys() | {"prompt": fields["input"] | {"description": "Another name for input."}}
    written = {
        "title": "Case",
        "type": "object",
        "additionalProperties": False,
        "properties": fields,
        "required": ["id"],
    }
    definitions["Case"] = written | {"oneOf": [_has("input"), _has("prompt")]}
    definitions["CompleteCase"] = {
        "$ref": "#/$defs/Case",
        "anyOf": [_has("category"), _has("capability"), _has("type")],
        **_if(_has("expected_tool_args"), _has("expected_tool")),
    }
    defaults = {name: field for name, field in fields.items() if name in DEFAULT_KEYS}
    definitions["Defaults"] = {
        "title": "Defaults",
        "description": "What every case of this file has that does not say otherwise.",
        "type": "object",
        "additionalProperties": False,
        "properties": defaults,
    }
    complete, partial = ({"type": "array", "items": {"$ref": f"#/$defs/{name}"}} for name in ("CompleteCase", "Case"))
    file = {
        "title": "Golden file",
        "type": "object",
        "additionalProperties": False,
        "required": ["cases"],
        "properties": {
            "$schema": _EDITORS,
            "version": {
                "description": "The dataset's version, as reports name it; a date is usual.",
                "type": ["string", "null"], "minLength": 1,
            },
            "defaults": {"anyOf": [{"$ref": "#/$defs/Defaults"}, {"type": "null"}]},
            "cases": {"description": "The golden cases.", "type": "array"},
        },
        "if": _has("defaults"),
        "then": {"properties": {"cases": partial}},
        "else": {"properties": {"cases": complete}},
    }  # fmt: skip
    return _finished({"anyOf": [file, complete], "$defs": definitions}, "quilate golden file", [GoldenCase])


_EDITORS: Schema = {"description": "The schema an editor uses; quilate does not read it.", "type": "string"}


def _guide_keys() -> Schema:
    text: Schema = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}
    kind = "Second half of the category. ambiguous, clear and the names of locale signals also say what is expected."
    return {
        "capability": {"description": "First half of the category, where no category is given.", **text},
        "type": {"description": kind, **text},
    }


def _has(*names: str) -> Schema:
    """An object with all of these keys, none of them null: a null says that a key is absent."""
    return {"required": list(names), "properties": {name: {"not": {"type": "null"}} for name in names}}


def _if(condition: Schema, then: Schema) -> Schema:
    return {"if": condition, "then": then}


def _or_absent(field: Schema) -> Schema:
    """The same field, or null."""
    kinds = field.get("anyOf", [])
    if {"type": "null"} in kinds:
        return field
    outer = {key: value for key, value in field.items() if key in ("title", "description", "default")}
    inner = {key: value for key, value in field.items() if key not in outer}
    return {**outer, "anyOf": [inner, {"type": "null"}]}


def _constrain(definitions: Schema) -> None:
    """What the models check beyond types, as far as a schema can say it."""
    rules: Schema = {
        "ExpectedCall": {"oneOf": [_has("name"), _has("any_of")]},
        "AgentConfig": {
            "oneOf": [_has(kind) for kind in ("command", "http", "chat", "replay")],
            "allOf": [_if(_has(name), _has("command")) for name in ("protocol", "setup")],
        },
        "RetrieverConfig": {"oneOf": [_has("http"), _has("command")]},
        "JudgeConfig": {
            "if": {"properties": {"provider": {"const": "labels"}}},
            "then": _has("labels"),
            "else": _has("model"),
        },
    }
    for name, rule in rules.items():
        if name in definitions:
            definitions[name] |= rule
    if "Gate" in definitions:
        definitions["Gate"]["properties"]["confirm_flips"]["multipleOf"] = 2


def _finished(schema: Schema, title: str, roots: Iterable[type[BaseModel]]) -> Schema:
    """The schema with its dialect, its title first, and every model's fields described."""
    definitions = schema.get("$defs", {})
    models = {model.__name__: model for root in roots for model in _models_below(root)}
    for name, definition in definitions.items():
        if name in models:
            _describe(definition, models[name])
    if schema.get("title") in models:
        _describe(schema, models[schema["title"]])
    _constrain(definitions)
    return {"$schema": DIALECT, **schema, "title": title}


def _models_below(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield model
    for field in model.model_fields.values():
        for inner in models_in(field.annotation):
            yield from _models_below(inner)


def _describe(definition: Schema, model: type[BaseModel]) -> None:
    descriptions = _docstrings(model)
    for name, field in model.model_fields.items():
        written = definition["properties"].get(field.alias or name)
        if written is not None and name in descriptions:
            written["description"] = descriptions[name]


def _docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The text under each field, read from the source now: pydantic would read it at every start of the program."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for field, below in pairwise(tree.body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            found[field.target.id] = inspect.cleandoc(below.value.value)
    return found
