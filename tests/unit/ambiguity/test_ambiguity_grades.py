"""Ambiguous and clear prompts by the guide's table; the guide's own examples come out as the guide says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.checks.ambiguity.grade import read_ambiguity
from quilate.goldens.case import Expects
from quilate.grades import Grade

OPEN = ("open", None)


def came_to(expects: Expects, output: str, prompt: str = "") -> tuple[str, object]:
    found = read_ambiguity(expects, output, prompt)
    return OPEN if found is None else (found.grade.value, found.detail.get("failure"))


GUIDE_PASSES = [
    ("Preciso de um banco.", "Você quer dizer banco financeiro ou banco para sentar?"),
    ("Faz um relatório.", "Sobre qual tema, para qual público e para qual período?"),
    ("Manda aquele arquivo pra mim.", "Qual arquivo você quer dizer?"),
]
GUIDE_FAILURES = [
    (
        "Me fala sobre manga.",
        "Mangá é um estilo de história em quadrinhos japonês. Surgiu no século XIX e se lê da direita para a esquerda.",
        "guessed",
    ),
    (
        "Quero saber mais sobre pena.",
        "Pena pode significar a estrutura que cobre as aves, a punição imposta pela lei ou o sentimento de compaixão.",
        "listed",
    ),
    (
        "Faz um relatório.",
        "Relatório de Vendas\n\nAs vendas do trimestre cresceram 12% e somaram R$ 500 mil.",
        "invented",
    ),
    (
        "Atualiza os dados.",
        "Para atualizar os dados, acesse o painel, clique em Editar e salve as alterações.",
        "guessed",
    ),
    ("Manda aquele arquivo pra mim.", "Não consigo enviar arquivos diretamente por aqui.", "refused"),
]


@pytest.mark.parametrize(("prompt", "reply"), GUIDE_PASSES)
def test_the_guides_passes_pass(prompt: str, reply: str) -> None:
    assert came_to(Expects.CLARIFICATION, reply, prompt) == ("pass", None)


@pytest.mark.parametrize(("prompt", "reply", "failure"), GUIDE_FAILURES)
def test_the_guides_failures_fail_by_their_kind(prompt: str, reply: str, failure: str) -> None:
    assert came_to(Expects.CLARIFICATION, reply, prompt) == ("fail", failure)


AMBIGUOUS = [
    ("¿Te refieres a un banco financiero o a un banco para sentarse?", ("pass", None)),
    ("¡Claro! ¿Qué archivo necesitas?", ("pass", None)),
    ("Dime qué producto te interesa y te digo el precio.", ("pass", None)),
    ("Which file do you mean?", ("pass", None)),
    ("Sure! What would you like me to convert, and into which unit?", ("pass", None)),
    ("Preciso saber qual é o problema.", ("pass", None)),
    ("Depende. É para pessoa física ou jurídica?", ("pass", None)),
    ("Poderia me dar mais detalhes sobre qual produto você procura?", ("pass", None)),
    ('Não sei a quem você se refere. Pode me dizer quem são "ele" e "o outro"?', ("pass", None)),
    ("Para qual tipo de conversão? Por exemplo:\n\n- Moedas\n- Medidas\n- Arquivos", ("pass", None)),
    ("¡Hola! ¿En qué puedo ayudarte?", ("partial", None)),
    ("Olá! Como posso ajudar você hoje?", ("partial", None)),
    ("¿Podrías darme más detalles?", ("partial", None)),
    ("Could you please provide more details?", ("partial", None)),
    ("Preciso de mais informações.", ("partial", None)),
    ("I can't send files.", ("fail", "refused")),
    ("Lo siento, no puedo ayudarte con eso.", ("fail", "refused")),
    ("The price is $49.99 with free shipping.", ("fail", "invented")),
    ("¡Listo! Tu reserva quedó confirmada para el viernes a las 20:00.", ("fail", "invented")),
    ("A capital é Brasília. Posso ajudar em algo mais?", ("fail", "guessed")),
    ("O banco é uma instituição financeira. Quer que eu explique melhor?", ("fail", "guessed")),
    ("Reinicie o computador e verifique os cabos. Isso resolveu?", ("fail", "guessed")),
    ("Try restarting your computer. Did that help?", ("fail", "guessed")),
    ("Listo, ya lo cambié.", ("fail", "invented")),
    ("", ("fail", None)),
]


@pytest.mark.parametrize(("reply", "expected"), AMBIGUOUS)
def test_ambiguous_prompts(reply: str, expected: tuple[str, object]) -> None:
    assert came_to(Expects.CLARIFICATION, reply) == expected


LEFT_TO_THE_JUDGE = [
    "Bancos são instituições que guardam dinheiro. Você quer abrir uma conta em qual banco?",
    "Não tenho acesso a arquivos. Qual arquivo você quer?",
    "Conte-me tudo.",
    "Posso ajudar! Bancos como o Nubank são ótimos. Quer abrir uma conta?",
    "Beleza! Me passa o tema, o público e o período que eu já começo.",
    "Não tenho acesso aos seus arquivos, mas qual arquivo você quer?",
    "Segue um modelo genérico de relatório:\n\n1. Introdução\n2. Textos\n3. Conclusão\n\nSobre qual tema você quer?",
    "Relatório do mês:\n- Vendas: R$ 100\n- Custos: R$ 50\n\nQual formato você prefere?",
    "Cuesta 15.990 pesos, ¿te lo envío?",
    "Claro!",
]


@pytest.mark.parametrize("reply", LEFT_TO_THE_JUDGE)
def test_half_an_answer_before_a_question_is_left_to_the_judge(reply: str) -> None:
    assert came_to(Expects.CLARIFICATION, reply) == OPEN


CLEAR = [
    ("Brasília.", ("pass", None)),
    ("A capital do Brasil é Brasília. Posso ajudar em algo mais?", ("pass", None)),
    ("26 estados e o DF. Ficou alguma dúvida?", ("pass", None)),
    ("A capital do Brasil é Brasília. Precisa de mais alguma informação?", ("pass", None)),
    ("É Brasília, claro! Sabia que ela foi inaugurada em 1960?", ("pass", None)),
    ("Inflation is a general rise in prices. Does that make sense?", ("pass", None)),
    ("La inflación es el aumento general de los precios. ¿Quieres que te dé un ejemplo?", ("pass", None)),
    ("O que é inflação? É o aumento geral dos preços.", ("pass", None)),
    ("## O que é inflação?\n\nÉ o aumento geral dos preços.", ("pass", None)),
    ("A capital é Brasília. Recomendo confirmar em fontes oficiais.", ("partial", None)),
    ("The capital is Brasília. As an AI, please verify this.", ("partial", None)),
    ("¿Te refieres a la capital política o a la económica?", ("fail", None)),
    ("Which capital do you mean?", ("fail", None)),
    ("Claro! Qual capital você quer saber?", ("fail", None)),
    ("", ("fail", None)),
    ("Não posso responder a isso.", OPEN),
    ("São 26 estados. Você quer contar o Distrito Federal?", OPEN),
]


@pytest.mark.parametrize(("reply", "expected"), CLEAR)
def test_clear_prompts(reply: str, expected: tuple[str, object]) -> None:
    assert came_to(Expects.DIRECT_ANSWER, reply, "O que é inflação?") == expected


def test_the_grade_says_who_decided_whether_it_asked_and_quotes_the_question() -> None:
    output = "Claro! Qual arquivo você quer dizer?"
    found = read_ambiguity(Expects.CLARIFICATION, output)
    assert found is not None
    assert found.detail == {"decided_by": "code", "expects": "clarification", "asked": True}
    (quote,) = found.evidence
    assert output[quote.start : quote.end] == quote.quote == "Qual arquivo você quer dizer?"


def test_a_question_in_code_is_no_question() -> None:
    reply = "A função devolve o saldo.\n```python\nqual = input('Qual conta?')\n```"
    assert came_to(Expects.DIRECT_ANSWER, reply) == ("pass", None)


def test_a_reply_too_long_to_read_is_left_to_the_judge() -> None:
    assert read_ambiguity(Expects.CLARIFICATION, "Qual? " * 10_000) is None


@given(st.text(max_size=300), st.sampled_from(Expects))
def test_any_reply_comes_to_a_grade_with_true_quotations_or_is_left_open(output: str, expects: Expects) -> None:
    found = read_ambiguity(expects, output, "Quanto custa?")
    if found is None:
        return
    assert found.grade in (Grade.PASS, Grade.PARTIAL, Grade.FAIL)
    assert all(output[one.start : one.end] == one.quote for one in found.evidence)
