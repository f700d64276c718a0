"""Untrusted text into Markdown: code, on the lines it may have, with nothing hidden in it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quilate.report import visible
from quilate.report.escape import cell, code_span, fenced, line_url, link, marker, suite_name, summary_code


def content_of(span: str) -> str:
    """What CommonMark reads in a code span that is all of `span`."""
    run = re.match(r"`+", span)
    assert run
    size = len(run[0])
    assert span.endswith(run[0])
    inner = span[size:-size]
    assert not any(len(found) == size for found in re.findall(r"`+", inner))
    padded = inner.startswith(" ") and inner.endswith(" ") and inner.strip(" ")
    return inner[1:-1] if padded else inner


@settings(derandomize=True, max_examples=300)
@given(st.text(alphabet="` a|\\<>", min_size=1, max_size=30))
def test_a_code_span_holds_exactly_the_text(text):
    expected = re.sub(r"`{21,}", lambda run: f"`×{len(run[0])}", text)
    assert content_of(code_span(text)) == expected


def test_an_empty_text_is_shown_as_empty():
    assert code_span("") == "`∅`"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a|b", r"`a\|b`"), (r"a\|b", r"`a\\\|b`"), (r"a\\|b", r"`a\\\|b`"), ("|", r"`\|`")],
)
def test_a_pipe_in_a_cell_has_an_odd_number_of_backslashes(text, shown):
    assert cell(text) == shown


def test_a_fence_is_longer_than_any_run_inside_and_keeps_to_its_prefix():
    assert fenced("a\n````\nb", prefix="> ") == "> `````\n> a\n> ````\n> b\n> `````\n"


def test_a_run_of_backticks_longer_than_the_parsers_limits_is_counted():
    assert code_span("`" * 250) == "`` `×250 ``"
    assert fenced("`" * 400).startswith("```\n`×400\n")


def test_a_summary_is_escaped_html_on_one_line():
    assert summary_code("</code>\n\n<b>&") == "<code>&lt;/code&gt; ⏎  ⏎ &lt;b&gt;&amp;</code>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\u202eabc", "⟨U+202E⟩abc"),
        ("a\0b", "a⟨U+0000⟩b"),
        ("\ud800", "⟨U+D800⟩"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("a\x1b[31m", "a⟨U+001B⟩[31m"),
        ("a\u2028b", "a⟨U+2028⟩b"),
        ("a\x85b", "a⟨U+0085⟩b"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("a\u3164b", "a⟨U+3164⟩b"),
        ("a\r\nb\rc\nd", "a ⏎ b ⏎ c ⏎ d"),
        ("a\tb", "a⇥b"),
        ("\0" * 9, "⟨U+0000⟩×9"),
        ("❤️ ñ é", "❤️ ñ é"),
        ("R$\u00a0700", "R$\u00a0700"),
        ("x\ufe0f\ufe0f", "x\ufe0f⟨U+FE0F⟩"),
    ],
)
def test_hidden_characters_are_shown_by_their_number(text, shown):
    assert visible.line(text) == shown


def test_a_pile_of_combining_marks_does_not_reach_the_next_line():
    assert visible.line("a" + "\u0301" * 40) == "a" + "\u0301" * 4 + "⟨U+0301⟩×36"


@settings(derandomize=True, max_examples=200)
@given(st.text(max_size=400), st.integers(8, 200))
def test_a_cut_text_fits_and_keeps_both_ends(text, most):
    short = visible.cut(text, most)
    assert len(short.encode()) <= most
    if short != text:
        head, tail = short.split("…", 1) if text.count("…") == 0 else ("", "")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(short.encode()) > most - 8


def test_a_cut_never_splits_a_character():
    assert visible.cut("é" * 100, 21) == "ééééé" + "é…" + "ééé"


def test_cutting_comes_before_neutralising():
    assert code_span("\u202e" * 3 + "x" * 400, 60).count("U+202E") == 3


@pytest.mark.parametrize("path", ["../../x", "/etc/passwd", "a/../../b", "..\\x", "", "\ud800"])
def test_a_path_that_leaves_the_repository_has_no_link(path):
    assert line_url("https://github.com", "o/r", "3f9c2ab", path, 1) is None


def test_a_path_is_percent_encoded():
    url = line_url("https://ghe.example.com/", "o/r", "3f9c2ab", "a b/ñ)](x).yaml", 3)
    assert url == "https://ghe.example.com/o/r/blob/3f9c2ab/a%20b/%C3%B1%29%5D%28x%29.yaml#L3"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "https://u:p@h/", "ftp://h/"]
)
def test_what_is_no_web_address_is_no_link(url):
    assert link(suite_name("x"), url) == "x"


def test_a_link_cannot_be_left_by_its_address():
    assert link(suite_name("x"), "https://h/a)<b> c") == "[x](https://h/a%29%3Cb%3E%20c)"


@pytest.mark.parametrize(
    ("suite", "head"),
    [("a--b", "3f9c2ab"), ("a -->", "3f9c2ab"), ("orders", "head -->"), ("orders", "HEAD"), ("", "3f9c2ab")],
)
def test_a_marker_of_anything_else_is_refused(suite, head):
    with pytest.raises(ValueError, match="not a marker"):
        marker(suite, 1, 1, head)


def test_the_marker_reads_as_documented():
    assert marker("orders", 7421, 1, "3f9c2ab") == "<!-- quilate suite=orders run=7421 attempt=1 head=3f9c2ab -->"
