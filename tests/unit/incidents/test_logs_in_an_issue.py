"""An API's log or a trace pasted where the question belongs: read as the conversation it holds, or asked back."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from quilate.goldens.incidents.building import Built, SecretLeft, Source, build
from quilate.goldens.incidents.reading import read_body

REQUEST = {"model": "m", "messages": [{"role": "user", "content": "cancel order 5"}]}
CALL = {"function": {"name": "cancel", "arguments": json.dumps({"mail": "robin.muestra@mail.example.org"})}}
ANSWER = {"choices": [{"message": {"role": "assistant", "content": "Done.", "tool_calls": [CALL]}}]}
STREAM = "\n".join(
    "data: " + json.dumps({"id": "c", "choices": [{"index": 0, "delta": delta}]})
    for delta in ({"role": "assistant", "content": "Do"}, {"content": "ne."}, {"tool_calls": [{"index": 0, **CALL}]})
)
LOGS = {
    "request and response": json.dumps({"request": REQUEST, "response": ANSWER}, indent=2),
    "a stream": f"{json.dumps(REQUEST)}\n\n{STREAM}",
    "a Langfuse generation": json.dumps(
        {"traceId": "t", "type": "GENERATION", "input": REQUEST["messages"], "output": ANSWER["choices"][0]["message"]}
    ),
}


def _body(asked, answered="_No response_"):
    return (
        f"### What was asked\n\n```json\n{asked}\n```\n\n### What the agent answered\n\n{answered}\n\n"
        "### What it should have done\n\nasks first\n"
    )


def _built(body):
    return build(read_body(body), Source("x", dt.date(2026, 6, 22)))


@pytest.mark.parametrize("form", LOGS)
def test_a_log_in_the_form_is_the_conversation_it_holds(form):
    built = _built(_body(LOGS[form]))
    assert isinstance(built, Built), built
    assert (built.case.input, built.answered) == ("cancel order 5", "Done.")
    assert built.called == ('cancel({"mail": "person-1@example.com"})',)


def test_the_answer_that_somebody_wrote_goes_before_the_logs():
    assert read_body(_body(LOGS["request and response"], "It said it was done")).answered == "It said it was done"


@pytest.mark.parametrize(
    ("asked", "why"), [(STREAM, "no_request"), (json.dumps(ANSWER), "no_request"), ('{"a": 1}', "broken_json")]
)
def test_a_log_without_a_question_is_asked_back(asked, why):
    assert [question.why for question in read_body(_body(asked)).questions] == [why]


def test_a_secret_in_a_calls_arguments_is_refused():
    key = "-----BEGIN " + "PRIVATE KEY-----"
    log = LOGS["request and response"].replace("robin.muestra@mail.example.org", key)
    assert isinstance(_built(_body(log)), SecretLeft)


def test_a_system_prompt_is_left_out_and_told():
    log = json.dumps({"request": REQUEST | {"messages": [{"role": "system", "content": "s"}, *REQUEST["messages"]]}})
    built = _built(_body(log))
    assert isinstance(built, Built)
    assert built.case.messages == _built(_body(LOGS["request and response"])).case.messages
    assert "system_prompt" in built.notes
    assert "system_prompt" not in _built(_body(LOGS["request and response"])).notes


def test_every_note_has_its_words_for_terminal_and_pull_request():
    from quilate.cli.case_add import NOTES as ON_A_TERMINAL
    from quilate.github.incident_words import NOTES as IN_A_PULL_REQUEST

    assert set(ON_A_TERMINAL) | {"category_unstated"} == set(IN_A_PULL_REQUEST)
