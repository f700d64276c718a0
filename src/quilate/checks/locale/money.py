"""Amounts of money in a reply: which currency, in whose form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from quilate.checks.locale.load import SHIPPED, Locale
from quilate.checks.locale.numbers import GAP, NUMBER, NUMBER_WORDS, SCALE, decimals, misformed
from quilate.checks.locale.sighting import Finding, Sighting, Standing, quoted, standing_of
from quilate.documents import read_document
from quilate.grades import Grade
from quilate.saying import say

_RANGE = r"\s*(?:a|até|ate|hasta|y|e|o|ou|to|and|-|–|—)\s*"
_SYMBOL = r"(?:\bU\\?\$S|\b[A-Z]{1,3}\\?\$|\\?\$U?(?![A-Za-z])|€|£|\bS/\.?)"


_ANY_NUMBER = regex.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Names:
    """Every currency word, adjective and code that readers know."""

    words: frozenset[str]
    qualifiers: frozenset[str]
    codes: frozenset[str]


@lru_cache(maxsize=1)
def currency_names() -> Names:
    """The shipped table of currency names."""
    table = dict(read_document(SHIPPED / "_currencies.yaml").value)
    qualifiers, codes = table.pop("qualifiers"), table.pop("codes")
    words = frozenset(word for names in table.values() for word in names)
    return Names(words, frozenset(qualifiers), frozenset(codes))


@dataclass(frozen=True)
class MoneyReader:
    """Finds amounts of money for one locale."""

    locale: Locale
    prefix: regex.Pattern[str]
    suffix: regex.Pattern[str]
    written: regex.Pattern[str]
    column: regex.Pattern[str]
    own_signs: dict[str, str]
    """Each sign by its spelling without case and spaces: `r$` and `R $` are `R$`."""
    own_words: frozenset[str]

    def read(self, output: str) -> list[Sighting]:
        """Every amount in `output`, in order."""
        seen: list[Sighting] = []
        taken = bytearray(len(output))
        for pattern, before in ((self.prefix, True), (self.suffix, False), (self.written, False)):
            for match in pattern.finditer(output):
                if any(taken[match.start() : match.end()]):
                    continue
                taken[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
                seen.append(self._sighting(match, before=before))
        if not seen and _ANY_NUMBER.search(output):
            seen = [self._sighting(match, before=self._before()) for match in self.column.finditer(output)]
        return sorted(seen, key=lambda sighting: sighting.start)

    def _before(self) -> bool:
        return self.locale.forms.money is not None and self.locale.forms.money.before

    def _sighting(self, match: regex.Match[str], *, before: bool) -> Sighting:
        sign = match["sign"].replace("\\", "")
        qualifier = (match.groupdict().get("qualifier") or "").casefold()
        groups = match.groupdict()
        numbers = [number for number in (groups.get("low"), groups.get("high")) if number]
        scaled = bool(groups.get("scale") or groups.get("scale2"))
        standing, note = self._judge(sign, qualifier, numbers, before=before, scaled=scaled)
        return Sighting(match.start(), match.end(), standing, note)

    def _judge(
        self, sign: str, qualifier: str, numbers: list[str], *, before: bool, scaled: bool
    ) -> tuple[Standing, str]:
        currency, forms = self.locale.pack.currency, self.locale.forms
        assert currency is not None
        assert forms.money is not None
        sign = self.own_signs.get(_spelt(sign), sign)
        word = sign.casefold()
        local = sign in self.own_signs.values() or word in self.own_words
        if not local or (qualifier and qualifier not in currency.qualifiers):
            return Standing.FOREIGN, say("another locale's currency")
        for number in numbers:
            reason = misformed(number, forms, money=True)
            if reason:
                return Standing.MISFORMED, say("{currency}, but {reason}", currency=currency.code, reason=reason)
        in_units = word in {unit.casefold() for unit in currency.units_of_account}
        if not (in_units or scaled) and any(decimals(number) > forms.money.minor_digits for number in numbers):
            return Standing.VAGUE, say("{currency} has no minor units", currency=currency.code)
        symbol = sign in forms.money.symbols and sign != forms.money.code
        if symbol and before != forms.money.before:
            if forms.money.before:
                return Standing.VAGUE, say("the symbol stands before the number here")
            return Standing.VAGUE, say("the symbol stands after the number here")
        return Standing.LOCAL, currency.code


@lru_cache(maxsize=32)
def _patterns(
    words: frozenset[str], accounts: frozenset[str], symbols: frozenset[str]
) -> tuple[regex.Pattern[str], regex.Pattern[str], regex.Pattern[str], regex.Pattern[str]]:
    """Amounts by what shows the currency: before the number, after it, with the number in words; a column's heading."""
    names = currency_names()
    codes = rf"\b(?:{'|'.join(sorted({*names.codes, *(sign for sign in symbols if sign.isalpha())}))})"
    listed = _any_of(words)
    own = rf"(?:(?i:(?<![^\W_]){_spaced(symbols)})|{_SYMBOL}|{_any_of(symbols)})"
    coded = rf"(?:(?:{codes}|\b{_any_of(accounts)})\b)" if accounts else rf"(?:{codes}\b)"
    qualifier = rf"(?:\s+(?P<qualifier>{'|'.join(sorted(names.qualifiers, key=len, reverse=True))})\b)?"
    number = rf"(?P<low>{NUMBER})(?:\s*(?P<scale>{SCALE}))?"
    other = rf"(?P<high>{NUMBER})(?:\s*(?P<scale2>{SCALE}))?"
    end = r"(?![\w$])"
    prefix = regex.compile(rf"(?P<sign>{own}|{coded}):?{GAP}{number}(?:{_RANGE}{other}(?!\s*(?:%|{_SYMBOL})))?")
    suffix = regex.compile(
        rf"(?<![\w.,]){number}(?:{_RANGE}{other})?{GAP}(?:(?P<sign>(?:{listed})\b){qualifier}|(?P<sign>{codes}\b)"
        rf"|(?P<sign>{own}){end})",
        regex.IGNORECASE,
    )
    written = regex.compile(
        rf"(?:{NUMBER_WORDS}(?:\s+{SCALE})?|\b(?:em|en|in|algumas?|alguns|algunas|algunos|unos|uns|poucos|pocos|vários|varios))"
        rf"\s+(?P<sign>{listed})\b{qualifier}",
        regex.IGNORECASE,
    )
    column = regex.compile(rf"\(\s*(?:em|en|in)?\s*(?P<sign>{own}|{coded}|{listed})\s*\)", regex.IGNORECASE)
    return prefix, suffix, written, column


def _spaced(symbols: frozenset[str]) -> str:
    """The symbols that letters begin, with a space allowed before the rest: `R $`."""
    lettered = [regex.escape(sign).replace(r"\$", r"\s?\\?\$") for sign in symbols if sign[0].isalpha() and "$" in sign]
    return "(?:" + "|".join(sorted(lettered, key=len, reverse=True)) + ")" if lettered else "(?!)"


def _spelt(sign: str) -> str:
    return "".join(sign.split()).casefold()


def _any_of(words: frozenset[str]) -> str:
    return "(?:" + "|".join(regex.escape(word) for word in sorted(words, key=len, reverse=True)) + ")"


def money_reader(locale: Locale) -> MoneyReader | None:
    """The reader of a locale; None where its pack names no currency."""
    currency = locale.pack.currency
    if currency is None:
        return None
    assert locale.forms.money is not None
    accounts = frozenset(currency.units_of_account)
    symbols = frozenset(locale.forms.money.symbols)
    own_words = frozenset(word.casefold() for word in (*currency.words, *accounts))
    patterns = _patterns(frozenset({*currency_names().words, *own_words}), accounts, symbols)
    return MoneyReader(locale, *patterns, {_spelt(sign): sign for sign in symbols | accounts}, own_words)


def grade_currency(output: str, prompt: str, locale: Locale) -> Finding | None:
    """The currency signal by what is visible; None where the locale has no currency of its own.

    A foreign amount is excused where the prompt itself speaks of that currency.
    """
    reader = money_reader(locale)
    if reader is None:
        return None
    asked = {prompt[seen.start : seen.end] for seen in reader.read(prompt) if seen.standing is Standing.FOREIGN}
    seen = tuple(reader.read(output))
    counted = seen if not asked else tuple(one for one in seen if one.standing is not Standing.FOREIGN)
    local, foreign = standing_of(counted, Standing.LOCAL), standing_of(counted, Standing.FOREIGN)
    wrong, uneven = standing_of(counted, Standing.MISFORMED), standing_of(counted, Standing.VAGUE)
    code = locale.pack.currency.code if locale.pack.currency else ""
    if not counted:
        return Finding(Grade.FAIL, say("no amount in {currency} is visible", currency=code), seen)
    if local and not (foreign or wrong or uneven):
        reason = say("{currency} in the local form: {quotes}", currency=code, quotes=quoted(local, output))
        return Finding(Grade.PASS, reason, seen)
    others = quoted([*foreign, *wrong, *uneven], output)
    if local:
        return Finding(
            Grade.PARTIAL, say("{currency} is there, and so is {quotes}", currency=code, quotes=others), seen
        )
    if uneven and not (foreign or wrong):
        reason = say("{currency} is there, in an inconsistent form: {quotes}", currency=code, quotes=others)
        return Finding(Grade.PARTIAL, reason, seen)
    return Finding(Grade.FAIL, say("another locale's currency or format: {quotes}", quotes=others), seen)
