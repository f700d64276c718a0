"""Where an answer begins and ends when nobody keeps to the form."""

from __future__ import annotations

import pytest

from quilate.goldens.incidents.reading import read_body

ENDS = {
    "thanks after the last field are no expectation": (
        "**Pregunta:** hola\n\n**Esperado:**\n\nsaluda\n\nGracias, equipo!",
        {"input": "hola", "expected_behavior": ["saluda"]},
    ),
    "a list with blank lines between its items goes on": (
        "Question: hi\nExpected:\n\n- greets\n\n- asks for the name\n\nThanks",
        {"input": "hi", "expected_behavior": ["greets", "asks for the name"]},
    ),
    "a label written again into its field is left out": (
        "### What was asked\n\nPregunta: ¿abren hoy?\n\n### What it should have done\n\nresponde\n",
        {"input": "¿abren hoy?", "expected_behavior": ["responde"]},
    ),
    "a table names its speakers in any column": (
        (
            "| hora | quién | mensaje |\n|---|---|---|\n| 14:30 | Cliente | abren? |\n| 14:31 | Bot | no |\n"
            "\nEsperado: da el horario"
        ),
        {"input": "abren?", "expected_behavior": ["da el horario"]},
    ),
    "a name with the word bot in it is the agent's": (
        "[5/12/26, 2:30:05 PM] Ana: hola\n[5/12/26, 2:31:05 PM] Tienda Bot: chao\n\nEsperado: saluda",
        {"input": "hola", "expected_behavior": ["saluda"]},
    ),
    "a line that a mail program broke is one expectation": (
        (
            "### What was asked\n\nhola\n\n### What it should have done\n\n"
            "consulta el pedido en el sistema antes de responder cualquier cosa y luego\nresponde con la fecha\n"
        ),
        {
            "input": "hola",
            "expected_behavior": [
                "consulta el pedido en el sistema antes de responder cualquier cosa y luego responde con la fecha"
            ],
        },
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_an_answer_ends_where_people_mean_it_to(name):
    body, case = ENDS[name]
    reading = read_body(body)
    assert reading.questions == []
    assert reading.case == case


def test_what_belongs_to_no_field_is_kept_to_be_told():
    assert read_body("Question: hi\nExpected: greets\n\nBy the way, thanks").unread == ["By the way, thanks"]


@pytest.mark.parametrize(
    "body",
    ["```\nUser: a\nBot: b\n```\n\n```\nUser: c\nBot: d\n```\n\nExpected: e",
     "Cliente: a?\nBot: Total: 5\nImpuesto: 2\n\nEsperado: suma"],
)  # fmt: skip
def test_what_can_be_meant_in_two_ways_is_asked_back(body):
    assert [question.key.value for question in read_body(body).questions] == ["asked"]
