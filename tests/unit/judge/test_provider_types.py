"""Our requests and our fake's replies, checked against the providers' own published types."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest
from pydantic import TypeAdapter
from tests.judge_factories import a_grader, a_judged_case, graded, met
from tests.wire_factories import SPEAKERS, Speaker

from quilate.agents.agent import Usage
from quilate.providers.client import WIRES
from quilate.providers.model import Prompt, Stop, Turn

each_speaker = pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda each: each.provider)

TOOL = {
    "name": "consultarPedido",
    "description": "Estado de un pedido",
    "parameters": {"type": "object", "properties": {"numero": {"type": "string"}}, "required": ["numero"]},
}


def request_type(provider: str) -> Any:
    if provider == "anthropic":
        from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

        return MessageCreateParamsNonStreaming
    if provider == "openai":
        from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

        return CompletionCreateParamsNonStreaming
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

    return ResponseCreateParamsNonStreaming


def response_type(provider: str) -> Any:
    if provider == "anthropic":
        from anthropic.types import Message

        return Message
    if provider == "openai":
        from openai.types.chat import ChatCompletion

        return ChatCompletion
    from openai.types.responses import Response

    return Response


def a_judges_prompt() -> Prompt:
    grader, model = a_grader()
    graded(grader, a_judged_case("responde con el estado"))
    return model.prompts[0]


def a_chat_prompt() -> Prompt:
    turns = (Turn("user", "hola"), Turn("assistant", "¿sí?"), Turn("user", "mi pedido"))
    return Prompt("Eres formal.", turns, tools=(TOOL,), metadata={"user_id": "u-1", "eval_case": "c-1"})


@each_speaker
@pytest.mark.parametrize("prompt", [a_judges_prompt(), a_chat_prompt()], ids=["judge", "chat"])
def test_requests_are_what_the_providers_client_would_send(speaker: Speaker, prompt: Prompt) -> None:
    body = WIRES[speaker.provider]().body(prompt, "m", 1000)
    TypeAdapter(request_type(speaker.provider)).validate_python(body)
    assert set(body) <= set(get_type_hints(request_type(speaker.provider)))


@each_speaker
def test_the_fakes_replies_are_the_providers_own(speaker: Speaker) -> None:
    for body in (
        speaker.says({"c01": met()}), speaker.truncated(), speaker.refuses(), speaker.thinks_first("x"),
        speaker.calls("consultarPedido", {"numero": "1"}),
    ):  # fmt: skip
        response_type(speaker.provider).model_validate(body, strict=False)


@each_speaker
def test_a_completion_is_read_out_of_each(speaker: Speaker) -> None:
    wire = WIRES[speaker.provider]()
    said = wire.read(speaker.says("hola"))
    assert (said.text, said.stop) == ("hola", Stop.END)
    assert said.usage == Usage(input_tokens=100, output_tokens=20, cached_tokens=10)
    assert wire.read(speaker.truncated()).stop is Stop.LENGTH
    refused = wire.read(speaker.refuses())
    assert refused.stop is Stop.REFUSAL
    assert refused.refusal
    called = wire.read(speaker.calls("consultarPedido", {"numero": "47821"}))
    assert called.stop is Stop.TOOLS
    assert [(call.name, call.args) for call in called.tool_calls] == [("consultarPedido", {"numero": "47821"})]


@each_speaker
def test_no_sampling_parameter_is_ever_sent(speaker: Speaker) -> None:
    body = WIRES[speaker.provider]().body(a_judges_prompt(), "m", 1000)
    assert not body.keys() & {"temperature", "top_p", "top_k", "seed"}


def test_arguments_that_are_no_json_stay_text() -> None:
    speaker = SPEAKERS[1]
    body = speaker.calls("x", {})
    body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = "{broken"
    assert WIRES["openai"]().read(body).tool_calls[0].args == "{broken"
