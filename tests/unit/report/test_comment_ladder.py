"""Ever shorter renderings: always whole, always with complete counts, the same number from every category."""

from __future__ import annotations

import re

import pytest
from tests.report_factories import comparison, criterion, delta, record, report, run

from quilate.grades import Grade
from quilate.report.comment import at_rung, render
from quilate.report.guard import Allowed, problems
from quilate.report.input import ReportInput
from quilate.report.ladder import COMMENT_BYTES, RUNGS, SUMMARY_BYTES, Rung, first_that_fits

ALLOWED = Allowed.of(["https://github.com"])


def many(cases: int, *, reply_bytes: int = 20_000, categories: int = 5) -> ReportInput:
    """A report with `cases` broken cases over `categories`, the first of which has nine in ten of them."""
    ids = [f"case-{number:04}" for number in range(cases)]
    category = {case_id: f"cat-{number % categories if number % 10 == 9 else 0}" for number, case_id in enumerate(ids)}
    broken = (criterion(reason='numero: expected "47821" (text), found 47821 (number)'),)
    text = "respuesta muy larga " * (reply_bytes // 20)
    head = run(*(record(each, grade=Grade.FAIL, category=category[each], output=text, criteria=broken) for each in ids))
    base = run(*(record(each, category=category[each], output=text) for each in ids))
    lines = {name: delta(cases, 0, cases) for name in sorted(set(category.values()))}
    values = comparison(broke=tuple(ids), overall=delta(cases, 0, cases), categories=lines)
    return report(head, base, comparison=values)


@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.name)
def test_every_rung_is_whole_markdown_with_complete_counts(rung):
    text = at_rung(many(40), rung)
    assert problems(text, ALLOWED) == []
    assert "40 broke" in text
    assert "pass rate fell 100.0 points" in text


def test_every_rung_is_no_longer_than_the_one_before():
    sizes = [len(at_rung(many(40), rung).encode()) for rung in RUNGS]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("budget", [COMMENT_BYTES, SUMMARY_BYTES, 20_000, 5_000, 1_500, 700])
@pytest.mark.parametrize("cases", [1, 200, 600])
def test_a_comment_fits_its_budget_and_says_how_much_it_shows(cases, budget):
    text = render(many(cases, reply_bytes=2_000 if cases == 600 else 20_000), budget)
    assert len(text.encode()) <= budget
    assert problems(text, ALLOWED) == []
    told = len(re.findall(r"^(?:<details><summary>|- )(?:<code>|`)case-", text, flags=re.MULTILINE))
    if told < cases and "### " in text:
        assert f"Showing {told:,} of {cases:,} cases that broke." in text


def test_two_hundred_flips_with_long_replies_are_all_told_in_a_comment():
    text = render(many(200))
    assert len(re.findall(r"^(?:<details><summary>|- )(?:<code>|`)case-", text, flags=re.MULTILINE)) == 200


def test_no_category_hides_another():
    report_ = many(1000)
    text = at_rung(report_, next(rung for rung in RUNGS if rung.name == "5 a category"))
    ids = re.findall(r"^- `(case-\d+)`", text, flags=re.MULTILINE)
    categories = [report_.head.case(each).grade_line.category for each in ids]
    assert {name: categories.count(name) for name in set(categories)} == {
        f"cat-{n}": 5 for n in (0, 1, 2, 3, 4) if f"cat-{n}" in categories
    }
    assert len(set(categories)) > 1


def test_more_categories_than_fit_are_counted():
    lines = {f"category-{number:05}": delta(20, 10, 20) for number in range(3000)}
    text = render(report(comparison=comparison(categories=lines)), 10_000)
    assert "Showing 20 of 3,000 categories." in text


def test_a_rung_that_cannot_fit_is_not_rendered():
    rendered: list[str] = []

    def spy(rung: Rung) -> str:
        rendered.append(rung.name)
        return rung.name

    assert first_that_fits(RUNGS, spy, 60_000, broken_cases=5_000) == "20 a category"
    assert rendered == ["20 a category"]


def test_nothing_fits_in_nothing():
    assert first_that_fits(RUNGS, lambda rung: rung.name, 2, broken_cases=1) is None
