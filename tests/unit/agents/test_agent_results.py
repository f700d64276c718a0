from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.agents.agent import FaultKind, Reply
from quilate.agents.decoding import MAX_REPLY_BYTES, BadReplyError, decode
from quilate.agents.results import parse_result

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def _read(text: str | bytes) -> Reply:
    return parse_result(decode(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")))


def test_a_whole_result_is_read():
    reply = _read(
        json.dumps(
            {
                "case_id": "a",
                "output": "Su pedido va en camino.",
                "tool_calls": [{"name": "consultarPedido", "args": {"numero": "47821"}, "output": {"ok": True}}],
                "fragments": ["uno", {"text": "dos", "id": 7, "source": "faq", "score": 0.5}],
                "duration_ms": 12,
                "metrics": {"words": 5},
                "usage": {"input_tokens": 3, "output_tokens": 4},
                "model": "m-1",
                "cost_usd": 0.00001,
                "anything": "else",
            }
        )
    )
    assert reply.output == "Su pedido va en camino."
    assert reply.tool_calls[0].args == {"numero": "47821"}
    assert reply.tool_calls[0].output == {"ok": True}
    assert reply.fragments is not None
    assert [(f.text, f.id, f.score) for f in reply.fragments] == [("uno", None, None), ("dos", "7", 0.5)]
    assert (reply.duration_ms, reply.metrics, reply.model) == (12.0, {"words": 5.0}, "m-1")
    assert reply.usage is not None
    assert reply.usage.output_tokens == 4
    assert reply.cost_usd == "0.00001"
    assert reply.fault is None


def test_no_search_and_an_empty_search_are_two_things():
    assert _read('{"output": "x"}').fragments is None
    assert _read('{"output": "x", "fragments": []}').fragments == ()


@pytest.mark.parametrize(
    "written", ['"no agent"', '{"message": "no agent"}', '{"kind": "agent", "message": "no agent"}']
)
def test_an_error_is_a_fault_of_the_agent(written):
    fault = _read(f'{{"error": {written}}}').fault
    assert fault is not None
    assert (fault.kind, fault.message) == (FaultKind.AGENT, "no agent")


def test_an_agent_can_report_an_outage():
    fault = _read('{"error": {"kind": "infrastructure", "message": "429 from the provider"}}').fault
    assert fault is not None
    assert fault.kind is FaultKind.INFRASTRUCTURE


@pytest.mark.parametrize("written", ['{"kind": "green", "message": "m"}', "[]", "17", "true", '{"message": 5}'])
def test_an_error_of_another_shape_is_a_crash(written):
    fault = _read(f'{{"error": {written}}}').fault
    assert fault is not None
    assert fault.kind is FaultKind.AGENT


@pytest.mark.parametrize("written", ["null", '""', "false"])
def test_no_error_is_no_fault(written):
    assert _read(f'{{"output": "x", "error": {written}}}').fault is None


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "found nothing"),
        (b"hello", "not JSON"),
        (b'{"output": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "nested"),
        (b'{"output": "x", "metrics": ' + b'{"a":' * 150 + b"1" + b"}" * 151, "nested"),
        (b'{"output": "x", "metrics": {"a": NaN}}', "NaN"),
        (b'{"output": "x", "metrics": {"a": -Infinity}}', "Infinity"),
        (b'{"output": "x", "metrics": {"a": 1e999}}', "too large"),
        (b'{"output": "x", "metrics": {"a": ' + b"9" * 5000 + b"}}", "5000 digits"),
        (b'{"output": "\\ud800"}', "surrogate"),
        (b'{"output": "x", "tool_calls": [{"name": "a", "args": {"\\udfff": 1}}]}', "surrogate"),
        (b'{"output": 5}', "output is the number 5"),
        (b'{"output": ["a"]}', "output is a list"),
        (b'{"output": "x", "tool_calls": {}}', "tool_calls is an object"),
        (b'{"output": "x", "tool_calls": ["a"]}', "tool_calls[0]"),
        (b'{"output": "x", "tool_calls": [{"name": ""}]}', "tool_calls[0].name"),
        (b'{"output": "x", "tool_calls": [{"tool": "a"}]}', "tool_calls[0].name"),
        (b'{"output": "x", "duration_ms": true}', "duration_ms is the boolean true"),
        (b'{"output": "x", "duration_ms": -1}', "from 0"),
        (b'{"output": "x", "metrics": {"a": "5"}}', "metrics.a"),
        (b'{"output": "x", "metrics": []}', "metrics"),
        (b'{"output": "x", "fragments": [{}]}', "fragments[0]"),
        (b'{"output": "x", "usage": 3}', "usage"),
        (b'{"output": "x", "usage": {"input_tokens": "3"}}', "usage.input_tokens"),
        (b'{"output": "x", "cost_usd": "NaN"}', "cost_usd"),
        (b'{"output": "x", "model": 5}', "model is the number 5"),
        (b'{"output": "x", "toolCalls": []}', "'tool_calls'"),
        (b'{"answer": "x"}', "neither output nor tool_calls"),
        (b"[]", "the reply is a list"),
        (b'{"output": "' + b"x" * MAX_REPLY_BYTES + b'"}', "10 MB"),
    ],
)
def test_a_hostile_reply_is_refused_with_its_reason(raw, reason):
    with pytest.raises(BadReplyError) as raised:
        _read(raw)
    assert reason in str(raised.value)
    assert len(str(raised.value)) < 500


def test_a_result_may_leave_out_its_case_and_may_not_name_another():
    assert parse_result({"output": "x"}, case_id="a").output == "x"
    with pytest.raises(BadReplyError, match="is for case"):
        parse_result({"case_id": "b", "output": "x"}, case_id="a")


def test_tool_calls_alone_are_a_reply():
    assert _read('{"tool_calls": [{"name": "a", "args": null}], "output": null}').tool_calls[0].name == "a"


@given(JSON)
def test_any_json_is_a_reply_that_can_be_stored_or_refused(value):
    raw = json.dumps(value).encode()
    try:
        reply = _read(raw)
    except BadReplyError:
        return
    assert Reply.model_validate_json(reply.model_dump_json()) == reply


FIELD = st.sampled_from(["output", "tool_calls", "fragments", "metrics", "duration_ms", "error", "usage", "cost_usd"])


@given(st.dictionaries(FIELD, JSON, min_size=1))
def test_any_value_of_any_field_is_a_reply_that_can_be_stored_or_refused(value):
    test_any_json_is_a_reply_that_can_be_stored_or_refused.hypothesis.inner_test(value)


@given(st.binary(max_size=300))
def test_any_bytes_are_decoded_or_refused(raw):
    with contextlib.suppress(BadReplyError):
        json.dumps(decode(raw), allow_nan=False).encode()
