"""From decoded JSON to a `Reply`: the one reading of the result shape, for every adapter. All is hostile."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from typing import Any

from pydantic import JsonValue

from quilate.agents.agent import AskFailed, Fault, FaultKind, Fragment, Reply, ToolCall, Usage
from quilate.agents.decoding import BadReplyError
from quilate.errors import nearest
from quilate.saying import listed, say

_MAX_REASON = 2_000

FIELDS = (
    "output", "tool_calls", "fragments", "metrics", "duration_ms", "error", "usage", "model", "cost_usd",
)  # fmt: skip
"""The fields of a result, beside `case_id` and `trial`."""


def crash(message: str, *, retryable: bool = False) -> AskFailed:
    """The agent's own failure, with its reason cut to a length that can be shown."""
    return AskFailed(agent_fault(message), retryable=retryable)


def agent_fault(message: str) -> Fault:
    """The agent's own failure as data."""
    return Fault.of(FaultKind.AGENT, showable(message))


def showable(text: str) -> str:
    """`text` without lone surrogates, cut to the length of a reason."""
    clean = text.encode("utf-8", "replace").decode()
    if clean == text and len(text) <= _MAX_REASON:
        return text  # itself, with its parts where it is a sentence of ours
    return clean if len(clean) <= _MAX_REASON else clean[:_MAX_REASON] + " …"


def parse_result(value: Any, *, case_id: str | None = None) -> Reply:
    """A decoded result (`{output, tool_calls, fragments?, metrics?, duration_ms?, error?, …}`) as a `Reply`.

    `case_id` is the case that was asked: a result may leave it out, and may not name another. An `error` (a text, or
    `{kind: agent | infrastructure, message}`) becomes the reply's `fault`. Keys that nobody knows are passed over,
    unless they look like a known one that is missing. Raises `BadReplyError` for anything else.
    """
    if not isinstance(value, dict):
        shape = '{"output": "…", "tool_calls": []}'
        message = say("the reply is {value}; write an object such as {shape}", value=_kind(value), shape=shape)
        raise BadReplyError(message)
    named = value.get("case_id")
    if case_id is not None and named is not None and named != case_id:
        message = say("the reply is for case {named}, asked was {asked}", named=_short(named), asked=_short(case_id))
        raise BadReplyError(message)
    fault = _fault(value.get("error"))
    if fault is None:
        _check_keys(value)
    return Reply(
        output=_optional_text(value, "output") or "",
        tool_calls=tuple(_calls(value.get("tool_calls"))),
        fragments=_fragments(value.get("fragments")),
        metrics=_metrics(value.get("metrics")),
        usage=_usage(value.get("usage")),
        cost_usd=_cost(value.get("cost_usd")),
        model=_optional_text(value, "model"),
        duration_ms=_amount(value.get("duration_ms"), "duration_ms"),
        fault=fault,
    )


def _check_keys(value: dict[str, Any]) -> None:
    for key in value:
        meant = None if key in FIELDS else nearest(_snake(key), FIELDS)
        if meant is not None and meant not in value and meant in ("output", "tool_calls", "duration_ms"):
            message = say("the reply has a key {key}; write {meant}", key=_short(key), meant=repr(meant))
            raise BadReplyError(message)
    if value.get("output") is None and value.get("tool_calls") is None:
        found = listed(_short(key) for key in list(value)[:8]) if value else say("nothing")
        message = say("the reply has neither output nor tool_calls nor error; found {found}", found=found)
        raise BadReplyError(message)


def _snake(key: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in key[:40]).lstrip("_")


def _fault(error: Any) -> Fault | None:
    if error is None or error is False or error == "":
        return None
    if isinstance(error, str):
        return agent_fault(error)
    if isinstance(error, dict):
        message = error.get("message")
        text = message if isinstance(message, str) and message else say("the agent reports an error without a message")
        kind = error.get("kind", "agent")
        if kind in ("agent", "infrastructure"):
            return Fault.of(FaultKind(kind), showable(text))
        return agent_fault(
            say("{text} (error.kind is {kind}; write agent or infrastructure)", text=text, kind=_short(kind))
        )
    shape = "{kind, message}"
    return agent_fault(
        say("the agent reports an error that is {value}; write a text or {shape}", value=_kind(error), shape=shape)
    )


def _calls(calls: Any) -> list[ToolCall]:
    found = []
    for index, call in enumerate(_list(calls, "tool_calls")):
        place = f"tool_calls[{index}]"
        if not isinstance(call, dict):
            message = _no_shape(place, call, "{name, args}")
            raise BadReplyError(message)
        name = call.get("name")
        if not isinstance(name, str) or not name:
            message = say("{place} is {value}; write the tool's name", place=f"{place}.name", value=_kind(name))
            raise BadReplyError(message)
        error = call.get("error")
        text = None if error is None else error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
        given = {"output": call["output"]} if "output" in call else {}  # null says something, no output says nothing
        found.append(ToolCall(name=name, args=call.get("args"), error=text, **given))
    return found


def _no_shape(place: str, value: Any, shape: str) -> str:
    return say("{place} is {value}; write {shape}", place=place, value=_kind(value), shape=shape)


def _fragments(fragments: Any) -> tuple[Fragment, ...] | None:
    if fragments is None:
        return None
    found = []
    for index, item in enumerate(_list(fragments, "fragments")):
        place = f"fragments[{index}]"
        fragment = {"text": item} if isinstance(item, str) else item
        if not isinstance(fragment, dict) or not isinstance(fragment.get("text"), str):
            message = say(
                "{place} is {value} without text; write {shape} or a text",
                place=place, value=_kind(item), shape="{text, id?, source?, score?}",
            )  # fmt: skip
            raise BadReplyError(message)
        found.append(
            Fragment(
                text=fragment["text"],
                id=_label(fragment, "id", place),
                source=_label(fragment, "source", place),
                score=_number(fragment.get("score"), f"{place}.score"),
            )
        )
    return tuple(found)


def _label(fragment: dict[str, Any], key: str, place: str) -> str | None:
    value = fragment.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _optional_text(fragment, key, place)


def _metrics(metrics: Any) -> dict[str, float]:
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        message = say("{place} is {value}; write an object of numbers", place="metrics", value=_kind(metrics))
        raise BadReplyError(message)
    numbers = {name: _number(value, f"metrics.{name[:40]}") for name, value in metrics.items()}
    return {name: value for name, value in numbers.items() if value is not None}


def _usage(usage: Any) -> Usage | None:
    if usage is None:
        return None
    if not isinstance(usage, dict):
        message = _no_shape("usage", usage, "{input_tokens, output_tokens}")
        raise BadReplyError(message)
    tokens = {name: int(_amount(usage.get(name), f"usage.{name}") or 0) for name in Usage.model_fields}
    return Usage(**tokens)


def _cost(cost: Any) -> str | None:
    if cost is None:
        return None
    try:
        amount = Decimal(str(cost)) if isinstance(cost, str | int | float) and not isinstance(cost, bool) else None
    except InvalidOperation:
        amount = None
    if amount is None or not amount.is_finite() or amount < 0:
        message = say("{place} is {value}; write an amount in dollars", place="cost_usd", value=_short(cost))
        raise BadReplyError(message)
    return f"{amount:f}"


def _amount(value: Any, place: str) -> float | None:
    number = _number(value, place)
    if number is not None and number < 0:
        message = say("{place} is {value}; write a number from 0", place=place, value=_short(value))
        raise BadReplyError(message)
    return number


def _number(value: Any, place: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        message = say("{place} is {value}; write a number", place=place, value=_kind(value))
        raise BadReplyError(message)
    return float(value)


def _optional_text(value: dict[str, JsonValue], key: str, place: str = "") -> str | None:
    text = value.get(key)
    if text is None or isinstance(text, str):
        return text
    name = f"{place}.{key}" if place else key
    message = say("{place} is {value}; write a text", place=name, value=_kind(text))
    raise BadReplyError(message)


def _list(value: Any, place: str) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    message = say("{place} is {value}; write a list", place=place, value=_kind(value))
    raise BadReplyError(message)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return say("the boolean {value}", value=str(value).lower())
    if isinstance(value, int | float):
        return say("the number {value}", value=_short(value))
    if isinstance(value, str):
        return say("the text {value}", value=_short(value)) if value else say("empty text")
    return say("a list") if isinstance(value, list) else say("an object")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:60] + "…"
