"""The last guard finds what escaping should have made impossible."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.report_factories import SITE, provenance, report

from quilate.report.comment import guarded, render
from quilate.report.guard import Allowed, problems

ALLOWED = Allowed.of(["https://github.com"])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a <img src=x> b", "HTML of its own"),
        ("<div>\nx\n</div>", "HTML of its own"),
        ("<details><summary>a <b>b</b></summary>\n\n</details>", "HTML of its own"),
        ("![x](https://github.com/x)", "an image"),
        ("[x](https://evil.example/a)", "a link elsewhere"),
        ("[x](//evil.example)", "a link elsewhere"),
        ("[x](https://github.com.evil.example/)", "a link elsewhere"),
        ("[x][1]\n\n[1]: http://evil.example", "a link elsewhere"),
        ("<https://evil.example>", "a link elsewhere"),
        ("ping @team now", "a bare reference"),
        ("see #12", "a bare reference"),
        ("see https://evil.example", "a bare reference"),
        ("www.evil.example", "a bare reference"),
        (":tada:", "a bare reference"),
        ("```\nopen", "a fence without an end"),
        ("> ```\n> open\n", "a fence without an end"),
        ("a\n\n    indented", "an indented block"),
        ("<details><summary>a</summary>\n\nx", "a fold without an end"),
        ("x\n\n</details>", "folds that do not match"),
        ("<details><summary>@team</summary>\n\n</details>", "a reference in HTML"),
        ("| a | b |\n| - | - |\n| c | d | e |", "a table's row"),
        ("| a | b |\n| - | - |\n| c |", "a table's row"),
        ("| a | b |\n| - | - |\n| c \\\\| d | e |", "a table's row"),
    ],
)
def test_each_escape_is_found(text, problem):
    assert problem in " ".join(problems(text, ALLOWED))


@pytest.mark.parametrize(
    "text",
    [
        "[x](https://github.com/a)",
        "`@team <img> #1 https://x` and `| a`",
        "```\n@team\n```",
        "> [!WARNING]\n> **a**: `b`.",
        "| a | b |\n| :-- | --: |\n| `c\\|d` | e |",
        "<details><summary><code>&lt;b&gt; @team</code> — x</summary>\n\nx\n\n</details>",
        "<sub>a `b` · [c](https://github.com/x)</sub>",
        "<!-- quilate suite=a-b run=1 attempt=1 head=3f9c2ab -->",
    ],
)
def test_what_the_comment_is_made_of_is_let_through(text):
    assert problems(text, ALLOWED) == []


def test_a_comment_that_fails_its_guard_is_replaced_whole():
    assert guarded("all is well <img src=x onerror=alert(1)>", SITE, "the verdict") == "the verdict"
    assert guarded("all is well", SITE, "the verdict") == "all is well"


def test_an_address_with_an_international_host_is_still_a_link():
    site = replace(SITE, report_url="https://bücher.example/informe")
    assert "[report](https://xn--bcher-kva.example/informe)" in render(report(provenance=provenance(site=site)))
