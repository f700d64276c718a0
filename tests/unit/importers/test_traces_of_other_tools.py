"""Traces that observability tools export, as far as they say what was asked and answered."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.errors import UsageError
from quilate.goldens.importers.logs import read_log

ASKED, SAID = "cancel order 5", "Done, all cancelled."
CALL = ("cancel_order", {"id": 5})


def _attributes(values):
    return [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]


def _otlp(*spans, trace="t1"):
    rows = [
        {
            "traceId": trace,
            "spanId": str(at),
            "parentSpanId": parent,
            "startTimeUnixNano": f"17{at:017d}",
            "attributes": attributes,
        }
        for at, (parent, attributes) in enumerate(spans)
    ]
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": rows}]}]}


INPUT_PARTS = [
    {"role": "user", "parts": [{"type": "text", "content": ASKED}]},
    {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "look", "arguments": {}}]},
    {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "ok"}]},
]
OUTPUT_PARTS = [
    {
        "role": "assistant",
        "parts": [
            {"type": "text", "content": SAID},
            {"type": "tool_call", "id": "2", "name": "cancel_order", "arguments": {"id": 5}},
        ],
        "finish_reason": "stop",
    }
]
GEN_AI = {
    "gen_ai.operation.name": "chat",
    "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be kind."}]),
    "gen_ai.input.messages": json.dumps(INPUT_PARTS),
    "gen_ai.output.messages": json.dumps(OUTPUT_PARTS),
}
TITLE = {
    "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Make a title"}]}]),
    "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "A title"}]}]),
}
OPENLLMETRY = {
    "gen_ai.prompt.0.role": "user",
    "gen_ai.prompt.0.content": ASKED,
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": SAID,
    "gen_ai.completion.0.tool_calls.0.name": "cancel_order",
    "gen_ai.completion.0.tool_calls.0.arguments": '{"id": 5}',
}
OPENINFERENCE = {
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": ASKED,
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": SAID,
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "cancel_order",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"id": 5}',
}
AI_SDK = {
    "ai.operationId": "ai.generateText",
    "ai.prompt.messages": json.dumps([{"role": "user", "content": [{"type": "text", "text": ASKED}]}]),
    "ai.response.text": SAID,
    "ai.response.toolCalls": json.dumps([{"toolCallId": "1", "toolName": "cancel_order", "input": {"id": 5}}]),
}
CHAT_OUTPUT = {
    "role": "assistant",
    "content": SAID,
    "tool_calls": [{"id": "1", "type": "function", "function": {"name": "cancel_order", "arguments": '{"id": 5}'}}],
}
GENERATION = {
    "id": "o1", "traceId": "t1", "type": "GENERATION", "startTime": "2026-06-22T14:00:01Z",
    "input": [{"role": "user", "content": ASKED}], "output": CHAT_OUTPUT,
}  # fmt: skip


def _lc(name, **kwargs):
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": kwargs}


LANGCHAIN_SAID = _lc("AIMessage", content=SAID, tool_calls=[{"name": "cancel_order", "args": {"id": 5}, "id": "1"}])
LLM_RUN = {
    "id": "r2", "trace_id": "t1", "parent_run_id": "r1", "run_type": "llm", "start_time": "2026-06-22T14:00:01",
    "inputs": {"messages": [[_lc("HumanMessage", content=ASKED)]]},
    "outputs": {"generations": [[{"text": SAID, "message": LANGCHAIN_SAID}]]},
}  # fmt: skip

EXPORTS = {
    "OpenTelemetry, OTLP": _otlp(("", _attributes({"http.method": "POST"})), ("0", _attributes(GEN_AI))),
    "OpenTelemetry, a span as a JSON object": {"name": "chat", "trace_id": "t1", "attributes": GEN_AI},
    "OpenTelemetry, structured values": {
        "attributes": {**GEN_AI, "gen_ai.input.messages": INPUT_PARTS, "gen_ai.output.messages": OUTPUT_PARTS}
    },
    "OpenLLMetry": _otlp(("9", _attributes(OPENLLMETRY))),
    "OpenInference": [{"context": {"trace_id": "t1"}, "parent_id": "x", "attributes": OPENINFERENCE}],
    "AI SDK": {"traceId": "t1", "attributes": AI_SDK},
    "Langfuse, a trace": {"id": "t1", "input": {"question": ASKED}, "output": CHAT_OUTPUT, "observations": []},
    "Langfuse, a trace whose own input says nothing": {
        "trace": {"id": "t1", "input": None, "output": None},
        "observations": [
            {"type": "SPAN", "traceId": "t1", "input": "find it", "output": "x", "startTime": "2026-06-22T15"},
            GENERATION,
        ],
    },
    "Langfuse, a generation": GENERATION,
    "LangSmith, a model's run": LLM_RUN,
    "LangSmith, a chain with its children": {
        "id": "r1", "trace_id": "t1", "run_type": "chain", "start_time": "2026-06-22T14:00:00",
        "inputs": {"input": ASKED}, "outputs": {"output": {"type": "ai", **LANGCHAIN_SAID["kwargs"]}},
        "child_runs": [LLM_RUN, {"run_type": "tool", "inputs": {"input": "x"}, "outputs": {"output": "y"}}],
    },
    "LangSmith, a wrapped client": {
        "id": "r1", "run_type": "llm", "inputs": {"messages": [{"role": "user", "content": ASKED}], "model": "m"},
        "outputs": {"choices": [{"message": CHAT_OUTPUT}]},
    },
    "LangSmith, messages in and out": {
        "id": "r1", "run_type": "chain", "inputs": {"messages": [{"type": "human", "data": {"content": ASKED}}]},
        "outputs": {"messages": [{"type": "human", "content": ASKED}, LANGCHAIN_SAID]},
    },
}  # fmt: skip


@pytest.mark.parametrize("tool", EXPORTS)
@pytest.mark.parametrize("form", ["JSON", "JSON Lines"])
def test_question_answer_and_calls_are_found_in_an_export(tool, form):
    value = EXPORTS[tool]
    rows = value if isinstance(value, list) else [value]
    logged = read_log(json.dumps(value, indent=1) if form == "JSON" else "\n".join(map(json.dumps, rows)))
    assert [message["content"] for message in logged.messages if message["role"] == "user"] == [ASKED]
    assert logged.answered == SAID
    assert [(call.name, call.args) for call in logged.calls] == [CALL]
    assert logged.notes == ()


def test_the_systems_instructions_are_part_of_the_conversation():
    logged = read_log(json.dumps(EXPORTS["OpenTelemetry, OTLP"]))
    assert logged.messages[0] == {"role": "system", "content": "Be kind."}


def test_the_root_is_taken_before_a_later_call_about_something_else():
    log = _otlp(("", _attributes(GEN_AI)), ("0", _attributes(TITLE)))
    assert read_log(json.dumps(log)).messages[-1]["content"] == ASKED


def test_without_a_root_that_can_be_read_the_last_call_is_taken():
    log = _otlp(("x", _attributes(TITLE)), ("x", _attributes(GEN_AI)))
    assert read_log(json.dumps(log)).answered == SAID


def test_several_traces_are_not_guessed_among():
    text = "\n".join(json.dumps({**GENERATION, "traceId": name}) for name in ("t1", "t2"))
    with pytest.raises(UsageError, match="it holds 2 traces; export the one of the incident"):
        read_log(text)


def test_a_trace_without_messages_is_told():
    log = _otlp(("", _attributes({"gen_ai.operation.name": "chat"})))
    with pytest.raises(UsageError, match="no span in it holds messages; export the trace with its inputs and outputs"):
        read_log(json.dumps(log))


def test_a_log_of_several_conversations_is_told():
    rows = [{"request": {"messages": [{"role": "user", "content": text}]}, "response": text} for text in ("a", "b")]
    logged = read_log(json.dumps(rows))
    assert (logged.input, logged.answered, logged.notes) == ("b", "b", ("several",))


NAMES = """
attributes resourceSpans scopeSpans spans key value arrayValue kvlistValue values observations trace traceId input
output inputs outputs run_type child_runs messages role type content parts tool_calls function name arguments kwargs id
data choices generations message gen_ai.input.messages gen_ai.output.messages gen_ai.prompt.0.role
gen_ai.prompt.0.content llm.input_messages.0.message.tool_calls.0.x
"""
LEAVES = ["user", "assistant", "text", "[", "{}", '["x"]', None, True, 0, -2]
VALUES = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(NAMES.split())), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(VALUES)
def test_whatever_stands_in_an_export_there_is_a_log_or_one_clear_error(value):
    try:
        logged = read_log(json.dumps([value] if isinstance(value, dict) else {"observations": value}))
    except UsageError:
        return
    assert all(isinstance(message["content"], str) for message in logged.messages)
