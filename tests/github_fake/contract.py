"""GitHub's published description of its API: checks requests and answers, and fills answers with what it requires."""

from __future__ import annotations

import copy
import functools
import gzip
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from openapi_core import Config, OpenAPI
from openapi_core.testing import MockRequest, MockResponse

DATA = Path(__file__).parent.parent / "contract" / "data"
REPOSITORY = "/repos/{owner}/{repo}"


@functools.cache
def description() -> dict[str, Any]:
    return json.loads(gzip.decompress((DATA / "openapi.json.gz").read_bytes()))


@functools.cache
def checker() -> OpenAPI:
    return OpenAPI.from_dict(description(), config=Config(spec_validator_cls=None))


def published_statuses(template: str, method: str) -> set[int]:
    return {int(code) for code in description()["paths"][template][method.lower()]["responses"]}


def problems_of_request(
    method: str, template: str, values: dict[str, str], query: dict[str, str], body: Any
) -> list[str]:
    """What GitHub's description says against a request; unknown query parameters and body fields included."""
    operation = description()["paths"][template][method.lower()]
    found = []
    known = {resolved(parameter)["name"] for parameter in operation.get("parameters", ())}
    found += [f"{method} {template}: there is no query parameter {name}" for name in query if name not in known]
    found += _unknown_fields(operation, body)
    request = _request(method, template, values, query, body)
    try:
        checker().validate_request(request)
    except Exception as error:  # noqa: BLE001 - whatever the checker objects with
        found.append(f"{method} {template}: {_deepest(error)}")
    return found


def problems_of_response(
    method: str, template: str, values: dict[str, str], query: dict[str, str], body: Any, status: int, answer: Any
) -> list[str]:
    if status not in published_statuses(template, method):
        return [f"{method} {template}: the description has no answer {status}"]
    data = b"" if answer is None else json.dumps(answer).encode()
    response = MockResponse(data, status_code=status, content_type="application/json")
    try:
        checker().validate_response(_request(method, template, values, query, body), response)
    except Exception as error:  # noqa: BLE001 - whatever the checker objects with
        return [f"{method} {template} → {status}: {_deepest(error)}"]
    return []


def _request(method: str, template: str, values: dict[str, str], query: dict[str, str], body: Any) -> MockRequest:
    path = template
    for name, value in values.items():
        path = path.replace("{" + name + "}", quote(value, safe=""))
    data = b"" if body is None else json.dumps(body).encode()
    return MockRequest(
        description()["servers"][0]["url"],
        method.lower(),
        path,
        args=query,
        data=data or None,
        content_type="application/json",
    )


def _unknown_fields(operation: dict[str, Any], body: Any) -> list[str]:
    schema = resolved(operation.get("requestBody", {})).get("content", {}).get("application/json", {}).get("schema")
    if schema is None or not isinstance(body, dict):
        return [] if body in (None, {}) or schema else [f"a body where none is taken: {body!r}"]
    properties = resolved(schema).get("properties")
    if properties is None:
        return []
    return [f"there is no body field {name}" for name in body if name not in properties]


def _deepest(error: BaseException) -> str:
    """What the checker really objects to; its outermost words repeat the whole value."""
    said: list[str] = []
    cause: BaseException | None = error
    while cause is not None:
        said = [f"{list(one.absolute_path)}: {_leaf(one)}" for one in getattr(cause, "schema_errors", ())] or [
            *said,
            str(cause),
        ]
        cause = cause.__cause__
    return " ← ".join(part[:400] for part in said)[:1500]


def _leaf(error: Any) -> str:
    inner = [f"{list(one.absolute_path)}: {_leaf(one)}" for one in (error.context or ())]
    return "; ".join(inner)[:300] if inner else error.message[-200:]


def resolved(value: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in value:
        target: Any = description()
        for part in value["$ref"].split("/")[1:]:
            target = target[part.replace("~1", "/").replace("~0", "~")]
        value = target
    return value


def filled(schema: str, **values: Any) -> dict[str, Any]:
    """An object of a published schema: `values`, and a least value for everything else that it requires."""
    found = copy.deepcopy(_least_of(schema))
    return _merged(found, values)


def _merged(least: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    for name, value in values.items():
        inner = least.get(name)
        least[name] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return least


@functools.cache
def _least_of(schema: str) -> dict[str, Any]:
    return _least(description()["components"]["schemas"][schema], 0)


def _least(schema: dict[str, Any], depth: int) -> Any:
    schema = resolved(schema)
    if schema.get("nullable") and "type" in schema and depth > 0:
        return None
    if "enum" in schema:
        return schema["enum"][0]
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return _least(schema[several][0], depth)
    kind = schema.get("type")
    if "allOf" in schema:
        found: dict[str, Any] = {}
        for part in schema["allOf"]:
            found.update(_least(part, depth))
        return found
    if kind == "array":
        return []
    if kind == "string":
        formats = {"date-time": "2026-01-02T03:04:05Z", "uri": "https://example.com/x", "email": "a@example.com"}
        return formats.get(schema.get("format", ""), "x")
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    if kind == "boolean":
        return False
    properties = schema.get("properties", {})
    return {name: _least(properties[name], depth + 1) for name in schema.get("required", ()) if name in properties}
