"""What makes two replies the same to a judge."""

from __future__ import annotations

import hashlib
from typing import Any

from quilate.agents.agent import Reply
from quilate.canonical import canonical_json


def judged_part(reply: Reply) -> dict[str, Any]:
    """The part of a reply that is judged: text, tool calls with their outputs, fragments. Times and costs are not."""
    return reply.model_dump(mode="json", include={"output", "tool_calls", "fragments"})


def sha256(value: Any) -> str:
    """SHA-256 of the canonical JSON of `value`, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def reply_sha256(reply: Reply) -> str:
    """The name a label gives to the reply it is about."""
    return sha256(judged_part(reply))
