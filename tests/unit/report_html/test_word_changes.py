"""Which words of two replies differ, as ranges of their characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quilate.report.html.diff import MAX_CHARACTERS, MAX_WORDS, changes


def marked(base: str, head: str) -> tuple[list[str], list[str]]:
    found = changes(base, head)
    assert found is not None
    return [base[a:b] for a, b in found.removed], [head[a:b] for a, b in found.added]


def test_changed_words_are_whole_words():
    assert marked("the order 47821 is on its way", "the order 47822 is on its way") == (["47821"], ["47822"])


def test_what_is_only_added_marks_nothing_on_the_other_side():
    assert marked("Sí, tenemos zapatos.", "Ya po, sí, tenemos zapatos. ¿Cachái?")[1][-1] == "¿Cachái?"
    assert marked("one two three", "one two three four") == ([], ["four"])


def test_white_space_alone_is_no_change():
    assert marked("one  two\nthree", "one two three") == ([], [])


def test_a_short_word_between_two_changes_reads_as_part_of_the_change():
    base, head = "it was sent to the old shop on Monday by us all", "it was sent to the new shop at Friday by us all"
    assert marked(base, head)[0] == ["old", "on Monday"] or marked(base, head)[0] == ["old shop on Monday"]


def test_replies_with_little_in_common_are_not_marked():
    found = changes("I cannot find it.", "Nothing like that was ever ordered from this shop.")
    assert found is not None
    assert found.rewritten
    assert (found.removed, found.added) == ((), ())


def test_texts_too_long_to_compare_are_told_apart_from_alike_ones():
    assert changes("a" * (MAX_CHARACTERS + 1), "a") is None
    assert changes("a " * (MAX_WORDS + 1), "a") is None


@given(st.text(max_size=200), st.text(max_size=200))
def test_ranges_are_ordered_apart_and_inside_their_text(base, head):
    found = changes(base, head)
    assert found is not None
    for ranges, text in ((found.removed, base), (found.added, head)):
        edges = [edge for each in ranges for edge in each]
        assert edges == sorted(edges)
        assert all(0 <= start < end <= len(text) for start, end in ranges)


@given(st.lists(st.sampled_from(["uno", "dos", "tres", "cuatro", "cinco", ",", "."]), max_size=40))
def test_a_text_does_not_differ_from_itself(words):
    text = " ".join(words)
    found = changes(text, text)
    assert found is not None
    assert (found.removed, found.added) == ((), ())
