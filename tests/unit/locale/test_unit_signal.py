"""The unit signal, on the messy text that models write."""

import pytest

from quilate.checks.locale.load import Packs
from quilate.checks.locale.signals import read_signal
from quilate.goldens.case import Signal

CASES = [
    ("pt-BR", "431 km", "pass"),
    ("pt-BR", "**431 km** pela Dutra", "pass"),
    ("pt-BR", "30 °C", "pass"),
    ("pt-BR", "30°C", "pass"),
    ("pt-BR", "30 ºC", "pass"),
    ("pt-BR", "27 graus Celsius", "pass"),
    ("pt-BR", "1,73 m", "pass"),
    ("pt-BR", "1,73 metro", "pass"),
    ("pt-BR", "431 quilômetros", "pass"),
    ("pt-BR", "quatrocentos e trinta e um quilômetros", "pass"),
    ("pt-BR", "2.500 km", "pass"),
    ("pt-BR", "431 Km", "pass"),
    ("pt-BR", "80 KG", "pass"),
    ("pt-BR", "**431** km", "pass"),
    ("pt-BR", "431&nbsp;km", "pass"),
    ("pt-BR", "1m73", "pass"),
    ("pt-BR", "430 quilómetros", "pass"),
    ("pt-BR", "uma TV de 65 polegadas tem 1,43 m de largura", "pass"),
    ("pt-BR", "uma TV de 65 polegadas", "partial"),
    ("pt-BR", "2 xícaras de farinha", "partial"),
    ("pt-BR", "65 polegadas de altura", "fail"),
    ("es-CL", "2 tazas de harina", "partial"),
    ("pt-BR", "1.73 m", "partial"),
    ("pt-BR", "268 milhas (431 km)", "partial"),
    ("pt-BR", "27 graus", "partial"),
    ("pt-BR", "umas seis horas de carro", "partial"),
    ("pt-BR", "268 milhas", "fail"),
    ("pt-BR", "86 °F", "fail"),
    ("pt-BR", "5 pés e 8 polegadas", "fail"),
    ("pt-BR", "um prejuízo de R$ 5 mi", "fail"),
    ("pt-BR", "Não sei.", "fail"),
    ("pt-BR", "", "fail"),
    ("es-CL", "500 kilómetros", "pass"),
    ("es-CL", "unos 500 kms.", "pass"),
    ("es-CL", "20 grados Celsius", "pass"),
    ("es-CL", "20 grados", "partial"),
    ("es-CL", "310 millas", "fail"),
    ("es-MX", "1.73 m", "pass"),
    ("es-MX", "10 miles de personas", "fail"),
    ("en-US", "5 miles", "pass"),
    ("en-US", "80°F", "pass"),
    ("en-US", "8 km", "fail"),
]


@pytest.mark.parametrize(("locale", "output", "expected"), CASES)
def test_measures(packs: Packs, locale: str, output: str, expected: str) -> None:
    found = packs.get(locale)
    assert found is not None
    criterion = read_signal(Signal.METRIC_UNITS, output, "", found)
    assert criterion is not None
    assert criterion.grade.value == expected, criterion.reason


def test_units_the_prompt_uses_are_no_conflict(packs: Packs) -> None:
    found = packs.get("pt-BR")
    assert found is not None
    criterion = read_signal(Signal.METRIC_UNITS, "100 milhas são 160,9 km.", "Quanto são 100 milhas?", found)
    assert criterion is not None
    assert criterion.grade == "pass"
