"""Telephone numbers and street addresses in a text: they carry no check digit, so their shape or a word must say it.

Phones of Chile, Brazil, Mexico, Argentina, Colombia, Peru, Spain and international ones. Patterns of our own and not
the `phonenumbers` library (30 MB): it finds a number by its length alone, and an order number has that too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PHONE = "phone number"
ADDRESS = "postal address"


@dataclass(frozen=True, slots=True)
class Contact:
    """One finding: `text[start:end]`; `kind` is `PHONE` or `ADDRESS`."""

    kind: str
    start: int
    end: int


_BEFORE = r"(?<![\w.,/#$€+-])"
_AFTER = r"(?![\w/]|:\S|[.,-]\d| ?(?:€|%|pesos\b|USD\b|CLP\b|reais\b|soles\b|euros\b))"
_GAP = r"[ .\-]{0,2}"

_INTERNATIONAL = re.compile(rf"(?<![\w.,/-])\+[1-9]\d{{0,2}}{_GAP}(?:\(?\d{{1,5}}\)?{_GAP}){{1,6}}(?<=\d){_AFTER}")
_DIALLED = re.compile(rf"{_BEFORE}00[1-9]\d{{0,2}}[ .\-](?:\(?\d{{1,5}}\)?{_GAP}){{1,6}}(?<=\d){_AFTER}")
_IN_A_LINK = re.compile(r"(?:wa\.me/|whatsapp\.com/send/?\?phone=)\+?(?P<number>[1-9]\d{7,14})(?!\d)")
_WITH_AREA = re.compile(rf"{_BEFORE}\(0?[1-9]\d{{0,2}}\) ?\d{{3,5}}[ -]?\d{{4}}{_AFTER}")
_GROUPED = re.compile(
    _BEFORE
    + r"(?:\d{2} 9\d{4}-\d{4}"  # Brazil, mobile
    + r"|9 \d{4} \d{4}"  # Chile, mobile
    + r"|[67]\d{2} \d{2} \d{2} \d{2}|9\d \d{3} \d{2} \d{2}"  # Spain
    + r"|0?11 \d{4}-\d{4}|15-\d{4}-\d{4}"  # Argentina
    + r"|3\d{2} \d{3} \d{4}"  # Colombia, mobile
    + r"|\d{3}-\d{3}-\d{4})"  # North America
    + _AFTER
)
_NAMED = re.compile(
    r"(?<!\w)(?:tel[eé]?fono|telefone|telephone|tel|fono|fone|phone|celular|celu|cel|m[oó]vil|mobile|whats?app|wsp|wpp|zap"
    r"|(?:ll[aá]me|ll[aá]ma|llamar|marcar|m[aá]rque|m[aá]rca|escr[ií]be|escriba)(?:me|nos|r)? al?"
    r"|(?:ligue|liga|ligar) (?:no|para)"
    r"|(?:call|reach|text|ring) (?:me|us) (?:at|on)|(?:mi|meu|my) (?:n[uú]mero|number)|contacto)(?!\w)"
    r"(?:[\s:.\-]|\b(?:es|é|is|al|no|at|on|el|o|la|mi|meu|my|fijo|fixo|n[uú]mero|number|tel|m[oó]vil|celular)\b){1,12}?"
    rf"(?P<number>(?:00)?\(?\d{{1,5}}\)?(?:{_GAP}\(?\d{{1,9}}\)?){{0,6}}){_AFTER}",
    re.IGNORECASE,
)
_NOT_A_PHONE = re.compile(
    r"(?:pedidos?|orden|orders?|ordem|folio|ticket|factura|boleta|gu[ií]a|seguimiento|rastreio|tracking|reserva|contrato"
    r"|ref|referencia|sku|c[oó]digo|lote|serie|cotizaci[oó]n|\$|€|usd|clp|cop|mxn|r\$)[\s:.#nº°o]{0,6}$",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:\d{1,2}[-. ]\d{1,2}[-. ](?:19|20)\d{2}|(?:19|20)\d{2}[-. ]?\d{2}[-. ]?\d{2})(?!\d)")

_WORD = r"(?:[A-ZÁÉÍÓÚÑÂÊÔÃÕÇ][\wÀ-ÿ'.]{0,24}|d[eao]s?|del|la|las|los|el|y|e)"
_UNIT = (
    r"(?:,? ?(?:-|–)? ?(?i:depto|dpto|departamento|apto|apt|piso|oficina|of|casa|bloco|torre|int)"
    r"\.? ?#?[\dA-Z]{1,6}(?!\w))?"
)
_STREET = re.compile(
    r"(?<!\w)(?:(?i:avenida|avd?a?\.?|calle|pasaje|psje\.?|pje\.?|jr\.?|jir[oó]n|alameda|camino|paseo|boulevard|blvd\.?"
    r"|calzada|rua|travessa|praça|rodovia|estrada) |C/ ?)"
    rf"(?P<name>{_WORD}(?: {_WORD}){{0,5}}),? (?i:n[°ºo]\.? ?|nro\.? ?|#)?\d{{1,5}}(?![\w%]|[.,:/]\d){_UNIT}"
)
_STATED = re.compile(
    r"(?<!\w)(?i:domicilio|direcci[oó]n(?: de (?:env[ií]o|despacho|entrega))?|endere[cç]o(?: de entrega)?"
    r"|(?:shipping |delivery )?address)\s?(?::|\b(?:es|é|is)\b)\s?(?:(?:en|em|at) )?"
    rf"(?P<name>{_WORD}(?: {_WORD}){{0,5}},? (?i:n[°ºo]\.? ?|nro\.? ?|#)?\d{{1,5}}(?![\w%]|[.,:/]\d){_UNIT})"
)
_SHORT_RUA = re.compile(rf"(?<!\w)R\. {_WORD}(?: {_WORD}){{0,5}}, (?:n[°º]\.? ?)?\d{{1,5}}(?![\w%]|[.,:/]\d){_UNIT}")
_GRID = re.compile(
    r"(?<!\w)(?i:calle|cll\.?|carrera|cra\.?|cr\.?|kr\.?|diagonal|transversal|avenida)"
    r" \d{1,3}[A-Za-z]? ?(?i:#|no\.?|n[°º])"
    rf" ?\d{{1,3}}[A-Za-z]? ?[-–] ?\d{{1,3}}(?!\w){_UNIT}"
)
_ENGLISH = re.compile(
    r"(?<![\w.,/#$-])\d{1,5} (?:[A-Z][a-z'.]{1,20} ){1,3}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Way|Terrace)(?!\w)"
)


def find_contacts(text: str) -> Iterator[Contact]:
    """Phones and addresses, from left to right without overlaps, in time linear in the text's length."""
    found = [*_addresses(text), *_phones(text)]
    end = 0
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if one.start >= end:
            yield one
            end = one.end


def _addresses(text: str) -> Iterator[Contact]:
    for pattern in (_STREET, _SHORT_RUA, _GRID, _ENGLISH):
        for match in pattern.finditer(text):
            yield Contact(ADDRESS, *match.span())
    for match in _STATED.finditer(text):
        yield Contact(ADDRESS, *match.span("name"))


def _phones(text: str) -> Iterator[Contact]:
    for pattern, fewest in ((_INTERNATIONAL, 8), (_DIALLED, 9), (_WITH_AREA, 8), (_GROUPED, 8)):
        for match in pattern.finditer(text):
            if _may_be_a_phone(text, match.start(), match.end(), fewest):
                yield Contact(PHONE, *match.span())
    for match in _IN_A_LINK.finditer(text):
        yield Contact(PHONE, *match.span("number"))
    for match in _NAMED.finditer(text):
        start, end = match.span("number")
        if _may_be_a_phone(text, start, end, 7):
            yield Contact(PHONE, start, end)


def _may_be_a_phone(text: str, start: int, end: int, fewest: int) -> bool:
    digits = sum(char.isdigit() for char in text[start:end])
    if not fewest <= digits <= 15 or _DATE.match(text, start):
        return False
    return _NOT_A_PHONE.search(text[max(0, start - 24) : start]) is None
