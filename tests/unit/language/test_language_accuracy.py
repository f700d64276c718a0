"""How well Portuguese, Spanish and English are told apart, on short sentences that we did not write.

The sentences are those of the chatterbot-corpus package, of at most 90 characters; the figures are in docs/locales.md.
"""

import importlib.util
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from quilate.checks.language import MIN_LETTERS, letters, read_language
from quilate.goldens.case import GoldenCase

FOLDERS = {"pt": "portuguese", "es": "spanish", "en": "english"}
EACH = 200


def sentences(language: str) -> list[str]:
    """200 sentences of a language, always the same for one version of the corpus."""
    spec = importlib.util.find_spec("chatterbot_corpus")
    if spec is None or spec.origin is None:
        pytest.skip("the package chatterbot-corpus is not installed")
    found: set[str] = set()
    for path in sorted((Path(spec.origin).parent / "data" / FOLDERS[language]).glob("*.yml")):
        if path.stem in ("coding", "tech_support"):
            continue
        for conversation in yaml.safe_load(path.read_text(encoding="utf-8"))["conversations"]:
            found.update(text for one in conversation if 4 <= len(text := str(one).strip()) <= 90 and letters(text))
    return random.Random(7).sample(sorted(found), EACH)


@dataclass(frozen=True)
class Outcome:
    """What 200 sentences came to when their own language was expected."""

    passed: int
    failed: int
    undecided: int
    short: int


def outcome(language: str, expected: str) -> Outcome:
    case = GoldenCase(id="c", category="x", input="x", language=expected)
    grades = []
    there = sentences(language)
    for text in there:
        found = read_language(case, text)
        assert found is not None
        grades.append(found.grade.value)
    short = sum(letters(text) < MIN_LETTERS for text in there)
    return Outcome(
        grades.count("pass") + grades.count("partial"), grades.count("fail"), grades.count("not_judged"), short
    )


@pytest.mark.parametrize("language", FOLDERS)
def test_what_is_decided_of_the_right_language_is_right(language: str) -> None:
    found = outcome(language, language)
    assert found.passed + found.failed + found.undecided == EACH
    assert found.passed >= 0.99 * (found.passed + found.failed)


@pytest.mark.parametrize("language", FOLDERS)
def test_it_abstains_for_being_short_and_seldom_else(language: str) -> None:
    found = outcome(language, language)
    assert found.undecided - found.short <= 0.1 * EACH


@pytest.mark.parametrize(("language", "other"), [("pt", "es"), ("es", "pt"), ("pt", "en"), ("es", "en"), ("en", "pt")])
def test_another_language_is_not_let_through(language: str, other: str) -> None:
    found = outcome(language, other)
    assert found.passed <= 0.01 * EACH
    assert found.failed >= 0.5 * EACH
