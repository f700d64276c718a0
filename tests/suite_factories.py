"""Golden cases and replay lines as plain JSON, as people write them: what `quilate …` as a process is fed in tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

TOOL = "lookup"
EXPECTATIONS = {
    "expected_tool",
    "expected_behavior",
    "required_phrases",
    "max_latency_ms",
    "expected_tools",
    "grounded",
}


def a_case(number: int, **fields: Any) -> dict[str, Any]:
    """One golden case; without expectations given it expects the tool `lookup`."""
    case: dict[str, Any] = {"id": f"c{number:04}", "category": "orders", "input": f"Where is order {number}?"}
    expected = {"expected_tool": TOOL} if not fields.keys() & EXPECTATIONS else {}
    return case | expected | fields


def some_cases(count: int, **fields: Any) -> list[dict[str, Any]]:
    return [a_case(number, **fields) for number in range(count)]


def a_reply(case: Mapping[str, Any], *, right: bool = True, **fields: Any) -> dict[str, Any]:
    """A line of a replay that calls the expected tool, or does not."""
    calls = [{"name": TOOL, "args": {}}] if right else []
    reply = {"case_id": case["id"], "output": f"answer to {case['id']}", "tool_calls": calls, "duration_ms": 10}
    return reply | fields


def some_replies(cases: Iterable[Mapping[str, Any]], wrong: int = 0) -> list[dict[str, Any]]:
    """The first `wrong` replies are wrong."""
    return [a_reply(case, right=number >= wrong) for number, case in enumerate(cases)]
