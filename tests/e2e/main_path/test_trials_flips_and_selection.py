"""Trials, confirming flips, critical and quarantined cases, and what narrows a run: through the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest
from tests.suite_factories import TOOL, a_case, a_reply, some_cases, some_replies

AWAY = {"owner": "ada@example.com", "reason": "flaky since the last release"}


def by_asking(server, right):
    """An agent whose n-th answer to a case (from 0) is right where `right(case_id, n)` says so."""
    asked = Counter()

    def answer(request):
        case_id = request.body["case_id"]
        number, asked[case_id] = asked[case_id], asked[case_id] + 1
        calls = [{"name": TOOL, "args": {}}] if right(case_id, number) else []
        return 200, {"output": f"answer {number}", "tool_calls": calls}

    server.answer = answer
    return asked


@pytest.fixture
def http(suite, server):
    """Ten cases whose agent is asked over HTTP; its base is right everywhere."""

    def write(**fields):
        suite.config(agent={"http": {"url": f"{server.url}/ask"}, "concurrency": 2}, **fields)

    suite.goldens(some_cases(10))
    suite.write_config = write
    return suite


def test_trials_are_averaged_and_the_majority_is_the_grade(http, server):
    by_asking(server, lambda case_id, number: case_id != "c0000" or number == 2)
    http.write_config()
    ran = http.run("--trials", "3")
    assert len(server.asked) == 30
    assert ran.grades() == {**dict.fromkeys([f"c{n:04}" for n in range(10)], "pass"), "c0000": "fail"}
    (line,) = [line for line in ran.lines("grade") if line["case_id"] == "c0000"]
    assert sorted(trial["grade"] for trial in line["trials"]) == ["fail", "fail", "pass"]
    assert "28 of 30 trials approved" in ran.headline


def test_a_newly_failing_case_is_asked_twice_more_and_the_majority_decides(http, server):
    http.write_config(gate={"confirm_flips": 2})
    by_asking(server, lambda *_: True)
    http.base()
    server.asked.clear()
    flaky, broken = "c0003", "c0007"
    by_asking(server, lambda case_id, number: case_id != broken and (case_id != flaky or number > 0))
    ran = http.head()
    assert Counter(server.case_ids()) == {**dict.fromkeys([f"c{n:04}" for n in range(10)], 1), flaky: 3, broken: 3}
    assert (ran.code, ran.grades()[flaky], ran.grades()[broken]) == (1, "pass", "fail")
    assert flaky in ran.comment
    again = f"`{flaky}` fail → pass (2 of 3 approved), `{broken}` fail → fail (0 of 3 approved)"
    assert again in ran.comment


def test_confirming_follows_the_bases_policy_and_not_the_changes_own(http, server):
    http.write_config()
    by_asking(server, lambda *_: True)
    http.base()
    server.asked.clear()
    http.write_config(gate={"confirm_flips": 2, "max_drop": 100})
    by_asking(server, lambda *_: False)
    ran = http.head()
    assert len(server.asked) == 10
    assert ran.code == 1
    assert "after merge" in ran.comment


def test_a_critical_case_that_breaks_fails_whatever_the_percentages(suite):
    cases = [a_case(0, critical=True), *some_cases(100)[1:]]
    suite.config()
    suite.goldens(cases)
    suite.replies(some_replies(cases))
    suite.base()
    suite.replies(some_replies(cases, wrong=1))
    ran = suite.head()
    assert (ran.code, ran.headline) == (1, "❌ orders: critical case `c0000` broke")


@pytest.mark.parametrize(("until", "code"), [("2999-12-31", 0), ("2000-01-01", 1)], ids=["not over", "over"])
def test_a_quarantined_case_is_outside_the_gate_until_its_date(suite, until, code):
    cases = [a_case(0, quarantine=AWAY | {"until": until}), *some_cases(10)[1:]]
    suite.config()
    suite.goldens(cases)
    suite.replies(some_replies(cases))
    suite.base()
    suite.replies(some_replies(cases, wrong=1))
    ran = suite.head()
    assert ran.code == code, ran.headline
    assert "c0000" in ran.comment


@pytest.fixture
def varied(suite):
    """Four cases of two categories and some tags; all but the first pass."""
    cases = [
        a_case(1, id="status/one", category="status", tags=["smoke", "fast"]),
        a_case(2, id="status/two", category="status", tags=["fast"]),
        a_case(3, id="returns/one", category="returns", tags=["smoke"]),
        a_case(4, id="returns/[two]", category="returns"),
    ]
    suite.config()
    suite.goldens(cases)
    suite.replies([a_reply(case, right=number > 0) for number, case in enumerate(cases)])
    return suite


@pytest.mark.parametrize(
    ("flags", "asked"),
    [
        (["--case", "status/one"], {"status/one"}),
        (["--case", "status/*"], {"status/one", "status/two"}),
        (["--case", "returns/[two]"], {"returns/[two]"}),
        (["--case", "status/one", "--case", "returns/one"], {"status/one", "returns/one"}),
        (["--category", "returns"], {"returns/one", "returns/[two]"}),
        (["--tag", "smoke"], {"status/one", "returns/one"}),
        (["--tag", "smoke", "--category", "status"], {"status/one"}),
        (["--case", "*/one", "--tag", "fast"], {"status/one"}),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else None,
)
def test_what_a_selection_asks(varied, flags, asked):
    ran = varied.run(*flags)
    assert ran.code == 0, ran.err
    assert set(ran.grades()) == asked
    assert ran.lines("header")[0]["dataset"]["selection"]


def test_two_selections_that_no_case_is_in_at_once_are_an_error(varied):
    ran = varied.run("--tag", "fast", "--category", "returns")
    assert ran.code == 2
    assert ran.err == "error: no case is in category returns; tag fast at once; widen one of them\n"


def test_a_selected_run_is_no_baseline(varied):
    varied.run("--category", "returns")
    ran = varied.quilate("baseline", "save", ".quilate/run.jsonl")
    assert ran.code == 2
    assert "covers only a part of the dataset: category returns" in ran.err


def test_quiet_is_one_line_and_verbose_tells_every_case(varied):
    quiet, plain, verbose = varied.run("-q"), varied.run(), varied.run("-v")
    assert quiet.out == "NOT COMPARED orders: 3 of 4 approved, not compared\n"
    assert plain.last_line == verbose.last_line == quiet.last_line
    assert "FAIL status/one (goldens.json:1)" in plain.out
    assert "Where is order 1?" in verbose.out


@pytest.mark.parametrize("environ", [{}, {"NO_COLOR": "1"}], ids=["no terminal", "NO_COLOR"])
def test_output_that_is_no_terminal_has_no_escapes(varied, environ):
    varied.environ.update(environ)
    ran = varied.run("-v")
    assert "\x1b" not in ran.out + ran.err
    assert ran.err == ""


@pytest.mark.parametrize(
    ("environ", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
    ids=["terminal", "dumb", "NO_COLOR"],
)  # fmt: skip
def test_a_terminal_has_colours_if_it_knows_them_and_they_are_wanted(varied, environ, coloured):
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "quilate", "run", "-q"]
    done = subprocess.Popen(
        command, cwd=varied.folder, env=varied.environment() | environ, stdin=subprocess.DEVNULL, stdout=theirs,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(theirs)
    said = os.read(ours, 10_000)
    done.wait(60)
    os.close(ours)
    assert b"NOT COMPARED" in said
    assert (b"\x1b" in said) is coloured


def test_a_configuration_elsewhere_has_its_paths_beside_it(suite):
    cases = some_cases(2)
    suite.config("apps/shop/quilate.yml")
    suite.goldens(cases, "apps/shop/goldens.json")
    suite.replies(some_replies(cases), "apps/shop/replies.jsonl")
    ran = suite.run("--config", "apps/shop/quilate.yml")
    assert (ran.code, ran.headline) == (0, "⚪ orders: 2 of 2 approved, not compared")
    assert ran.written == suite.folder / ".quilate"


def test_several_golden_files_of_every_format_are_one_dataset(suite):
    suite.goldens([a_case(1)], "goldens/a.json")
    suite.write(
        "goldens/b.yaml", 'version: "2"\ncases:\n  - {id: c0002, category: x, input: "?", expected_tool: lookup}\n'
    )
    suite.write("more/c.jsonl", '{"id": "c0003", "category": "x", "input": "!", "expected_tool": "lookup"}\n')
    suite.config(goldens=["goldens/*", "more/**/*.jsonl"])
    suite.replies([a_reply(a_case(number)) for number in (1, 2, 3)])
    ran = suite.run()
    assert ran.code == 0, ran.err
    assert ran.grades() == dict.fromkeys(["c0001", "c0002", "c0003"], "pass")


def test_two_suites_of_one_repository_have_baselines_of_their_own(suite):
    cases = some_cases(20)
    for name, wrong in (("orders", 0), ("refunds", 10)):
        suite.config(f"{name}.yml", suite=name, agent={"replay": f"{name}.jsonl"})
        suite.replies(some_replies(cases, wrong), f"{name}.jsonl")
    suite.goldens(cases)
    for name in ("orders", "refunds"):
        suite.run("--config", f"{name}.yml", "--out", f"out/{name}")
        assert suite.quilate("baseline", "save", f"out/{name}/run.jsonl").code == 0
    for name, said in (("orders", "20 of 20 approved, as before"), ("refunds", "10 of 20 approved, as before")):
        ran = suite.run("--config", f"{name}.yml", "--out", f"out/{name}", "--baseline", ".quilate/baselines")
        assert (ran.code, ran.headline) == (0, f"✅ {name}: {said}")
