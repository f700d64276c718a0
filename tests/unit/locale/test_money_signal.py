"""The currency signal, on the messy text that models write."""

import pytest

from quilate.checks.locale.load import Packs
from quilate.checks.locale.signals import read_signal
from quilate.goldens.case import Signal

BRAZIL = [
    ("R$ 1.234,56", "pass"),
    ("R$700", "pass"),
    ("Custa 700 reais.", "pass"),
    ("R$ 25 a R$ 40", "pass"),
    ("R$\u00a01.234,56", "pass"),
    ("entre 15 e 30 reais", "pass"),
    ("de R$ 25 a 40", "pass"),
    ("trinta reais", "pass"),
    ("R$ 2,5 milhões", "pass"),
    ("R$ 5 mi", "pass"),
    ("10 mil reais", "pass"),
    ("**R$ 25,00**/kg", "pass"),
    ("R\\$ 45,90", "pass"),
    ("**R$** 12,00", "pass"),
    ("R$ **12,00**", "pass"),
    ("R$: 12,00", "pass"),
    ("r$ 12,00", "pass"),
    ("R $ 12,00", "pass"),
    ("R$&nbsp;12,00", "pass"),
    ("**12** reais", "pass"),
    ("50 centavos", "pass"),
    ("| Prato | Preço (R$) |\n|---|---|\n| Feijoada | 25,00 |", "pass"),
    ("| Prato | Preço (US$) |\n|---|---|\n| Feijoada | 5 |", "fail"),
    ("Quer pagar $ 12,00", "fail"),
    ("50 cêntimos", "fail"),
    ("Custa uns R$ 30, ou R$45.50 no shopping", "partial"),
    ("R$ 30 (cerca de US$ 6)", "partial"),
    ("700 R$", "partial"),
    ("R$ 1,234.56", "fail"),
    ("R$ 12,990", "fail"),
    ("USD 5", "fail"),
    ("US$ 5", "fail"),
    ("cinco dólares", "fail"),
    ("€ 20", "fail"),
    ("$ 30", "fail"),
    ("Desculpe, não posso informar preços.", "fail"),
    ("São exemplos reais de números reais.", "fail"),
    ("", "fail"),
    (" \n", "fail"),
]
CHILE = [
    ("$ 12.990", "pass"),
    ("$12.990", "pass"),
    ("12.990 pesos", "pass"),
    ("12.990 pesos chilenos", "pass"),
    ("CLP 12.990", "pass"),
    ("CLP$ 12.990", "pass"),
    ("doce mil pesos", "pass"),
    ("entre $5.000 y $8.000", "pass"),
    ("1,5 UF", "pass"),
    ("$1,5 millones", "pass"),
    ("12 lucas", "pass"),
    ("UF 14,5 mensuales", "pass"),
    ("$12.990,50", "partial"),
    ("$ 12.990 (US$ 13)", "partial"),
    ("$12,990", "fail"),
    ("US$ 15", "fail"),
    ("200 pesos mexicanos", "fail"),
]
OTHERS = [
    ("es-MX", "$1,234.56", "pass"),
    ("es-MX", "$1.234,56", "fail"),
    ("es-MX", "cincuenta centavos", "pass"),
    ("es-AR", "cinco lucas y media", "pass"),
    ("es-ES", "60 céntimos", "pass"),
    ("pt-PT", "oitenta cêntimos", "pass"),
    ("en-US", "50 cents", "pass"),
    ("es-AR", "$ 1.234,56", "pass"),
    ("es-CO", "$ 45.000", "pass"),
    ("es-PE", "S/ 25.50", "pass"),
    ("es-PE", "25 soles", "pass"),
    ("es-ES", "12,50 €", "pass"),
    ("es-ES", "€12,50", "partial"),
    ("es-ES", "€12.50", "fail"),
    ("pt-PT", "12,50 €", "pass"),
    ("pt-PT", "R$ 12,50", "fail"),
    ("en-US", "$1,234.56", "pass"),
    ("en-US", "$1.234,56", "fail"),
    ("en-US", "12 euros", "fail"),
]


def grade(packs: Packs, locale: str, output: str, prompt: str = "") -> str:
    found = packs.get(locale)
    assert found is not None
    criterion = read_signal(Signal.CURRENCY, output, prompt, found)
    assert criterion is not None
    return criterion.grade.value


@pytest.mark.parametrize(("output", "expected"), BRAZIL)
def test_brazilian_amounts(packs: Packs, output: str, expected: str) -> None:
    assert grade(packs, "pt-BR", output) == expected


@pytest.mark.parametrize(("output", "expected"), CHILE)
def test_chilean_amounts(packs: Packs, output: str, expected: str) -> None:
    assert grade(packs, "es-CL", output) == expected


@pytest.mark.parametrize(("locale", "output", "expected"), OTHERS)
def test_amounts_of_other_locales(packs: Packs, locale: str, output: str, expected: str) -> None:
    assert grade(packs, locale, output) == expected


def test_every_sighting_is_quoted_where_it_stands(packs: Packs) -> None:
    found = packs.get("pt-BR")
    assert found is not None
    output = "Um prato sai por R$ 25, e outro por US$ 6."
    criterion = read_signal(Signal.CURRENCY, output, "", found)
    assert criterion is not None
    assert [output[one.start : one.end] for one in criterion.evidence] == ["R$ 25", "US$ 6"]
    assert [one.quote for one in criterion.evidence] == ["R$ 25", "US$ 6"]


def test_a_currency_the_prompt_asks_about_is_no_conflict(packs: Packs) -> None:
    prompt = "Quanto dá 100 dólares hoje?"
    assert grade(packs, "pt-BR", "US$ 100 dão R$ 520,00.", prompt) == "pass"


def test_a_locale_without_a_currency_of_its_own_leaves_the_signal_open(packs: Packs) -> None:
    common = packs.get("es-419")
    assert common is not None
    assert read_signal(Signal.CURRENCY, "$ 100", "", common) is None
