"""Numbers in the comment are exact before they are rounded, and never rounded into a lie."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quilate.report import figures
from quilate.report.messages import Translator

EN = Translator("en")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(-8), "▼ 8.0"),
        (Fraction(2), "▲ 2.0"),
        (Fraction(0), "0.0"),
        (Fraction(-4, 100), "▼ <0.1"),
        (Fraction(1, 1000), "▲ <0.1"),
        (Fraction(-200, 3), "▼ 66.7"),
        (Fraction(25, 100), "▲ 0.2"),
        (Fraction(35, 100), "▲ 0.4"),
        (None, "–"),
    ],
)
def test_a_move_in_points(value, shown):
    assert figures.move(value, EN) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(Fraction(501, 100), "5.01"), (Fraction(5), "5.0"), (Fraction(49999, 10000), "4.9999"), (Fraction(6), "6.0")],
)
def test_what_is_not_the_limit_does_not_read_like_it(value, shown):
    assert figures.magnitude(value, EN, apart_from=5) == shown


@pytest.mark.parametrize(("value", "shown"), [(5.0, "5"), (2.5, "2.5"), (0.1, "0.1")])
def test_a_limit_reads_as_it_was_written(value, shown):
    assert figures.limit(value, EN) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [("0", "$0.00"), ("0.004", "$0.004"), ("0.0000123", "$0.00001"), ("12.3", "$12.30"), ("0.02", "$0.020")],
)
def test_a_cost_shows_the_digits_that_say_something(value, shown):
    assert figures.usd(value, EN) == shown


@pytest.mark.parametrize(("language", "shown"), [("en", "12,345.7"), ("es", "12.345,7"), ("pt-BR", "12.345,7")])
def test_numbers_follow_the_language(language, shown):
    assert Translator(language).number(Fraction(123457, 10), 1) == shown


def test_there_is_no_minus_zero():
    assert EN.number(Fraction(-1, 1000), 1) == "0.0"
