"""Personal data by check digit, secrets by shape. Every value is synthetic; keys are put together here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.finding import Kind
from quilate.personal_data import find_personal_data
from quilate.secret_shapes import find_secrets

KEY = "A1b2C3d4E5f6G7h8I9j0" * 2


def kinds(text):
    return [(found.kind, found.value) for found in find_personal_data(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Su RUT 11.111.111-1.", Kind.RUT, "11.111.111-1"), ("rut 12345678-5", Kind.RUT, "12345678-5"),
        ("RUT: 123456785", Kind.RUT, "123456785"), ("el 12.345.670-K,", Kind.RUT, "12.345.670-K"),
        ("11.111.111\u20111", Kind.RUT, "11.111.111\u20111"),
        ("CPF 529.982.247-25", Kind.CPF, "529.982.247-25"), ("52998224725", Kind.CPF, "52998224725"),
        ("CNPJ 11.222.333/0001-81", Kind.CNPJ, "11.222.333/0001-81"),
        ("12.ABC.345/01DE-35", Kind.CNPJ, "12.ABC.345/01DE-35"),
        ("CUIT 20-26756539-3", Kind.CUIT, "20-26756539-3"), ("cuil 20267565393", Kind.CUIT, "20267565393"),
        ("CURP BOXW310820HNERXN09", Kind.CURP, "BOXW310820HNERXN09"), ("RFC GODE561231GR8", Kind.RFC, "GODE561231GR8"),
        ("DNI 12345678Z", Kind.DNI, "12345678Z"), ("NIE X1234567L", Kind.NIE, "X1234567L"),
        ("a ES91 2100 0418 4502 0005 1332 HOY", Kind.IBAN, "ES91 2100 0418 4502 0005 1332"),
        ("ES9121000418450200051332", Kind.IBAN, "ES9121000418450200051332"),
        ("tarjeta 4111 1111 1111 1111", Kind.CARD, "4111 1111 1111 1111"),
        ("3 4111-1111-1111-1111.", Kind.CARD, "4111-1111-1111-1111"),
        ("5555555555554444", Kind.CARD, "5555555555554444"),
        ("3782 822463 10005", Kind.CARD, "3782 822463 10005"), ("4222222222222", Kind.CARD, "4222222222222"),
        ("<ana.rojas+x@example.com>", Kind.EMAIL, "ana.rojas+x@example.com"),
        ("josé@correo.example.cl.", Kind.EMAIL, "josé@correo.example.cl"),
    ],
)  # fmt: skip
def test_personal_data_is_found(text, kind, value):
    assert kinds(text) == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "pedido 47821", "pedido 123456785", "11.111.111-2", "$11.111.111", "529.982.247-26", "20-26756539-4",
        "00000000000",
        "4111 1111 1111 1112", "9111111111111111", "4111 1111 11111111", "seguimiento 1Z999AA10123456784", "2026-06-22",
        "ES91 2100 0418 4502 0005 1333", "ayuda@example.com", "no-reply@example.com", "@equipo", "a@b", "12345678A",
        "X1234567A", "versión 12.345.678-5.2", "https://example.com/12345678-5/", "12345678-5-3", "+56 9 1234 5678",
        "16:30",
    ],
)  # fmt: skip
def test_what_has_no_right_check_digit_is_left_alone(text):
    assert kinds(text) == []


def test_only_the_kinds_asked_for_are_found():
    text = "11.111.111-1 ana@example.com ES9121000418450200051332"
    assert [found.kind for found in find_personal_data(text, [Kind.EMAIL])] == [Kind.EMAIL]


def test_findings_come_from_left_to_right_with_their_offsets():
    text = "ana@example.com, 11.111.111-1 y 4111 1111 1111 1111"
    found = list(find_personal_data(text))
    assert [one.kind for one in found] == [Kind.EMAIL, Kind.RUT, Kind.CARD]
    assert all(text[one.start : one.end] == one.value for one in found)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("AKIA" + "ABCDEFGH234567AB", Kind.AWS_KEY), ("ghp_" + KEY[:36], Kind.GITHUB_TOKEN),

        ("github_pat_" + KEY, Kind.GITHUB_TOKEN),
        ("glpat-" + KEY[:20], Kind.GITLAB_TOKEN), ("sk-ant-" + "api03-" + KEY, Kind.ANTHROPIC_KEY),
        ("sk-" + KEY, Kind.OPENAI_KEY),
        ("sk-proj-" + KEY, Kind.OPENAI_KEY), ("xoxb-" + "123456789012-" + KEY, Kind.SLACK_TOKEN),

        ("AIza" + KEY[:35], Kind.GOOGLE_KEY),
        ("sk_live_" + KEY, Kind.STRIPE_KEY), ("-----BEGIN RSA " + "PRIVATE KEY-----", Kind.PRIVATE_KEY),
        ("-----BEGIN " + "PRIVATE KEY-----", Kind.PRIVATE_KEY),
        ("eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0" + "." + KEY, Kind.JWT),
    ],
)  # fmt: skip
def test_the_shape_of_a_key_is_found(value, kind):
    for text in (value, f'la clave es "{value}".', f"clave\n{value}\n"):
        assert [(found.kind, found.value) for found in find_secrets(text)] == [(kind, value)]


def test_tokens_in_headers_and_addresses_are_found():
    assert [f.value for f in find_secrets(f"Authorization: Bearer {KEY}")] == [KEY]
    assert [f.value for f in find_secrets("postgres://ana:s3creto@db.example.com/x")] == ["s3creto"]


@pytest.mark.parametrize(
    "text",
    [
        "sk-corto",
        "la tarea ask-" + "a" * 30,
        "bearer of good news and tidings",
        "AKIAtest",
        "https://example.com:8080/a@b",
    ],
)
def test_words_are_no_secrets(text):
    assert list(find_secrets(text)) == []


@pytest.mark.parametrize(
    "piece",
    ["a", "1", "1 ", "a.", "a@", "@", "-", "ES91 ", "ES91", "eyJ", "eyJ" * 10 + ".", "sk-", "bearer ", "rut ",
     "1.", "://a:", "-----BEGIN A "],
)  # fmt: skip
def test_hostile_megabytes_are_answered(piece):
    text = piece * (1_000_000 // len(piece))
    assert list(find_secrets(text)) is not None
    assert list(find_personal_data(text)) is not None


@given(st.text())
def test_any_text_is_searched(text):
    for found in [*find_personal_data(text), *find_secrets(text)]:
        assert text[found.start : found.end] == found.value
