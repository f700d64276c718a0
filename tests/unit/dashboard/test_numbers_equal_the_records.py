"""The dashboard of 200 baselines says what their records say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from html import unescape
from itertools import pairwise

import pytest
from click.testing import CliRunner
from tests.dashboard_factories import CATEGORIES, a_checkout, a_directory, commit_of

from quilate.cli import main
from quilate.github.checkout import Checkout
from quilate.grades import Grade
from quilate.report.dashboard.page import Place, write_site
from quilate.report.dashboard.trends import RECENT, Release, trends
from quilate.runs.reader import RunReader

RUNS = 200


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(a_checkout(tmp_path_factory.mktemp("data"), RUNS), "orders", "main")


def approved(lines, category: str) -> int:
    return sum(each.grade_line.grade is Grade.PASS for each in lines if each.grade_line.category == category)


@pytest.fixture(scope="module")
def records(checkout: Checkout) -> list[dict[str, object]]:
    """What each record says, counted here from its grade lines alone."""
    found = []
    for number in range(RUNS):
        path = checkout.load(commit_of(number))
        assert path is not None
        with RunReader(path) as run:
            lines = list(run.cases())
            found.append(
                {
                    "approved": sum(line.grade_line.grade is Grade.PASS for line in lines),
                    "graded": sum(line.grade_line.grade.graded for line in lines),
                    "grades": {line.grade_line.case_id: line.grade_line.grade for line in lines},
                    "category": {name: approved(lines, name) for name in (*CATEGORIES, "ambiguity")},
                    "costs": {
                        line.grade_line.case_id: Decimal(line.replies[0].cost_usd)
                        for line in lines if line.replies[0].cost_usd
                    },
                    "version": run.header.dataset.version,
                }
            )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def html(checkout: Checkout, tmp_path_factory: pytest.TempPathFactory) -> str:
    found = trends("orders", checkout.history(), checkout.load, [Release("v1.0.0", commit_of(100))])
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, [found], Place("https://github.com", "example/shop"))
    return (folder / "index.html").read_text(encoding="utf-8")


def rows(html: str) -> Iterator[list[str]]:
    """The rows of the table of runs, oldest first, as plain text."""
    table = html.split('<table class="runs">')[1]
    for row in reversed(re.findall(r"<tr>(?!<th scope=\"col\")(.*?)</tr>", table, re.DOTALL)):
        yield [
            unescape(re.sub(r"<[^>]*>", "", cell)) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        ]


def test_the_table_has_every_run_with_its_counts(html, records):
    shown = list(rows(html))
    assert [row[4] for row in shown] == [f"{each['approved']}/{each['graded']}" for each in records]
    assert [row[3] for row in shown] == [each["version"] for each in records]
    assert [row[2] for row in shown] == [commit_of(number)[:12] for number in range(RUNS)]
    assert [row[5] for row in shown] == [f"{100 * each['approved'] / each['graded']:.1f} %" for each in records]


def test_points_are_the_difference_to_the_run_before(html, records):
    for before, now, row in zip(records, records[1:], list(rows(html))[1:], strict=False):
        points = 100 * (now["approved"] / now["graded"] - before["approved"] / before["graded"])
        said = float(row[6].replace("▲", "").replace("▼", "-").replace(" ", ""))
        assert said == pytest.approx(points, abs=0.051)


def test_the_charts_have_every_run_of_every_category(html, records):
    for name in (*CATEGORIES, "ambiguity"):
        chart = html.split(f"<h3>{name}</h3>")[1].split("</svg>")[0]
        titles = re.findall(r"<circle[^>]*><title>[^:]*: (\d+)/\d+", chart)
        assert [int(title) for title in titles] == [each["category"][name] for each in records]


def test_the_overall_chart_has_every_run(html, records):
    chart = re.search(r'<svg class="plot over-time" viewBox="0 0 860.*?</svg>', html, re.DOTALL)[0]
    titles = re.findall(r"<title>[\d-]+ [0-9a-f]{8}: (\d+)/(\d+) ", chart)
    assert titles == [(str(each["approved"]), str(each["graded"])) for each in records]
    assert chart.count('class="dot accepted"') == 1


def test_sides_changed_are_counted_from_run_to_run(checkout, records):
    found = {case.case_id: case for case in trends("orders", checkout.history(), checkout.load).cases}
    for case_id, case in found.items():
        grades = [each["grades"][case_id] is Grade.PASS for each in records]
        assert case.changed_sides == sum(a != b for a, b in pairwise(grades))
        assert case.runs == RUNS
        assert case.last is records[-1]["grades"][case_id]


def test_costs_are_the_means_of_the_recent_runs(checkout, records):
    for case in trends("orders", checkout.history(), checkout.load).cases:
        costs = [each["costs"][case.case_id] for each in records[-RECENT:] if case.case_id in each["costs"]]
        assert case.mean_usd == (sum(costs) / len(costs) if costs else None)


def test_the_clarification_rate_is_that_of_the_ambiguous_cases(html, records):
    chart = html.split("<h3>Clarification rate</h3>")[1].split("</svg>")[0]
    shown = [int(found) for found in re.findall(r"<title>Clarification rate: (\d+)/6", chart)]
    assert shown == [each["category"]["ambiguity"] for each in records]


def test_what_changed_is_marked_where_it_changed(html):
    shown = list(rows(html))
    notes = {number: row[10] for number, row in enumerate(shown) if row[10]}
    assert notes == {
        40: "dataset 2026-1 → 2026-2", 61: "accepted by octocat", 80: "dataset 2026-2 → 2026-3",
        100: "release v1.0.0", 120: "dataset 2026-3 → 2026-4; judge judge-a → judge-b", 150: "quilate 0.1.0 → 0.2.0",
        160: "dataset 2026-4 → 2026-5",
    }  # fmt: skip


def test_links_lead_to_the_commit_and_the_workflow_run(html):
    assert f'href="https://github.com/example/shop/commit/{commit_of(3)}"' in html
    assert 'href="https://github.com/example/shop/actions/runs/7003"' in html


def test_a_directory_gives_the_same_counts(tmp_path, records):
    a_directory(tmp_path / "baselines", 12)
    done = CliRunner().invoke(main, ["dashboard", str(tmp_path / "baselines"), "--out", str(tmp_path / "site")])
    assert done.exit_code == 0, done.output
    shown = list(rows((tmp_path / "site" / "index.html").read_text(encoding="utf-8")))
    assert [row[4] for row in shown] == [f"{each['approved']}/{each['graded']}" for each in records[:12]]
