"""Golden cases as a promptfoo configuration; what promptfoo cannot hold is listed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from quilate.goldens.case import ExactOutput, ExpectedTools, GoldenCase
from quilate.goldens.importers.table import Fate, Import

_NO_EQUIVALENT = (
    "expected_tool_args", "forbidden_tools", "must_not_leak", "max_metrics", "locale", "signal", "language", "expects",
    "time_sensitive", "quarantine", "template", "critical",
)  # fmt: skip
_KEPT_BESIDE = ("dimension", "family", "source", "added", "review_by", "owner", "tags")
"""What promptfoo does not grade by, and its `metadata` holds."""


def as_promptfoo(cases: Iterable[GoldenCase]) -> tuple[dict[str, Any], Import]:
    """The configuration (without providers) and the account of what was taken."""
    account = Import()
    tests = [_test(case, account) for case in cases]
    return {"prompts": ["{{input}}"], "providers": [], "tests": tests}, account


def _test(case: GoldenCase, account: Import) -> dict[str, Any]:
    assertions = _assertions(case)
    lost = [name for name in _NO_EQUIVALENT if getattr(case, name) not in (None, (), {}, False)]
    if isinstance(case.expected_tools, ExpectedTools):
        lost += _lost_of(case.expected_tools)
    if lost:
        account.note(case.id, "case", Fate.IN_PART, f"without {', '.join(lost)}")
    else:
        account.note(case.id, "case", Fate.TAKEN)
    given = case.input if isinstance(case.input, str) else json.dumps(
        [message.model_dump(mode="json", exclude_none=True) for message in case.input], ensure_ascii=False
    )  # fmt: skip
    return {
        "description": case.id,
        "metadata": {"category": case.category} | _beside(case),
        "vars": {"input": given},
        **({"assert": assertions} if assertions else {}),
    }


def _lost_of(tools: ExpectedTools) -> list[str]:
    """What a list of names does not say of the calls."""
    lost = ["arguments of expected_tools"] if any(call.args for call in tools.calls) else []
    plain = ExpectedTools(calls=tools.calls)
    ways = ("order", "extra_calls")
    return lost + [f"{name} of expected_tools" for name in ways if getattr(tools, name) != getattr(plain, name)]


def _beside(case: GoldenCase) -> dict[str, Any]:
    values = case.model_dump(mode="json", include=set(_KEPT_BESIDE))
    return {name: values[name] for name in _KEPT_BESIDE if values[name]}


def _assertions(case: GoldenCase) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [_phrase(phrase, present=True) for phrase in case.required_phrases]
    found += [_phrase(phrase, present=False) for phrase in case.forbidden_phrases]
    found += [{"type": "llm-rubric", "value": behaviour} for behaviour in case.expected_behavior]
    if isinstance(case.expected_output, ExactOutput):
        found.append({"type": "equals", "value": case.expected_output.exact})
    elif case.expected_output is not None:
        found.append({"type": "factuality", "value": case.expected_output})
    names = [case.expected_tool] if case.expected_tool else []
    if isinstance(case.expected_tools, ExpectedTools):
        names += [name for call in case.expected_tools.calls for name in call.names]
    found += [{"type": "trajectory:tool-used", "value": name} for name in dict.fromkeys(names)]
    if case.grounded:
        found.append({"type": "context-faithfulness", "threshold": 1})
    if case.max_latency_ms is not None:
        found.append({"type": "latency", "threshold": case.max_latency_ms})
    return found


def _phrase(phrase: str, *, present: bool) -> dict[str, Any]:
    prefix = "" if present else "not-"
    if len(phrase) > 2 and phrase.startswith("/") and phrase.endswith("/"):
        return {"type": f"{prefix}regex", "value": f"(?i){phrase[1:-1]}"}
    return {"type": f"{prefix}icontains", "value": phrase}
