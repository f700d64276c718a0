"""What the three providers answer, as their own published types have it (the tests check that)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Speaker:
    """One provider's way of saying the same things."""

    provider: str
    path: str
    base: str = ""

    def says(self, text: Any, **more: Any) -> dict[str, Any]:
        """A success body with `text` (JSON data is encoded) as the model's answer."""
        answer = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
        return _SAYS[self.provider](answer, **more)

    def truncated(self) -> dict[str, Any]:
        body = self.says('{"c01": {"evidence": "')
        if self.provider == "anthropic":
            return body | {"stop_reason": "max_tokens"}
        if self.provider == "openai":
            body["choices"][0]["finish_reason"] = "length"
            return body
        return body | {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}

    def refuses(self) -> dict[str, Any]:
        body = self.says("")
        if self.provider == "anthropic":
            details = {"type": "refusal", "category": "reasoning_extraction", "explanation": None}
            return body | {"content": [], "stop_reason": "refusal", "stop_details": details}
        if self.provider == "openai":
            body["choices"][0]["message"] |= {"content": None, "refusal": "I cannot help with that."}
            return body
        body["output"][-1]["content"] = [{"type": "refusal", "refusal": "I cannot help with that."}]
        return body

    def thinks_first(self, text: Any) -> dict[str, Any]:
        body = self.says(text)
        if self.provider == "anthropic":
            body["content"].insert(0, {"type": "thinking", "thinking": 'Hm {"c01": 1}', "signature": "s"})
        elif self.provider == "openai-responses":
            body["output"].insert(0, {"type": "reasoning", "id": "rs_1", "summary": []})
        return body

    def calls(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        body = self.says("Un momento.")
        if self.provider == "anthropic":
            body["content"].append({"type": "tool_use", "id": "toolu_1", "name": name, "input": arguments})
            return body | {"stop_reason": "tool_use"}
        encoded = json.dumps(arguments)
        if self.provider == "openai":
            call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": encoded}}
            body["choices"][0]["message"]["tool_calls"] = [call]
            body["choices"][0]["finish_reason"] = "tool_calls"
            return body
        body["output"].append(
            {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": encoded,
             "status": "completed"}
        )  # fmt: skip
        return body

    def error(self, message: str, *, code: str = "", kind: str = "api_error") -> dict[str, Any]:
        if self.provider == "anthropic":
            details = {"details": {"error_code": code}} if code else {}
            return {"type": "error", "error": {"type": kind, "message": message, **details}, "request_id": "req_1"}
        return {"error": {"message": message, "type": kind, "param": None, "code": code or None}}

    @property
    def quota_code(self) -> str:
        return "enforced_spend_limit_reached" if self.provider == "anthropic" else "insufficient_quota"


def _anthropic(text: str, *, model: str = "claude-haiku-5-5") -> dict[str, Any]:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": model,
        "content": [{"type": "text", "text": text, "citations": None}], "stop_reason": "end_turn",
        "stop_sequence": None, "stop_details": None,
        "usage": {"input_tokens": 90, "cache_creation_input_tokens": None, "cache_read_input_tokens": 10,
                  "output_tokens": 20},
    }  # fmt: skip


def _chat(text: str, *, model: str = "gpt-6-luna") -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
                  "prompt_tokens_details": {"cached_tokens": 10}},
    }  # fmt: skip


def _responses(text: str, *, model: str = "gpt-6-luna") -> dict[str, Any]:
    message = {
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }  # fmt: skip
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": model,
        "output": [message],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None,
        "usage": {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 10, "cache_write_tokens": 0},
                  "output_tokens": 20, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 120},
    }  # fmt: skip


_SAYS = {"anthropic": _anthropic, "openai": _chat, "openai-responses": _responses}

SPEAKERS = (
    Speaker("anthropic", "/v1/messages"),
    Speaker("openai", "/v1/chat/completions", "/v1"),
    Speaker("openai-responses", "/v1/responses", "/v1"),
)
