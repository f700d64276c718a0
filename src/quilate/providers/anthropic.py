"""Anthropic's Messages API (version 2023-06-01), with structured output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from quilate.agents.agent import Usage
from quilate.providers.model import Completion, Prompt, Stop
from quilate.providers.wire import a_count, a_mapping, a_text, garbled, is_neutral, joined, tool_call
from quilate.saying import say

_STOPS = {
    "end_turn": Stop.END,
    "stop_sequence": Stop.END,
    "tool_use": Stop.TOOLS,
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "refusal": Stop.REFUSAL,
}


class AnthropicWire:
    """Messages. No sampling parameters and no prefill: current models answer both with 400."""

    label = "anthropic"
    default_base_url = "https://api.anthropic.com"
    default_key_env = "ANTHROPIC_API_KEY"

    def url(self, base_url: str) -> str:
        """`base_url` with or without its `/v1`, as people write both."""
        return base_url.rstrip("/").removesuffix("/v1") + "/v1/messages"

    def headers(self, key: str) -> dict[str, str]:
        """Key and API version."""
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def body(self, prompt: Prompt, model: str, max_tokens: int) -> dict[str, Any]:
        """`MessageCreateParams`; structured output by `output_config.format`."""
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": max_tokens,
            "messages": [{"role": turn.role, "content": turn.text} for turn in prompt.turns],
        }
        if prompt.system:
            body["system"] = prompt.system
        if prompt.schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(prompt.schema)}}
        if prompt.tools:
            body["tools"] = [_tool(tool) for tool in prompt.tools]
        if user := prompt.on_behalf_of or prompt.metadata.get("user_id"):
            body["metadata"] = {"user_id": user}  # the only metadata this API has
        return body

    def read(self, body: Mapping[str, Any]) -> Completion:
        """A `Message`. Blocks are chosen by type: a thinking block may come first."""
        if not isinstance(body.get("content"), list):
            raise garbled(say("the answer has no content blocks"))
        blocks = [a_mapping(block) for block in body["content"]]
        usage = a_mapping(body.get("usage"))
        details = a_mapping(body.get("stop_details"))
        stop = _STOPS.get(a_text(body.get("stop_reason")), Stop.OTHER)
        return Completion(
            text=joined(a_text(block.get("text")) for block in blocks if block.get("type") == "text"),
            tool_calls=tuple(
                tool_call(block.get("name"), block.get("input")) for block in blocks if block.get("type") == "tool_use"
            ),
            usage=_usage(usage) if usage else None,
            model=a_text(body.get("model")) or None,
            stop=stop,
            refusal=(a_text(details.get("explanation")) or a_text(details.get("category")) or "no reason given")
            if stop is Stop.REFUSAL
            else None,
        )


def _usage(usage: Mapping[str, Any]) -> Usage:
    cached = a_count(usage.get("cache_read_input_tokens"))
    total = a_count(usage.get("input_tokens"), usage.get("cache_creation_input_tokens")) + cached
    return Usage(input_tokens=total, output_tokens=a_count(usage.get("output_tokens")), cached_tokens=cached)


def _tool(tool: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    if not is_neutral(tool):
        return dict(tool)
    rest = {key: value for key, value in tool.items() if key != "parameters"}
    return {**rest, "input_schema": tool.get("parameters") or {"type": "object", "properties": {}}}
