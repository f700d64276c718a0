"""A reply cut where something in it is marked; nothing is lost but what is told to be left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quilate.report import visible
from quilate.report.html.diff import Range
from quilate.report.html.marked import MAX_CHARACTERS, Mark, pieces


def a_mark(start: int, end: int, number: int = 1) -> Mark:
    return Mark(Range(start, end), number, "fail", "says nothing forbidden")


def test_changed_words_and_quotations_may_overlap():
    found = pieces("one two three", [Range(4, 13)], [a_mark(0, 7)])
    assert [(each.text, each.changed, each.mark is not None) for each in found] == [
        ("one ", False, True),
        ("two", True, True),
        (" three", True, False),
    ]
    assert [mark.number for each in found for mark in each.ends] == [1]


def test_the_shorter_of_two_quotations_colours_the_text():
    found = pieces("abcdef", (), [a_mark(0, 6, 1), a_mark(2, 4, 2)])
    assert [(each.text, each.mark.number) for each in found if each.mark] == [("ab", 1), ("cd", 2), ("ef", 1)]


def test_a_quotation_that_points_outside_the_reply_is_no_mark():
    assert [each.mark for each in pieces("short", (), [a_mark(3, 99), a_mark(-1, 2), a_mark(4, 4)])] == [None]


def test_a_long_reply_keeps_its_ends_and_what_is_quoted():
    text = "a" * 200_000 + "NEEDLE" + "b" * 200_000
    found = pieces(text, (), [a_mark(200_000, 200_006)])
    assert any(each.text == "NEEDLE" and each.mark for each in found)
    assert sum(each.left_out or len(each.text) for each in found) == len(text)
    assert sum(len(each.text) for each in found) < 2 * MAX_CHARACTERS


def test_hidden_characters_are_shown_and_offsets_are_those_of_the_reply():
    found = pieces("\u202eab\u200bcd", (), [a_mark(1, 3)])
    assert [each.text for each in found] == ["⟨U+202E⟩", "ab", "⟨U+200B⟩cd"]


@given(
    st.text(min_size=1, max_size=80),
    st.lists(st.tuples(st.integers(-5, 90), st.integers(-5, 90)), max_size=6),
    st.lists(st.integers(0, 80), max_size=8, unique=True),
)
def test_every_character_is_there_once_and_in_order(text, spans, edges):
    inside = sorted(edge for edge in edges if edge <= len(text))
    changed = [Range(*pair) for pair in zip(inside[::2], inside[1::2], strict=False)]
    found = pieces(text, changed, [a_mark(start, end, n) for n, (start, end) in enumerate(spans)])
    at = 0
    for each in found:
        rest = next(n for n in range(1, len(text) - at + 1) if visible.lines(text[at : at + n]) == each.text)
        at += rest
    assert at == len(text)
