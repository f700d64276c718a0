"""Answers that look like a case and are none: they are asked back, or read as they were meant."""

from __future__ import annotations

import pytest

from quilate.goldens.incidents.reading import read_body

ENCRYPTED = (
    "[5/3/26, 2:02:11 PM] ~ Sam: \u200eMessages and calls are end-to-end encrypted.\n"
    "[5/3/26, 2:02:15 PM] ~ Sam: hi\n[5/3/26, 2:02:40 PM] ~ HelpBot: hello"
)


def _form(asked="¿abren el domingo?", answered="_No response_", expected="dice que no", tools="", phrases=""):
    return (
        f"### What was asked\n\n{asked}\n\n### What the agent answered\n\n{answered}\n\n"
        f"### What it should have done\n\n{expected}\n\n### Tools it should have called\n\n{tools}\n\n"
        f"### Phrases that must not appear\n\n{phrases}\n"
    )


def _why(body):
    return {(question.key.value, question.why) for question in read_body(body).questions}


@pytest.mark.parametrize(
    "asked",
    [
        "see screenshot", "ver captura", "Ver imagen adjunta", "ver abaixo", "see below", "same as #12", "#12",
        "https://example.com/trace/abc", "![image](https://example.com/1.png)",
        '<img width="300" src="https://example.com/1.png">', 'see [the chat](https://example.com/1): "is it safe?"',
    ],
)  # fmt: skip
def test_a_pointer_is_no_question(asked):
    assert _why(_form(asked=asked)) == {("asked", "pointer")}


@pytest.mark.parametrize(
    "asked",
    [
        "The customer asked if we ship to Chile", "El cliente preguntó si hacemos envíos a Chile",
        "O cliente perguntou se entregamos no Chile", "Customer wanted to know whether we open on Sunday.",
    ],
)  # fmt: skip
def test_what_is_told_of_a_customer_is_not_the_customers_words(asked):
    assert _why(_form(asked=asked)) == {("asked", "reported")}


@pytest.mark.parametrize(
    "asked",
    [
        "👤 ¿tienen stock?\n🤖 sí", "Ana - ¿tienen stock?\nBot - sí", "<Ana> ¿tienen stock?\n<Bot> sí",
        "C: ¿tienen stock?\nA: sí", "Customer\n¿tienen stock?\n\nBot\nsí", "<|user|>stock?<|assistant|>yes",
    ],
)  # fmt: skip
def test_a_conversation_in_no_known_notation_is_not_one_message(asked):
    assert _why(_form(asked=asked)) == {("asked", "transcript")}


def test_a_question_that_holds_the_agents_answer_is_a_conversation():
    body = _form(asked="¿tienen stock?\nSí, quedan 300 unidades", answered="Sí, quedan 300 unidades")
    assert _why(body) == {("asked", "transcript")}


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("> hola\n> ¿abren hoy?", "hola\n¿abren hoy?"),
        ("The customer wrote:\n> hola, ¿abren hoy?", "hola, ¿abren hoy?"),
        ('El cliente preguntó: "¿abren hoy?"', "¿abren hoy?"),
        ("“¿abren hoy?”", "¿abren hoy?"),
        ("Cliente: ver captura", "ver captura"),
        ("quiero ver la foto del producto X", "quiero ver la foto del producto X"),
        ("agente", "agente"),
        ("mi compra:\n- talla: 42\n- color: rojo", "mi compra:\n- talla: 42\n- color: rojo"),
        ("14:02 Ana: ¿tienen stock?\n14:03 Bot: sí", "¿tienen stock?"),
        ("[14:02, 3/5/2026] Ana: ¿tienen stock?\n[14:03, 3/5/2026] Bot: sí", "¿tienen stock?"),
        ("👤 Cliente: ¿tienen stock?\n🤖 Bot: sí", "¿tienen stock?"),
        ("Jorge: ¿tienen stock?\nValentina (IA): sí", "¿tienen stock?"),
        ("Dana: is there stock?\nShopBot: yes", "is there stock?"),
        (ENCRYPTED, "hi"),
    ],
)
def test_a_message_is_read_as_it_was_meant(asked, read):
    reading = read_body(_form(asked=asked))
    assert reading.questions == []
    assert reading.case["input"] == read


@pytest.mark.parametrize(
    ("expected", "why"),
    [
        ("TBD", "missing"), ("![image](https://example.com/1.png)", "pointer"), ("https://example.com/p", "pointer"),
        ("| yes | no |\n|---|---|\n| asks | promises |", "table"),
        ("looks it up\nTool that was right: get_x", "other_field"),
    ],
)  # fmt: skip
def test_what_nobody_could_judge_is_no_expectation(expected, why):
    assert _why(_form(expected=expected)) == {("expected", why)}


@pytest.mark.parametrize(
    ("expected", "read"),
    [
        ("~~Says yes~~\nSays no", ["Says no"]),
        ("- If there is no number:\n  - asks for it\n  - does not guess\n- Else looks it up",
         ["If there is no number: asks for it; does not guess", "Else looks it up"]),
        ("Looks up the order and checks that it belongs to the\ncustomer before it says anything.",
         ["Looks up the order and checks that it belongs to the customer before it says anything."]),
        ("The bot should not promise: it asks", ["The bot should not promise: it asks"]),
        ("asks for the number\npromises no date", ["asks for the number", "promises no date"]),
    ],
)  # fmt: skip
def test_expectations_are_read_as_they_were_meant(expected, read):
    assert read_body(_form(expected=expected)).case["expected_behavior"] == read


@pytest.mark.parametrize("tool", ["get_order number=47821 OR find_order", "find_order(a=1 o b=2)"])
def test_a_choice_of_tools_is_asked_back(tool):
    assert _why(_form(tools=tool)) == {("expected_tools", "no_tool_name")}


def test_arguments_may_stand_after_each_other_and_after_a_colon():
    case = read_body(_form(tools="get_order: number=47821\nbook fecha=2026-05-03 hora=14:30 ciudad=Punta Arenas")).case
    assert case["expected_tools"] == [
        {"name": "get_order", "args": {"number": "47821"}},
        {"name": "book", "args": {"fecha": "2026-05-03", "hora": "14:30", "ciudad": "Punta Arenas"}},
    ]


@pytest.mark.parametrize(
    ("phrase", "why"),
    [
        ("any apology", "described"), ("none that I know of", "described"), ("todas", "described"),
        ("/grat.s/i", "described"), ("lamentablemente o disculpa", "several_in_a_line"),
        ('"gratis" (en cualquier forma)', "several_in_a_line"),
    ],
)  # fmt: skip
def test_a_phrase_that_no_reply_would_have_is_asked_back(phrase, why):
    assert _why(_form(phrases=phrase)) == {("forbidden_phrases", why)}


def test_a_small_word_in_quotes_or_among_others_is_a_phrase():
    assert read_body(_form(phrases='"no"')).case["forbidden_phrases"] == ["no"]
    assert read_body(_form(phrases="- nada\n- nunca")).case["forbidden_phrases"] == ["nada", "nunca"]


def test_what_a_tool_gave_back_is_no_turn():
    body = (
        '```json\n[{"role":"user","content":"cancela 555"},{"role":"assistant","content":null,"tool_calls":[]},'
        '{"role":"tool","content":"ok"},{"role":"assistant","content":"listo"}]\n```\nEsperado: pide confirmación\n'
    )
    assert read_body(body).case["input"] == "cancela 555"


def test_no_is_something_that_a_customer_and_an_agent_say():
    reading = read_body(_form(asked="no", answered="Nada", tools="ninguna"))
    assert (reading.case["input"], reading.answered) == ("no", "Nada")
    assert "expected_tool" not in reading.case


@pytest.mark.parametrize(
    "asked",
    [
        "Error al entrar\nUsuario: ana23\nno puedo", "Usuario: ana23\nClave: se me olvidó",
        "User: ana23\nProblem: no login",
        "Agente: me atendió Luis\nProblema: no llega",
    ],
)  # fmt: skip
def test_labels_in_a_customers_own_message_are_no_speakers(asked):
    assert _why(_form(asked=asked)) == {("asked", "speakers")}


def test_a_model_in_a_customers_message_is_a_product():
    assert read_body(_form(asked="Modelo: X200\nTalla: 42\n¿hay?")).case["input"] == "Modelo: X200\nTalla: 42\n¿hay?"


def test_the_model_of_a_log_is_the_agent():
    body = '[{"role": "user", "content": "hi"}, {"role": "model", "content": "yo"}]'
    assert read_body(_form(asked=body)).case["input"] == "hi"


STRANGERS = "Vera: ¿tienen repuestos?\nSol: no\nVera: qué mal"


def test_two_strangers_of_whom_one_gives_the_bad_answer_are_a_conversation():
    reading = read_body(_form(asked=STRANGERS, answered="no"))
    assert reading.questions == []
    assert reading.case["input"] == "¿tienen repuestos?"
    assert set(reading.people) == {"Vera", "Sol"}


def test_two_strangers_of_whom_nobody_says_which_is_the_agent_are_asked_back():
    assert _why(_form(asked=STRANGERS)) == {("asked", "speakers")}


@pytest.mark.parametrize(
    "asked",
    [
        "Lunes: 9 a 18\nMartes: 9 a 18\n¿puedo ir entonces?",
        "Hola, necesito:\nManzanas: 3\nPeras: 2\nManzanas: otra bolsa",
        "Pedido: 47821\nTalla: M\nPedido: 47822",
    ],
)
def test_what_somebody_lists_is_their_own_message(asked):
    reading = read_body(_form(asked=asked, answered="no sé qué decirle"))
    assert reading.questions == []
    assert reading.case["input"] == asked


@pytest.mark.parametrize("field", ["What it should have done", "Phrases that must not appear"])
def test_a_heading_nobody_knows_in_a_list_is_asked_back(field):
    body = _form(expected="da el horario\n\n### Notas\n\nlo vio el turno")
    if field != "What it should have done":
        body = _form(phrases="no sé\n\n### Otros\n\ngracias")
    assert {why for _, why in _why(body)} == {"other_field"}


def test_a_label_in_another_order_of_words_is_the_same_label():
    body = "## what was asked?\n\nwhere can I park\n\n## What should it have done\n\nsays where\n"
    reading = read_body(body)
    assert reading.questions == []
    assert reading.case == {"input": "where can I park", "expected_behavior": ["says where"]}


def test_a_heading_nobody_knows_ends_a_field_of_free_markdown_and_is_told():
    body = "## What was asked\n\nis it vegan?\n\n## Environment\n\nprod\n\n## Expected\n\nchecks\n"
    reading = read_body(body)
    assert reading.case == {"input": "is it vegan?", "expected_behavior": ["checks"]}
    assert reading.unread == ["Environment", "prod"]
