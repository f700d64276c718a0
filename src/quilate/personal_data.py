"""Personal data and secrets in a text: numbers whose check digits hold, e-mail addresses, the shapes of keys.

Everything runs in time linear in the text's length. What carries no check digit of its own is not guessed at: an order
number is not an identity number. Where one digit in eleven would pass by chance (RUT, CUIT), bare digits count only
after the word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Kind(StrEnum):
    """What was found."""

    RUT = "RUT"
    CPF = "CPF"
    CNPJ = "CNPJ"
    CUIT = "CUIT"
    CURP = "CURP"
    RFC = "RFC"
    DNI = "DNI"
    NIE = "NIE"
    IBAN = "IBAN"
    CARD = "card number"
    EMAIL = "e-mail address"

    AWS_KEY = "AWS access key"
    GITHUB_TOKEN = "GitHub token"  # noqa: S105 - the name of a kind
    GITLAB_TOKEN = "GitLab token"  # noqa: S105 - the name of a kind
    ANTHROPIC_KEY = "Anthropic key"
    OPENAI_KEY = "OpenAI key"
    SLACK_TOKEN = "Slack token"  # noqa: S105 - the name of a kind
    GOOGLE_KEY = "Google API key"
    STRIPE_KEY = "Stripe key"
    PRIVATE_KEY = "private key"
    JWT = "JSON web token"
    BEARER = "bearer token"
    BASIC = "basic credentials"
    COOKIE = "cookie"
    SERVICE_TOKEN = "token of a service"  # noqa: S105 - the name of a kind
    URL_PASSWORD = "password in an address"  # noqa: S105 - the name of a kind


@dataclass(frozen=True, slots=True)
class Found:
    """One finding: `value` is `text[start:end]`."""

    kind: Kind
    start: int
    end: int
    value: str


ROLE_ADDRESSES = frozenset({
    "abuse", "admin", "ajuda", "ayuda", "atencion", "atendimento", "billing", "clientes", "contact", "contacto",
    "contato", "help", "hello", "hola", "info", "mail", "no-reply", "noreply", "notifications", "pedidos", "postmaster",
    "reclamos", "sac", "sales", "security", "soporte", "suporte", "support", "team", "ventas", "vendas", "webmaster",
})  # fmt: skip
"""Local parts of addresses that are an office, not a person."""

_PLAIN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-")
    | dict.fromkeys("\u00a0\u2007\u2009\u202f", " ")
    | {chr(0xFF10 + digit): str(digit) for digit in range(10)}
)
"""One character for one, so that offsets hold."""

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


Detector = tuple[Kind, re.Pattern[str], Callable[[str], bool]]

_PERSONAL: tuple[Detector, ...] = (
    (Kind.RUT, _shape(r"(?:\d{1,2}\.\d{3}\.\d{3}|\d{7,8}) ?- ?[\dkK]"), _rut),
    (Kind.RUT, _after_word(r"r\.?u\.?[tn]", r"\d{1,2}\.?\d{3}\.?\d{3} ?-? ?[\dkK]"), _rut),
    (Kind.CPF, _shape(r"\d{3}\.\d{3}\.\d{3}-\d{2}|\d{9}-?\d{2}|\d{3} \d{3} \d{3} \d{2}"), _cpf),
    (Kind.CNPJ, _shape(r"[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}/[\dA-Z]{4}-\d{2}|\d{14}"), _cnpj),
    (Kind.CUIT, _shape(r"\d{2}-\d{8}-\d"), _cuit),
    (Kind.CUIT, _after_word("cuit|cuil", r"\d{2}[- ]?\d{8}[- ]?\d"), _cuit),
    (Kind.CURP, _shape(r"[A-Z]{4}\d{6}[A-Z]{6}[A-Z\d]\d", re.IGNORECASE), _curp),
    (Kind.RFC, _shape(r"[A-ZÑ&]{3,4}-?\d{6}-?[A-Z\d]{3}", re.IGNORECASE), _rfc),
    (Kind.DNI, _shape(r"\d{8}-?[A-Z]|\d{2}\.\d{3}\.\d{3}-?[A-Z]"), _dni),
    (Kind.DNI, _after_word("dni|nif", r"\d{2}\.?\d{3}\.?\d{3}[ -]?[A-Z]"), _dni),
    (Kind.NIE, _shape(r"[XYZ]-?\d{7}-?[A-Z]", re.IGNORECASE), _nie),
    (
        Kind.CARD,
        _shape(
            r"\d{13,19}|\d{4}(?P<sep>[ .-])\d{4}(?P=sep)\d{4}(?P=sep)\d{4}(?:(?P=sep)\d{3})?"
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
            r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}[^\W\d_]{2,24})(?![\w@-])",
            re.IGNORECASE,
        ),
        lambda value: _person(re.sub(r" ?[(\[] ?(?:at|arroba) ?[)\]] ?", "@", value, flags=re.IGNORECASE)),
    ),
)  # fmt: skip

_IBAN_START = re.compile(rf"{_BEFORE}(?P<country>[A-Z]{{2}})\d{{2}}(?=(?:[ -]?[A-Z\d]){{11}})", re.IGNORECASE)
_IBAN_END = re.compile(_AFTER)


def _always(_: str) -> bool:
    return True


def _key(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?P<value>{pattern})")


_SECRETS: tuple[Detector, ...] = (
    (Kind.AWS_KEY, _key(r"(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])"), _always),
    (Kind.GITHUB_TOKEN, _key(r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}"), _always),
    (Kind.GITLAB_TOKEN, _key(r"glpat-[A-Za-z0-9_-]{20,255}"), _always),
    (Kind.ANTHROPIC_KEY, _key(r"sk-ant-[A-Za-z0-9_-]{20,255}"), _always),
    (Kind.OPENAI_KEY, _key(r"sk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,255}"), _always),
    (Kind.SLACK_TOKEN, _key(r"xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-[A-Za-z0-9-]{20,255}"), _always),
    (Kind.GOOGLE_KEY, _key(r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"), _always),
    (Kind.STRIPE_KEY, _key(r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9]{24,255}"), _always),
    (Kind.JWT, _key(r"eyJ[A-Za-z0-9_-]{8,2048}+\.eyJ[A-Za-z0-9_-]{8,4096}+\.[A-Za-z0-9_-]{16,2048}"), _always),
    (
        Kind.PRIVATE_KEY,
        re.compile(r"(?P<value>-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)"),
        _always,
    ),
    (
        Kind.BEARER,
        re.compile(r"(?i:(?<!\w)bearer)[ \t]{1,4}(?=[^\s\d]{0,256}\d)(?P<value>[A-Za-z0-9._~+/-]{20,4096}={0,2})"),
        _always,
    ),
    (
        Kind.BASIC,
        re.compile(
            r"(?i:authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?basic)[ \t]{1,4}(?P<value>[A-Za-z0-9+/]{8,4096}={0,2})"
        ),
        _always,
    ),
    (
        Kind.COOKIE,
        re.compile(
            r"(?i:(?<!\w)(?:set-)?cookie[\"']?[ \t]{0,3}:)[ \t]{0,3}[\"']?(?P<value>[\w.-]{1,100}=[^\s\"',;]{12,4096})"
        ),
        _always,
    ),
    (
        Kind.SERVICE_TOKEN,
        _key(
            r"npm_[A-Za-z0-9]{36}|hf_[A-Za-z]{30,40}|SG\.[\w-]{16,32}\.[\w-]{32,64}|ya29\.[\w-]{20,400}"
            r"|\d{8,10}:AA[\w-]{30,40}|pypi-[\w-]{40,255}|dop_v1_[a-f0-9]{64}|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}"
        ),
        _always,
    ),
    (Kind.SERVICE_TOKEN, re.compile(r"hooks\.slack\.com/services/(?P<value>T\w{6,20}/B\w{6,20}/\w{12,40})"), _always),
    (Kind.URL_PASSWORD, re.compile(r"://[^\s/:@]{0,64}:(?P<value>[^\s/:@]{3,128})@(?=\w)"), _always),
)


def find_personal_data(text: str, kinds: Iterable[Kind] | None = None) -> Iterator[Found]:
    """Personal data in `text`, from left to right without overlaps; `kinds` narrows what is looked for.

    Identity and account numbers count only with right check digits (python-stdnum), cards by Luhn with an issuer's
    first digits and length, e-mail addresses unless they are an office's (`ROLE_ADDRESSES`).
    """
    wanted = None if kinds is None else frozenset(kinds)
    plain = text.translate(_PLAIN)
    found = list(_findings(_PERSONAL, text, plain, wanted))
    if wanted is None or Kind.IBAN in wanted:
        found.extend(_ibans(text, plain))
    yield from _apart(found)


def find_secrets(text: str) -> Iterator[Found]:
    """What has the shape of a key, a token, a private key or a password in an address, from left to right."""
    yield from _apart(list(_findings(_SECRETS, text, text, None)))


def _findings(detectors: Iterable[Detector], text: str, plain: str, wanted: frozenset[Kind] | None) -> Iterator[Found]:
    for kind, pattern, valid in detectors:
        if wanted is not None and kind not in wanted:
            continue
        for match in pattern.finditer(plain):
            if valid(match["value"]):
                start, end = match.span("value")
                yield Found(kind, start, end, text[start:end])


def _ibans(text: str, plain: str) -> Iterator[Found]:
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
            yield Found(Kind.IBAN, start, end, text[start:end])


@lru_cache(maxsize=256)
def _iban_length(country: str) -> int:
    """How many letters and digits an IBAN of the country has, by python-stdnum's registry; 0 for no country of it."""
    from stdnum import numdb

    structure = numdb.get("iban").info(country)[0][1].get("bban", "")
    return 4 + sum(int(size) for size in re.findall(r"(\d+)!", structure)) if structure else 0


def _apart(found: list[Found]) -> Iterator[Found]:
    """From left to right, of overlapping findings the first and longest."""
    end = 0
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if one.start >= end:
            yield one
            end = one.end
