"""Documents, institutions, norms, idioms, regional references and register words in a reply, by the pack's names."""

from __future__ import annotations

import importlib
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import regex

from quilate.checks.locale.load import Locale
from quilate.checks.locale.pack import Marker
from quilate.checks.locale.sighting import Finding, Sighting, Standing, quoted, standing_of
from quilate.grades import Grade
from quilate.saying import say
from quilate.text import folded

_NUMBERED = regex.compile(r"(?<![\w])[A-Z0-9](?:[A-Z0-9]|[./-](?=[A-Z0-9])){6,24}(?![\w])")


@lru_cache(maxsize=4096)
def _pattern(name: str) -> regex.Pattern[str]:
    """Whole words of a folded name; one in capitals (CPF, RUT) is an abbreviation and looked for as written.

    Of three letters or fewer there is no plural: with one, `po` would be found in a shop's POS.
    """
    words = r"\s+".join(regex.escape(part) for part in name.split())
    plural = "" if name.isupper() or len(name) <= 3 else r"(?:s|es)?"
    flags = regex.VERSION0 if name.isupper() else regex.IGNORECASE
    return regex.compile(rf"(?<![\w]){words}{plural}(?![\w])", flags)


def _plain(text: str) -> str:
    """`text` without accents, letter for letter, so that offsets stay."""
    return "".join(unicodedata.normalize("NFD", char)[0] if not char.isascii() else char for char in text)


def find_names(text: str, names: Iterable[str]) -> list[tuple[int, int, str]]:
    """Where names stand in `text` as whole words, accents aside, and case but for abbreviations; the longest wins."""
    composed = folded(text, case=False, spaces=False)
    plain = _plain(composed.text)
    found: list[tuple[int, int, str]] = []
    taken = bytearray(len(text))
    for name in sorted(names, key=len, reverse=True):
        for match in _pattern(_plain(unicodedata.normalize("NFC", name))).finditer(plain):
            start, end = composed.original(match.start(), match.end())
            if not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                found.append((start, end, name))
    return sorted(found)


def _numbers(output: str, markers: Iterable[Marker]) -> list[Sighting]:
    """Identity numbers of the locale, by their check digits; bare digits without a separator are not taken for one."""
    numbered = [marker for marker in markers if marker.number]
    seen = []
    for match in _NUMBERED.finditer(output):
        text = match.group()
        if not any(sign in text for sign in "./-"):
            continue
        for marker in numbered:
            if importlib.import_module(f"stdnum.{marker.number}").is_valid(text):
                seen.append(
                    Sighting(
                        match.start(),
                        match.end(),
                        Standing.LOCAL,
                        say("a valid {document} number", document=marker.name),
                    )
                )
                break
    return seen


def read_markers(output: str, locale: Locale) -> list[Sighting]:
    """Local markers (strong: local; usual: vague) and another locale's documents, in order."""
    pack = locale.pack
    strength = {name: marker.strength for marker in pack.markers for name in marker.names}
    own = {unicodedata.normalize("NFC", name).casefold() for name in strength}
    conflicting = {
        name for name in pack.conflicts.documents if unicodedata.normalize("NFC", name).casefold() not in own
    }
    seen = _numbers(output, pack.markers)
    for start, end, name in find_names(output, [*strength, *conflicting]):
        if name in conflicting:
            standing, note = Standing.FOREIGN, say("another locale's")
        elif strength[name] == "strong":
            standing, note = Standing.LOCAL, say("a local marker")
        else:
            standing, note = Standing.VAGUE, say("expected here, and elsewhere too")
        seen.append(Sighting(start, end, standing, note))
    return sorted(seen, key=lambda sighting: sighting.start)


def grade_social_norms(output: str, prompt: str, locale: Locale) -> Finding | None:
    """The social signal by what is visible; None where the pack names no marker."""
    if not locale.pack.markers:
        return None
    seen = read_markers(output, locale)
    local, vague, foreign = (standing_of(seen, each) for each in (Standing.LOCAL, Standing.VAGUE, Standing.FOREIGN))
    asked = {name for _, _, name in find_names(prompt, [output[one.start : one.end] for one in foreign])}
    foreign = [one for one in foreign if output[one.start : one.end] not in asked]
    shown = tuple(seen)
    if local and foreign:
        return Finding(Grade.PARTIAL, say("local markers, beside {quotes}", quotes=quoted(foreign, output)), shown)
    if local:
        reason = say("local documents, institutions or norms: {quotes}", quotes=quoted(local, output))
        return Finding(Grade.PASS, reason, shown)
    if foreign:
        reason = say("another locale's documents or institutions: {quotes}", quotes=quoted(foreign, output))
        return Finding(Grade.FAIL, reason, shown)
    if vague:
        reason = say("leaves out the strongest local markers: {quotes}", quotes=quoted(vague, output))
        return Finding(Grade.PARTIAL, reason, shown)
    return Finding(Grade.FAIL, say("generic: no local document, institution or norm is visible"), shown)


def read_references(output: str, locale: Locale) -> list[Sighting]:
    """Regional references of the pack, and its idioms, that stand in `output`."""
    phrases = {phrase: idiom.phrase for idiom in locale.pack.idioms for phrase in (idiom.phrase, *idiom.also)}
    return [
        Sighting(
            start,
            end,
            Standing.LOCAL,
            say("an idiom of the locale") if name in phrases else say("a regional reference"),
        )
        for start, end, name in find_names(output, [*phrases, *locale.pack.regions])
    ]


def idioms_in(text: str, locale: Locale) -> list[str]:
    """What the pack says of the idioms that stand in `text`, one line each."""
    meanings = {
        phrase: f"“{idiom.phrase}” means: {idiom.meaning}"
        for idiom in locale.pack.idioms
        for phrase in (idiom.phrase, *idiom.also)
    }
    return list(dict.fromkeys(meanings[name] for _, _, name in find_names(text, meanings)))


def grade_register(output: str, locale: Locale) -> Finding | None:
    """Whether marked local words or jargon anglicisms stand in the reply; None where the pack lists none.

    A word of the user's own counts too: a reply registers the colloquial context without reproducing it.
    """
    words = locale.pack.register_words
    if not (words.marked or words.slang_anglicisms):
        return None
    marked = dict.fromkeys(words.marked, say("a marked colloquialism"))
    jargon = dict.fromkeys(words.slang_anglicisms, say("a jargon anglicism"))
    seen = tuple(
        Sighting(start, end, Standing.FOREIGN, (marked | jargon)[name])
        for start, end, name in find_names(output, [*marked, *jargon])
    )
    if not output.strip():
        return Finding(Grade.FAIL, say("the reply is empty"), ())
    if seen:
        reason = say("not the register of {locale}: {quotes}", locale=locale.pack.locale, quotes=quoted(seen, output))
        return Finding(Grade.FAIL, reason, seen)
    return Finding(Grade.PASS, say("no marked colloquialism and no jargon anglicism"), ())
