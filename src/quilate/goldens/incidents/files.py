"""A file that somebody has of an incident into text: what is no text is told with what to give instead."""

from __future__ import annotations

import codecs
import email
import email.policy
import re

from quilate.errors import UsageError

_PAGE = re.compile(r"\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype html|html)\b", re.IGNORECASE)
_MAIL = re.compile(r"(?im)^(?:mime-version|received|message-id|return-path|delivered-to):\s")
_FROM = re.compile(r"(?im)^from:\s")
_KINDS = (
    (b"PK\x03\x04", "a zip; unpack it and give the text in it, such as WhatsApp's _chat.txt"),
    (b"%PDF", "a PDF; copy the conversation's text out of it"),
    (b"\x89PNG", "a picture; the words themselves are needed"),
    (b"\xff\xd8\xff", "a picture; the words themselves are needed"),
)


def text_of(data: bytes, name: str) -> str:
    """The text of a file: UTF-8, or UTF-16 with its mark; of a mail the part that people read.

    Raises `UsageError` for what holds no text.
    """
    kind = next((said for begins, said in _KINDS if data.startswith(begins)), None)
    if kind is not None:
        message = f"{name}: it is {kind}"
        raise UsageError(message)
    utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf_16 else "utf-8-sig")
    except ValueError:
        message = f"{name}: not UTF-8; save the file as UTF-8 first"
        raise UsageError(message) from None
    if _PAGE.match(text[:2000]):
        message = f"{name}: it is a web page; copy the conversation's text out of it"
        raise UsageError(message)
    return _of_mail(data, name) if _is_mail(text) else text


def _is_mail(text: str) -> bool:
    """Whether it is a mail as programs store it: headers alone, of which some are for programs, then a blank line."""
    head, blank, _ = text.replace("\r\n", "\n").partition("\n\n")
    lines = head[:20_000].split("\n")
    headers = all(re.match(r"[A-Za-z][\w-]*:|[ \t]|From ", line) for line in lines)
    return bool(blank) and headers and _FROM.search(head) is not None and _MAIL.search(head) is not None


def _of_mail(data: bytes, name: str) -> str:
    parsed = email.message_from_bytes(data, policy=email.policy.default)
    body = parsed.get_body(preferencelist=("plain",))
    if body is None:
        message = f"{name}: the mail has no plain text; copy the conversation's text out of it"
        raise UsageError(message)
    try:
        text = body.get_content()
    except (LookupError, ValueError) as error:
        message = f"{name}: the mail's text cannot be read ({error}); copy it out of the mail"
        raise UsageError(message) from None
    sender = str(parsed.get("From", ""))
    return f"From: {sender}\n\n{text}" if sender else str(text)
