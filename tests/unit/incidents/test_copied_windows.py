"""Conversations copied out of Slack, Teams and help desks: name and time above what was said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.goldens.incidents.copies import copied
from quilate.goldens.incidents.reading import read_body

SLACK = """Robin Muestra
  2:03 PM
hey, can you cancel order 1182?

it never came
Orders Bot
APP  2:04 PM
Done! I cancelled all of them."""
COPIES = {
    "Slack": SLACK,
    "Slack, time beside": "Robin Muestra  2:03 PM\nhey, can you cancel order 1182?\n\nit never came\n"
    "Orders Bot APP  2:04 PM\nDone! I cancelled all of them.",
    "Slack, in brackets": "Robin Muestra  [2:03 PM]\nhey, can you cancel order 1182?\n\nit never came\n"
    "Assistant  [2:04 PM]\nDone! I cancelled all of them.",
    "Teams": "[22/06 14:03] Robin Muestra\nhey, can you cancel order 1182?\n\nit never came\n\n"
    "[22/06 14:04] Orders Bot\nDone! I cancelled all of them.",
    "a help desk": "Robin Muestra  Jun 22, 2026 14:03\nhey, can you cancel order 1182?\n\nit never came\n\n"
    "Orders Bot  Jun 22, 2026 14:04\nDone! I cancelled all of them.",
    "un portal en español": "Robin Muestra, hoy a las 14:03\nhey, can you cancel order 1182?\n\nit never came\n\n"
    "Asistente virtual, hoy a las 14:04\nDone! I cancelled all of them.",
    "a chat widget": "(02:03:11 PM) Robin Muestra: hey, can you cancel order 1182?\n\nit never came\n"
    "(02:03:30 PM) Bot: Done! I cancelled all of them.\n(02:04:01 PM) *** Robin Muestra has left the chat",
}


def _body(asked, answered="_No response_"):
    return (
        f"### What was asked\n\n{asked}\n\n### What the agent answered\n\n{answered}\n\n"
        "### What it should have done\n\ncancels one\n"
    )


@pytest.mark.parametrize("window", COPIES)
def test_a_copy_is_a_conversation(window):
    reading = read_body(_body(COPIES[window]))
    assert reading.questions == []
    assert reading.case["input"] == "hey, can you cancel order 1182?\n\nit never came"
    assert reading.answered == "Done! I cancelled all of them."
    assert "Robin Muestra" in reading.people


def test_two_people_of_whom_nobody_is_the_agent_are_asked_back():
    text = SLACK.replace("Orders Bot\nAPP  2:04 PM", "Vera Ejemplo\n  2:04 PM")
    assert [question.why for question in read_body(_body(text)).questions] == ["speakers"]


def test_the_bad_answer_tells_who_of_two_is_the_agent():
    text = SLACK.replace("Orders Bot\nAPP  2:04 PM", "Vera Ejemplo\n  2:04 PM")
    reading = read_body(_body(text, "Done! I cancelled all of them."))
    assert reading.questions == []
    assert set(reading.people) == {"Robin Muestra", "Vera Ejemplo"}


@pytest.mark.parametrize(
    "text",
    [
        "", "hola", "mañana paso a las 14:03", "Robin Muestra\n2:03 PM\nonly one speaks", "14:03\n15:00",
        "hello\n\nRobin Muestra  2:03 PM\nhi\nOrders Bot  2:04 PM\nhi",
        "llegan el pedido 14:03\ny el otro pedido 15:00",
    ],
)  # fmt: skip
def test_what_is_no_copy_is_none(text):
    assert copied(text) == []


@given(
    st.lists(st.sampled_from(["Ana", "Bot", "APP ", " 2:03 PM", "[14:03]", "\n", "hoy a las ", "x", " "]), max_size=30)
)
def test_every_line_below_a_name_is_somebodys(parts):
    text = "".join(parts)
    assert all(name for name, _ in copied(text))
    assert sum(len(said) for _, said in copied(text)) <= len(text)


@pytest.mark.parametrize(
    "piece", ["Ana 2:03 PM\n", "Ana\n", "A " * 40 + "\n", " " * 500, "2:03 PM\n", "Ana Ana Ana Ana  2"]
)
def test_long_text_of_almost_heads_comes_to_an_end(piece):
    """Quadratic time would take hours here."""
    assert isinstance(copied(piece * (200_000 // len(piece))), list)
