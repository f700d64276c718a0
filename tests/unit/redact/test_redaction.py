"""What is redacted and what is not, by a set that was written before the code, and what stands in its place."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.ar import cuit
from stdnum.br import cnpj, cpf
from stdnum.cl import rut
from stdnum.es import dni, nie
from stdnum.mx import curp, rfc

from quilate.goldens.redact import Redaction, leftover_secrets
from quilate.goldens.redact_contacts import find_contacts
from quilate.personal_data import find_personal_data

STRINGS = [
    json.loads(line) for line in (Path(__file__).parent / "data" / "strings.jsonl").read_text("utf-8").splitlines()
]
LEAST = {"phone number": 0.95, "postal address": 0.95}
VALID = {
    "RUT": rut.is_valid, "CPF": cpf.is_valid, "CNPJ": cnpj.is_valid, "CUIT": cuit.is_valid, "CURP": curp.is_valid,
    "RFC": lambda value: rfc.is_valid(value, validate_check_digits=True), "DNI": dni.is_valid, "NIE": nie.is_valid,
    "IBAN": iban.is_valid, "card number": lambda value: luhn.is_valid(value.replace(" ", "")),
}  # fmt: skip
SLACK = "xoxb-" + "1234567890-abcdefghij"


def _found(text: str) -> set[tuple[str, str]]:
    certain = {(one.kind.value, one.value) for one in find_personal_data(text)}
    if certain:
        return certain
    return {(one.kind, text[one.start : one.end]) for one in find_contacts(text)}


def test_precision_and_recall_of_each_kind():
    right, missed, wrong = Counter(), Counter(), Counter()
    for row in STRINGS:
        wanted, found = {tuple(one) for one in row["find"]}, _found(row["text"])
        right.update(kind for kind, _ in wanted & found)
        missed.update(kind for kind, _ in wanted - found)
        wrong.update(kind for kind, _ in found - wanted)
    for kind in {*right, *missed, *wrong}:
        least = LEAST.get(kind, 0.98)
        assert right[kind] >= least * (right[kind] + missed[kind]), (kind, "recall")
        assert right[kind] >= least * (right[kind] + wrong[kind]), (kind, "precision")


def test_the_set_is_large_enough_and_half_of_it_stays():
    assert len(STRINGS) >= 300
    assert sum(not row["find"] for row in STRINGS) >= 0.45 * len(STRINGS)


def test_what_is_not_personal_stays_to_the_letter():
    for row in STRINGS:
        if not row["find"]:
            assert Redaction().text(row["text"]) == row["text"]


@pytest.mark.parametrize("row", [row for row in STRINGS if row["find"]], ids=lambda row: row["text"][:40])
def test_every_value_becomes_one_that_still_validates_and_redacting_again_changes_nothing(row):
    ((kind, value),) = row["find"]
    redacted = Redaction().text(row["text"])
    assert value not in redacted
    if kind in VALID:
        (again,) = _found(redacted)
        assert again[0] == kind
        assert VALID[kind](again[1])
        assert len(again[1]) == len(value) or kind == "IBAN"
    assert Redaction().text(redacted) == redacted


def test_the_same_value_is_the_same_one_in_every_spelling_and_text():
    redaction = Redaction()
    first = redaction.text("RUT 12.345.678-5 y otra vez 12345678-5")
    dotted, bare = first.removeprefix("RUT ").split(" y otra vez ")
    assert dotted.replace(".", "") == bare
    assert redaction.text("soy 12.345.678-5") == f"soy {dotted}"
    assert redaction.text("soy 9.876.543-3") != f"soy {dotted}"
    assert [(one.kind, one.times, one.values) for one in redaction.replaced] == [("RUT", 4, 2)]


def test_twenty_different_numbers_of_a_kind_stay_different():
    numbers = [f"{n}-{rut.calc_check_digit(str(n))}" for n in range(12_000_001, 12_000_021)]
    redacted = Redaction().text("; ".join(numbers)).split("; ")
    assert len(set(redacted)) == 20
    assert all(rut.is_valid(one) for one in redacted)


def test_listed_names_go_whole_and_in_part_but_ordinary_words_stay():
    redaction = Redaction(people=["Camila Rojas", "José"])
    text = redaction.text("Hola Camila. CAMILA ROJAS pidió 3 cajas rojas; lo vio Jose, no Josefina.")
    assert "amila" not in text
    assert "CAMILA" not in text
    assert "cajas rojas" in text
    assert "Josefina" in text
    assert "vio Sam" in text


def test_a_secret_is_taken_out_and_a_shape_that_is_left_is_told():
    redaction = Redaction()
    text = redaction.text(f"token {SLACK} y password: hunter2hunter2")
    assert SLACK not in text
    assert "hunter2" not in text
    assert leftover_secrets(text) == ()
    assert leftover_secrets("-----BEGIN RSA " + "PRIVATE KEY-----\nabc") != ()
    assert leftover_secrets("k = " + "aB3xZ9qL" * 6) != ()


@pytest.mark.parametrize(
    "text",
    ["un texto normal con un pedido 47821", "https://example.com/a/very/long/path/that-goes-on-and-on/for-ever-and-ever",
     "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "a" * 200, "-" * 200],
)  # fmt: skip
def test_ordinary_text_is_not_taken_for_a_leftover_secret(text):
    assert leftover_secrets(text) == ()


def test_a_private_key_goes_whole():
    key = "-----BEGIN " + "PRIVATE KEY-----\nMIIabc\nDEF=\n-----END " + "PRIVATE KEY-----"
    assert Redaction().text(f"a {key} b") == "a [private key removed] b"


ALMOST = ("tel ", "+56 9 ", "(11) ", "Av. La ", "Calle de la ", "1 A ", "password: a", "9 9", "mi número ")


@pytest.mark.parametrize("piece", [*ALMOST, "-----BEGIN PRIVATE KEY-----"])
def test_long_text_of_almost_findings_comes_to_an_end(piece):
    """Quadratic time would take hours here."""
    text = piece * (200_000 // len(piece))
    assert len(Redaction().text(text)) > 0


@given(st.text(max_size=300))
def test_any_text_can_be_redacted_twice(text):
    once = Redaction().text(text)
    assert Redaction().text(once) == once
