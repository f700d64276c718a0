"""What the three wire formats share: their interface, and reading JSON that may be anything."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from pydantic import JsonValue

from quilate.agents.agent import ToolCall
from quilate.providers.model import Completion, Failure, Prompt, ProviderError


class Wire(Protocol):
    """One provider's format: pure translation, no network."""

    label: str
    default_base_url: str
    default_key_env: str

    def url(self, base_url: str) -> str:
        """Where a request is posted."""
        ...

    def headers(self, key: str) -> dict[str, str]:
        """The headers of a request."""
        ...

    def body(self, prompt: Prompt, model: str, max_tokens: int) -> dict[str, Any]:
        """The body of a request."""
        ...

    def read(self, body: Mapping[str, Any]) -> Completion:
        """The completion in a success body; raises `ProviderError` (garbled)."""
        ...


def garbled(message: str) -> ProviderError:
    """The error for a success body that cannot be used; worth one more attempt."""
    return ProviderError(Failure.GARBLED, message, retryable=True)


def a_list(value: Any) -> list[Any]:
    """`value` where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def a_mapping(value: Any) -> Mapping[str, Any]:
    """`value` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def a_text(value: Any) -> str:
    """`value` where it is text, else empty."""
    return value if isinstance(value, str) else ""


def a_count(*values: Any) -> int:
    """The sum of those values that are counts."""
    return sum(value for value in values if isinstance(value, int) and not isinstance(value, bool) and value > 0)


def tool_call(name: Any, arguments: Any) -> ToolCall:
    """A call as the agent protocol has it. Arguments that are no JSON stay text, and fail where they are checked."""
    args: JsonValue = arguments
    if isinstance(arguments, str):
        try:
            args = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError):
            args = arguments
    return ToolCall(name=a_text(name), args=args)


def is_neutral(tool: Mapping[str, JsonValue]) -> bool:
    """Whether a tool definition is in our own form, rather than in a provider's."""
    return "type" not in tool and set(tool) <= {"name", "description", "parameters", "strict"}


def sendable(value: Any) -> Any:
    """JSON data without lone surrogates, which no encoding can carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8") if not value.isascii() else value
    if isinstance(value, Mapping):
        return {key: sendable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [sendable(item) for item in value]
    return value


def merged(body: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """`body` with further keys, at every depth; what `body` says wins, and a null in `extra` takes a key away."""
    result = dict(body)
    for key, value in extra.items():
        if value is None:
            result.pop(key, None)
        elif key not in result:
            result[key] = value
        elif isinstance(value, Mapping) and isinstance(result[key], dict):
            result[key] = merged(result[key], value)
    return result


def joined(parts: Iterable[str]) -> str:
    """Text parts as one text."""
    return "".join(parts)
