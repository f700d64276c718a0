"""Each lint finds what it is for, and leaves alone what is meant."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.goldens.lint import lint
from quilate.goldens.similar import near_identical, normal, without_accents

TODAY = dt.date(2026, 6, 22)


def a_case(**fields):
    return {"id": "a", "category": "c", "input": "¿Dónde está mi pedido?", "expected_tool": "t"} | fields


@pytest.fixture
def findings(write, load):
    def of(*cases, **file):
        write("f.json", {"cases": list(cases)} | file)
        return lint(load("*.json"), TODAY)

    return of


def codes(found):
    return [(finding.code, finding.case_id) for finding in found]


def test_a_good_case_has_no_finding(findings):
    assert findings(a_case()) == []


def test_an_empty_file_beside_others(findings, write):
    write("empty.json", {"version": "1", "cases": []})
    (finding,) = findings(a_case())
    assert (finding.code, finding.file.rsplit("/", 1)[-1]) == ("empty-file", "empty.json")


@pytest.mark.parametrize(
    ("defaults", "category", "expected"),
    [
        ({"category": "refunds"}, "orders", ["empty-category"]),
        ({"capability": "ambiguity", "type": "clear"}, "orders", ["empty-category"]),
        ({"category": "refunds"}, "refunds", []),
        ({}, "orders", []),
    ],
)
def test_a_category_that_defaults_name_and_no_case_is_in(defaults, category, expected, findings):
    found = findings(a_case(category=category), defaults=defaults)
    assert [finding.code for finding in found] == expected


@pytest.mark.parametrize(
    ("phrases", "missing"),
    [
        (["cachái"], ["cachai"]),
        (["cachái", "CACHAI"], []),
        (["año"], []),
        (["você não"], ["voce nao"]),
        (["cafe\u0301"], ["cafe"]),
        (["/cachái/"], []),
        (["po", "lamentablemente"], []),
    ],
)
def test_a_forbidden_phrase_without_its_accent_less_twin(phrases, missing, findings):
    found = [finding.found for finding in findings(a_case(forbidden_phrases=phrases))]
    assert [text.split('"')[3] for text in found] == missing


def test_a_forbidden_phrase_without_the_accented_twin_that_another_case_forbids(findings):
    found = findings(
        a_case(forbidden_phrases=["cachái", "cachai"]),
        a_case(id="b", input="otra cosa", forbidden_phrases=["cachai"]),
    )
    assert codes(found) == [("accent-twin", "b")]


@pytest.mark.parametrize(
    ("fields", "flagged"),
    [
        ({}, True),
        ({"max_latency_ms": 100, "max_metrics": {"wer": 0.1}, "evidence": "fragments"}, True),
        ({"expected_behavior": ["answers"]}, False),
        ({"forbidden_phrases": ["po"]}, False),
        ({"must_not_leak": ["secrets"]}, False),
        ({"locale": "pt-BR"}, False),
        ({"expects": "clarification"}, False),
        ({"grounded": True}, False),
        ({"expected_tools": {"calls": [], "extra_calls": "forbid"}}, False),
    ],
)
def test_a_case_that_only_latency_or_metrics_can_grade(fields, flagged, findings):
    found = findings(a_case(expected_tool=None) | fields)
    assert codes(found) == ([("nothing-to-grade", "a")] if flagged else [])


def test_the_same_input_under_another_id_names_the_first(findings):
    (finding,) = findings(a_case(), a_case(id="b"))
    assert (finding.code, finding.case_id) == ("duplicate-input", "b")
    assert '"a"' in finding.found


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("¿Dónde está mi pedido 47821?", "donde esta mi pedido 1", True),
        ("¿En qué estado está mi pedido 47821, por favor?", "¿En qué estado está mi pedido 39921, porfa?", False),
        (
            "quiero devolver un pedido que ya recibí ayer por la tarde",
            "quiero devolver un pedido que ya recibí hoy por la tarde",
            True,
        ),
        ("Qual a capital do Brasil?", "Quantos estados tem o Brasil?", False),
        ("no no no", "no", False),
        ("!!!", "???", False),
    ],
)
def test_nearly_the_same_inputs(one, other, near, findings):
    found = findings(a_case(input=one), a_case(id="b", input=other))
    assert codes(found) == ([("near-identical-input", "b")] if near else [])


@pytest.mark.parametrize("key", ["template", "family"])
def test_cases_that_say_they_belong_together_are_not_told_as_nearly_the_same(key, findings):
    one, other = a_case(input="pedido 1", **{key: "k"}), a_case(id="b", input="pedido 2", **{key: "k"})
    assert findings(one, other) == []


def test_dates_that_have_passed(findings):
    quarantine = {"owner": "ops", "reason": "flaky", "until": "2026-06-21"}
    found = findings(
        a_case(review_by="2026-06-21", quarantine=quarantine),
        a_case(id="b", input="x", review_by="2026-06-22", quarantine=quarantine | {"until": "2026-06-22"}),
    )
    assert codes(found) == [("quarantine-expired", "a"), ("review-due", "a")]


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"input": "pay \u202eevil"}, "U+202E in input"),
        ({"id": "a\x07"}, "U+0007 in id"),
        ({"forbidden_phrases": ["x", "\u200by"]}, "U+200B in forbidden_phrases[1]"),
        ({"expected_tool_args": {"n\u2066": 1}}, 'U+2066 in expected_tool_args["nU+2066"]'),
    ],
)
def test_a_character_that_hides_or_reorders(fields, names, findings):
    (finding,) = findings(a_case(**fields))
    assert (finding.code, finding.found) == ("hidden-character", names)


@pytest.mark.parametrize("text", ["a\nb\tc\r\n", "👩‍👩‍👧 ❤️", "niño\u0303", "مرحبا", "क्‍ष"])
def test_ordinary_text_of_any_script_hides_nothing(text, findings):
    assert findings(a_case(input=text)) == []


WORDS = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=12).map(tuple)
LONG = st.integers(20, 36).map(lambda length: tuple(f"w{number}" for number in range(length)))


@given(st.lists(WORDS | LONG, max_size=12))
def test_no_pair_is_missed_by_comparing_few(inputs):
    """Against the plain definition: each input with some earlier one that is alike is found, with such a one."""

    def alike(one, other):
        left = {(word, one[: index + 1].count(word)) for index, word in enumerate(one)}
        right = {(word, other[: index + 1].count(word)) for index, word in enumerate(other)}
        return len(left & right) * 5 >= 4 * len(left | right)

    expected = {later for later in range(len(inputs)) if any(alike(inputs[k], inputs[later]) for k in range(later))}
    found = {later: earlier for earlier, later in near_identical(inputs)}
    assert set(found) == expected
    assert all(alike(inputs[earlier], inputs[later]) for later, earlier in found.items())


@given(st.text())
def test_normal_words_are_stable(text):
    assert normal(" ".join(normal(text))) == normal(text)


def test_accents_are_left_out_and_letters_kept():
    assert without_accents("ÁéÎõü ç Ñandú") == "AeIou c Ñandu"
