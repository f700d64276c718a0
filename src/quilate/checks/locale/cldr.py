"""What CLDR says of a locale (through Babel), widened by the pack: the forms that readers look for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from quilate.checks.locale.pack import LocalePack

METRIC_UNITS = (
    "length-kilometer", "length-meter", "length-centimeter", "length-millimeter", "area-square-kilometer",
    "area-square-meter", "area-hectare", "mass-kilogram", "mass-gram", "mass-tonne", "volume-liter",
    "volume-milliliter", "speed-kilometer-per-hour", "temperature-celsius",
)  # fmt: skip
US_UNITS = (
    "length-mile", "length-yard", "length-foot", "length-inch", "area-acre", "area-square-foot", "mass-pound",
    "mass-ounce", "volume-gallon", "volume-pint", "speed-mile-per-hour", "temperature-fahrenheit",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MoneyForm:
    """The local currency as it is written."""

    code: str
    symbols: tuple[str, ...]
    before: bool
    """Whether the symbol stands before the number."""
    minor_digits: int


@dataclass(frozen=True, slots=True)
class Forms:
    """Everything a reader needs of a locale's forms. `months` maps names and abbreviations to 1 … 12."""

    decimal: str
    groups: tuple[str, ...]
    date_order: str
    date_separators: tuple[str, ...]
    clock_24: bool
    """True where an AM or PM is another locale's."""
    months: tuple[tuple[str, int], ...]
    money: MoneyForm | None
    unit_names: tuple[tuple[str, str], ...]
    """Long unit names of the language with `metric` or `us`."""


def forms_of(pack: LocalePack) -> Forms:
    """The forms of a pack. Raises `babel.UnknownLocaleError` for a locale CLDR does not know (packs are checked)."""
    from babel import Locale

    locale = Locale.parse(pack.cldr_name)
    symbols = locale.number_symbols["latn"]
    short = str(locale.date_formats["short"].pattern)
    groups = dict.fromkeys((symbols["group"], *pack.numbers.groups))
    separators = dict.fromkeys((*re.findall(r"[^A-Za-z'\s]", short)[:1], *pack.dates.separators))
    return Forms(
        decimal=pack.numbers.decimal or symbols["decimal"],
        groups=tuple(groups),
        date_order=pack.dates.order or "".join(dict.fromkeys(re.findall("[dmy]", short.lower()))),
        date_separators=tuple(separators),
        clock_24=pack.dates.clock == "24"
        or (pack.dates.clock is None and "a" not in str(locale.time_formats["short"].pattern)),
        months=month_names(pack.cldr_name),
        money=_money(pack),
        unit_names=unit_names(pack.cldr_name),
    )


def _money(pack: LocalePack) -> MoneyForm | None:
    if pack.currency is None:
        return None
    from babel import Locale
    from babel.numbers import get_currency_precision, get_currency_symbol

    code = pack.currency.code
    symbol = get_currency_symbol(code, locale=pack.cldr_name)
    pattern = str(Locale.parse(pack.cldr_name).currency_formats["standard"].pattern)
    return MoneyForm(
        code=code,
        symbols=tuple(dict.fromkeys((symbol, *pack.currency.symbols, code))),
        before=pattern.index("¤") < pattern.index("0"),
        minor_digits=get_currency_precision(code),
    )


@lru_cache(maxsize=32)
def month_names(cldr_name: str) -> tuple[tuple[str, int], ...]:
    """Month names and abbreviations of a language, lower case without full stops, longest first."""
    from babel import Locale

    found: dict[str, int] = {}
    months = Locale.parse(cldr_name).months
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in months[context].get(width, {}).items():
                found.setdefault(str(name).lower().rstrip("."), number)
    return tuple(sorted(found.items(), key=lambda item: -len(item[0])))


@lru_cache(maxsize=32)
def unit_names(cldr_name: str) -> tuple[tuple[str, str], ...]:
    """Long names of the metric and the US units in a language, lower case, longest first."""
    from babel.units import format_unit

    found: dict[str, str] = {}
    for system, units in (("metric", METRIC_UNITS), ("us", US_UNITS)):
        for unit in units:
            for count in (1, 2):
                name = format_unit(count, unit, length="long", locale=cldr_name).replace(str(count), "", 1)
                found.setdefault(name.strip().lower(), system)
    return tuple(sorted(found.items(), key=lambda item: -len(item[0])))
