"""The page as markup: one file, a policy that names its own style and script, every text escaped."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest
from tests.factories import a_case
from tests.html_factories import FAIL, PASS, a_story, page, runs

from quilate.report.html.view import anchor_of
from quilate.report.input import Calibration, Groundedness, MetricChange, Metrics, Ratio

VOID = {"meta", "input", "br"}


class Tree(HTMLParser):
    """Elements must close in order; attributes are gathered."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.wrong: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"{tag} at {self.getpos()}")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return a_story(tmp_path_factory.mktemp("story"))


@pytest.fixture(scope="module")
def html(files):
    return page(*files)


def digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_elements_close_in_order(html):
    tree = Tree(html)
    assert tree.wrong == []
    assert tree.open == []


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else(html):
    policy = next(value for tag, name, value in Tree(html).attributes if (tag, name) == ("meta", "content"))
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]
    assert policy == (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def test_nothing_is_fetched_and_no_attribute_runs_anything(html):
    attributes = Tree(html).attributes
    assert [
        each for each in attributes if each[1] in ("src", "srcset", "style", "action") or each[1].startswith("on")
    ] == []
    assert all(value.startswith("#") for _, name, value in attributes if name == "href")


def test_every_case_is_there_once_the_broken_ones_first(html):
    anchors = re.findall(r'<details id="(case=[^"]+)">', html)
    assert len(anchors) == len(set(anchors)) == 12
    assert set(anchors[:3]) == {anchor_of(case) for case in ("order-status-001", "register-001", "returns-001")}
    assert anchors[3] == anchor_of("order-status-002")


def test_the_verdict_and_the_table_are_those_of_the_comment(html):
    assert "11 of 12 → <strong>9 of 12</strong> cases approved." in html
    assert '<tr class="down all"><th scope="row">All</th><td>11/12</td><td>9/12</td><td>▼ 16.7</td>' in html


def test_an_interval_is_said_in_words_beside_its_plot(html):
    assert 'aria-label="base 91.7 % (64.6 to 98.5); this change 75.0 % (46.8 to 91.1)"' in html


def test_who_judged_and_what_each_criterion_was_in_base_is_said(html):
    case = html.split('id="case=returns-001"')[1].split("</details></li>")[0]
    assert "by the judge" in case
    assert "base: pass" in case
    assert "quoted, but not in the reply" in case


def test_times_costs_tokens_and_fragments_are_there(html):
    first = html.split('id="case=order-status-001"')[1].split("</details></li>")[0]
    for said in ("515 ms", "420 ms", "$0.002", "120 + 30 tokens", "example-model", "the tool failed"):
        assert said in first
    assert "Returns: 30 days." in html


def test_latency_is_drawn_for_both_sides(html):
    label = re.search(r'class="plot distribution"[^>]*aria-label="([^"]+)"', html)[1]
    assert re.fullmatch(
        r"Base: p50 [^,]+, p95 [^,]+, 12 replies\. This change: p50 [^,]+, p95 [^,]+, 12 replies", label
    )


def test_conditions_stand_side_by_side(html):
    assert re.search(r"<th scope=\"row\">Dataset</th><td>1</td><td>1</td>", html)
    assert "Fingerprint of the ruler" in html


def test_without_a_base_nothing_speaks_of_one(files):
    html = page(None, files[1])
    assert "Base replied" not in html
    assert 'data-show="broke"' not in html
    assert "not compared" in html
    assert Tree(html).wrong == []


def test_measures_and_groundedness_have_their_places(files):
    metrics = Metrics(
        ambiguity=(MetricChange("clarification", Ratio(10, 11), Ratio(9, 11)),), groundedness=Groundedness(5, 1, 2),
        calibration=Calibration(Ratio(28, 30), 0.8, "2026-01-02"), locale_signals={"currency": "register-001"},
    )  # fmt: skip
    html = page(*files, metrics=metrics)
    assert "<td>10/11</td><td>9/11</td><td>52.3 to 94.9 %</td>" in html
    assert "Without evidence</th>" in html
    assert Tree(html).wrong == []


@pytest.mark.parametrize(("language", "said"), [("es", "La base respondió"), ("pt-BR", "A base respondeu")])
def test_it_speaks_the_readers_language(files, language, said):
    html = page(*files, language)
    assert f'<html lang="{language}">' in html
    assert said in html
    assert "Base replied" not in html


def test_trials_are_listed_with_their_replies(tmp_path):
    from tests.factories import a_grade_line, a_reply_line, a_run_file

    case = a_case("flaky-1")
    line = a_grade_line(case, [PASS, FAIL, FAIL])
    replies = [a_reply_line(case, trial, output=f"answer {trial}", duration_ms=100.0) for trial in range(3)]
    html = page(None, a_run_file(tmp_path / "head.jsonl", [line], replies=replies, trials=3))
    assert all(f"answer {trial}" in html for trial in range(3))
    assert "trial 3" in html
    assert "approved in 1 of 3 trials" in html


def test_the_page_is_written_in_pieces(tmp_path, files):
    from contextlib import ExitStack

    from quilate.cli.report import read
    from quilate.report.html import write

    class Sizes:
        def __init__(self) -> None:
            self.sizes: list[int] = []

        def writelines(self, parts) -> None:
            self.sizes += [len(part) for part in parts]

    cases = [(a_case(f"case-{n}"), PASS, {"output": "a " * 2000}, FAIL, {"output": "b " * 2000}) for n in range(60)]
    sizes = Sizes()
    with ExitStack() as opened:
        source = read(str(runs(tmp_path, cases)[1]), None, "en", opened)
        write(sizes, source.report, source.head)
    assert max(sizes.sizes) < sum(sizes.sizes) / 5
