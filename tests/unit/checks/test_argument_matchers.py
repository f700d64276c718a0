"""Typed matchers for tool arguments."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.checks.matchers import MatcherError, compile_args, exact_args
from quilate.checks.matching import matches
from quilate.checks.pairing import maximum_matching
from quilate.checks.patterns import PatternTimeoutError
from quilate.shown import dotted


def holds(expected, found, **options):
    return matches(compile_args({"x": expected}, **options), {"x": found})


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (5, 5.0), (5.0, 5), ([12, 15], [12.0, 15.0]), ({"a": [{"b": 1}]}, {"a": [{"b": 1.0}]}),
        (0.1 + 0.2, 0.3), (-0.0, 0), (True, True), (False, False), (None, None),
        ("cachái", "cacha\u0301i"), ("GRU", " GRU "), ([], []), ({}, {}), ("", ""),
        ({"any_of": [1, "uno"]}, 1), ({"any_of": [1, "uno"]}, "uno"), ({"any_of": [1]}, 1.0),
        ({"any_of": [{"regex": "a+"}, {"approx": 1, "tol": 1}]}, 2),
        ({"regex": r"^[^@]+@empresa\.com\.br$"}, "ana@empresa.com.br"), ({"regex": "a|ab"}, "ab"),
        ({"approx": 700.00, "tol": 0.01}, 700.01), ({"approx": 700, "tol": 0}, 700.0), ({"approx": 3.0}, 3.000001),
        ({"contains": "bagagem"}, "sem bagagem de mão"), ({"contains": 2}, [1, 2.0]), ({"contains": ["a", "b"]}, "b a"),
        ({"contains": {"sku": "A1"}}, [{"sku": "B"}, {"sku": "A1", "n": 1}]),
        ({"any": True}, None), ({"any": True}, [1]),
        ({"unordered": ["a", "b", "a"]}, ["a", "a", "b"]), ({"unordered": [1, 2]}, [2.0, 1]),
        ({"unordered": [{"any": True}, 1]}, [1, 2]), ({"unordered": []}, []),
        ({"equals": {"any": True}}, {"any": True}), ({"equals": 2}, 2),
        ({"equals": "san diego, ca", "normalize": "loose"}, "San Diego CA"),
        ({"equals": 5, "coerce": True}, "5"), ({"equals": "5", "coerce": True}, 5.0),
        ({"regex": r"\d+", "coerce": True}, 47821),
        ({"regex": "a.*", "contains": "b"}, "acb"),
    ],
)  # fmt: skip
def test_what_matches(expected, found):
    assert holds(expected, found)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("47821", 47821), (47821, "47821"), (1, True), (True, 1), (0, False), (False, 0), (None, 0), (None, ""),
        (None, False), ("null", None), (1000000001, 1000000002), (1000000001, 1000000002.0), (10**20, 10**20 + 1),
        (1.5, math.nan), (1, math.inf), ([1, 2], [2, 1]), ([1], [1, 2]), ([1], 1), ({"a": 1}, [1]), ({"a": 1}, None),
        ("GRU", "gru"), ("San Diego", "San Diego, CA"), ("05", "5"), ({"a": None}, {}), (2, [2]), ("", None),
        ({"any_of": [1, 2]}, True), ({"any_of": ["1"]}, 1),
        ({"regex": "a"}, "ba"), ({"regex": r"\d+"}, 5), ({"regex": "(?i)x"}, None),
        ({"approx": 700.00, "tol": 0.01}, 700.02), ({"approx": 1, "tol": 1}, True), ({"approx": 1, "tol": 1}, "1"),
        ({"approx": 1, "tol": 1}, math.nan), ({"contains": "1"}, 1), ({"contains": 1}, "1"),
        ({"contains": "a"}, {"a": 1}),
        ({"unordered": [1, 1]}, [1]), ({"unordered": [1, 2]}, [1, 1]), ({"unordered": [1]}, 1),
        ({"unordered": [1]}, [True]),
        ({"equals": {"any": True}}, 1), ({"equals": {"a": 1}}, {"a": 1, "b": 2}),
        ({"equals": 1, "coerce": True}, True), ({"equals": 5, "coerce": True}, "cinco"),
        ({"equals": 5, "coerce": True}, "05"),
        ({"regex": "a.*", "contains": "b"}, "ac"),
    ],
)  # fmt: skip
def test_what_does_not_match(expected, found):
    assert not holds(expected, found)


@pytest.mark.parametrize(
    ("expected", "found", "matched"),
    [
        ({"optional": True, "equals": "economy"}, {}, True),
        ({"optional": True, "equals": "economy"}, {"x": "economy"}, True),
        ({"optional": True, "equals": "economy"}, {"x": "first"}, False),
        ({"optional": True, "equals": "economy"}, {"x": None}, False),
        ({"optional": True}, {}, True),
        ({"optional": False, "equals": 1}, {}, False),
        ({"absent": True}, {}, True),
        ({"absent": True}, {"x": None}, False),
        ({"any": True}, {}, False),
        ({"any_of": [{"absent": True}, 1]}, {}, True),
        ({"any_of": [{"absent": True}, 1]}, {"x": 2}, False),
        (None, {}, False),
        (None, {"x": None}, True),
    ],
)
def test_absent_is_not_null(expected, found, matched):
    assert matches(compile_args({"x": expected}), found) is matched


@pytest.mark.parametrize(("extra_args", "matched"), [("allow", True), ("forbid", False)])
@pytest.mark.parametrize("found", [{"x": {"a": 1}, "y": 2}, {"x": {"a": 1, "b": 2}}])
def test_one_rule_for_extra_arguments_at_every_depth(extra_args, matched, found):
    assert matches(compile_args({"x": {"a": 1}}, extra_args=extra_args), found) is matched


def test_argument_names_are_never_keywords():
    assert matches(compile_args({"contains": "a", "any": 1, "sku": 2}), {"contains": "a", "any": 1, "sku": 2})


def test_loose_comparison_is_asked_for_per_file_and_taken_back_per_argument():
    assert holds("San Diego, CA", "san-diego ca", normalize="loose")
    assert holds(["l'été"], ["L’ÉTÉ"], normalize="loose")
    assert not holds({"equals": "A", "normalize": "exact"}, "a", normalize="loose")


@pytest.mark.parametrize(
    ("args", "path", "words"),
    [
        ({"x": {"regex": "("}}, "x.regex", "not a regular expression"),
        ({"x": {"regex": 5}}, "x.regex", "5 (number)"),
        ({"x": {"regexp": "a", "optional": True}}, "x.regexp", "did you mean 'regex'"),
        ({"x": {"equals": 1, "sku": 2}}, "x.sku", "{equals: {…}}"),
        ({"x": {"tol": 1}}, "x", "add one of"),
        ({"x": {"approx": "1"}}, "x.approx", "write a number"),
        ({"x": {"approx": True}}, "x.approx", "write a number"),
        ({"x": {"approx": 1, "tol": -1}}, "x.tol", "not negative"),
        ({"x": {"equals": 1, "tol": 1}}, "x.tol", "without approx"),
        ({"x": {"any_of": []}}, "x.any_of", "write a list"),
        ({"x": {"any_of": "a"}}, "x.any_of", "write a list"),
        ({"x": {"unordered": "a"}}, "x.unordered", "write a list"),
        ({"x": {"any": "thing"}}, "x.any", "any: true"),
        ({"x": {"absent": False}}, "x.absent", "absent: true"),
        ({"x": {"absent": True, "equals": 1}}, "x", "stands alone"),
        ({"x": {"optional": "yes", "equals": 1}}, "x.optional", "optional: true"),
        ({"x": [{"optional": True, "equals": 1}]}, "x[0].optional", "leave it out"),
        ({"x": {"equals": 1, "normalize": "lax"}}, "x.normalize", "exact or loose"),
        ({"x": {"contains": []}}, "x.contains", "list what must"),
        ({"a": {"b": [1, {"any_of": [{"regex": "["}]}]}}, "a.b[1].any_of[0].regex", "not a regular expression"),
    ],
)
def test_wrong_matchers_are_refused_with_their_place(args, path, words):
    with pytest.raises(MatcherError) as refused:
        compile_args(args)
    assert dotted(refused.value.path) == path
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("args", "found", "lines"),
    [
        ({"numero": "47821"}, {"numero": 47821}, ['numero: expected "47821" (text), found 47821 (number)']),
        ({"n": 1}, {"n": True}, ["n: expected 1 (number), found true (boolean)"]),
        ({"n": None}, {}, ["n: expected null, found nothing"]),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, "2"]}}, ['a.b[1]: expected 2 (number), found "2" (text)']),
        (
            {"a": 1, "b": 2},
            {"a": 2},
            ["a: expected 1 (number), found 2 (number)", "b: expected 2 (number), found nothing"],
        ),
        ({"p": {"approx": 7, "tol": 1}}, {"p": 9}, ["p: expected 7 ± 1 (number), found 9 (number)"]),
    ],
)
def test_each_mismatch_names_its_place_and_both_types(args, found, lines):
    assert [str(mismatch) for mismatch in compile_args(args).mismatches(found)] == lines


def test_exact_arguments_take_matchers_literally_and_allow_nothing_more():
    exact = exact_args({"numero": "1", "filtro": {"any": True}})
    assert matches(exact, {"filtro": {"any": True}, "numero": "1"})
    assert [str(m) for m in exact.mismatches({"numero": "1", "filtro": {"any": True}, "extra": 1})] == [
        "extra: expected nothing, found 1 (number)"
    ]


def test_a_catastrophic_pattern_is_cut_off():
    matcher = compile_args({"x": {"regex": "(a+)+$"}})
    with pytest.raises(PatternTimeoutError):
        list(matcher.mismatches({"x": "a" * 40_000 + "b"}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_every_value_equals_itself_literally(value):
    assert holds({"equals": value}, value)


@given(json_values, json_values)
def test_any_value_is_compared_without_a_crash(expected, found):
    assert holds({"equals": expected}, found) == holds({"equals": found}, expected)


@given(st.lists(st.integers(0, 3), max_size=5), st.lists(st.integers(0, 3), max_size=5))
def test_unordered_is_equality_of_multisets(expected, found):
    assert holds({"unordered": expected}, found) == (sorted(expected) == sorted(found))


@given(st.lists(st.lists(st.integers(0, 4), unique=True, max_size=5), max_size=5))
def test_pairing_is_as_large_as_by_trying_everything(edges):
    options = [[None, *rights] for rights in edges]
    largest = max(
        len(used)
        for choice in itertools.product(*options)
        if len(used := [right for right in choice if right is not None]) == len(set(used))
    )
    pairs = maximum_matching(edges)
    assert len(pairs) == largest == len(set(pairs.values()))
    assert all(right in edges[left] for left, right in pairs.items())
