"""`quilate report`: from run files to every format, nothing asked."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.factories import a_case, a_criterion, a_grade_line, a_reply_line, a_run_file

from quilate.cli import main
from quilate.grades import Grade

CASES = [a_case(f"case-{number:02}", category=f"cat-{number % 3}") for number in range(20)]


def run_file(path: Path, failing: set[int]) -> Path:
    fields = {"expected": '"47821" (text)', "found": "47821 (number)"}
    lines = [
        a_grade_line(
            case, Grade.FAIL if number in failing else Grade.PASS, criterion_fields=fields if number in failing else {}
        )
        for number, case in enumerate(CASES)
    ]
    return a_run_file(path, lines)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, str]:
    """Base with one failing case, head with two more."""
    return str(run_file(tmp_path / "base.jsonl", {3})), str(run_file(tmp_path / "head.jsonl", {3, 4, 5}))


def quilate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["report", *arguments])


def test_compared_it_tells_what_broke_and_exits_zero(runs):
    done = quilate(runs[1], "--baseline", runs[0])
    assert done.exit_code == 0
    assert done.stdout.count("FAIL case-") == 2
    assert done.stdout.rstrip("\n").endswith("FAIL orders: pass rate fell 10.0 points, the limit is 5; 2 broke")


def test_alone_it_tells_what_is_not_approved(runs):
    done = quilate(runs[1])
    assert done.stdout.count("FAIL case-") == 3
    assert "NOT COMPARED orders: 17 of 20 approved, not compared" in done.stdout


def test_quiet_is_the_last_line(runs):
    assert quilate(runs[1], "-q").stdout == "NOT COMPARED orders: 17 of 20 approved, not compared\n"


def test_markdown_is_the_comment(runs):
    done = quilate(runs[1], "--baseline", runs[0], "--format", "md", "--language", "es")
    assert done.stdout.startswith("## ❌ orders: la tasa de aprobación cayó 10,0 puntos, el límite es 5")


@pytest.mark.parametrize(
    ("options", "said"),
    [((), "la tasa de aprobación cayó"), (("--language", "en"), "pass rate fell"), (("--language", "pt-BR"), "a taxa")],
)
def test_the_language_is_the_configurations_unless_another_is_asked_for(runs, tmp_path, options, said):
    config = tmp_path / "quilate.yml"
    config.write_text("suite: orders\ngoldens: [g.yaml]\nagent: {replay: r.jsonl}\nreport_language: es\n")
    done = quilate(runs[1], "--baseline", runs[0], "--format", "md", "--config", str(config), *options)
    assert done.exit_code == 0, done.stderr
    assert said in done.stdout.split("\n")[0]


def test_a_folder_gets_every_format(runs, tmp_path):
    out = tmp_path / "out"
    done = quilate(runs[1], "--baseline", runs[0], "--out", str(out))
    assert done.exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "comment.md",
        "junit.xml",
        "report.html",
        "report.txt",
        "results.csv",
        "results.json",
    ]
    assert ET.parse(out / "junit.xml").getroot().get("tests") == "20"
    rows = list(csv.DictReader((out / "results.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["case_id"], row["base_grade"], row["grade"]) for row in rows if row["grade"] == "fail"] == [
        ("case-03", "fail", "fail"),
        ("case-04", "pass", "fail"),
        ("case-05", "pass", "fail"),
    ]
    data = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert (data["schema"], data["suite"], len(data["cases"])) == (1, "orders", 20)
    assert data["cases"][4]["failed_criteria"] == ["expected_tool"]


def test_a_spreadsheet_takes_no_text_for_a_formula(tmp_path):
    case = a_case("=1+1", category="@x")
    line = a_grade_line(case, Grade.FAIL, criterion_fields={"reason": "-2"})
    done = quilate(str(a_run_file(tmp_path / "run.jsonl", [line], replies=[a_reply_line(case)])), "--format", "csv")
    assert done.stdout.split("\n")[1].startswith("'=1+1,'@x,fail,")


def test_what_waits_for_a_judge_is_said(tmp_path):
    case = a_case("a", expected_behavior=("is polite",))
    line = a_grade_line(case, Grade.PASS)
    waiting = a_criterion(Grade.NOT_JUDGED, "behavior-1")
    line = line.model_copy(update={"criteria": (*line.criteria, waiting)})
    done = quilate(str(a_run_file(tmp_path / "run.jsonl", [line])), "--format", "md")
    assert "1 of 1 cases graded by code only: no judge is configured." in done.stdout


@pytest.mark.parametrize("arguments", [["--format", "md", "--format", "csv"], ["--format", "yaml"]])
def test_a_wrong_call_exits_two(runs, arguments):
    assert quilate(runs[1], *arguments).exit_code == 2


def test_a_file_that_is_no_run_exits_two_and_is_named(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("{}\n", encoding="utf-8")
    done = quilate(str(path))
    assert done.exit_code == 2
    assert "x.jsonl:1" in done.stderr
