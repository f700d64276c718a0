"""What code sees of a reply for which tools were expected or used overrides what any judge says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories import a_case

from quilate.agents.agent import Reply, ToolCall
from quilate.judge.pairs import Rating, Rule, Ruling
from quilate.judge.side_by_side_rules import Gave, gave, ruling_of
from quilate.runs.lines import decode_as, encode
from quilate.runs.record import ReplyLine

CASE = a_case("c", input="¿Qué vuelos hay de Lima a Cusco el 20 de mayo?", expected_tool="buscarVuelos")
FREE = a_case("libre", input="Hola", expected_behavior=("saluda",))


def called(*outputs: Any, text: str = "Hay un vuelo.", error: str | None = None) -> Reply:
    calls = [ToolCall(name="buscarVuelos", args={}, output=output, error=error) for output in outputs]
    return Reply(output=text, tool_calls=tuple(calls))


def rule(reply: Reply, **more: Any) -> tuple[Rule, int] | None:
    ruling = ruling_of(CASE, reply, **more)
    return None if ruling is None else (ruling.rule, ruling.most)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ([], Gave.NOTHING),
        ({}, Gave.NOTHING),
        (None, Gave.NOTHING),
        ("none", Gave.NOTHING),
        ("None", Gave.NOTHING),
        ("null", Gave.NOTHING),
        (" [] ", Gave.NOTHING),
        ('{"flights": []}', Gave.NOTHING),
        ([[], {}], Gave.NOTHING),
        ({"flights": [], "total": 0}, Gave.NOTHING),
        ({"status": "ok", "data": None}, Gave.NOTHING),
        ({"found": False}, Gave.NOTHING),
        ({"count": 0}, Gave.NOTHING),
        ("Sin resultados.", Gave.NOTHING),
        ("nenhum resultado encontrado", Gave.NOTHING),
        ("", Gave.BLANK),
        (" \n", Gave.BLANK),
        ({"error": "timeout"}, Gave.ERROR),
        ("Error: no route", Gave.ERROR),
        ([{"flight": "LA2025"}], Gave.DATA),
        (0, Gave.DATA),
        (False, Gave.DATA),
        ({"ok": True, "error": None}, Gave.DATA),
        ({"cancelled": True, "refund": None}, Gave.DATA),
        ({"balance": 0}, Gave.DATA),
        ("none of the seats is free but two", Gave.DATA),
    ],
)
def test_what_a_tool_gave_is_told_by_its_output(output: Any, expected: Gave) -> None:
    assert gave(ToolCall(name="t", output=output)) is expected


def test_an_output_that_nobody_reported_is_missing() -> None:
    assert gave(ToolCall(name="t", args={})) is Gave.MISSING


@pytest.mark.parametrize("output", [None, "absent"])
def test_a_null_stays_a_null_in_a_run_file_and_an_absent_output_stays_absent(output: str | None) -> None:
    call = ToolCall(name="t", args={}) if output else ToolCall(name="t", args={}, output=None)
    line = ReplyLine(
        case_id="c", trial=0, input_fingerprint="0" * 32, prompt=CASE.messages, asked_at="",
        reply=Reply(tool_calls=(call,)),
    )  # fmt: skip
    again = decode_as(ReplyLine, encode(line), "f", 1).reply.tool_calls[0]
    assert gave(again) is (Gave.MISSING if output else Gave.NOTHING)


@pytest.mark.parametrize(
    "reply",
    [
        called("Error: no route"),
        called({"error": "timeout"}),
        called([{"a": 1}], error="timeout"),
        called(""),
        called("  "),
        Reply(output="Hay un vuelo.", tool_calls=(ToolCall(name="buscarVuelos", args={}),)),
        Reply(output="Hay un vuelo."),
        called("", "Error: x"),
    ],
)
def test_an_error_a_blank_and_a_missing_output_give_1(reply: Reply) -> None:
    assert rule(reply) == (Rule.TOOL_FAILED, 1)


NOTHING = ([], {}, None, "none", "null", {"vuelos": []})


@pytest.mark.parametrize("output", NOTHING)
@pytest.mark.parametrize(
    "text",
    [
        "No encontré vuelos para esa fecha.",
        "No hay vuelos disponibles el 20 de mayo.",
        "No se encontraron resultados.",
        "Lo siento, no pude encontrar información sobre esos vuelos.",
        "Não encontrei voos para essa data.",
        "Não há voos disponíveis.",
        "Nenhum voo para 20 de maio.",
        "I couldn't find any flights for that date.",
        "There are no flights on that day.",
        "No results were found. You can call 600 123 456.",
    ],
)
def test_nothing_found_and_said_is_at_most_2(output: Any, text: str) -> None:
    assert rule(called(output, text=text)) == (Rule.FOUND_NOTHING, 2)


@pytest.mark.parametrize("output", NOTHING)
@pytest.mark.parametrize(
    "text",
    [
        "Hay un vuelo a las 14:35 por 120 USD.",
        "Tem um voo na sexta-feira.",
        "Your flight leaves on Friday.",
        "Reserve en https://example.com/vuelos",
        "1. Vuelo LA 2025\n2. Vuelo LA 2031",
    ],
)
def test_nothing_found_and_data_all_the_same_is_a_hallucination_1(output: Any, text: str) -> None:
    assert rule(called(output, text=text)) == (Rule.HALLUCINATION, 1)


@pytest.mark.parametrize("text", ["¿Podría confirmar el 20 de mayo?", "Déjeme ver.", "", "1. Lima\n2. Cusco"])
def test_nothing_is_ruled_where_nothing_can_be_seen(text: str) -> None:
    assert rule(called([], text=text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "Sólo soy un modelo de texto y no puedo hacer eso.",
        "Lo siento, soy solo un modelo de lenguaje.",
        "No puedo ayudarte con eso.",
        "Sou apenas um modelo de linguagem.",
        "Não posso ajudar com isso.",
        "I'm just a language model and can't look that up.",
        "As an AI language model, I have no access to flights.",
        "I can't help with that.",
    ],
)
@pytest.mark.parametrize("output", [[{"vuelo": 1}], []])
def test_a_generic_refusal_is_1(text: str, output: Any) -> None:
    assert rule(called(output, text=text)) == (Rule.GENERIC_REFUSAL, 1)


def test_a_refusal_with_an_answer_in_it_is_the_judges_to_weigh() -> None:
    assert rule(called([{"vuelo": "LA2025"}], text="Como modelo no viajo, pero el LA 2025 sale a las 14:35.")) is None


@pytest.mark.parametrize("failing", ["", "Error: x", []])
def test_one_output_with_data_leaves_the_whole_to_the_judge(failing: Any) -> None:
    assert rule(called(failing, [{"vuelo": "LA2025"}])) is None


def test_without_tools_expected_or_used_nothing_is_ruled() -> None:
    assert ruling_of(FREE, Reply(output="Sólo soy un modelo de texto.")) is None


def test_a_tool_that_was_used_is_enough() -> None:
    assert ruling_of(FREE, called("", text="Hola")) is not None


def test_an_agent_that_never_reports_outputs_is_not_held_to_them() -> None:
    reply = Reply(output="Hay un vuelo a las 14:35.", tool_calls=(ToolCall(name="buscarVuelos", args={}, output=None),))
    assert rule(reply, outputs_reported=False) is None


def test_tools_that_are_no_evidence_are_passed_over() -> None:
    think = ToolCall(name="think", output="")
    assert rule(Reply(output="x", tool_calls=(think,)), non_evidence_tools=("think",)) == (Rule.TOOL_FAILED, 1)
    assert ruling_of(FREE, Reply(output="x", tool_calls=(think,)), non_evidence_tools=("thi*",)) is None


@pytest.mark.parametrize("fulfilment", [1, 2, 3])
@pytest.mark.parametrize("most", [1, 2])
def test_a_ruling_lowers_and_never_raises(fulfilment: Any, most: Any) -> None:
    ruling = Ruling(rule=Rule.FOUND_NOTHING, most=most, reason="")
    rating = Rating(target_language=True, fulfilment=fulfilment, factuality=3)
    assert ruling.applied(rating) == Rating(target_language=True, fulfilment=min(fulfilment, most), factuality=3)


def test_a_hallucination_is_not_factual_either() -> None:
    ruling = Ruling(rule=Rule.HALLUCINATION, most=1, reason="")
    assert ruling.applied(Rating(target_language=True, fulfilment=3, factuality=3)).factuality == 1
    assert ruling.applied(Rating(target_language=True, fulfilment=3)).factuality is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda each: st.lists(each) | st.dictionaries(st.text(), each),
)


@given(output=JSON, text=st.text())
def test_hostile_outputs_and_texts_give_a_ruling_or_none(output: Any, text: str) -> None:
    ruling = ruling_of(CASE, called(output, text=text))
    assert ruling is None or ruling.most in (1, 2)


def test_patterns_read_long_hostile_text_in_one_go() -> None:
    for text in ("no " * 7000, "no se encontr" * 2000, "1" * 20_000, "a.b+c-" * 4000, "i am " * 5000):
        ruling_of(CASE, called([], text=text))


def test_a_long_word_in_what_was_asked_is_read_in_one_go() -> None:
    asked = a_case("c", input="x" * 300_000, expected_tool="buscarVuelos")
    assert ruling_of(asked, called([], text="Escriba a ventas@example.com.")) is not None
