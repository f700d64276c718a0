"""Messages as tracing tools write them, into `{role, content, tool_calls}`: many spellings of the same few things."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Message = dict[str, Any]

_ROLES = {
    "human": "user", "ai": "assistant", "aimessagechunk": "assistant", "model": "assistant", "humanmessage": "user",
    "aimessage": "assistant", "systemmessage": "system", "toolmessage": "tool", "developer": "system",
    "user": "user", "assistant": "assistant", "system": "system", "tool": "tool", "function": "tool",
}  # fmt: skip
_LISTS = ("messages", "input", "prompt", "chat_history")
_ASKED = ("input", "question", "query", "prompt", "message", "text", "user_input", "content")
_SAID = ("output", "answer", "response", "reply", "text", "content", "result", "completion", "message")
_DEEP = 6


def asked_of(value: Any) -> tuple[Message, ...]:
    """The messages a model or an agent was given; a text is the user's. Empty where there are none."""
    value = _parsed(value)
    found = _messages(value, _DEEP)
    if found:
        system = value.get("system") if isinstance(value, dict) else None
        return ({"role": "system", "content": system}, *found) if isinstance(system, str) and system else tuple(found)
    if isinstance(value, str) and value.strip():
        return ({"role": "user", "content": value},)
    if isinstance(value, dict):
        texts = (value.get(key) for key in _ASKED)
        text = next((text for text in texts if isinstance(text, str) and text.strip()), None)
        return ({"role": "user", "content": text},) if text else ()
    return ()


def said_of(value: Any, depth: int = _DEEP) -> Message | None:
    """The last thing the agent said, as a message; None where nothing can be read as that."""
    value = _parsed(value)
    if isinstance(value, str):
        return {"role": "assistant", "content": value, "tool_calls": []} if value.strip() else None
    if isinstance(value, list):
        told = [message for message in _messages(value, depth) if message["role"] == "assistant"]
        return told[-1] if told else None
    if not isinstance(value, dict) or depth == 0:
        return None
    message = _message(value)
    if message is not None:
        return message if message["role"] == "assistant" else None
    if isinstance(value.get("messages"), list):
        return said_of(value["messages"], depth - 1)
    for key in ("choices", "generations"):
        rows = value.get(key)
        while isinstance(rows, list) and rows:
            rows = rows[0]
        if isinstance(rows, dict):
            return said_of(rows.get("message") or rows.get("text"), depth - 1)
    return next((said for key in _SAID if (said := said_of(value.get(key), depth - 1))), None)


def indexed(attributes: Mapping[str, Any], prefix: str, within: str) -> list[dict[str, Any]]:
    """Messages that were flattened into attributes: `gen_ai.prompt.0.role`, `llm.input_messages.0.message.content`."""
    rows: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        number, _, name = str(key).removeprefix(prefix).partition(".")
        if str(key).startswith(prefix) and number.isdecimal() and len(number) < 6:
            name = name.removeprefix(within)
            row = rows.setdefault(int(number), {})
            call, _, part = name.removeprefix("tool_calls.").partition(".")
            if name.startswith("tool_calls.") and call.isdecimal():
                calls = row.setdefault("tool_calls", {})
                calls.setdefault(call, {})[part.rpartition(".")[2]] = value
            else:
                row[name] = value
    for row in rows.values():
        row["tool_calls"] = list(row.get("tool_calls", {}).values())
    return [rows[number] for number in sorted(rows)]


def _messages(value: Any, depth: int) -> list[Message]:
    """Messages in a list, in a list of one list, or under the names they are known by."""
    if depth == 0:
        return []
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list):
            return _messages(value[0], depth - 1)
        return [message for row in value if (message := _message(row) or _instruction(row)) is not None]
    if isinstance(value, dict):
        alone = _message(value)
        if alone is not None:
            return [alone]
        return next((found for key in _LISTS if (found := _messages(_parsed(value.get(key)), depth - 1))), [])
    return []


def _message(row: Any) -> Message | None:
    """One message: with a role, of LangChain by its type, or its serialized form."""
    if not isinstance(row, dict):
        return None
    if isinstance(row.get("kwargs"), dict) and isinstance(row.get("id"), list) and row["id"]:
        row = {"type": str(row["id"][-1]), **row["kwargs"]}
    elif isinstance(row.get("data"), dict) and isinstance(row.get("type"), str):
        row = {**row["data"], "type": row["type"]}
    named = row.get("role") if isinstance(row.get("role"), str) else row.get("type")
    role = _ROLES.get(str(named).casefold())
    if role is None or not ("content" in row or "parts" in row or "tool_calls" in row):
        return None
    parts = row.get("parts", row.get("content"))
    return {"role": role, "content": _text(parts), "tool_calls": _calls(row, parts)}


def _instruction(row: Any) -> Message | None:
    """A part of the system's instructions stands without a role."""
    text = row.get("content") if isinstance(row, dict) and row.get("type") == "text" else None
    return {"role": "system", "content": text, "tool_calls": []} if isinstance(text, str) else None


def _text(parts: Any) -> str:
    if isinstance(parts, str):
        return parts
    if not isinstance(parts, list):
        return ""
    rows = [part for part in parts if isinstance(part, dict) and part.get("type", "text") in ("text", "output_text")]
    texts = [part.get("text", part.get("content")) for part in rows]
    return "\n".join(text for text in texts if isinstance(text, str))


def _calls(row: Mapping[str, Any], parts: Any) -> list[dict[str, Any]]:
    """Tool calls, in the message or among its parts, as chat completions have them."""
    more = row.get("additional_kwargs")
    listed = row.get("tool_calls") or (more.get("tool_calls") if isinstance(more, dict) else None)
    rows: Sequence[Any] = listed if isinstance(listed, list) else ()
    used = ("tool_call", "tool_use", "tool-call")
    among = [part for part in parts if isinstance(part, dict) and part.get("type") in used] if _is_list(parts) else []
    found = []
    for call in [*rows, *among]:
        inner = call.get("function", call) if isinstance(call, dict) else None
        if not isinstance(inner, dict):
            continue
        name = inner.get("name") or inner.get("toolName")
        args = next((inner[key] for key in ("arguments", "args", "input") if inner.get(key) is not None), None)
        if isinstance(name, str):
            found.append({"function": {"name": name, "arguments": args}})
    return found


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _parsed(value: Any) -> Any:
    """A text that is JSON, as attributes hold structured values."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
