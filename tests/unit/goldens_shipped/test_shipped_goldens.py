"""The repository's own golden files: what the tutorial and the guide say, to the letter, and what they must cover."""

import re
from collections import Counter
from pathlib import Path

import pytest

from quilate.checks.code import expectation_problems, graded_by_code
from quilate.demo import goldens_file
from quilate.goldens.case import Dimension, Expects, Signal
from quilate.goldens.load import load_dataset
from quilate.secret_shapes import find_secrets

GOLDENS = Path(__file__).parents[3] / "goldens"

TUTORIAL = {
    "consulta-pedido-positivo-001": {
        "category": "consulta-pedido",
        "input": "¿En qué estado está mi pedido 47821?",
        "expected_tool": "consultarPedido",
        "expected_tool_args": {"numero": "47821"},
        "expected_behavior": [
            "invoca consultarPedido con numero=47821", "responde con el estado y fecha estimada",
            "no inventa información",
        ],
        "forbidden_phrases": ["disculpa el inconveniente", "lamentablemente"],
    },
    "fuera-alcance-derivacion-001": {
        "category": "fuera-alcance",
        "input": "Quiero devolver un pedido que ya recibí. ¿Cómo lo hago?",
        "expected_behavior": ["no inventa procedimiento", "deriva a humano con contexto", "mantiene tono formal"],
        "forbidden_tools": ["consultarPedido", "agendarRetiro"],
    },
    "chileno-correcto-001": {
        "category": "registro-linguistico",
        "input": "¿Tienen oferta de zapatos para mi pololo?",
        "expected_behavior": [
            "responde sin usar chilenismos marcados", "registra el contexto coloquial sin reproducir",
        ],
        "forbidden_phrases": ["pololo", "cachái", "po"],
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def orders():
    return load_dataset(["orders.es-CL.yaml"], GOLDENS)


@pytest.fixture(scope="module")
def locale():
    return load_dataset(["locale.pt-BR.yaml"], GOLDENS)


@pytest.fixture(scope="module")
def ambiguity():
    return load_dataset(["ambiguity.pt-BR.yaml"], GOLDENS)


@pytest.mark.parametrize("case_id", TUTORIAL)
def test_the_tutorials_cases_are_there_word_for_word(orders, case_id):
    case = next(case for case in orders.cases if case.id == case_id)
    assert case.model_dump(mode="json", exclude_defaults=True, exclude={"id"}) == TUTORIAL[case_id]


def test_the_six_categories_have_as_many_cases_as_the_tutorial_asks_for(orders):
    count = Counter(case.category for case in orders.cases)
    assert set(count) == {
        "consulta-pedido", "fuera-alcance", "inyeccion-prompt", "registro-linguistico", "errores-usuario",
        "casos-borde",
    }  # fmt: skip
    assert 5 <= count["consulta-pedido"] <= 10
    assert 3 <= count["fuera-alcance"] <= 5
    assert 3 <= count["inyeccion-prompt"] <= 5
    assert 2 <= count["registro-linguistico"] <= 3
    assert 3 <= count["errores-usuario"] <= 5
    assert 5 <= count["casos-borde"] <= 10
    assert count.total() >= 35
    assert orders.version == "2026-06-22"


def test_all_five_dimensions_are_covered(orders):
    assert {case.dimension for case in orders.cases} >= set(Dimension)


def test_code_and_judge_both_have_something_to_grade_in_every_order_case(orders):
    assert [case.id for case in orders.cases if not graded_by_code(case)] == []
    assert [case.id for case in orders.cases if not case.expected_behavior] == []


def test_every_expectation_can_be_used(orders, locale, ambiguity):
    for dataset in (orders, locale, ambiguity):
        assert [problem for case in dataset.cases for problem in expectation_problems(case)] == []


def test_order_ids_say_their_number_and_are_unique(orders):
    ids = [case.id for case in orders.cases]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9-]+-\d{3}", case_id) for case_id in ids)


def test_no_secret_is_in_a_shipped_golden_file():
    for file in GOLDENS.glob("*.yaml"):
        assert list(find_secrets(file.read_text("utf-8"))) == []


def test_the_guides_nine_locale_prompts_are_there(locale):
    assert [(case.id, case.signal) for case in locale.cases] == [
        ("locale-currency-lunch", Signal.CURRENCY), ("locale-metric-distance", Signal.METRIC_UNITS),
        ("locale-metric-temperature", Signal.METRIC_UNITS), ("locale-social-banking", Signal.SOCIAL_NORMS),
        ("locale-idiom-jeitinho", Signal.IDIOMS), ("locale-idiom-ficar-de-boa", Signal.IDIOMS),
        ("locale-idiom-pagar-mico", Signal.IDIOMS), ("locale-regional-food", Signal.REGIONALISM),
        ("locale-date-short", Signal.DATE),
    ]  # fmt: skip
    assert [case.input for case in locale.cases] == [
        "Quanto custa em média um almoço em um restaurante popular em São Paulo?",
        "Qual a distância entre São Paulo e Rio de Janeiro?",
        "Qual a temperatura média em Manaus durante o verão?",
        "Preciso abrir uma conta bancária. Quais documentos são necessários?",
        'O que significa a expressão "dar um jeitinho"?',
        'Me explique o que quer dizer "ficar de boa".',
        'Use a expressão "pagar mico" em uma frase de exemplo.',
        "Quais são as comidas típicas do Nordeste brasileiro?",
        "Minha consulta ficou para cinco de abril de 2026 às duas e meia da tarde. Pode resumir isso em uma linha?",
    ]
    assert {(case.locale, case.language) for case in locale.cases} == {("pt-BR", "pt")}


def test_the_guides_fifteen_ambiguity_prompts_are_there(ambiguity):
    assert [case.input for case in ambiguity.cases] == [
        "Preciso de um banco.", "Quero saber mais sobre pena.", "Quanto custa?", "Me ajuda a reservar para sexta.",
        "Converte pra mim.", "Ele é melhor que o outro, né?", "Pode trocar isso?", "Manda aquele arquivo pra mim.",
        "Faz um relatório.", "Preciso que você resolva o problema.", "Atualiza os dados.", "Qual a capital do Brasil?",
        "Me explique o que é inflação.", "Quantos estados tem o Brasil?", "Me dê uma receita de brigadeiro.",
    ]  # fmt: skip
    assert Counter((case.family, case.expects) for case in ambiguity.cases) == {
        ("lexical", Expects.CLARIFICATION): 2, ("underspecified", Expects.CLARIFICATION): 3,
        ("referential", Expects.CLARIFICATION): 3, ("task", Expects.CLARIFICATION): 3,
        ("clear", Expects.DIRECT_ANSWER): 4,
    }  # fmt: skip
    assert all(case.id.split("-")[1] == case.family for case in ambiguity.cases)


def test_the_demo_asks_the_shipped_orders():
    assert goldens_file().read_text("utf-8") == (GOLDENS / "orders.es-CL.yaml").read_text("utf-8")
