"""Traces as observability tools export them: OpenTelemetry's GenAI spans and their kin, Langfuse, LangSmith.

A trace holds the same question many times: at its root as the user asked it, and in every model's call. The root is
taken where it can be read, else the last call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quilate.errors import UsageError
from quilate.goldens.importers.span_messages import Message, asked_of, indexed, said_of

Row = Mapping[str, Any]
_MOST = 50_000
"""Spans that are looked at."""
_OF_LANGFUSE = ("observations", "traceId", "parentObservationId")
_GEN_AI = re.compile(r"(?:gen_ai|llm|ai|traceloop|openinference|input|output)\.")


@dataclass(frozen=True, slots=True)
class _Span:
    """What one span says: the question, the answer, whether it is a root, when it began, whose trace it is."""

    asked: tuple[Message, ...]
    said: Message | None
    root: bool
    at: str
    trace: str


def exchange_of(rows: Sequence[Row], name: str) -> Mapping[str, Any] | None:
    """The exchange in an export, as a request and a response of chat completions; None where it is no export.

    Raises `UsageError` where there are several traces, or where none of the spans holds messages.
    """
    spans = [span for row in rows for span in _spans(row)][:_MOST]
    if not spans:
        return None
    readable = [span for span in spans if any(message["role"] == "user" for message in span.asked)]
    if not readable:
        message = f"{name}: no span in it holds messages; export the trace with its inputs and outputs"
        raise UsageError(message)
    traces = {span.trace for span in readable}
    if len(traces) > 1:
        message = f"{name}: it holds {len(traces)} traces; export the one of the incident"
        raise UsageError(message)
    whole = [span for span in readable if span.said] or readable
    best = max([span for span in whole if span.root] or whole, key=lambda span: span.at)
    response = {"choices": [{"message": best.said}]} if best.said else {}
    return {"request": {"messages": list(best.asked)}, "response": response}


def _spans(row: Row) -> Iterator[_Span]:
    """The spans of one object: a span, or a trace with its spans in it."""
    if _batches(row):
        for attributes, span in _of_otlp(row):
            yield _of_attributes(attributes, span)
    elif isinstance(row.get("attributes"), dict | list) and any(map(_GEN_AI.match, _flat(row["attributes"]))):
        yield _of_attributes(_flat(row["attributes"]), row)
    elif "run_type" in row:
        yield from _of_langsmith(row)
    elif any(key in row for key in _OF_LANGFUSE):
        yield from _of_langfuse(row)


# --- OpenTelemetry ---------------------------------------------------------------------------------------------


def _batches(row: Row) -> list[Any]:
    found = next((row[key] for key in ("resourceSpans", "resource_spans", "batches") if key in row), None)
    return found if isinstance(found, list) else []


def _of_otlp(row: Row) -> Iterator[tuple[dict[str, Any], Row]]:
    for batch in _batches(row):
        for key in ("scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            for scope in _rows(batch, key):
                for span in _rows(scope, "spans"):
                    yield _flat(span.get("attributes")), span


def _rows(value: Any, key: str) -> list[Row]:
    found = value.get(key) if isinstance(value, dict) else None
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _flat(attributes: Any) -> dict[str, Any]:
    """Attributes as an object: OTLP's JSON writes them as a list of keys with typed values."""
    if isinstance(attributes, dict):
        return attributes
    pairs = [pair for pair in attributes or () if isinstance(pair, dict)] if isinstance(attributes, list) else []
    return {str(pair.get("key")): _any_value(pair.get("value")) for pair in pairs}


def _any_value(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if "arrayValue" in value:
        return [_any_value(one) for one in _rows(value["arrayValue"], "values")]
    if "kvlistValue" in value:
        return _flat(value["kvlistValue"].get("values") if isinstance(value["kvlistValue"], dict) else None)
    return next(iter(value.values()), None)


def _of_attributes(attributes: Mapping[str, Any], span: Row) -> _Span:
    """The semantic conventions' messages, else what OpenLLMetry, OpenInference and the AI SDK write."""
    asked = asked_of(attributes.get("gen_ai.input.messages"))
    system = asked_of(attributes.get("gen_ai.system_instructions"))
    if asked and system:
        asked = ({"role": "system", "content": "\n".join(part["content"] for part in system)}, *asked)
    for prefix, within in (("gen_ai.prompt.", ""), ("llm.input_messages.", "message.")):
        asked = asked or asked_of(indexed(attributes, prefix, within))
    for name in ("ai.prompt.messages", "ai.prompt", "input.value", "traceloop.entity.input"):
        asked = asked or asked_of(attributes.get(name))
    said = said_of(attributes.get("gen_ai.output.messages"))
    for prefix, within in (("gen_ai.completion.", ""), ("llm.output_messages.", "message.")):
        said = said or said_of(indexed(attributes, prefix, within))
    if said is None and ("ai.response.text" in attributes or "ai.response.toolCalls" in attributes):
        calls = attributes.get("ai.response.toolCalls")
        said = said_of({"role": "assistant", "content": attributes.get("ai.response.text"), "tool_calls": _json(calls)})
    for name in ("output.value", "traceloop.entity.output"):
        said = said or said_of(attributes.get(name))
    at = span.get("startTimeUnixNano") or span.get("start_time") or span.get("startTime") or ""
    parent = span.get("parentSpanId") or span.get("parent_span_id") or span.get("parent_id")
    context = span.get("context")
    inner = context.get("trace_id") if isinstance(context, dict) else None
    trace = span.get("traceId") or span.get("trace_id") or inner or ""
    return _Span(asked, said, not parent, str(at), str(trace))


def _json(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return None


# --- Langfuse, LangSmith ---------------------------------------------------------------------------------------


def _of_langfuse(row: Row) -> Iterator[_Span]:
    """A trace with its observations, or an observation alone."""
    inner = row.get("trace")
    whole = inner if isinstance(inner, dict) else row
    name = str(whole.get("traceId") or whole.get("id") or "")
    observations = _rows(row, "observations")
    if observations or "traceId" not in row:
        yield _Span(asked_of(whole.get("input")), said_of(whole.get("output")), root=True, at="", trace=name)
    for one in observations or ([row] if "traceId" in row else []):
        asked = asked_of(one.get("input")) if one.get("type") in (None, "GENERATION", "AGENT", "CHAIN") else ()
        at = str(one.get("startTime") or "")
        trace = str(one.get("traceId") or name)
        yield _Span(asked, said_of(one.get("output")), root=False, at=at, trace=trace)


def _of_langsmith(row: Row) -> Iterator[_Span]:
    """A run and its children; a tool's or a retriever's own input is nobody's question."""
    waiting: list[tuple[Row, str]] = [(row, str(row.get("trace_id") or row.get("id") or ""))]
    for _ in range(_MOST):
        if not waiting:
            return
        run, trace = waiting.pop()
        if run.get("run_type") in ("llm", "chain", "prompt", None):
            root = not run.get("parent_run_id") and run is row
            at = str(run.get("start_time") or "")
            yield _Span(asked_of(run.get("inputs")), said_of(run.get("outputs")), root, at, trace)
        waiting += [(child, trace) for child in _rows(run, "child_runs")]
