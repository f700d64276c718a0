"""OpenAI's Chat Completions, and the many servers that speak it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from quilate.agents.agent import Usage
from quilate.providers.model import Completion, Prompt, Stop
from quilate.providers.wire import a_count, a_list, a_mapping, a_text, garbled, is_neutral, joined, tool_call
from quilate.saying import say

_STOPS = {
    "stop": Stop.END,
    "length": Stop.LENGTH,
    "tool_calls": Stop.TOOLS,
    "function_call": Stop.TOOLS,
    "content_filter": Stop.FILTERED,
}


class OpenAIChatWire:
    """Chat Completions, structured output by a strict JSON Schema in `response_format`."""

    label = "openai"
    default_base_url = "https://api.openai.com/v1"
    default_key_env = "OPENAI_API_KEY"

    def url(self, base_url: str) -> str:
        """`base_url` ends in `/v1`, as in OpenAI's own client."""
        return base_url.rstrip("/") + "/chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {key}"}

    def body(self, prompt: Prompt, model: str, max_tokens: int) -> dict[str, Any]:
        """`CompletionCreateParams`; `max_tokens` is deprecated there and breaks on reasoning models."""
        system = [{"role": "system", "content": prompt.system}] if prompt.system else []
        turns = [{"role": turn.role, "content": turn.text} for turn in prompt.turns]
        body: dict[str, Any] = {"model": model, "messages": system + turns, "max_completion_tokens": max_tokens}
        if prompt.schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": dict(prompt.schema)},
            }
        if prompt.tools:
            body["tools"] = [_tool(tool) for tool in prompt.tools]
        if prompt.metadata:
            body["metadata"] = dict(prompt.metadata)
        return body

    def read(self, body: Mapping[str, Any]) -> Completion:
        """A `ChatCompletion`: its first choice."""
        choices = a_list(body.get("choices"))
        choice = a_mapping(choices[0]) if choices else {}
        if not isinstance(choice.get("message"), dict):
            raise garbled(say("the answer has no choices with a message"))
        message = choice["message"]
        usage = a_mapping(body.get("usage"))
        refusal = a_text(message.get("refusal")) or None
        calls = [a_mapping(a_mapping(call).get("function")) for call in a_list(message.get("tool_calls"))]
        return Completion(
            text=_content(message.get("content")),
            tool_calls=tuple(tool_call(call.get("name"), call.get("arguments")) for call in calls if call),
            usage=_usage(usage) if usage else None,
            model=a_text(body.get("model")) or None,
            stop=Stop.REFUSAL if refusal else _STOPS.get(a_text(choice.get("finish_reason")), Stop.OTHER),
            refusal=refusal,
        )


def _content(content: Any) -> str:
    """Text as it is; some servers send a list of parts."""
    if isinstance(content, str):
        return content
    return joined(a_text(a_mapping(part).get("text")) for part in a_list(content))


def _usage(usage: Mapping[str, Any]) -> Usage:
    return Usage(
        input_tokens=a_count(usage.get("prompt_tokens")),
        output_tokens=a_count(usage.get("completion_tokens")),
        cached_tokens=a_count(a_mapping(usage.get("prompt_tokens_details")).get("cached_tokens")),
    )


def _tool(tool: Mapping[str, JsonValue]) -> dict[str, Any]:
    return {"type": "function", "function": dict(tool)} if is_neutral(tool) else dict(tool)
