"""What somebody has of an incident: text, a stored mail, or a file that is no text and is told so."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from quilate.errors import UsageError
from quilate.goldens.incidents.files import text_of

SAID = "¿Dónde está mi pedido 47821? Ayer decía «mañana» y hoy otra vez lo mismo, según la página de seguimiento."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_text_is_read_in_the_encodings_that_programs_mark(encoding):
    data = SAID.encode(encoding) if encoding != "utf-16-le" else b"\xff\xfe" + SAID.encode("utf-16-le")
    assert text_of(data, "chat.txt") == SAID


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04rest", "a zip; unpack it"),
        (b"%PDF-1.7", "a PDF"),
        (b"\x89PNG\r\n", "a picture"),
        (b"\xff\xd8\xff\xe0", "a picture"),
        (SAID.encode("cp1252"), "not UTF-8"),
        (b"\n<!DOCTYPE html><html><body>hi</body></html>", "a web page"),
        (b"<html>", "a web page"),
        (b"\xff\xfe\x00", "not UTF-8"),
    ],
)
def test_what_is_no_text_is_told_with_what_to_give(data, said):
    with pytest.raises(UsageError, match=f"^chat: .*{said}"):
        text_of(data, "chat")


def _mail(*, html=False):
    mail = EmailMessage()
    mail["From"] = "Robin Example <robin@example.com>"
    mail["To"] = "support@example.com"
    mail["Subject"] = "¿Mi pedido?"
    mail["Message-ID"] = "<1@example.com>"
    mail.set_content(SAID, subtype="html" if html else "plain", cte="quoted-printable")
    return mail


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_of_a_stored_mail_the_part_that_people_read_is_taken(ends):
    text = text_of(_mail().as_bytes().replace(b"\n", ends), "a.eml")
    assert text.split("\n\n", 1)[1].strip() == SAID
    assert text.startswith("From: Robin Example")
    assert "MIME" not in text


def test_of_a_mail_with_a_page_beside_it_the_text_is_taken():
    mail = _mail()
    mail.add_alternative("<p>other</p>", subtype="html")
    assert SAID in text_of(mail.as_bytes(), "a.eml")


def test_a_mail_without_plain_text_is_told():
    with pytest.raises(UsageError, match="no plain text"):
        text_of(_mail(html=True).as_bytes(), "a.eml")


def test_a_mail_in_an_encoding_nobody_knows_is_told():
    data = _mail().as_bytes().replace(b'charset="utf-8"', b'charset="klingon"')
    with pytest.raises(UsageError, match="cannot be read"):
        text_of(data, "a.eml")


@pytest.mark.parametrize("text", ["Received: yes\nUser: hi", "From: Ana\nSubject: hi\n\nhola", "", "a\n\nReceived: x"])
def test_a_text_with_words_of_a_mail_in_it_is_a_text(text):
    assert text_of(text.encode(), "chat.txt") == text
