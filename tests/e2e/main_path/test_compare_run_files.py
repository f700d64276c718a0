"""`quilate compare BASE HEAD`: what programs rely on, from two run files and nothing else."""

from __future__ import annotations

import json

import pytest
from tests.suite_factories import a_case, a_reply, some_cases, some_replies

OUTAGE = {"error": {"kind": "infrastructure", "message": "down"}}


@pytest.fixture
def two_runs(suite):
    """50 cases of two categories: four broke, one was fixed; one was added, removed, edited, in error, not judged."""
    cases = [{**case, "category": "out-of-scope" if n < 10 else "orders"} for n, case in enumerate(some_cases(50))]
    suite.config()
    suite.goldens([*cases, a_case(90), a_case(91), a_case(92), a_case(93, expected_behavior=["is kind"])])
    suite.replies(some_replies([*cases, *map(a_case, (90, 91, 92, 93))], wrong=1))
    suite.run("--out", "base")
    wrong = {"c0010", "c0011", "c0012", "c0013"}
    suite.goldens(
        [*cases, a_case(95), a_case(91, forbidden_tools=["x"], expected_tool="lookup"), a_case(92),
         a_case(93, expected_behavior=["is kind"])]
    )  # fmt: skip
    suite.replies(
        [
            *[a_reply(case, right=case["id"] not in wrong) for case in [*cases, *map(a_case, (91, 93, 95))]],
            a_reply(a_case(92), **OUTAGE),
        ]
    )
    suite.run("--out", "head")
    for name in ("quilate.yml", "goldens.json", "replies.jsonl"):
        (suite.folder / name).unlink()
    return suite


def test_the_contract_of_its_json(two_runs):
    ran = two_runs.quilate("compare", "base/run.jsonl", "head/run.jsonl", "--format", "json")
    assert ran.code == 1, ran.err
    found = json.loads(ran.out)
    assert found["schema"] == 1
    assert found["verdict"] == "fail"
    assert found["reasons"] == ["overall pass rate fell 5.9 points (50 of 51 to 47 of 51), more than 5"]
    assert found["overall"]["base"] | {"approved": 50, "graded": 51} == found["overall"]["base"]
    assert (
        found["overall"]["head"] | {"approved": 47, "graded": 51, "errors": 1, "not_judged": 1}
        == (found["overall"]["head"])
    )
    assert found["overall"]["points"] == "-5.882353"
    assert found["categories"]["out-of-scope"]["points"] == "10.0"
    assert found["categories"]["out-of-scope"]["base"]["graded"] == 10
    cases = {key: found["cases"][key] for key in ("broke", "fixed", "added", "removed", "edited", "not_judged")}
    assert cases == {
        "broke": ["c0010", "c0011", "c0012", "c0013"], "fixed": ["c0000"], "added": ["c0095"], "removed": ["c0090"],
        "edited": ["c0091"], "not_judged": ["c0093"],
    }  # fmt: skip
    assert list(found["cases"]["errors"]) == ["c0092"]


@pytest.mark.parametrize("form", ["text", "md"])
def test_it_says_the_same_in_words(two_runs, form):
    ran = two_runs.quilate("compare", "base/run.jsonl", "head/run.jsonl", "--format", form)
    assert ran.code == 1
    assert "pass rate fell 5.9 points, the limit is 5" in ran.out


def test_a_run_compared_with_itself_passes_and_a_cut_off_one_is_inconclusive(two_runs):
    assert two_runs.quilate("compare", "base/run.jsonl", "base/run.jsonl", "-q").code == 0
    whole = (two_runs.folder / "head/run.jsonl").read_bytes().splitlines(keepends=True)
    two_runs.write("cut.jsonl", b"".join(whole[:-1]))
    ran = two_runs.quilate("compare", "base/run.jsonl", "cut.jsonl", "-q")
    assert ran.code == 3
    assert ran.out.startswith("INCONCLUSIVE orders: could not tell, this run did not end in order")


def test_the_policy_is_the_bases(suite):
    cases = some_cases(20)
    suite.goldens(cases)
    for name, wrong, limit in (("base", 0, 5), ("head", 4, 50)):
        suite.config(gate={"max_drop": limit})
        suite.replies(some_replies(cases, wrong))
        suite.run("--out", name)
    assert suite.quilate("compare", "base/run.jsonl", "head/run.jsonl", "-q").code == 1
    assert suite.quilate("compare", "head/run.jsonl", "base/run.jsonl", "-q").code == 0
