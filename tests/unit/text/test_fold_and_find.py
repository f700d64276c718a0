"""Folding text and finding quotations again."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.text import Span, find_span, fold, folded, nfc


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Hola\u00a0 \n mundo ", "hola mundo"),
        ("STRASSE Straße", "strasse strasse"),
        ("cacha\u0301i", "cachái"),
        ("ＡＢＣ", "ａｂｃ"),
        ("", ""),
        ("\u1112\u1161\u11ab", "\ud55c"),
    ],
)
def test_folding_makes_equal_what_reads_equal(text, expected):
    assert fold(text) == expected


@given(st.text())
def test_folding_is_idempotent_and_agrees_with_the_form_that_has_offsets(text):
    assert fold(fold(text)) == fold(text)
    assert folded(text).text.strip() == fold(text)


@given(st.text())
def test_normalising_equals_unicodes_own(text):
    assert nfc(text) == unicodedata.normalize("NFC", text)


@given(st.text(), st.text(min_size=1).filter(lambda quote: bool(fold(quote))), st.text())
def test_a_quotation_is_found_where_it_folds_equal(before, quote, after):
    text = f"{before} {quote} {after}"
    span = find_span(quote, text)
    assert span is not None
    assert span.exact
    assert fold(quote) in fold(text[span.start : span.end])


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("CACHÁI", "¿Cómo esta\u0301s, cacha\u0301i?", "cacha\u0301i"),
        ("hola mundo", "ya: hola \u00a0\n mundo.", "hola \u00a0\n mundo"),
        ("strasse", "die Straße hier", "Straße"),
    ],
)
def test_offsets_are_those_of_the_original(quote, text, found):
    span = find_span(quote, text)
    assert span is not None
    assert (text[span.start : span.end], span.exact) == (found, True)


@given(st.text(st.sampled_from("aéßİ \n\u00a0e\u0301\u0300\u1112\u1161\u11abñK\u212a\u2000")))
def test_every_offset_leads_back_to_what_folds_to_it(text):
    whole = folded(text)
    for start in range(len(whole.text)):
        for end in range(start + 1, len(whole.text) + 1):
            first, last = whole.original(start, end)
            assert whole.text[start:end] in folded(text[first:last]).text


def test_a_quotation_with_a_slip_is_found_close():
    text = "El pedido 47821 está en reparto y llegará el 24 de junio."
    span = find_span("El pedido 47821 esta en reparto y llegara el 24 de junio", text)
    assert span == Span(0, len(text) - 1, exact=False)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("", "text"), ("  ", "text"), ("algo", ""), ("algo", "   "),
        ("el pedido fue entregado ayer en su domicilio", "No tengo información sobre eso."),
        ("una cita mucho más larga que el texto entero", "cita"),
        ("no", "so"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_not_found(quote, text):
    assert find_span(quote, text) is None


def test_a_long_quotation_is_found_by_its_ends():
    body = " ".join(f"palabra{n}" for n in range(1000))
    text = f"antes {body} después"
    quote = body.replace("palabra500 ", "palabra500, ")
    span = find_span(quote, text)
    assert span == Span(6, 6 + len(body), exact=False)


@pytest.mark.parametrize(
    "text",
    [
        "ß" * 300_000,
        "hola, qué tal\n" * 30_000,
        "a" + "\u0300\u0316" * 150_000,
        "a" * 300_000,
        "ab " * 100_000,
        "\u0301" * 300_000,
        " " * 300_000 + "x",
    ],
)
def test_hostile_length_is_handled(text):
    assert fold(text) is not None
    assert find_span("ab" * 400 + "xyz", text) is None
    assert find_span("q" * 5000, text) is None
