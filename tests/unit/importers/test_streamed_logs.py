"""Streams of model APIs in a log: read as the same answer is that was not streamed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.errors import UsageError
from quilate.goldens.importers.logs import is_log, read_log

REQUEST = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "cancel it"}]}
SAID = "Listo: «cancelado» 😀"
CALLS = [("get_order", {"number": "47821"}), ("cancel_order", {"id": 5, "why": 'a "quote"'})]


def chat(text=SAID, calls=CALLS):
    """Chunks of chat completions, two tool calls' arguments in turns."""

    def chunk(delta, **more):
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, **more}],
        }

    yield chunk({"role": "assistant", "content": ""})
    yield from (chunk({"content": sign}) for sign in text)
    for index, (name, _) in enumerate(calls):
        function = {"name": name, "arguments": ""}
        yield chunk({"tool_calls": [{"index": index, "id": f"call_{index}", "type": "function", "function": function}]})
    written = [json.dumps(args) for _, args in calls]
    for at in range(max(map(len, written), default=0)):
        for index, arguments in enumerate(written):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": arguments[at : at + 1]}}]})
    yield chunk({}, finish_reason="tool_calls")
    yield {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 9}}


def responses(text=SAID, calls=CALLS, *, final=True):
    """Events of the Responses API: a reasoning item, a message, function calls in turns."""
    yield {"type": "response.created", "response": {"id": "resp_1", "output": []}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "summary": []}}
    yield {"type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "hm"}
    message = {"type": "message", "role": "assistant", "content": []}
    yield {"type": "response.output_item.added", "output_index": 1, "item": message}
    for sign in text:
        yield {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": sign}
    for index, (name, _) in enumerate(calls, 2):
        item = {"type": "function_call", "name": name, "arguments": "", "call_id": f"c{index}"}
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
    written = [json.dumps(args) for _, args in calls]
    for at in range(max(map(len, written), default=0)):
        for index, arguments in enumerate(written, 2):
            delta = arguments[at : at + 1]
            yield {"type": "response.function_call_arguments.delta", "output_index": index, "delta": delta}
    if final:
        output = [
            {"type": "message", "content": [{"type": "output_text", "text": text}]},
            *({"type": "function_call", "name": name, "arguments": json.dumps(args)} for name, args in calls),
        ]
        yield {"type": "response.completed", "response": {"id": "resp_1", "output": output}}


def anthropic(text=SAID, calls=CALLS):
    """Events of Anthropic's messages: thinking, text, tool uses whose input comes in turns."""
    yield {"type": "message_start", "message": {"role": "assistant", "content": []}}
    yield {"type": "ping"}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}
    yield {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}
    for sign in text:
        yield {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": sign}}
    for index, (name, _) in enumerate(calls, 2):
        block = {"type": "tool_use", "id": f"t{index}", "name": name, "input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": block}
    written = [json.dumps(args) for _, args in calls]
    for at in range(max(map(len, written), default=0)):
        for index, arguments in enumerate(written, 2):
            delta = {"type": "input_json_delta", "partial_json": arguments[at : at + 1]}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "message_delta", "delta": {"stop_reason": "tool_use"}}
    yield {"type": "message_stop"}


APIS = {
    "chat completions": chat,
    "Responses": responses,
    "Responses, cut off": lambda: responses(final=False),
    "Anthropic": anthropic,
}


def sse(events, *, named=True, blank="\n\n", done=False):
    lines = (
        (f"event: {event['type']}\n" if named and "type" in event else "") + f"data: {json.dumps(event)}{blank}"
        for event in events
    )
    return "".join(lines) + ("data: [DONE]\n\n" if done else "")


FORMS = {
    "server-sent events": lambda events: json.dumps(REQUEST, indent=2) + "\n\n" + sse(events, done=True),
    "no blank lines": lambda events: json.dumps(REQUEST) + "\n" + sse(events, named=False, blank="\n"),
    "CRLF and comments": lambda events: json.dumps(REQUEST) + "\r\n: ping\r\n\r\n" + sse(events, blank="\r\n\r\n"),
    "what curl says": lambda events: (
        f"{json.dumps(REQUEST)}\n< HTTP/2 200\n< content-type: x\n\n{sse(events)}\n* end\n"
    ),
    "JSON Lines": lambda events: "\n".join(map(json.dumps, [REQUEST, *events])),
    "a list": lambda events: json.dumps([REQUEST, *events]),
    "events with their names": lambda events: json.dumps([REQUEST, *({"event": "e", "data": one} for one in events)]),
    "a response's text": lambda events: json.dumps({"request": REQUEST, "response": sse(events)}),
    "a response's list": lambda events: json.dumps({"request": REQUEST, "response": list(events)}),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("api", APIS)
def test_a_stream_is_read_as_the_whole_answer_is(api, form):
    text = FORMS[form](list(APIS[api]()))
    assert is_log(text)
    logged = read_log(text)
    assert logged.messages == ({"role": "user", "content": "cancel it"},)
    assert logged.answered == SAID
    assert [(call.name, call.args) for call in logged.calls] == CALLS


@pytest.mark.parametrize("api", ["chat completions", "Responses", "Anthropic"])
def test_a_stream_that_ends_is_whole_and_one_that_breaks_off_is_not(api):
    events = list(APIS[api]())
    assert read_log(FORMS["server-sent events"](events)).notes == ()
    assert read_log(FORMS["JSON Lines"](events)).notes == ()
    assert read_log(FORMS["JSON Lines"](events[: len(events) // 2])).notes == ("stream_cut",)


def test_a_chunk_that_cannot_be_read_is_passed_over_and_said():
    text = sse(chat("abc", [])).replace('{"content": "b"}', '{"content": "b')
    logged = read_log(json.dumps(REQUEST) + "\n" + text)
    assert (logged.answered, logged.notes) == ("ac", ("stream_cut",))


def test_an_error_in_the_stream_is_said():
    broken = {"type": "error", "error": {"type": "overloaded_error"}}
    events = [*list(anthropic("abc", []))[:8], broken]
    logged = read_log(json.dumps(REQUEST) + "\n" + sse(events))
    assert (logged.answered, logged.notes) == ("ab", ("stream_cut",))


def test_of_two_answers_of_an_agents_loop_the_last_is_taken():
    first, last = chat("let me see", CALLS[:1]), chat("done", [])
    again = REQUEST | {"messages": [*REQUEST["messages"], {"role": "tool", "content": "ok"}]}
    renamed = ({**event, "id": "chatcmpl-2"} for event in last)
    text = f"{json.dumps(REQUEST)}\n{sse(first)}\n{json.dumps(again)}\n{sse(renamed)}"
    logged = read_log(text)
    assert (logged.answered, logged.calls) == ("done", ())


def test_two_streams_at_once_are_told_apart_by_their_ids():
    one = [{**event, "id": "a"} for event in chat("first", [])]
    other = [{**event, "id": "b"} for event in chat("other", [])]
    mixed = [event for pair in zip(one, other, strict=True) for event in pair]
    assert read_log(json.dumps(REQUEST) + "\n" + sse(mixed)).answered == "other"


def test_a_server_that_gives_every_chunk_an_id_of_its_own_or_none_is_understood():
    for name in ("id-{}", "", None):
        events = [{**event, "id": name and name.format(at)} for at, event in enumerate(chat("hello", []))]
        assert read_log(json.dumps(REQUEST) + "\n" + sse(events)).answered == "hello"


def test_calls_that_all_have_index_0_are_told_apart_by_their_ids():
    def delta(**call):
        return {"id": "x", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, **call}]}}]}

    events = [
        delta(id="a", function={"name": "one", "arguments": '{"n": 1}'}),
        delta(id="b", function={"name": "two", "arguments": '{"n": '}),
        delta(function={"arguments": "2}"}),
    ]
    logged = read_log(json.dumps(REQUEST) + "\n" + sse(events))
    assert [(call.name, call.args) for call in logged.calls] == [("one", {"n": 1}), ("two", {"n": 2})]


def test_a_second_choice_is_not_mixed_in():
    other = {"id": "chatcmpl-1", "choices": [{"index": 1, "delta": {"content": "X"}}]}
    events = [each for event in chat("abc", []) for each in (event, other)]
    assert read_log(json.dumps(REQUEST) + "\n" + sse(events)).answered == "abc"


def test_what_the_agent_said_before_its_tool_call_is_part_of_the_answer_and_not_of_the_question():
    messages = [
        {"role": "user", "content": "cancel 5"},
        {"role": "assistant", "content": "Let me look.", "tool_calls": [{"function": {"name": "t"}}]},
        {"role": "tool", "content": "{}"},
    ]
    log = {"request": {"messages": messages}, "response": {"choices": [{"message": {"content": "Done."}}]}}
    logged = read_log(json.dumps(log))
    assert (logged.input, logged.answered) == ("cancel 5", "Let me look.\nDone.")


def test_a_request_that_continues_another_is_said():
    log = {"request": {"input": "yes", "previous_response_id": "resp_0"}, "response": {"output": []}}
    assert read_log(json.dumps(log)).notes == ("continues",)


def test_an_answer_alone_has_no_question():
    logged = read_log(sse(chat("abc", [])))
    assert (logged.messages, logged.answered) == ((), "abc")


def test_a_transcript_with_the_word_data_is_no_log():
    assert not is_log("User: my\ndata: 3 GB\nBot: no")


def _any_of(words):
    return st.sampled_from(words.split())


SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "0", "{", "assistant", "text"])
NAMES = _any_of(
    "id type choices delta index content tool_calls function name arguments output_index item item_id content_index"
    " response output content_block partial_json text message error role data event finish_reason object"
)
TYPES = _any_of(
    "message_start content_block_start content_block_delta message_stop response.created response.output_item.added"
    " response.output_item.done response.output_text.delta response.output_text.done response.completed error"
    " response.function_call_arguments.delta response.function_call_arguments.done text_delta input_json_delta"
)
VALUES = st.recursive(
    SCALARS | TYPES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5)
)
EVENTS = st.builds(
    lambda kind, event: {**event, **kind},
    st.fixed_dictionaries({}, optional={"type": TYPES, "choices": VALUES, "delta": VALUES}),
    st.dictionaries(NAMES, VALUES, max_size=6),
)


@given(st.lists(EVENTS, max_size=8))
def test_whatever_stands_in_the_events_nothing_breaks(events):
    for text in (
        json.dumps(REQUEST) + "\n" + sse(events, named=False),
        json.dumps({"request": REQUEST, "res": events}),
    ):
        logged = read_log(text)
        assert logged.messages
        assert logged.answered is None or isinstance(logged.answered, str)
        assert all(isinstance(call.name, str) for call in logged.calls)


@given(st.lists(st.sampled_from(["data: {", "data: ", "\n", '{"', "}", "event: x\n", ":\n", "[DONE]", "é\u2028"])))
def test_a_stream_without_an_answer_in_it_is_one_clear_error(signs):
    with pytest.raises(UsageError, match=r"the log: (?:found no|no JSON)"):
        read_log("data: {" + "".join(signs))


@given(st.text(max_size=60), st.integers(1, 7))
def test_a_text_is_the_same_however_it_is_cut_into_chunks(text, size):
    parts = [text[at : at + size] for at in range(0, len(text), size)]
    for events in (chat(parts, []), anthropic(parts, []), responses(parts, [], final=False)):
        assert (read_log(json.dumps(REQUEST) + "\n" + sse(events)).answered or "") == text
