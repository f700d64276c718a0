"""Invented values that still validate: the n-th of each kind, in the form of the value it stands for.

They are numbered and not computed from the original: a RUT has few enough digits for its hash to be looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from quilate.finding import Kind
from quilate.goldens.redact_contacts import ADDRESS, PHONE
from quilate.seen import seen

NAMES = (
    "Alex Ejemplo",
    "Sam Muestra",
    "Noa Prueba",
    "Cris Modelo",
    "Ariel Exemplo",
    "Dani Amostra",
    "Luz Ensayo",
    "Rene Sample",
)
_LAST_OF_A_PHONE = 7
_CARDS = {"3": "37144900", "5": "55555500", "6": "60111111", "2": "22230000"}
"""First digits of test cards by an issuer's first digit (their published test ranges); 4000 0000 for the others."""


def synthetic(kind: str, original: str, number: int) -> str:
    """The `number`-th (from 1) invented value of a kind, written as `original` is: same separators, same length."""
    if kind == Kind.EMAIL:
        return f"person-{number}@example.com"
    if kind == PHONE:
        return _phone(original, number)
    if kind == ADDRESS:
        return _address(original, number)
    make = _MAKERS.get(kind)
    if make is None:
        return f"[{kind} removed]"
    return _in_the_form_of(original, make(seen(original).text, number))


def is_synthetic(kind: str, value: str) -> bool:
    """Whether a value is one of ours, so that redacting twice changes nothing."""
    value = seen(value).text
    plain = re.sub(r"[\W_]", "", value).upper()
    match kind:
        case Kind.EMAIL:
            return re.fullmatch(r"person-\d+@example\.com", value) is not None
        case _ if kind == PHONE:
            digits = re.sub(r"\D", "", value)
            return digits[-min(_LAST_OF_A_PHONE, len(digits)) :].startswith("0000")
        case _ if kind == ADDRESS:
            return re.fullmatch(r"Calle Ejemplo \d+|Rua Exemplo, \d+|\d{1,2} Example Street", value) is not None
    pattern = _RESERVED.get(kind)
    return pattern is not None and re.fullmatch(pattern, plain) is not None


def _in_the_form_of(original: str, plain: str) -> str:
    """The letters and digits of `plain` in the places of the original's; any that are over follow."""
    rest = iter(plain)
    shaped = "".join(next(rest, "") if char.isalnum() else char for char in original)
    return shaped + "".join(rest)


def _phone(original: str, number: int) -> str:
    """The last seven digits are replaced: country, area and the mobile prefix stay, so that it routes as before."""
    positions = [index for index, char in enumerate(original) if char.isdigit()][-_LAST_OF_A_PHONE:]
    digits = f"{number % 1000:0{len(positions)}d}"
    chars = list(original)
    for index, digit in zip(positions, digits, strict=True):
        chars[index] = digit
    return "".join(chars)


def _address(original: str, number: int) -> str:
    if original[:1].isdigit():
        return f"{number} Example Street"
    if re.match(r"(?i:rua|r\.|travessa|praça|rodovia|estrada)", original):
        return f"Rua Exemplo, {number}"
    return f"Calle Ejemplo {number}"


def _rut(_: str, number: int) -> str:
    from stdnum.cl import rut

    body = str(44_440_000 + number)
    return body + str(rut.calc_check_digit(body))


def _short_rut(original: str, number: int) -> str:
    """Seven digits where the original has seven, so that it keeps its form."""
    from stdnum.cl import rut

    if sum(char.isalnum() for char in original) > 8:
        return _rut(original, number)
    body = str(4_440_000 + number)
    return body + str(rut.calc_check_digit(body))


def _cpf(_: str, number: int) -> str:
    from stdnum.br import cpf

    body = f"{number:09d}"
    return body + str(cpf._calc_check_digits(body))  # noqa: SLF001 - the library computes them under this name only


def _cnpj(_: str, number: int) -> str:
    from stdnum.br import cnpj

    body = f"99999{number:03d}0001"
    return body + str(cnpj.calc_check_digits(body))


def _cuit(original: str, number: int) -> str:
    from stdnum.ar import cuit

    body = _digits(original)[:2] + f"{number:08d}"
    return body + str(cuit.calc_check_digit(body))


def _curp(_: str, number: int) -> str:
    from stdnum.mx import curp

    body = f"XEXX0101{1 + number % 28:02d}HNEXXX{_base36(number // 28)}"
    return body + str(curp.calc_check_digit(body))


def _rfc(original: str, number: int) -> str:
    from stdnum.mx import rfc

    company = sum(char.isalnum() or char == "&" for char in original) == 12
    body = f"{'XAX' if company else 'XEXX'}0101{1 + number % 28:02d}"
    pairs = (body + _base36(1 + first % 30) + _base36(1 + number // 28 % 35) for first in range(30))
    candidates = (pair + str(rfc.calc_check_digit(pair)) for pair in pairs)
    return next(one for one in candidates if rfc.is_valid(one, validate_check_digits=True))


def _dni(_: str, number: int) -> str:
    from stdnum.es import dni

    return f"{number:08d}" + str(dni.calc_check_digit(f"{number:08d}"))


def _nie(original: str, number: int) -> str:
    from stdnum.es import nie

    body = original[0].upper() + f"{number:07d}"
    return body + str(nie.calc_check_digit(body))


def _iban(original: str, number: int) -> str:
    """Of the original's country where its length alone makes an account valid, else of Germany."""
    from stdnum import iban
    from stdnum.es import ccc

    plain = re.sub(r"[\W_]", "", original).upper()
    country, size = plain[:2], len(plain) - 4
    if country == "ES":
        bank, account = "00000000", f"{number:010d}"
        bban = bank + str(ccc.calc_check_digits(bank + "00" + account)) + account
    else:
        bban = _masked(plain[4:], number)
    candidate = country + str(iban.calc_check_digits(country + "00" + bban)) + bban
    if len(bban) == size and iban.is_valid(candidate):
        return candidate
    bban = f"{number:018d}"
    return "DE" + str(iban.calc_check_digits("DE00" + bban)) + bban


def _masked(bban: str, number: int) -> str:
    """Zeros and X's in place of digits and letters, the number in the last digits."""
    last = str(number)
    positions = [index for index, char in enumerate(bban) if char.isdigit()][-len(last) :]
    chars = ["0" if char.isdigit() else "X" for char in bban]
    for index, digit in zip(positions, last, strict=False):
        chars[index] = digit
    return "".join(chars)


def _card(original: str, number: int) -> str:
    from stdnum import luhn

    digits = _digits(original)
    first = _CARDS.get(digits[0], "40000000")
    if digits[0] == "3" and len(digits) != 15:
        first = digits[:4]
    body = first + f"{number:0{len(digits) - len(first) - 1}d}"
    return body + str(luhn.calc_check_digit(body))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _base36(number: int) -> str:
    return "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 36]


_MAKERS: dict[str, Callable[[str, int], str]] = {
    Kind.RUT: _short_rut, Kind.CPF: _cpf, Kind.CNPJ: _cnpj, Kind.CUIT: _cuit, Kind.CURP: _curp, Kind.RFC: _rfc,
    Kind.DNI: _dni, Kind.NIE: _nie, Kind.IBAN: _iban, Kind.CARD: _card,
}  # fmt: skip

_RESERVED: dict[str, str] = {
    Kind.RUT: r"0?4?444\d{4}[\dK]", Kind.CPF: r"000000\d{5}", Kind.CNPJ: r"99999\d{3}0001\d{2}",
    Kind.CUIT: r"\d{2}00000\d{4}", Kind.CURP: r"XEXX0101\d{2}HNEXXX\w\d", Kind.RFC: r"(?:XAX|XEXX)0101\d{2}\w{3}",
    Kind.DNI: r"00000\d{3}[A-Z]", Kind.NIE: r"[XYZ]0000\d{3}[A-Z]", Kind.IBAN: r"[A-Z]{2}\d{2}[0X]{8}[0X1-9]+[\dX]*",
    Kind.CARD: r"(?:40000000|37144900|55555500|60111111|22230000|30\d\d|36\d\d|35\d\d)0*\d{1,4}",
}  # fmt: skip
