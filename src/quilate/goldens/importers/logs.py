"""Requests and responses of model APIs, as they are logged: chat completions, Responses, Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from quilate.errors import UsageError
from quilate.goldens.incidents.tool_answers import Call
from quilate.goldens.incidents.turns import text_of

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_REQUESTS = ("request", "request_body", "req", "input_body")
_RESPONSES = ("response", "response_body", "resp", "completion", "output_body")


@dataclass(frozen=True, slots=True)
class Logged:
    """What a log says: the conversation, the answer (None where none is in it), the tools that were called."""

    messages: tuple[dict[str, str], ...]
    answered: str | None
    calls: tuple[Call, ...]

    @property
    def input(self) -> str | list[dict[str, str]]:
        """As a case has it: a single message of the user as a text."""
        if len(self.messages) == 1 and self.messages[0]["role"] == "user":
            return self.messages[0]["content"]
        return list(self.messages)


def read_log(text: str, name: str = "the log") -> Logged:
    """The last exchange in a log: JSON, or JSON Lines of requests and responses. Raises `UsageError`."""
    entries = _entries(text, name)
    request: Mapping[str, Any] | None = None
    response: Mapping[str, Any] | None = None
    for entry in entries:
        asked = next((entry[key] for key in _REQUESTS if isinstance(entry.get(key), dict)), entry)
        given = next((entry[key] for key in _RESPONSES if isinstance(entry.get(key), dict)), entry)
        if _is_request(asked):
            request, response = asked, None
        if _is_response(given):
            response = given
    if request is None:
        message = (
            f"{name}: found no request with messages or input; give the request's body, and the response's beside it"
        )
        raise UsageError(message)
    messages = list(_messages(request))
    answered, calls = _answer(response) if response else (None, ())
    if answered is None and messages and messages[-1]["role"] == "assistant":
        answered = messages.pop()["content"]
    if not any(message["role"] == "user" for message in messages):
        message = f"{name}: nobody asks anything in it"
        raise UsageError(message)
    return Logged(tuple(messages), answered, calls)


def _entries(text: str, name: str) -> list[Mapping[str, Any]]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        try:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError) as error:
            message = f"{name}: no JSON and no JSON Lines ({error})"
            raise UsageError(message) from None
    if isinstance(value, list) and value and all(isinstance(row, dict) and "role" in row for row in value):
        return [{"messages": value}]
    rows = value if isinstance(value, list) else [value]
    if not rows or not all(isinstance(row, dict) for row in rows):
        message = f"{name}: found no object"
        raise UsageError(message)
    return rows


def _is_request(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("messages"), list) or ("input" in value and isinstance(value["input"], str | list))


def _is_response(value: Mapping[str, Any]) -> bool:
    message = isinstance(value.get("content"), list) and value.get("role") == "assistant"
    return message or isinstance(value.get("choices"), list) or isinstance(value.get("output"), list)


def _messages(request: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The texts of a request's conversation; tool calls and their outputs have none."""
    first = request.get("system", request.get("instructions"))
    if first:
        yield {"role": "system", "content": text_of(first)}
    given = request.get("messages", request.get("input"))
    if isinstance(given, str):
        yield {"role": "user", "content": given}
        return
    for row in given if isinstance(given, list) else []:
        role = _ROLES.get(str(row.get("role"))) if isinstance(row, dict) else None
        text = text_of(row.get("content")) if role else ""
        if role and text.strip():
            yield {"role": role, "content": text}


def _answer(response: Mapping[str, Any]) -> tuple[str | None, tuple[Call, ...]]:
    choices = response.get("choices")
    if isinstance(choices, list):
        message = choices[0].get("message") if choices and isinstance(choices[0], dict) else None
        message = message if isinstance(message, dict) else {}
        calls = [tool.get("function") for tool in message.get("tool_calls") or () if isinstance(tool, dict)]
        return text_of(message.get("content")) or None, _calls(calls)
    parts = response.get("output", response.get("content"))
    rows = [row for row in parts if isinstance(row, dict)] if isinstance(parts, list) else []
    texts = [text_of(row.get("content")) if row.get("type") == "message" else row.get("text") for row in rows]
    used = [row for row in rows if row.get("type") in ("function_call", "tool_use")]
    said = "\n".join(text for text in texts if isinstance(text, str) and text)
    return said or None, _calls(used)


def _calls(rows: list[Any]) -> tuple[Call, ...]:
    found = []
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("name"), str):
            continue
        args = row.get("arguments", row.get("input"))
        if isinstance(args, str):
            try:
                args = json.loads(args)
            except (ValueError, RecursionError):
                args = None
        found.append(Call(row["name"], args if isinstance(args, dict) else None))
    return tuple(found)
