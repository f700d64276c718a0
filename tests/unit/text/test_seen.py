"""A text as eyes see it, and the way back."""

from hypothesis import given
from hypothesis import strategies as st

from quilate.seen import seen


def test_what_shows_nothing_is_left_out_and_signs_are_plain():
    assert seen("1\u200b2\u00ad.\uff13\u2212\u0664\u00a0x").text == "12.3-4 x"
    assert seen("1\ufe0f\u20e32\ufe0f\u20e3").text == "12"


def test_letters_keep_their_marks():
    assert seen("café, cafe\u0301, m², ①").text == "café, cafe\u0301, m², ①"


def test_a_megabyte_of_what_shows_nothing_is_seen_through():
    assert seen("1" + "\u200b" * 1_000_000 + "2").text == "12"
    assert seen("1\u0336\u200b" * 300_000).text == "1" * 300_000


@given(st.text(alphabet="a1\u200b\u0301\uff13\u00ad.é\U000e0041 \u20e3"))
def test_every_character_that_is_seen_leads_back_to_its_own(text):
    found = seen(text)
    for at, character in enumerate(found.text):
        start, end = found.original(at, at + 1)
        assert end == start + 1
        assert seen(text[start:end]).text in (character, "")


@given(st.text())
def test_what_is_seen_is_seen_as_it_is(text):
    once = seen(text).text
    assert seen(once).text == once
