"""Numbers and keys as people type them: without capitals, with other separators, with signs that nobody sees."""

from __future__ import annotations

import pytest

from quilate.goldens.redact import Redaction, leftover_secrets
from quilate.personal_data import find_personal_data

GONE = [
    ("0034 612 345 678", "345 678"),
    ("https://wa.me/56987654321", "87654321"),
    ("R.U.T.: 123456785", "123456785"),
    ("rut12345678-5", "345678"),
    ("529 982 247 25 é meu CPF", "982 247"),
    ("rfc gode561231gr8", "561231"),
    ("dni 12345678z", "12345678"),
    ("12.345.678-Z", "345.678"),
    ("DNI 12345678 Z", "12345678"),
    ("nie x-1234567-l", "1234567"),
    ("es91 2100 0418 4502 0005 1332", "0418 4502"),
    ("ES91-2100-0418-4502-0005-1332", "0418-4502"),
    ("4111.1111.1111.1111", "1111.1111"),
    ("juan (at) example.com", "juan"),
    ("ana[arroba]example.com", "ana"),
    ("12.345\u200b.678\u00ad-5", "678"),
    ("ana\u200d@example.com", "ana"),
    ("１２．３４５．６７８－５", "３４５"),
    ("1️⃣2️⃣.3️⃣4️⃣5️⃣.6️⃣7️⃣8️⃣-5️⃣", "3️⃣4️⃣5️⃣"),
    ("CUIT ２０-２６７５６５３９-３", "２６７５６"),
    ("tarjeta 𝟒𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏", "𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏"),
    ("ana＠example．com", "ana"),
    ("22/6/26, 14:03 - +56 9 8812 3456: Buenas", "8812 3456"),
    ("[22/06/2026 14:03:11] +55 11 98123-4567: oi", "98123-4567"),
    ("CNPJ: 11.222.333 / 0001-81", "222.333"),
    ("mi curp BOXW310820 HNERXN09", "310820"),
    ("4111  1111  1111  1111", "1111  1111"),
    ("marta (arroba) correo (punto) example.com", "marta"),
    ("Domicilio: Insurgentes Sur 1602, CDMX", "Insurgentes Sur 1602"),
    ("mi dirección de envío es Los Aromos 331", "Aromos"),
    ("endereço: Flores do Campo, nº 12", "Flores do Campo"),
]
SECRETS = [
    "Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==",
    "Cookie: sessionid=abcdef1234567890abcdef1234567890",
    "https://hooks.slack.com/services/" + "T00000000/B00000000/abcdEFGH1234ijklMNOP5678",
    "npm_" + "abcDEF123456ghiJKL7890abcDEF123456gh",
    "SG." + "abcdefghijklmnopqrstuv.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi",
    "hf_" + "abcDEFghiJKLmnoPQRstuVWXyzABCDefgh",
    "123456789:" + "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1",
    "aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCY",
    "AccountName=x;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1O==",
    "mi clave es Gatito2024!",
    "redis://:hunter2hunter2@h.example.com:6379",
    "ghp\u200b_" + "a1B2" * 9,
    "lsv2_pt_" + "0123456789abcdef" * 2 + "_0123456789",
    "el pin es 4821", "CVV 123", "cvv de la tarjeta: 1234", "mi clave: 99182", "my password is 482910",
    "código de verificación: 778201", "senha é 4821",
]  # fmt: skip
STAYS = [
    "pedido 123456789012", "order 1234567890123456", "1Z999AA10123456784", "LX123456789CN", "001234567890",
    "$ 12.345.678", "1.234.567,00 €", "2026-05-03T10:00:00Z", "20260503100000", "ISBN 978-3-16-148410-0",
    "192.168.0.10", "10.0.0.1:8080", "-33.4489, -70.6693", "v1.2.3", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "tel aviv 2026", "token: PAY",
    "550e8400-e29b-41d4-a716-446655440000", "password: ********", "mi contraseña no funciona",
    "la clave es la paciencia", "la clave: 1 cosa a la vez", "cvv de 3 dígitos", "pin 2 del conector",
    "password: 8 letters",
    "código de seguridad en 5 minutos", "14:03: llegó", "folio 955 123 456: ok", "la dirección es correcta",
    "dirección: ver pedido 123", "spin 4821", "la contraseña tiene 8 a 12 letras", "clave: 2026-06-22",
    "talla 42-44", "look (at) the page", "the cookie: it crumbles", "de10 a 12", "👩\u200d🚀 hola",
]  # fmt: skip


@pytest.mark.parametrize(("text", "gone"), GONE)
def test_a_value_goes_however_it_is_written(text, gone):
    clean = Redaction().text(text)
    assert gone not in clean
    assert Redaction().text(clean) == clean


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_goes_and_nothing_of_its_shape_is_left(text):
    redaction = Redaction()
    clean = redaction.text(text)
    assert sum(one.times for one in redaction.replaced) == 1
    assert leftover_secrets(clean) == ()


@pytest.mark.parametrize("text", STAYS)
def test_what_only_looks_like_one_stays(text):
    assert Redaction().text(text) == text
    assert leftover_secrets(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "12.345.678-5, 12345678-5, rut 123456785, R.U.T.: 12345678 - 5",
        "dni 12345678z, 12345678Z, 12.345.678-Z",
        "es91 2100 0418 4502 0005 1332, ES9121000418450200051332, ES91-2100-0418-4502-0005-1332",
        "4111.1111.1111.1111, 4111 1111 1111 1111, 4111111111111111",
        "gode561231gr8, GODE-561231-GR8",
    ],
)
def test_every_spelling_becomes_the_same_one_that_validates(text):
    redaction = Redaction()
    clean = redaction.text(text)
    assert [one.values for one in redaction.replaced] == [1]
    assert len(list(find_personal_data(clean))) == text.count(",") + 1


def test_a_phone_is_the_same_with_and_without_its_country():
    redaction = Redaction()
    redaction.text("+56 9 8765 4321, cel 9 8765 4321, https://wa.me/56987654321")
    assert [(one.times, one.values) for one in redaction.replaced] == [(3, 1)]
