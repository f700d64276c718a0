"""Measures in a reply: in whose units."""

from __future__ import annotations

from functools import lru_cache

import regex

from quilate.checks.locale.cldr import unit_names
from quilate.checks.locale.load import Locale
from quilate.checks.locale.numbers import GAP, NUMBER, NUMBER_WORDS, SCALE, misformed
from quilate.checks.locale.sighting import Finding, Sighting, Standing, quoted, standing_of
from quilate.grades import Grade
from quilate.saying import say

_SPELT_ANYHOW = r"kms?|kgs?|cm|ml|mts?"
"""Metric symbols that people also write in capitals; `MM` and `M` may stand for millions."""
_METRIC_SYMBOLS = r"km/h|km²|km2|m²|m2|kms?|mts?|cm|mm|mL|ml|kg|mg|hm|ha|[º°]\s?C|℃|m|g|L|l|t"
_US_SYMBOLS = r"mph|mi/h|sq\s?ft|ft|yd|lbs?|oz|gal|[º°]\s?F|℉|″|pol\.|pulg\."
_ENGLISH_MILES = r"mi"
_DEGREES = r"(?:graus?|grados?|degrees?)\b(?!\s*(?:celsius|cent[íi]grados?|fahrenheit|c\b|f\b))|[º°](?!\s?[CF]\b)"
_DURATION = r"(?:horas?|hours?|minutos?|minutes?|dias?|d[ií]as?|days?|h|min|quarteir[õo]es|cuadras?|blocks?)\b"
_HOUSEHOLD = (
    r"(?:x[íi]caras?|colher(?:es)?|copos?|pitadas?|tazas?|cucharad(?:it)?as?|cucharas?|vasos?|pizcas?|cups?"
    r"|t(?:able|ea)spoons?)\b"
)
"""Measures of the kitchen: understood, and of no stated system."""
_METRES_AND_CENTIMETRES = r"(?<![\w.,/])\d{1,2}\s?m\s?\d{2}(?:\s?cm)?(?![\w/])"
"""`1m73`: a height as it is said."""
_SCREENS = regex.compile(
    r"\b(?:tvs?|tel[ae]vis\w+|telas?|pantallas?|monitor\w*|screens?|displays?|notebooks?|laptops?|tablets?|celular\w*"
    r"|smartphones?|tel[ée]fonos?|telefones?|aros?|rodas?|ruedas?|llantas?|pneus?|neum[áa]ticos?|tubos?|ca[ñn]os?|canos?"
    r"|tuber[íi]as?|pizzas?)\b",
    regex.IGNORECASE,
)
"""What is sold by the inch in metric countries too."""
_INCHES = regex.compile(r"(?:polegadas?|pulgadas?|inch(?:es)?|pol\.|pulg\.|″)$", regex.IGNORECASE)
_NEAR_CHARS = 60
_CENTIGRADE = r"(?:graus?|grados?|degrees?)\s+(?:cent[íi]grados?|c\b)"


@lru_cache(maxsize=32)
def _patterns(cldr_name: str, language: str) -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    names = dict(unit_names("en_US")) | dict(unit_names(cldr_name))
    if language == "pt":  # one language in two spellings: quilômetro, quilómetro
        names |= dict(unit_names("pt")) | dict(unit_names("pt_PT"))
    if language == "es":
        names.pop("miles", None)  # thousands, in Spanish
    by_system = {
        system: "|".join(regex.escape(name) for name in sorted(names, key=len, reverse=True) if names[name] == system)
        for system in ("metric", "us")
    }
    miles = f"|{_ENGLISH_MILES}" if language == "en" else ""  # `mi` is short for millions in Portuguese and Spanish
    number = rf"(?:(?P<number>{NUMBER})(?:\s*{SCALE})?|(?P<words>{NUMBER_WORDS}))"
    measure = regex.compile(
        rf"(?<![\w.,/]){number}{GAP}[-‑]?{GAP}"
        rf"(?:(?P<metric>(?:{by_system['metric']}|{_CENTIGRADE}|{_SPELT_ANYHOW})(?![\w/°º])|(?-i:(?:{_METRIC_SYMBOLS})(?![\w/°º])))"
        rf"|(?P<us>(?:{by_system['us']})(?![\w])|(?-i:(?:{_US_SYMBOLS}{miles})(?![\w/])))"
        rf"|(?P<degrees>{_DEGREES})|(?P<duration>{_DURATION})|(?P<household>{_HOUSEHOLD}))"
        rf"|(?P<metric>{_METRES_AND_CENTIMETRES})",
        regex.IGNORECASE,
    )
    long_metric = "|".join(
        regex.escape(name) for name in sorted(names, key=len, reverse=True) if names[name] == "metric" and len(name) > 4
    )
    bare = regex.compile(rf"\b(?:{long_metric})\b", regex.IGNORECASE)
    return measure, bare


def read_measures(output: str, locale: Locale) -> list[Sighting]:
    """Every measure in `output`, in order. Durations are vague: they stand in for a distance."""
    measure, bare = _patterns(locale.pack.cldr_name, locale.pack.language)
    own = locale.pack.units.system
    seen: list[Sighting] = []
    for match in measure.finditer(output):
        standing, note = _judge(match, own, locale)
        if standing is Standing.FOREIGN and _INCHES.search(match.group()) and _sold_by_the_inch(match, output):
            standing, note = Standing.VAGUE, say("inches, in which such things are sold everywhere")
        seen.append(Sighting(match.start(), match.end(), standing, note))
    if own == "metric":
        for match in bare.finditer(output):
            if not any(match.start() < other.end and other.start < match.end() for other in seen):
                seen.append(Sighting(match.start(), match.end(), Standing.VAGUE, say("a unit without a number")))
    return sorted(seen, key=lambda sighting: sighting.start)


def _sold_by_the_inch(match: regex.Match[str], output: str) -> bool:
    around = output[max(0, match.start() - _NEAR_CHARS) : match.end() + _NEAR_CHARS]
    return _SCREENS.search(around) is not None


def _judge(match: regex.Match[str], own: str, locale: Locale) -> tuple[Standing, str]:
    if match["degrees"]:
        return Standing.VAGUE, say("degrees of no stated scale")
    if match["duration"]:
        return Standing.VAGUE, say("a duration")
    if match["household"]:
        return Standing.VAGUE, say("a household measure")
    system = "metric" if match["metric"] else "us"
    if system != own:
        return Standing.FOREIGN, say("US units") if system == "us" else say("metric units")
    reason = misformed(match["number"], locale.forms, money=False) if match["number"] else None
    if reason:
        return Standing.MISFORMED, reason
    return Standing.LOCAL, say("metric units") if system == "metric" else say("US units")


def grade_units(output: str, prompt: str, locale: Locale) -> Finding:
    """The unit signal by what is visible; other units are excused where the prompt itself uses them."""
    seen = read_measures(output, locale)
    if standing_of(read_measures(prompt, locale), Standing.FOREIGN):
        seen = [one for one in seen if one.standing is not Standing.FOREIGN]
    local, foreign = standing_of(seen, Standing.LOCAL), standing_of(seen, Standing.FOREIGN)
    wrong, vague = standing_of(seen, Standing.MISFORMED), standing_of(seen, Standing.VAGUE)
    shown = tuple(seen)
    if not seen:
        return Finding(Grade.FAIL, say("no measure is visible"), shown)
    if foreign and not (local or wrong):
        return Finding(Grade.FAIL, say("another region's units: {quotes}", quotes=quoted(foreign, output)), shown)
    if foreign or wrong:
        others = quoted([*foreign, *wrong], output)
        return Finding(Grade.PARTIAL, say("local units, but not throughout: {quotes}", quotes=others), shown)
    if local:
        return Finding(Grade.PASS, say("local units: {quotes}", quotes=quoted(local, output)), shown)
    return Finding(Grade.PARTIAL, say("the unit is vague: {quotes}", quotes=quoted(vague, output)), shown)
