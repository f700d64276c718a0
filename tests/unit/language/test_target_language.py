"""The target language: what the prompt calls for, what the reply is in, and refusing to decide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.checks.language import MIN_LETTERS, letters, read_language, target_language
from quilate.goldens.case import GoldenCase


def a_case(prompt: str = "Olá", **fields: object) -> GoldenCase:
    return GoldenCase.model_validate({"id": "c", "category": "x", "input": prompt} | fields)


def came_to(case: GoldenCase, output: str) -> str:
    found = read_language(case, output)
    assert found is not None
    return found.grade.value


PORTUGUESE = "A capital do Brasil é Brasília, inaugurada por Juscelino Kubitschek."
SPANISH = "La capital de Chile es Santiago, fundada por Pedro de Valdivia."
ENGLISH = "The capital of Brazil is Brasília, which was inaugurated in the sixties."


@pytest.mark.parametrize(
    ("language", "output", "expected"),
    [
        ("pt", PORTUGUESE, "pass"),
        ("pt-BR", PORTUGUESE, "pass"),
        ("pt", SPANISH, "fail"),
        ("es", PORTUGUESE, "fail"),
        ("es", SPANISH, "pass"),
        ("pt", ENGLISH, "fail"),
        ("en", ENGLISH, "pass"),
        ("pt", "", "fail"),
        ("pt", "Olá!", "not_judged"),
        ("pt", "R$ 12,90", "not_judged"),
        ("pt", "👍", "not_judged"),
        ("es", 'El error dice: "The file could not be found on the server".', "not_judged"),
        ("es", "SELECT * FROM orders WHERE id = 47821;", "not_judged"),
        ("es", '"The file could not be found on the server."', "fail"),
    ],
)
def test_a_reply_in_the_language_of_the_case(language: str, output: str, expected: str) -> None:
    assert came_to(a_case(language=language), output) == expected


@pytest.mark.parametrize(
    ("prompt", "language"),
    [
        ("Qual a capital?", "pt"),
        ("Traduza para o inglês: bom dia a todos.", "en"),
        ("Traduz «buenos días» do espanhol para o francês", "fr"),
        ("Traduce al portugués: mañana voy a la playa", "pt"),
        ("Translate into Spanish: good morning", "es"),
        ("Responda em inglês: qual a capital do Brasil?", "en"),
        ("Escribe un correo en inglés para mi jefe", "en"),
        ("Traduza isto: hello world", None),
    ],
)
def test_a_request_to_translate_calls_for_another_language(prompt: str, language: str | None) -> None:
    target = target_language(a_case(prompt, locale="pt-BR"))
    assert target is not None
    assert target.language == language


def test_what_the_case_says_wins_over_the_prompt() -> None:
    target = target_language(a_case("Traduza para o inglês: oi", locale="pt-BR", language="fr"))
    assert target is not None
    assert target.language == "fr"


def test_without_language_and_locale_nothing_is_asked() -> None:
    assert read_language(a_case(), PORTUGUESE) is None


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Tomorrow I am going to the beach with my parents.", "pass"),
        ('A tradução é: "Tomorrow I am going to the beach with my parents."', "pass"),
        ("Amanhã eu vou à praia com os meus pais e depois volto para casa.", "fail"),
    ],
)
def test_a_translation_may_be_framed_in_the_users_language(output: str, expected: str) -> None:
    assert (
        came_to(a_case("Traduza para o inglês: amanhã vou à praia com meus pais", locale="pt-BR"), output) == expected
    )


def test_a_quotation_in_another_language_does_not_count() -> None:
    output = 'A expressão "once in a blue moon" quer dizer que algo acontece muito raramente.'
    assert came_to(a_case(language="pt"), output) == "pass"


def test_a_part_in_another_language_is_told() -> None:
    output = f"{PORTUGUESE}\n{PORTUGUESE}\nHowever, please note that this information could be outdated by now."
    found = read_language(a_case(language="pt"), output)
    assert found is not None
    assert found.grade == "partial"
    assert found.evidence[0].quote.startswith("However")
    assert output[found.evidence[0].start : found.evidence[0].end] == found.evidence[0].quote


def test_the_language_alone_approves_only_a_case_that_expects_nothing_else() -> None:
    alone = read_language(a_case(language="pt"), PORTUGUESE)
    beside = read_language(a_case(language="pt", expected_behavior=("cordial",)), PORTUGUESE)
    assert alone is not None
    assert beside is not None
    assert not alone.necessary
    assert beside.necessary


@given(st.text(max_size=200))
def test_any_text_is_decided_or_not_and_the_short_is_not(output: str) -> None:
    found = read_language(a_case(language="pt"), output)
    assert found is not None
    if output.strip() and letters(output) < MIN_LETTERS:
        assert found.grade == "not_judged"
