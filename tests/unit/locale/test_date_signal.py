"""The date signal, on the messy text that models write."""

import pytest

from quilate.checks.locale.load import Packs
from quilate.checks.locale.signals import read_signal
from quilate.goldens.case import Signal

PROMPT = "Minha consulta ficou para cinco de abril de 2026 às duas e meia da tarde. Pode resumir isso em uma linha?"
BRAZIL = [
    ("05/04/2026 às 14h30", "pass"),
    ("5 de abril", "pass"),
    ("5/4", "pass"),
    ("05/04/26", "pass"),
    ("5 de abril de 2026, 14:30", "pass"),
    ("Domingo, 5/4/2026.", "pass"),
    ("5 abr. 2026", "pass"),
    ("05 / 04 / 2026", "pass"),
    ("No dia 5, às 14h30", "partial"),
    ("cinco de abril", "partial"),
    ("2026-04-05", "partial"),
    ("05.04.2026", "partial"),
    ("05/04/2026, 2:30 PM", "partial"),
    ("06/04/2026", "partial"),
    ("04/05/2026", "fail"),
    ("04/05/2026, 2:30 PM", "fail"),
    ("April 5, 2026", "fail"),
    ("abril 5, 2026", "fail"),
    ("Não posso ajudar.", "fail"),
    ("Use 1/2 xícara.", "fail"),
    ("", "fail"),
]


def grade(packs: Packs, locale: str, output: str, prompt: str) -> str:
    found = packs.get(locale)
    assert found is not None
    criterion = read_signal(Signal.DATE, output, prompt, found)
    assert criterion is not None
    return criterion.grade.value


@pytest.mark.parametrize(("output", "expected"), BRAZIL)
def test_brazilian_dates(packs: Packs, output: str, expected: str) -> None:
    assert grade(packs, "pt-BR", output, PROMPT) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("05-04-2026", "pass"),
        ("05-abr-2026", "pass"),
        ("05/04/2026", "pass"),
        ("5 de abril de 2026", "pass"),
        ("05-04-2026 a las 2:30 p. m.", "pass"),
        ("04-05-2026", "fail"),
    ],
)
def test_chilean_dates(packs: Packs, output: str, expected: str) -> None:
    assert grade(packs, "es-CL", output, "Mi hora es el cinco de abril de 2026") == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [("April 5, 2026", "pass"), ("4/5/2026", "pass"), ("05/04/2026", "fail"), ("5 April 2026", "fail")],
)
def test_us_dates(packs: Packs, output: str, expected: str) -> None:
    assert grade(packs, "en-US", output, "My appointment is on April 5, 2026.") == expected


def test_without_a_date_in_the_prompt_an_impossible_month_tells_the_order(packs: Packs) -> None:
    assert grade(packs, "pt-BR", "25/12/2026", "Quando é o Natal?") == "pass"
    assert grade(packs, "pt-BR", "12/25/2026", "Quando é o Natal?") == "fail"
