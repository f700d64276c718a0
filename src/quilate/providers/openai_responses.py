"""OpenAI's Responses API, with `metadata` and the `X-On-Behalf-Of` header of platforms that tell end users apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from quilate.agents.agent import Usage
from quilate.providers.model import Completion, Failure, Prompt, ProviderError, Stop
from quilate.providers.wire import a_count, a_list, a_mapping, a_text, garbled, is_neutral, joined, tool_call
from quilate.saying import say

_INCOMPLETE = {"max_output_tokens": Stop.LENGTH, "content_filter": Stop.FILTERED}


class OpenAIResponsesWire:
    """Responses, structured output by `text.format`; nothing is stored at the provider."""

    label = "openai-responses"
    default_base_url = "https://api.openai.com/v1"
    default_key_env = "OPENAI_API_KEY"

    def url(self, base_url: str) -> str:
        """`base_url` ends in `/v1`, as in OpenAI's own client."""
        return base_url.rstrip("/") + "/responses"

    def headers(self, key: str) -> dict[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {key}"}

    def body(self, prompt: Prompt, model: str, max_tokens: int) -> dict[str, Any]:
        """`ResponseCreateParams`. The format's name and schema sit one level higher than in Chat Completions."""
        body: dict[str, Any] = {
            "model": model,
            "input": [{"role": turn.role, "content": turn.text} for turn in prompt.turns],
            "max_output_tokens": max_tokens,
            "store": False,
        }
        if prompt.system:
            body["instructions"] = prompt.system
        if prompt.schema is not None:
            body["text"] = {
                "format": {"type": "json_schema", "name": "answer", "strict": True, "schema": dict(prompt.schema)}
            }
        if prompt.tools:
            body["tools"] = [_tool(tool) for tool in prompt.tools]
        if prompt.metadata:
            body["metadata"] = dict(prompt.metadata)
        return body

    def read(self, body: Mapping[str, Any]) -> Completion:
        """A `Response`: text and refusals of its messages, and its function calls."""
        if body.get("status") == "failed":
            raise _failed(a_mapping(body.get("error")))
        if not isinstance(body.get("output"), list):
            raise garbled(say("the answer has no output items"))
        items = [a_mapping(item) for item in body["output"]]
        parts = [
            a_mapping(part)
            for item in items
            if item.get("type") == "message"
            for part in a_list(item.get("content"))
        ]  # fmt: skip
        calls = [item for item in items if item.get("type") == "function_call"]
        refusal = joined(a_text(part.get("refusal")) for part in parts if part.get("type") == "refusal") or None
        usage = a_mapping(body.get("usage"))
        stop = Stop.TOOLS if calls else Stop.END
        if body.get("status") == "incomplete":
            stop = _INCOMPLETE.get(a_text(a_mapping(body.get("incomplete_details")).get("reason")), Stop.OTHER)
        return Completion(
            text=joined(a_text(part.get("text")) for part in parts if part.get("type") == "output_text"),
            tool_calls=tuple(tool_call(call.get("name"), call.get("arguments")) for call in calls),
            usage=_usage(usage) if usage else None,
            model=a_text(body.get("model")) or None,
            stop=Stop.REFUSAL if refusal else stop,
            refusal=refusal,
        )


def _failed(error: Mapping[str, Any]) -> ProviderError:
    """A failed response comes with status 200; its code says whose fault it is."""
    code, message = a_text(error.get("code")), a_text(error.get("message")) or "no reason given"
    unavailable = code in ("server_error", "rate_limit_exceeded")
    kind = Failure.UNAVAILABLE if unavailable else Failure.REJECTED
    return ProviderError(kind, f"the response failed ({code or 'no code'}): {message}", retryable=unavailable)


def _usage(usage: Mapping[str, Any]) -> Usage:
    return Usage(
        input_tokens=a_count(usage.get("input_tokens")),
        output_tokens=a_count(usage.get("output_tokens")),
        cached_tokens=a_count(a_mapping(usage.get("input_tokens_details")).get("cached_tokens")),
    )


def _tool(tool: Mapping[str, JsonValue]) -> dict[str, Any]:
    if not is_neutral(tool):
        return dict(tool)
    return {
        "type": "function",
        "name": tool.get("name"),
        "description": tool.get("description"),
        "parameters": tool.get("parameters"),
        "strict": tool.get("strict", False),
    }
