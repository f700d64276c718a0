"""A bare model as the agent, asked over the wire in each provider's format."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.integration.judge.conftest import Answer, Loopback
from tests.wire_factories import SPEAKERS, Speaker

from quilate.agents.agent import AskFailed, FaultKind, Reply, Request, Usage
from quilate.agents.chat import ChatAgentAdapter
from quilate.config import ChatAgent
from quilate.errors import UsageError
from quilate.goldens.case import Message

each_speaker = pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda each: each.provider)

KEYS = {"ANTHROPIC_API_KEY": "k-secret-1", "OPENAI_API_KEY": "k-secret-1"}
TOOL = {"name": "consultarPedido", "description": "Estado", "parameters": {"type": "object", "properties": {}}}
QUESTION = (Message(role="user", content="¿Mi pedido 47821?"),)


def an_adapter(speaker: Speaker, loopback: Loopback, environ: dict[str, str] = KEYS, **chat: Any) -> ChatAgentAdapter:
    model = "claude-haiku-5-5" if speaker.provider == "anthropic" else "gpt-6-luna"
    written = {"provider": speaker.provider, "model": model, "base_url": loopback.url + speaker.base, **chat}
    return ChatAgentAdapter(ChatAgent.model_validate_json(json.dumps(written)), environ=environ)


def ask(adapter: ChatAgentAdapter, messages: tuple[Message, ...] = QUESTION) -> Reply:
    async def go() -> Reply:
        async with adapter as agent:
            return await agent.ask(Request("c-1", messages, messages, trial=2))

    return asyncio.run(go())


@each_speaker
def test_the_first_answer_with_its_tool_calls_is_the_reply(speaker: Speaker, loopback: Loopback) -> None:
    loopback.answers(Answer(speaker.calls("consultarPedido", {"numero": "47821"})))
    reply = ask(an_adapter(speaker, loopback, system="Eres formal.", tools=[TOOL]))
    assert reply.output == "Un momento."
    assert [(call.name, call.args) for call in reply.tool_calls] == [("consultarPedido", {"numero": "47821"})]
    assert reply.usage == Usage(input_tokens=100, output_tokens=20, cached_tokens=10)
    assert reply.cost_usd is not None
    assert reply.duration_ms is not None
    assert len(loopback.asked) == 1
    sent = json.dumps(loopback.asked[0].body, ensure_ascii=False)
    assert "Eres formal." in sent
    assert "consultarPedido" in sent


@each_speaker
def test_a_conversation_is_sent_turn_by_turn(speaker: Speaker, loopback: Loopback) -> None:
    loopback.answers(Answer(speaker.says("Sí.")))
    messages = (
        Message(role="system", content="Hoy es lunes."), Message(role="user", content="Hola"),
        Message(role="assistant", content="¿Sí?"), Message(role="tool", name="reloj", content="9:00"),
    )  # fmt: skip
    ask(an_adapter(speaker, loopback, system="Eres formal."), messages)
    body = loopback.asked[0].body
    turns = [turn for turn in body.get("messages", body.get("input")) if turn["role"] != "system"]
    assert [(turn["role"], turn["content"]) for turn in turns] == [
        ("user", "Hola"), ("assistant", "¿Sí?"), ("user", "[result of reloj]\n9:00"),
    ]  # fmt: skip
    assert "Eres formal.\\n\\nHoy es lunes." in json.dumps(body)


def test_the_responses_form_carries_metadata_and_the_end_user(loopback: Loopback) -> None:
    loopback.answers(Answer(SPEAKERS[2].says("Sí.")))
    metadata = {"capability": "locale-context", "eval_case": "{{ case_id }}", "trial": "{{ trial }}"}
    ask(an_adapter(SPEAKERS[2], loopback, metadata=metadata, on_behalf_of="user-7"))
    asked = loopback.asked[0]
    assert asked.body["metadata"] == {"capability": "locale-context", "eval_case": "c-1", "trial": "2"}
    assert asked.headers["x-on-behalf-of"] == "user-7"


@each_speaker
@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (429, FaultKind.INFRASTRUCTURE, True),
        (500, FaultKind.INFRASTRUCTURE, True),
        (503, FaultKind.INFRASTRUCTURE, True),
        (529, FaultKind.INFRASTRUCTURE, True),
        (400, FaultKind.AGENT, False),
        (401, FaultKind.AGENT, False),
        (404, FaultKind.AGENT, False),
    ],
)
def test_outages_are_infrastructure_and_the_rest_is_the_agents(
    speaker: Speaker, loopback: Loopback, status: int, kind: FaultKind, retryable: bool
) -> None:
    loopback.answers(Answer(speaker.error("no"), status, {"retry-after": "7"}))
    with pytest.raises(AskFailed) as failed:
        ask(an_adapter(speaker, loopback))
    assert (failed.value.fault.kind, failed.value.retryable) == (kind, retryable)
    assert not retryable or failed.value.retry_after_s == 7
    assert len(loopback.asked) == 1


@each_speaker
def test_html_is_a_crash(speaker: Speaker, loopback: Loopback) -> None:
    loopback.answers(Answer(b"<html>", headers={"content-type": "text/html"}))
    with pytest.raises(AskFailed, match="an HTML page instead of JSON") as failed:
        ask(an_adapter(speaker, loopback))
    assert failed.value.fault.kind is FaultKind.AGENT


@each_speaker
def test_a_refusal_is_a_reply_to_grade(speaker: Speaker, loopback: Loopback) -> None:
    loopback.answers(Answer(speaker.refuses()))
    assert ask(an_adapter(speaker, loopback)).output in ("I cannot help with that.", "reasoning_extraction")


def test_an_absent_key_is_a_secret(loopback: Loopback) -> None:
    with pytest.raises(AskFailed) as failed:
        ask(an_adapter(SPEAKERS[0], loopback, environ={}))
    assert failed.value.fault.kind is FaultKind.SECRET


def test_the_description_holds_what_identifies_the_agent_and_no_key(loopback: Loopback) -> None:
    described = an_adapter(SPEAKERS[1], loopback, system="Eres formal.").describe()
    assert described["kind"] == "chat"
    assert (described["model"], described["system"]) == ("gpt-6-luna", "Eres formal.")
    assert described["host"] == loopback.url.removeprefix("http://")
    assert "k-secret-1" not in json.dumps(described)


def test_a_template_that_cannot_be_parsed_is_refused_at_once(loopback: Loopback) -> None:
    with pytest.raises(UsageError, match=r"agent\.chat\.metadata\.x"):
        an_adapter(SPEAKERS[1], loopback, metadata={"x": "{{ case_id"})


def test_an_address_that_is_none_is_refused_at_once(loopback: Loopback) -> None:
    with pytest.raises(UsageError, match="is no address"):
        an_adapter(SPEAKERS[1], loopback, base_url="api.example.com/v1")
