"""Replies are hostile: any text comes to a grade with true quotations, or is left open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.checks.locale.load import load_packs
from quilate.checks.locale.markers import grade_register
from quilate.checks.locale.signals import read_signal, signal_context
from quilate.goldens.case import Signal
from quilate.grades import Grade

PACKS = load_packs()
PIECES = st.sampled_from(
    ["R$", "US$", "$", "€", "1.234,56", "1,234.56", "05/04/2026", "5 de abril", " ", "\u00a0", "km", "°F", "CPF", "RUT",
     "12.345.678-5", "reais", "pesos", "cinco", "e\u0301", "\u202e", "\x00", "dar um jeitinho", "po", "|", "\n"],
)  # fmt: skip
TEXT = st.one_of(st.text(max_size=120), st.lists(PIECES, max_size=20).map("".join))


@given(TEXT, TEXT, st.sampled_from(Signal), st.sampled_from(PACKS.known))
def test_any_reply_to_any_prompt_in_any_locale(output: str, prompt: str, signal: Signal, tag: str) -> None:
    locale = PACKS.get(tag)
    assert locale is not None
    found = read_signal(signal, output, prompt, locale)
    signal_context(signal, output, prompt, locale)
    if found is not None:
        assert found.grade in (Grade.PASS, Grade.PARTIAL, Grade.FAIL)
        assert all(one.start is not None and output[one.start : one.end] == one.quote for one in found.evidence)


@given(TEXT)
def test_any_reply_has_a_register(output: str) -> None:
    chile = PACKS.get("es-CL")
    assert chile is not None
    found = grade_register(output, chile)
    assert found is not None
    assert all(output[one.start : one.end].strip() for one in found.sightings)


@pytest.mark.parametrize("piece", ["1.", "cinco e ", "CPF ", "R$ 1 a ", "- a: b\n", "e" + "\u0301" * 50])
def test_a_long_reply_of_one_piece_repeated_is_read(piece: str) -> None:
    brazil = PACKS.get("pt-BR")
    assert brazil is not None
    assert read_signal(Signal.CURRENCY, piece * 2000, "", brazil) is not None
    assert read_signal(Signal.SOCIAL_NORMS, piece * 2000, "", brazil) is not None
