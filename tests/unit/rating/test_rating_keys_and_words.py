"""The rating page in the rater's language: no key means two things, every word is translated, values stay the same."""

from __future__ import annotations

import json
import re
from html import unescape
from itertools import pairwise

import pytest
from tests.factories import a_case

from quilate.agents.agent import Reply, ToolCall
from quilate.checks.rubric import signal_rubric
from quilate.goldens.case import Signal
from quilate.judge.criteria import CriterionKind, SemanticCriterion
from quilate.rating.keys import KEYS
from quilate.rating.questions import Question, criterion_question, pair_questions
from quilate.rating.words import page, script_words
from quilate.report.messages import LANGUAGES, Language, Translator

REPLY = Reply(output="x", tool_calls=(ToolCall(name="lookup", args={}, output=[1]),))


def questions(language: Language) -> list[Question]:
    rubric = signal_rubric(Signal.CURRENCY)
    criterion = SemanticCriterion("locale.currency", rubric.question, CriterionKind.RUBRIC, partial=True, rubric=rubric)
    t = Translator(language)
    return [criterion_question(0, criterion, t), *pair_questions((REPLY, REPLY), t)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_means_two_things(language):
    acts = list(KEYS[language].acts.values())
    assert len(set(acts)) == 4
    for question in questions(language):
        keys = [option.key for option in question.options]
        assert len(set(keys)) == len(keys)
        assert not set(keys) & set(acts)


@pytest.mark.parametrize("language", ["es", "pt-BR"])
def test_every_key_is_a_letter_of_the_word_it_stands_for(language):
    for option in (option for question in questions(language) for option in question.options):
        assert option.label.startswith(option.key) or option.key in "123"


def test_the_same_values_are_stored_whatever_the_language():
    stored = [[(each.id, [option.value for option in each.options]) for each in questions(name)] for name in LANGUAGES]
    assert all(one == other for one, other in pairwise(stored))


@pytest.mark.parametrize("language", ["es", "pt-BR"])
def test_nothing_english_is_left_in_questions_scales_and_the_page(language):
    english = {text for question in questions("en") for text in (question.text, *question.note.split("\n")) if text}
    spoken = {text for question in questions(language) for text in (question.text, *question.note.split("\n"))}
    assert english & spoken == set()
    assert len(english) > 10
    ours, theirs = script_words(Translator("en")), script_words(Translator(language))
    assert [name for name in ours if ours[name] == theirs[name]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_carries_its_scripts_words_as_data(language):
    html = page(Translator(language)).decode()
    assert f'<html lang="{language}">' in html
    found = re.search(r'data-words="([^"]*)"', html)
    assert found
    words = json.loads(unescape(found[1]))
    assert words["acts"]["stop"] == KEYS[language].stop
    assert "{done}" in words["rated"]
    assert "{of}" in words["rated"]


def test_an_authors_own_words_stay_as_they_are():
    case = a_case("c", expected_behavior=("saluda {n} veces",))
    criterion = SemanticCriterion("expected_behavior[0]", case.expected_behavior[0], CriterionKind.BEHAVIOR)
    assert criterion_question(0, criterion, Translator("pt-BR")).text == "saluda {n} veces"
