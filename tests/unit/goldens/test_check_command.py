"""`quilate check` and `quilate schema` as people and workflows see them."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from click.testing import CliRunner

from quilate.cli import main
from quilate.cli.check_formats import Checked, as_github, as_text
from quilate.errors import Problem
from quilate.goldens.lint import Finding

CONFIG = "suite: s\ngoldens: [g/*.json]\nagent: {command: [x]}\n"
GOOD = {"id": "a", "category": "c", "input": "x", "expected_tool": "t"}


@pytest.fixture
def check(tmp_path, monkeypatch, write):
    monkeypatch.chdir(tmp_path)

    def run(*args):
        return CliRunner().invoke(main, ["check", *args])

    return run


def test_a_suite_without_a_finding_says_what_was_checked(check, write):
    write("quilate.yml", CONFIG)
    write("g/a.json", [GOOD])
    result = check()
    assert (result.exit_code, result.stdout) == (0, "1 case in 1 file: no errors, 0 warnings\n")


def test_an_error_is_on_standard_output_with_exit_code_2(check, write):
    write("g/a.json", [GOOD | {"expected_tool": 5}])
    result = check("g")
    assert result.exit_code == 2
    assert result.stdout.splitlines()[0].startswith("g/a.json:1: error: [0].expected_tool: found number 5; write text")


def test_the_configuration_and_the_golden_files_are_checked_in_one_go(check, write):
    write("quilate.yml", CONFIG + "gat: {}\n")
    write("g/a.json", [GOOD | {"id": ""}])
    result = check("g/a.json", "--format", "json")
    assert [error["file"] for error in json.loads(result.stdout)["errors"]] == ["quilate.yml", "g/a.json"]


def test_a_pattern_of_the_configuration_that_names_no_file_is_told_on_its_line(check, write):
    write("quilate.yml", "suite: s\ngoldens:\n- g/*.json\n- h/*.json\nagent: {command: [x]}\n")
    write("g/a.json", [GOOD])
    assert check().stdout.startswith("quilate.yml:4: error: goldens[1]: found h/*.json, which names no file")


def test_a_configuration_elsewhere_names_files_beside_itself(check, write):
    write("sub/quilate.yml", CONFIG)
    write("sub/g/a.json", [GOOD | {"id": ""}])
    assert "sub/g/a.json:1: error" in check("--config", "sub/quilate.yml").stdout


@pytest.mark.parametrize(("args", "code"), [([], 0), (["--strict"], 1)])
def test_a_warning_fails_only_under_strict(args, code, check, write):
    write("a.json", [GOOD | {"expected_tool": None}])
    result = check("a.json", *args)
    assert result.exit_code == code
    assert "[nothing-to-grade]" in result.stdout


def test_nothing_to_check_is_a_usage_error(check):
    result = check()
    assert result.exit_code == 2
    assert "there is no quilate.yml here" in result.stderr


def test_json_names_every_part_of_a_finding(check, write):
    write("a.json", [GOOD | {"expected_tool": None}])
    value = json.loads(check("a.json", "--format", "json").stdout)
    assert (value["schema"], value["files"], value["cases"], value["errors"]) == (1, 1, 1, [])
    (warning,) = value["warnings"]
    assert (warning["code"], warning["file"], warning["line"], warning["case_id"]) == (
        "nothing-to-grade",
        "a.json",
        1,
        "a",
    )


def test_github_annotations_stand_on_the_golden_files_line(check, write):
    write("a.yaml", "cases:\n- id: a\n  category: c\n  input: 5\n")
    result = check("a.yaml", "--format", "github")
    assert result.stdout.startswith("::error file=a.yaml,line=4,title=quilate check::cases[0].input: found number 5")


def test_annotations_are_escaped_as_the_runner_reads_them():
    problem = Problem("a,b:c%.yaml", 3, "", "found 50% \r\n::set-output name=x::y", "write z")
    (line,) = as_github(Checked([problem], [], 0, 0))
    assert line == (
        "::error file=a%2Cb%3Ac%25.yaml,line=3,title=quilate check::found 50%25 %0D%0A::set-output name=x::y; write z"
    )


def hostile(text):
    problem = Problem(text, 1, "k", "found x", "write y", text)
    finding = Finding("code", text, 1, "found", "mend", text)
    return Checked([problem], [finding], 1, 1)


@pytest.mark.parametrize("text", ["a\n::error::b", "::add-mask::x", "##[error]x", "\r::stop-commands::t", "%0A::x"])
def test_no_hostile_name_starts_a_workflow_command(text):
    for line in as_text(hostile(text)):
        assert not line.startswith(("::", "##"))
        assert "\n" not in line
        assert "\r" not in line
    for line in as_github(hostile(text)):
        assert line.startswith(("::error file=", "::warning file="))
        assert "\n" not in line
        assert "\r" not in line


@pytest.mark.parametrize("name", ["config", "golden", "run"])
def test_a_schema_is_printed_as_json(name):
    result = CliRunner().invoke(main, ["schema", name])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["$schema"]


def test_a_date_in_the_past_is_due_today(check, write):
    yesterday = dt.datetime.now().astimezone().date() - dt.timedelta(days=2)
    write("a.json", [GOOD | {"review_by": yesterday.isoformat()}])
    assert "[review-due]" in check("a.json").stdout
