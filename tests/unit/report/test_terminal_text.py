"""The report as plain text: everything a person acts on, and nothing a terminal obeys."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report_factories import comparison, criterion, delta, provenance, reason, record, report, run

from quilate.compare.comparison import Delta, Tally
from quilate.grades import Grade, Verdict
from quilate.report.input import NoBaseline
from quilate.report.terminal import WIDTH, columns, last_line, render


def test_a_failure_says_asked_expected_found_and_what_to_type():
    broken = (criterion(reason="closest call differs", expected='"47821" (text)', found="47821 (number)"),)
    text = render(report(run(record(grade=Grade.FAIL, output="No.", criteria=broken))))
    block = text.split("\n\n")[0].split("\n")
    assert block[0] == "FAIL order-status-001 (goldens/orders.es-CL.yaml:12)"
    assert block[1:] == [
        "  asked       ¿En qué estado está mi pedido 47821?",
        "  fail        expected_tool_args: closest call differs",
        '  expected    "47821" (text)',
        "  found       47821 (number)",
        "  before      Tu pedido 47821 está en camino.",
        "  now         No.",
        "  again       quilate run --case order-status-001 -v",
    ]


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({}, "FAIL orders: pass rate fell 8.0 points, the limit is 5; 1 broke"),
        (
            {"verdict": Verdict.PASS, "reasons": (), "broke": (), "fixed": ("a", "b"), "overall": delta(46, 47, 50)},
            "PASS orders: 47 of 50 approved, up 2.0 points; 2 were fixed",
        ),
        (
            {
                "verdict": Verdict.INCONCLUSIVE,
                "reasons": (reason("max_error_rate", errors=1, asked=5),),
                "broke": (),
                "errors": {"a": "x"},
            },
            "INCONCLUSIVE orders: could not tell, 1 of 5 cases has no grade; 1 in error",
        ),
        (
            {
                "verdict": Verdict.INCONCLUSIVE,
                "reasons": (reason("no_baseline"),),
                "broke": (),
                "compared": False,
                "overall": Delta(Tally(0, 0), Tally(44, 50)),
                "not_judged": ("a",),
            },
            "NOT COMPARED orders: 44 of 50 approved, not compared; 1 not judged",
        ),
    ],
)
def test_the_last_line_says_everything(values, line):
    made = report(comparison=comparison(**values))
    assert last_line(made) == line
    assert render(made).rstrip("\n").split("\n")[-1] == line


def test_a_run_compared_with_nothing_tells_the_cases_that_are_not_approved():
    values = {"verdict": Verdict.INCONCLUSIVE, "reasons": (reason("no_baseline"),), "broke": (), "compared": False}
    made = report(
        comparison=comparison(**values), provenance=provenance(base=None, no_baseline=NoBaseline("not_given")),
        not_approved=("order-status-001",),
    )  # fmt: skip
    text = render(made)
    assert text.startswith("FAIL order-status-001")
    assert "No baseline was given; quilate run --baseline FILE compares." in text


def test_past_the_limit_it_says_how_many_are_shown():
    ids = tuple(f"c{number}" for number in range(30))
    made = report(run(*(record(each, grade=Grade.FAIL) for each in ids)), comparison=comparison(broke=ids))
    text = render(made, most_cases=3)
    assert text.count("FAIL c") == 3
    assert "Showing 3 of 30 cases." in text


def test_columns_stand_under_each_other_whatever_their_width():
    cats = {"短い": delta(10, 9, 10), "order-status": delta(10, 7, 10)}
    lines = [
        line
        for line in render(report(comparison=comparison(categories=cats))).split("\n")
        if "/10 " in line or "/50 " in line
    ]
    assert len({columns(line) for line in lines}) == 1


def test_lines_are_no_wider_than_a_terminal():
    long = criterion(reason="word " * 100)
    text = render(report(run(record(grade=Grade.FAIL, output="reply " * 200, criteria=(long,)))))
    assert max(map(columns, text.split("\n"))) <= WIDTH


@settings(derandomize=True, max_examples=80, deadline=None)
@given(st.text(min_size=1, max_size=60))
def test_a_terminal_obeys_nothing_of_it(text):
    made = report(
        run(
            record(
                text,
                grade=Grade.FAIL,
                category=text,
                asked=text,
                output=text,
                criteria=(criterion(reason=text, found=text),),
            )
        ),
        run(record(text, output=text)),
        comparison=comparison(broke=(text,), fixed=(text,), categories={text: delta(10, 7, 10)}, errors={text: text}),
        provenance=provenance(dataset_version=text),
    )
    shown = render(made)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b-\u200f]", shown)


def test_colour_is_the_caller_s_choice():
    def paint(text: str, *, fg: str | None = None, bold: bool = False) -> str:
        return f"<{fg}>{text}</{fg}>"

    assert last_line(report(), paint=paint).startswith("<red>FAIL</red> orders:")
    assert "\x1b" not in render(report())


@pytest.mark.parametrize(("language", "word"), [("es", "FALLA"), ("pt-BR", "FALHA")])
def test_it_speaks_the_report_s_language(language, word):
    assert last_line(replace(report(), language=language)).startswith(f"{word} orders:")


@pytest.mark.parametrize("hostile", ["::error::pwned", "##[error]pwned", "x ##[add-mask]y"])
def test_a_runner_finds_no_command_in_a_log_whatever_a_reply_or_a_category_says(hostile):
    # Repeated, so that some line begins with it after wrapping.
    said = f"{hostile} " * 40
    broken = (criterion(reason=said, expected=said, found=said),)
    case = record(grade=Grade.FAIL, output=said, asked=said, category=hostile, criteria=broken)
    text = render(report(run(case), comparison=comparison(categories={hostile: delta(1, 0, 1)})))
    assert "pwned" in text or "mask" in text
    assert not re.search(r"(?m)^\s*::|##\[", text)
