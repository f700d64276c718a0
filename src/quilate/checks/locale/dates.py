"""Dates and times in a reply: in whose form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from quilate.checks.calls import OR
from quilate.checks.locale.cldr import Forms, month_names
from quilate.checks.locale.load import Locale
from quilate.checks.locale.numbers import number_table
from quilate.checks.locale.sighting import Finding, Sighting, Standing, quoted, standing_of
from quilate.grades import Grade
from quilate.saying import listed, say

MonthDay = tuple[int, int]

_NUMERIC = regex.compile(
    r"(?<![\d/.,-])(?P<a>\d{1,4})(?P<sep>[/.-]| / )(?P<b>\d{1,2})(?:(?P=sep)(?P<c>\d{4}|\d{2}))?(?![\d/-]|[.,]\d|\s*%)"
)
_DAY_ALONE = regex.compile(r"\b(?:dia|d[ií]a)\s+\d{1,2}\b(?!\s*(?:de|/|-|\.\d))", regex.IGNORECASE)
_TWELVE_HOUR = regex.compile(r"\b\d{1,2}(?:[:.]\d{2})?\s?(?P<half>[ap]\.?\s?m\b\.?)", regex.IGNORECASE)
_ANNOUNCED = regex.compile(
    r"(?:\b(?:dia|d[ií]a|em|no|na|el|on|até|ate|hasta|desde|para|data|fecha|date|segunda|terça|quarta|quinta|sexta"
    r"|s[áa]bado|domingo|lunes|martes|mi[ée]rcoles|jueves|viernes)(?:-feira)?|[:(,])\s*\**$",
    regex.IGNORECASE,
)
_DAY_WORDS = {word: int(day) for day, words in number_table()["days"].items() for word in words}
_DAY_PHRASES = "|".join(sorted(_DAY_WORDS, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class DateSighting:
    """A date seen, and the (month, day) it means where that is known."""

    seen: Sighting
    day: MonthDay | None


@lru_cache(maxsize=32)
def _worded(cldr_name: str) -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    """`5 de abril` and `cinco de abril`; `abril 5` and `April 5`: day before month, and month before day."""
    names = "|".join(regex.escape(name) for name, _ in month_names(cldr_name))
    ordinal = r"(?:\.?[ºª°]|st|nd|rd|th)?"
    year = r"(?:(?:(?:\s+del?|,)?\s+|[-/])\d{4}\b)?"
    day_first = regex.compile(
        rf"(?<![\w/])(?:(?P<figure>\d{{1,2}}){ordinal}|(?P<word>{_DAY_PHRASES}))(?:\s+(?P<of>de\s+|of\s+)?|[-/])"
        rf"(?P<month>{names})\b\.?{year}",
        regex.IGNORECASE,
    )
    month_first = regex.compile(
        rf"\b(?P<month>{names})\b\.?\s+(?:the\s+)?(?:(?P<figure>\d{{1,2}}){ordinal}|(?P<word>{_DAY_PHRASES}))\b(?!\s*(?:de|of)\b|[:.,]?\d){year}",
        regex.IGNORECASE,
    )
    return day_first, month_first


def _worded_dates(text: str, cldr_name: str) -> list[tuple[regex.Match[str], MonthDay, bool]]:
    """Every date in words: the match, its (month, day), and whether the day stands first."""
    months = dict(month_names(cldr_name))
    found = []
    for pattern, first in zip(_worded(cldr_name), (True, False), strict=True):
        for match in pattern.finditer(text):
            day = int(match["figure"]) if match["figure"] else _DAY_WORDS[match["word"].lower()]
            if 1 <= day <= 31:
                found.append((match, (months[match["month"].lower()], day), first))
    return found


def dates_meant(prompt: str, locale: Locale) -> set[MonthDay]:
    """The (month, day) pairs a prompt in the locale speaks of: written out, or numeric in the local order."""
    meant = {day for _, day, _ in _worded_dates(prompt, locale.pack.cldr_name)}
    for match in _NUMERIC.finditer(prompt):
        day = _in_order(match, locale.forms.date_order)
        if day and match["c"]:
            meant.add(day)
    return meant


def _in_order(match: regex.Match[str], order: str) -> MonthDay | None:
    a, b = int(match["a"]), int(match["b"])
    if order == "mdy":
        month, day = a, b
    elif order == "dmy":
        day, month = a, b
    else:
        if match["c"] is None:
            return None
        month, day = b, int(match["c"])
    return (month, day) if 1 <= month <= 12 and 1 <= day <= 31 else None


def read_dates(output: str, locale: Locale, meant: set[MonthDay]) -> list[DateSighting]:
    """Every date in `output`; `meant` (from the prompt) settles `05/04` against `04/05`."""
    seen = [one for match in _NUMERIC.finditer(output) if (one := _numeric(match, output, locale.forms, meant))]
    own = locale.pack.cldr_name
    for match, day, day_first in _worded_dates(output, own):
        seen.append(DateSighting(_sighted(match, *_worded_standing(match, locale, day_first=day_first)), day))
    if locale.pack.language != "en":
        for match, day, _ in _worded_dates(output, "en_US"):
            if not any(match.start() < other.seen.end and other.seen.start < match.end() for other in seen):
                seen.append(DateSighting(_sighted(match, Standing.FOREIGN, say("an English date")), day))
    return sorted(seen, key=lambda date: date.seen.start)


def _sighted(match: regex.Match[str], standing: Standing, note: str) -> Sighting:
    return Sighting(match.start(), match.end(), standing, note)


def _worded_standing(match: regex.Match[str], locale: Locale, *, day_first: bool) -> tuple[Standing, str]:
    if match["word"]:
        return Standing.VAGUE, say("written out in words, shows no format")
    if day_first and locale.forms.date_order == "mdy" and match["of"]:
        return Standing.VAGUE, say("day before month, as it is also said here")
    if day_first == (locale.forms.date_order != "mdy"):
        if (
            day_first
            and locale.pack.language in ("es", "pt")
            and not match["of"]
            and match["month"].isalpha()
            and len(match["month"]) > 4
        ):
            return Standing.VAGUE, say("without the “de” of a local date")
        return Standing.LOCAL, say("day and month in the local order") if day_first else say(
            "month and day in the local order"
        )
    return Standing.FOREIGN, say("month before day") if not day_first else say("day before month")


def _numeric(match: regex.Match[str], output: str, forms: Forms, meant: set[MonthDay]) -> DateSighting | None:
    if len(match["a"]) > 2:
        day = _in_order(match, "ymd")
        if len(match["a"]) != 4 or day is None:
            return None
        standing = Standing.LOCAL if forms.date_order == "ymd" else Standing.VAGUE
        return DateSighting(_sighted(match, standing, say("year first")), day)
    local, other = _in_order(match, forms.date_order), _in_order(match, "mdy" if forms.date_order == "dmy" else "dmy")
    if local is None and other is None:
        return None
    if match["c"] is None and not _short_date(match, output, forms, {local, other} & {*meant}):
        return None
    if (other in meant and local not in meant) or local is None:
        note = say("month before day") if forms.date_order == "dmy" else say("day before month")
        return DateSighting(_sighted(match, Standing.FOREIGN, note), other)
    if match["sep"].strip() not in forms.date_separators:
        signs = listed([f"“{sign}”" for sign in forms.date_separators], by=OR)
        return DateSighting(_sighted(match, Standing.VAGUE, say("the local separator is {signs}", signs=signs)), local)
    return DateSighting(_sighted(match, Standing.LOCAL, say("the local short date")), local)


def _short_date(match: regex.Match[str], output: str, forms: Forms, fitting: set[MonthDay | None]) -> bool:
    """Whether `5/4` is a date and no fraction: the prompt's date, or announced as one; `05-04` only the prompt's."""
    if match["sep"] == " / ":
        return False
    if match["sep"] != "/":
        return bool(fitting) and match["sep"] in forms.date_separators
    return bool(fitting) or _ANNOUNCED.search(output[max(0, match.start() - 24) : match.start()]) is not None


def grade_date(output: str, prompt: str, locale: Locale) -> Finding:
    """The date signal by what is visible."""
    meant = dates_meant(prompt, locale)
    dates = read_dates(output, locale, meant)
    seen = [date.seen for date in dates] or [
        _sighted(match, Standing.VAGUE, say("a day without its month")) for match in _DAY_ALONE.finditer(output)
    ]
    clock = [
        _sighted(match, Standing.FOREIGN, say("a 12-hour clock"))
        for match in _TWELVE_HOUR.finditer(output)
        if locale.forms.clock_24
    ]
    shown = (*seen, *clock)
    local, foreign, vague = (standing_of(seen, each) for each in (Standing.LOCAL, Standing.FOREIGN, Standing.VAGUE))
    if not seen:
        return Finding(Grade.FAIL, say("no date is visible"), shown)
    if foreign and not local:
        return Finding(Grade.FAIL, say("another locale's date: {quotes}", quotes=quoted(foreign, output)), shown)
    if not local:
        reason = say("understandable, but no local format: {quotes}", quotes=quoted(vague, output))
        return Finding(Grade.PARTIAL, reason, shown)
    if foreign or clock:
        reason = say("a local date, beside {quotes}", quotes=quoted([*foreign, *clock], output))
        return Finding(Grade.PARTIAL, reason, shown)
    if meant and not any(date.day in meant for date in dates):
        reason = say("a local format, but not the date of the prompt: {quotes}", quotes=quoted(local, output))
        return Finding(Grade.PARTIAL, reason, shown)
    return Finding(Grade.PASS, say("a local date: {quotes}", quotes=quoted(local, output)), shown)
