"""`quilate compare` as people and programs call it."""

import datetime as dt
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.factories import a_case, a_grade_line, a_run_file

from quilate.cli import main
from quilate.grades import Grade

PASS, FAIL, ERROR = Grade.PASS, Grade.FAIL, Grade.ERROR


def a_run(path, grades, **header):
    graded = [a_grade_line(a_case(f"c{at:02}", category=f"k{at % 2}"), grade) for at, grade in enumerate(grades)]
    return str(a_run_file(path, graded, **header))


def compare(*arguments):
    return CliRunner().invoke(main, ["compare", *arguments])


@pytest.fixture
def pair(tmp_path):
    def make(base, head, **header):
        return a_run(tmp_path / "base.jsonl", base, **header), a_run(tmp_path / "head.jsonl", head)

    return make


def test_the_documented_contract(pair):
    found = json.loads(
        compare(*pair([PASS] * 49 + [FAIL], [FAIL] * 3 + [PASS] * 46 + [FAIL]), "--format", "json").stdout
    )
    assert (found["schema"], found["verdict"], found["exit_code"]) == (1, "fail", 1)
    assert found["reasons"] == ["overall pass rate fell 6.0 points (49 of 50 to 46 of 50), more than 5"]
    least = {"approved": 46, "graded": 50, "errors": 0, "not_judged": 0}
    assert found["overall"]["head"].items() >= least.items()
    assert found["overall"]["points"] == "-6.0"
    assert found["categories"].keys() == {"k0", "k1"}
    assert found["cases"]["broke"] == ["c00", "c01", "c02"]
    assert found["cases"].keys() >= {"broke", "fixed", "added", "removed", "edited", "errors", "not_judged"}
    assert "approved_trials" not in found["overall"]["head"]


def test_every_key_of_the_contract_is_documented(pair, documentation):
    found = json.loads(compare(*pair([PASS], [PASS]), "--format", "json").stdout)

    def keys(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield key
                yield from keys(inner)

    free = {"k0", *found["policy"]}
    assert {key for key in keys(found) if f"`{key}`" not in documentation} - free == set()


@pytest.fixture
def documentation():
    path = Path(__file__).parents[3] / "docs" / "comparison.md"
    return path.read_text(encoding="utf-8")


def test_with_trials_each_side_has_its_trials(tmp_path):
    case = a_case("c")
    paths = [
        str(a_run_file(tmp_path / f"{name}.jsonl", [a_grade_line(case, grades)], trials=3))
        for name, grades in (("base", [PASS] * 3), ("head", [PASS, PASS, FAIL]))
    ]
    found = json.loads(compare(*paths, "--format", "json").stdout)
    assert (found["overall"]["head"]["approved_trials"], found["overall"]["head"]["graded_trials"]) == (2, 3)
    assert found["overall"]["points"] == "-33.333333"
    assert found["trials"] == {"base": 3, "head": 3}


@pytest.mark.parametrize(
    ("head", "exit_code"), [([PASS] * 20, 0), ([FAIL] * 2 + [PASS] * 18, 1), ([ERROR] * 2 + [PASS] * 18, 3)]
)
@pytest.mark.parametrize("form", ["text", "md", "json"])
def test_the_exit_code_is_the_gates_in_every_format(pair, head, exit_code, form):
    found = compare(*pair([PASS] * 20, head), "--format", form)
    assert (found.exit_code, found.stderr) == (exit_code, "")
    assert found.stdout


def test_the_policy_is_bases(pair):
    assert compare(*pair([PASS] * 20, [FAIL] * 2 + [PASS] * 18, policy={"max_drop": 10})).exit_code == 0


def test_a_file_that_is_none_is_a_clear_error(tmp_path, pair):
    base, head = pair([PASS], [PASS])
    (tmp_path / "base.jsonl").write_text("nonsense\n", encoding="utf-8")
    found = compare(base, head)
    assert found.exit_code == 2
    assert found.stderr.startswith(f"error: {base}:1: found no valid JSON")
    assert found.stdout == ""


def test_a_missing_file_is_a_clear_error(pair):
    base, _ = pair([PASS], [PASS])
    found = compare(base, "nowhere.jsonl")
    assert (found.exit_code, found.stderr.startswith("error: nowhere.jsonl: found no readable file")) == (2, True)


def test_quiet_prints_one_line(pair):
    assert compare(*pair([PASS], [PASS]), "-q").stdout.count("\n") == 1


def test_the_day_by_which_quarantines_end_can_be_given(tmp_path):
    away = {"owner": "ada", "reason": "flaky", "until": dt.date(2026, 5, 1)}
    case = a_case("flaky", quarantine=away)
    steady = [a_grade_line(a_case(f"c{n}"), PASS) for n in range(5)]
    base = str(a_run_file(tmp_path / "base.jsonl", [*steady, a_grade_line(case, PASS)]))
    head = str(a_run_file(tmp_path / "head.jsonl", [*steady, a_grade_line(case, FAIL)]))
    assert compare(base, head, "--today", "2026-05-01").exit_code == 0
    assert compare(base, head, "--today", "2026-05-02").exit_code == 1


def test_every_reason_is_documented(documentation):
    import quilate.compare

    folder = Path(quilate.compare.__path__[0])
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    codes = set(re.findall(r'Reason\(\s*"(\w+)"', code)) | set(re.findall(r'^\s+\("(\w+)", facts', code, re.MULTILINE))
    assert len(codes) > 20
    assert {name for name in codes if f"`{name}`" not in documentation} == set()
