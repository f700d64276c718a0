"""Human sentences in the reader's language.

A message's id is its English sentence with named places (`{name}`). English needs no catalogue and no import; for the
other languages Babel reads `catalogues/<language>.po` once. Values are already fit for the medium (Markdown or plain
text): a translator places them and changes nothing in them, whole numbers apart.
"""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from quilate.report.escape import Inert
from quilate.saying import value_text

if TYPE_CHECKING:
    from collections.abc import Mapping

Language = Literal["en", "es", "pt-BR"]
LANGUAGES: tuple[Language, ...] = ("en", "es", "pt-BR")
_CATALOGUES = Path(__file__).with_name("catalogues")


class Translator:
    """Sentences, plural forms and numbers of one language."""

    def __init__(self, language: Language = "en") -> None:
        if language not in LANGUAGES:
            message = f"no catalogue for {language!r}; known: {', '.join(LANGUAGES)}"
            raise ValueError(message)
        self.language = language

    def t(self, message: str, /, **values: Inert | int) -> Inert:
        """The sentence `message` with `values` in their places. Raises KeyError where a value is missing."""
        translated = _catalogue(self.language).get((message, None), message)
        return self._filled(translated, values)

    def tn(self, singular: str, plural: str, n: int, /, **values: Inert | int) -> Inert:
        """The form of the sentence for `n` things; `{n}` is the number itself."""
        form = _catalogue(self.language).get((singular, _plural_form(self.language, n)))
        return self._filled(form or (singular if n == 1 else plural), {"n": n, **values})

    def phrase(self, message: str) -> str | None:
        """The translation of `message` with its places; None where the catalogue has none, as English has of any."""
        return _catalogue(self.language).get((message, None))

    def language_name(self, code: str) -> str:
        """What the language calls another: `en` is «inglés»; the code itself where it has no name."""
        from babel import Locale

        return str(Locale.parse(self.language, sep="-").languages.get(code, code))

    def figure(self, value: float) -> str:
        """A number with as many digits as it has, up to twelve."""
        whole, point, decimals = value_text(value).partition(".")
        if not whole.removeprefix("-").isdecimal() or not (decimals or "0").isdecimal():
            return whole + point + decimals  # 1e+30, inf
        sign = "-" if whole.startswith("-") else ""
        text = sign + self.number(abs(int(whole)))
        return f"{text}{_separators(self.language)[0]}{decimals}" if decimals else text

    def number(self, value: float | Fraction, decimals: int = 0) -> Inert:
        """`value` with `decimals` digits after the separator, thousands grouped, halves rounded to even; never -0."""
        scaled = round(Fraction(value) * 10**decimals) if decimals else round(value)
        sign = "-" if scaled < 0 else ""
        whole, rest = divmod(abs(scaled), 10**decimals)
        point, group = (".", ",") if self.language == "en" else _separators(self.language)
        text = f"{whole:,}".replace(",", group) if whole >= _GROUPED_FROM[self.language] else str(whole)
        return Inert(sign + text + (f"{point}{rest:0{decimals}d}" if decimals else ""))

    def moment(self, iso: str) -> Inert | None:
        """A point in time (ISO 8601) in UTC, to the minute, as the language writes it; None where it is none."""
        try:
            when = dt.datetime.fromisoformat(iso)
        except ValueError:
            return None
        when = when.astimezone(dt.UTC) if when.tzinfo else when.replace(tzinfo=dt.UTC)
        if self.language == "en":
            return Inert(f"{when:%Y-%m-%d %H:%M} UTC")
        from babel.dates import format_date, format_time

        locale = self.language.replace("-", "_")
        return Inert(f"{format_date(when, 'medium', locale)} {format_time(when, 'HH:mm', locale=locale)} UTC")

    def day(self, iso: str) -> Inert | None:
        """The day of a point in time (ISO 8601), as the language writes it; None where it is none."""
        try:
            when = dt.datetime.fromisoformat(iso)
        except ValueError:
            return None
        if self.language == "en":
            return Inert(f"{when:%Y-%m-%d}")
        from babel.dates import format_date

        return Inert(format_date(when.date(), "medium", locale=self.language.replace("-", "_")))

    def _filled(self, message: str, values: Mapping[str, Inert | int]) -> Inert:
        placed = {name: self.number(value) if isinstance(value, int) else value for name, value in values.items()}
        return Inert(message.format(**placed))


_GROUPED_FROM = {"en": 1000, "es": 10000, "pt-BR": 1000}
"""CLDR's minimumGroupingDigits: Spanish writes 1234 and 12.345."""


@cache
def _catalogue(language: Language) -> dict[tuple[str, int | None], str]:
    if language == "en":
        return {}
    from babel.messages.pofile import read_po

    with (_CATALOGUES / f"{language}.po").open("rb") as file:
        catalogue = read_po(file)
    found: dict[tuple[str, int | None], str] = {}
    for message in catalogue:
        if not message.id or message.fuzzy:
            continue
        if isinstance(message.id, str):
            found[message.id, None] = str(message.string or "")
        else:
            forms = message.string if isinstance(message.string, tuple | list) else (message.string,)
            found.update({(message.id[0], index): form or "" for index, form in enumerate(forms)})
    return {key: text for key, text in found.items() if text}


def _plural_form(language: Language, n: int) -> int:
    """The two forms that Spanish and Brazilian Portuguese share with their catalogues' Plural-Forms line."""
    if language == "pt-BR":
        return int(n > 1)
    return int(n != 1)


@cache
def _separators(language: Language) -> tuple[str, str]:
    from babel import Locale
    from babel.numbers import get_decimal_symbol, get_group_symbol

    locale = Locale.parse(language, sep="-")
    return get_decimal_symbol(locale), get_group_symbol(locale)
