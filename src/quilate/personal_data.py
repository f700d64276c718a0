"""Personal data in a text: numbers whose check digits hold, e-mail addresses.

Everything runs in time linear in the text's length. What carries no check digit of its own is not guessed at: an order
number is not an identity number. Where one digit in eleven would pass by chance (RUT, CUIT), bare digits count only
after the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from quilate.finding import Detector, Found, Kind, Place, apart, places
from quilate.seen import seen

ROLE_ADDRESSES = frozenset({
    "abuse", "admin", "ajuda", "ayuda", "atencion", "atendimento", "billing", "clientes", "contact", "contacto",
    "contato", "help", "hello", "hola", "info", "mail", "no-reply", "noreply", "notifications", "pedidos", "postmaster",
    "reclamos", "sac", "sales", "security", "soporte", "suporte", "support", "team", "ventas", "vendas", "webmaster",
})  # fmt: skip
"""Local parts of addresses that are an office, not a person."""

_BEFORE = r"(?<![\w.,/@-])"
_AFTER = r"(?![\w@]|[-.,/]\w)"


def _shape(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    return re.compile(f"{_BEFORE}(?P<value>{pattern}){_AFTER}", flags)


def _after_word(words: str, pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})\W{{0,5}}(?:es |é |n[°ºo] ?)?(?P<value>{pattern}){_AFTER}", re.IGNORECASE)


def _rut(value: str) -> bool:
    from stdnum.cl import rut

    return bool(rut.is_valid(value))


def _cpf(value: str) -> bool:
    from stdnum.br import cpf

    return bool(cpf.is_valid(value)) and ("." in value or len(set(value)) > 1)


def _cnpj(value: str) -> bool:
    from stdnum.br import cnpj

    return bool(cnpj.is_valid(value)) and ("." in value or len(set(value)) > 1)


def _cuit(value: str) -> bool:
    from stdnum.ar import cuit

    return bool(cuit.is_valid(value))


def _curp(value: str) -> bool:
    from stdnum.mx import curp

    return bool(curp.is_valid(value))


def _rfc(value: str) -> bool:
    from stdnum.mx import rfc

    return bool(rfc.is_valid(value, validate_check_digits=True))


def _dni(value: str) -> bool:
    from stdnum.es import dni

    return bool(dni.is_valid(value.replace(".", "")))


def _nie(value: str) -> bool:
    from stdnum.es import nie

    return bool(nie.is_valid(value))


@lru_cache(maxsize=4096)
def _iban(value: str) -> bool:
    from stdnum import iban

    return bool(iban.is_valid(value))


_CARD_PREFIXES: tuple[tuple[range, int, frozenset[int]], ...] = (
    (range(4, 5), 1, frozenset({13, 16, 19})),
    (range(51, 56), 2, frozenset({16})),
    (range(2221, 2721), 4, frozenset({16})),
    (range(34, 38, 3), 2, frozenset({15})),
    (range(6011, 6012), 4, frozenset({16, 19})),
    (range(644, 660), 3, frozenset({16, 19})),
    (range(300, 306), 3, frozenset({14})),
    (range(36, 40), 2, frozenset({14, 16})),
    (range(3528, 3590), 4, frozenset({16})),
    (range(62, 63), 2, frozenset({16, 17, 18, 19})),
)
"""Issuers' first digits, how many they are, and the lengths of their numbers (ISO/IEC 7812 ranges as published)."""


def _card(value: str) -> bool:
    from stdnum import luhn

    digits = re.sub(r"\D", "", value)
    issued = any(int(digits[:size]) in firsts and len(digits) in lengths for firsts, size, lengths in _CARD_PREFIXES)
    return issued and bool(luhn.is_valid(digits))


def _person(value: str) -> bool:
    local, _, domain = value.partition("@")
    return local.casefold().split("+")[0] not in ROLE_ADDRESSES and not domain.endswith((".png", ".jpg", ".svg"))


_PERSONAL: tuple[Detector, ...] = (
    (Kind.RUT, _shape(r"(?:\d{1,2}\.\d{3}\.\d{3}|\d{7,8}) ?- ?[\dkK]"), _rut),
    (Kind.RUT, _after_word(r"r\.?u\.?[tn]", r"\d{1,2}\.?\d{3}\.?\d{3} ?-? ?[\dkK]"), _rut),
    (Kind.CPF, _shape(r"\d{3}\.\d{3}\.\d{3}-\d{2}|\d{9}-?\d{2}|\d{3} \d{3} \d{3} \d{2}"), _cpf),
    (Kind.CNPJ, _shape(r"[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3} ?/ ?[\dA-Z]{4} ?- ?\d{2}|\d{14}"), _cnpj),
    (Kind.CUIT, _shape(r"\d{2}-\d{8}-\d"), _cuit),
    (Kind.CUIT, _after_word("cuit|cuil", r"\d{2}[- ]?\d{8}[- ]?\d"), _cuit),
    (Kind.CURP, _shape(r"[A-Z]{4}\d{6}[A-Z]{6}[A-Z\d]\d", re.IGNORECASE), _curp),
    (Kind.CURP, _after_word("curp", r"[A-Z]{4} ?\d{6} ?[A-Z]{6} ?[A-Z\d]\d"), _curp),
    (Kind.RFC, _shape(r"[A-ZÑ&]{3,4}-?\d{6}-?[A-Z\d]{3}", re.IGNORECASE), _rfc),
    (Kind.DNI, _shape(r"\d{8}-?[A-Z]|\d{2}\.\d{3}\.\d{3}-?[A-Z]"), _dni),
    (Kind.DNI, _after_word("dni|nif", r"\d{2}\.?\d{3}\.?\d{3}[ -]?[A-Z]"), _dni),
    (Kind.NIE, _shape(r"[XYZ]-?\d{7}-?[A-Z]", re.IGNORECASE), _nie),
    (
        Kind.CARD,
        _shape(
            r"\d{13,19}|\d{4}(?P<sep>[ .-]| {2})\d{4}(?P=sep)\d{4}(?P=sep)\d{4}(?:(?P=sep)\d{3})?"
            r"|\d{4}(?P<gap>[ -])\d{6}(?P=gap)\d{4,5}"
        ),
        _card,
    ),
    (
        Kind.EMAIL,
        re.compile(r"(?<![\w.+%-])(?P<value>[\w.+%-]{1,64}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}[^\W\d_]{2,24})(?![\w@-])"),
        _person,
    ),
    (
        Kind.EMAIL,
        re.compile(
            r"(?<![\w.+%-])(?P<value>[\w.+%-]{1,64} ?[(\[] ?(?:at|arroba) ?[)\]] ?"
            r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?(?:\.| ?[(\[] ?(?:dot|punto|ponto) ?[)\]] ?)){1,6}"
            r"[^\W\d_]{2,24})(?![\w@-])",
            re.IGNORECASE,
        ),
        lambda value: _person(re.sub(r" ?[(\[] ?(?:at|arroba) ?[)\]] ?", "@", value, flags=re.IGNORECASE)),
    ),
)  # fmt: skip

_IBAN_START = re.compile(rf"{_BEFORE}(?P<country>[A-Z]{{2}})\d{{2}}(?=(?:[ -]?[A-Z\d]){{11}})", re.IGNORECASE)
_IBAN_END = re.compile(_AFTER)


def find_personal_data(text: str, kinds: Iterable[Kind] | None = None) -> Iterator[Found]:
    """Personal data in `text`, from left to right without overlaps; `kinds` narrows what is looked for.

    Identity and account numbers count only with right check digits (python-stdnum), cards by Luhn with an issuer's
    first digits and length, e-mail addresses unless they are an office's (`ROLE_ADDRESSES`).
    """
    wanted = None if kinds is None else frozenset(kinds)
    plain = seen(text)
    found = list(places(_PERSONAL, plain.text, wanted))
    if wanted is None or Kind.IBAN in wanted:
        found.extend(_ibans(plain.text))
    yield from apart(found, plain, text)


_ANOTHER_NUMBER = re.compile(
    r"(?<!\w)(?:pedidos?|[oó]rden(?:es)?|orders?|ordem|folio|protocolo|chamado|tickets?|boletas?|facturas?|nota fiscal"
    r"|invoice|seguimiento|rastreio|rastreamento|tracking|gu[ií]a|reserva|booking|contrato|referencia|referência|reference|ref"
    r"|sku|ean|imei|isbn|lote|c[oó]digo de barras|barcode|operaci[oó]n|transacci[oó]n|transação|transaction)"
    r"(?:[ \t:.#\"'*(°º-]|\b(?:n[ºo]?|n[uú]mero|number)\b){0,12}\Z",
    re.IGNORECASE,
)
_LOOKED_BACK = 48


def named_otherwise(text: str, found: Found) -> bool:
    """Whether bare digits, which one number in a hundred is by chance, are said to be something else: `pedido 529…`.

    Written in the form of its kind (529.982.247-25) a number is what it looks like, whatever stands before it.
    """
    if found.kind not in (Kind.CPF, Kind.CNPJ, Kind.CARD) or not seen(found.value).text.isdecimal():
        return False
    before = seen(text[max(0, found.start - _LOOKED_BACK) : found.start]).text
    return _ANOTHER_NUMBER.search(before) is not None


def _ibans(plain: str) -> Iterator[Place]:
    """Words may follow an IBAN, and how long it is depends on its country."""
    for match in _IBAN_START.finditer(plain):
        length = _iban_length(match["country"].upper())
        if not length:
            continue
        start, end = match.start(), match.start()
        while length and end < len(plain):
            length -= plain[end] not in " -"
            end += 1
        if not length and _IBAN_END.match(plain, end) and _iban(plain[start:end]):
            yield Kind.IBAN, start, end


@lru_cache(maxsize=256)
def _iban_length(country: str) -> int:
    """How many letters and digits an IBAN of the country has, by python-stdnum's registry; 0 for no country of it."""
    from stdnum import numdb

    structure = numdb.get("iban").info(country)[0][1].get("bban", "")
    return 4 + sum(int(size) for size in re.findall(r"(\d+)!", structure)) if structure else 0
