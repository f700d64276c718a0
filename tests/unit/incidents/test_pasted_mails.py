"""Mails as people paste them: headers and quotations are nobody's question, and a writer's name goes."""

from __future__ import annotations

import datetime as dt

import pytest

from quilate.goldens.incidents.building import Built, Source, build
from quilate.goldens.incidents.letters import Letter, letter_of, letters, person_of
from quilate.goldens.incidents.reading import read_body

OUTLOOK = """Su factura no existe.

________________________________
De: Pedro Muestra <pedro.muestra@correo.example.com>
Enviado: lunes, 22 de junio de 2026 14:03
Para: soporte@tienda.example.com
Asunto: Factura del pedido 88123

Necesito la factura del pedido 88123.

Pedro Muestra"""
FORWARDED = """---------- Mensagem encaminhada ---------
De: Joana Exemplo <joana.exemplo@correo.example.com>
Data: seg., 22 de jun. de 2026 às 14:03
Assunto: Reembolso
Para: <atendimento@example.com>

Comprei duas cadeiras e só chegou uma.

Joana"""


def _form(asked, answered="_No response_"):
    return (
        f"### What was asked\n\n{asked}\n\n### What the agent answered\n\n{answered}\n\n"
        "### What it should have done\n\nlooks it up\n"
    )


def _input(body):
    built = build(read_body(body), Source("x", dt.date(2026, 6, 22)))
    assert isinstance(built, Built), built
    return built.case.input


def _why(body):
    return {(question.key.value, question.why) for question in read_body(body).questions}


def test_of_a_forwarded_mail_the_words_are_taken_without_headers_and_without_the_writers_name():
    assert _input(_form(FORWARDED)) == "Comprei duas cadeiras e só chegou uma.\n\nAlex"


def test_a_mail_below_the_answer_it_got_is_what_was_asked():
    assert _input(_form(OUTLOOK, "Su factura no existe.")) == "Necesito la factura del pedido 88123.\n\nAlex Ejemplo"


def test_without_the_bad_answer_nobody_says_which_of_two_mails_it_is():
    assert _why(_form(OUTLOOK)) == {("asked", "speakers")}


@pytest.mark.parametrize("mark", ["> ", ""])
def test_a_quotation_with_the_line_that_says_who_wrote_is_the_quoted_words(mark):
    wrote = "On Mon, Jun 22, 2026 at 2:03 PM Robin Muestra <robin@mail.example.com> wrote:"
    assert _input(_form(f"{wrote}\n{mark}Do you ship to Lima?\n{mark}Robin")) == "Do you ship to Lima?\nAlex"


def test_everything_quoted_is_read_as_if_it_were_not():
    said = "> On Mon, Jun 22, 2026 at 2:03 PM Robin Muestra <robin@mail.example.com> wrote:\n> Do you ship to Lima?"
    assert _input(_form(said)) == "Do you ship to Lima?"


def test_a_mail_by_the_house_asks_nothing():
    said = "From: Support <support@example.com>\nSubject: Re: order\n\nYour order is lost."
    assert _why(_form(said)) == {("asked", "no_question")}


@pytest.mark.parametrize(
    "said",
    [
        "De: Santiago\nPara: Concepción\nFecha: 12/07\nQuiero un pasaje de ida",
        "From: Lima\nTo: Cusco\nDate: tomorrow\n\nHow long is the bus?",
        "El mensaje decía que escribió el dueño: no",
    ],
)
def test_words_that_also_head_a_mail_are_the_customers_own(said):
    assert _input(_form(said)) == said


def test_a_mail_that_no_label_claims_is_what_was_asked():
    body = f"{FORWARDED}\n\n### What it should have done\n\nopens a case\n"
    assert _input(body).startswith("Comprei duas cadeiras")


def test_a_note_above_a_forwarded_mail_makes_two_speakers():
    assert _why(_form(f"Miren esto\n\n{FORWARDED}")) == {("asked", "speakers")}


def test_a_thread_of_several_answers_is_read_newest_first():
    text = (
        "three\n\nEl lun, 11 may 2026 a las 9:12, Ana (<ana@example.net>) escribió:\n"
        "> two\n>\n> On 10 May 2026, Bot wrote:\n> > one"
    )
    assert [letter.text for letter in letters(text)] == ["three", "two", "one"]
    assert [person_of(letter.sender) for letter in letters(text)] == ["", "Ana", "Bot"]


@pytest.mark.parametrize("text", ["", "hola", "hola\n\nadiós", "> hola", "De: yo"])
def test_what_is_no_mail_is_none(text):
    assert letter_of(text) is None


def test_the_title_alone_makes_headers_those_of_a_mail():
    assert letter_of("De: Ana\nAsunto: hola\n\n¿Abren?") == Letter("Ana", "¿Abren?")


@pytest.mark.parametrize(
    ("sender", "name"),
    [
        ("Robin Example <robin@example.com>", "Robin Example"),
        ('"Example, Robin" <robin@example.com>', "Example, Robin"),
        ("robin@example.com", ""),
        ("Robin Example [mailto:robin@example.com]", "Robin Example"),
        ("", ""),
    ],
)
def test_a_writers_name_is_taken_without_the_address(sender, name):
    assert person_of(sender) == name


@pytest.mark.parametrize(
    "piece",
    ["De: x\n", "> ", "On x\n", "El lun escribió\n", "Asunto: a\nDe: b\n\n", "-----\n", "From: a@b.example\nx\n"],
)
def test_long_text_of_almost_mails_comes_to_an_end(piece):
    """Quadratic time would take hours here."""
    assert isinstance(letters("hola\n" + piece * (200_000 // len(piece))), list)
