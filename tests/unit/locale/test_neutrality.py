"""Prompts that instruct what they are to measure are flagged with the words that did it."""

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.locale.conftest import ROOT

from quilate.goldens.case import Expects, GoldenCase, Message, Signal
from quilate.goldens.lint import lint
from quilate.goldens.load import load_goldens
from quilate.goldens.neutrality import Instructs, instructed_cases, instructions_for, instructions_in

LOCALE, CLARIFICATION, EXAMPLE = Instructs
FLAGGED = [
    ("responda em português do Brasil", LOCALE, "responda em português do Brasil"),
    ("Quanto custa? Use reais.", LOCALE, "Use reais"),
    ("Resúmelo en formato chileno", LOCALE, "en formato chileno"),
    ("Qual a distância em quilômetros?", LOCALE, "em quilômetros"),
    ("Use medidas métricas.", LOCALE, "Use medidas métricas"),
    ("Contesta en castellano rioplatense.", LOCALE, "Contesta en castellano"),
    ("Prices in BRL please.", LOCALE, "in BRL"),
    ("O usuário é brasileiro.", LOCALE, "O usuário é brasileiro"),
    ("El usuario vive en Chile.", LOCALE, "El usuario vive en Chile"),
    ("Pregúntame si te falta algo.", CLARIFICATION, "Pregúntame si te falta"),
    ("Usa pesos, por favor", LOCALE, "Usa pesos"),
    ("Responde en español de Chile", LOCALE, "Responde en español de Chile"),
    ("Answer in Brazilian Portuguese.", LOCALE, "Answer in Brazilian Portuguese"),
    ("Write the date as dd/mm/aaaa", LOCALE, "dd/mm/aaaa"),
    ("Use local currency and metric units", LOCALE, "Use local currency"),
    ("Ask for clarification if unclear.", CLARIFICATION, "Ask for clarif"),
    ("Se algo não estiver claro, pergunte.", CLARIFICATION, "Se algo não estiver claro"),
    ("Si hay ambigüedad, pide aclaración.", CLARIFICATION, "pide aclaraci"),
    ("Não adivinhe.", CLARIFICATION, "Não adivinhe"),
    ("Responda diretamente.", CLARIFICATION, "Responda diretamente"),
    ("User: Quanto custa?\nAssistant: Quanto custa o quê?", EXAMPLE, "User: Quanto custa?"),
    ("Ejemplo: banco -> ¿qué banco?", EXAMPLE, "Ejemplo: banco ->"),
]
NEUTRAL = [
    "Quanto custa em média um almoço em um restaurante popular em São Paulo?",
    'Use a expressão "pagar mico" em uma frase de exemplo.',
    "¿Cuánto cuesta el arriendo en Ñuñoa?",
    "Gastei 20 reais no almoço e 15 no lanche. Quanto foi?",
    "You are a helpful assistant.",
    "Estou considerando mudar para o Brasil, vale a pena?",
    "Como brasileiro, posso viajar para a Argentina só com RG?",
    "If I'm unsure about my flight, who do I call?",
    "Meu cliente pergunta antes de comprar, o que respondo?",
    "Eres el asistente de una tienda de zapatos. Sé cordial.",
]


@pytest.mark.parametrize(("text", "instructs", "words"), FLAGGED)
def test_an_instruction_is_flagged_with_its_words(text: str, instructs: Instructs, words: str) -> None:
    found = [one for one in instructions_in(text) if one.instructs is instructs]
    assert found
    assert any(one.words.startswith(words) for one in found)
    assert all(text[one.start : one.end] == one.words for one in found)


@pytest.mark.parametrize("text", NEUTRAL)
def test_a_neutral_prompt_is_not_flagged(text: str) -> None:
    assert instructions_in(text) == []


@pytest.mark.parametrize("file", ["locale.pt-BR.yaml", "ambiguity.pt-BR.yaml", "locale.es-CL.yaml"])
def test_the_shipped_goldens_are_neutral(file: str) -> None:
    goldens = load_goldens([f"goldens/{file}"], ROOT)
    assert instructed_cases(goldens.dataset.cases) == ()


def a_case(prompt: str, **fields: object) -> GoldenCase:
    return GoldenCase.model_validate({"id": "c", "category": "x", "input": prompt} | fields)


def test_only_what_gives_away_the_case_counts() -> None:
    ask = "Pergunte antes de responder. Quanto custa?"
    assert instructions_for(a_case(ask, expects=Expects.CLARIFICATION))
    assert instructions_for(a_case(ask, signal=Signal.CURRENCY, locale="pt-BR")) == []
    assert instructions_for(a_case("Responda em português do Brasil.")) == []


def test_a_system_prompt_of_the_run_counts_for_its_cases() -> None:
    case = a_case("Quanto custa?", signal=Signal.CURRENCY, locale="pt-BR")
    assert instructed_cases([case], "Use reais.") == ("c",)
    assert instructed_cases([case], "You are helpful.") == ()


def test_turns_before_the_question_are_examples() -> None:
    turns = (
        Message(role="user", content="Me fala de manga."),
        Message(role="assistant", content="Da fruta ou do mangá?"),
        Message(role="user", content="Preciso de um banco."),
    )
    case = GoldenCase(id="c", category="x", input=turns, expects=Expects.CLARIFICATION)
    assert [one.instructs for one in instructions_for(case)] == [EXAMPLE]


def test_quilate_check_names_file_line_and_words(tmp_path: Path) -> None:
    (tmp_path / "g.yaml").write_text(
        'version: "1"\ndefaults: {signal: currency, locale: pt-BR}\ncases:\n'
        '  - {id: a, category: x, input: "Quanto custa? Use reais."}\n',
        encoding="utf-8",
    )
    found = [one for one in lint(load_goldens(["g.yaml"], tmp_path), dt.date(2026, 1, 1)) if one.code == "not-neutral"]
    assert [(one.line, one.case_id) for one in found] == [(4, "a")]
    assert '"Use reais"' in found[0].found


@given(st.text(max_size=300))
def test_any_text_has_true_words(text: str) -> None:
    assert all(text[one.start : one.end] == one.words for one in instructions_in(text))
