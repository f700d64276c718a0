"""What a change that edits its own expectations comes to: the same agent, other goldens."""

from __future__ import annotations

import pytest
from tests.suite_factories import TOOL, a_reply, some_cases, some_replies

CASES = some_cases(20, expected_tool=TOOL, required_phrases=["answer"])
TWO_WRONG = [a_reply(case, **({"output": "nothing"} if number < 2 else {})) for number, case in enumerate(CASES)]


def without_the_phrase(case):
    return {key: value for key, value in case.items() if key != "required_phrases"}


@pytest.mark.parametrize(
    ("edited_cases", "code", "headline"),
    [
        ("warn", 0, "✅ orders: 20 of 20 approved, as before; 2 only because this change edited what they expect"),
        ("fail", 1, "❌ orders: 2 cases pass only because this change edited what they expect"),
    ],
)
def test_two_failing_expectations_deleted_and_nothing_else_stands_in_the_headline(suite, edited_cases, code, headline):
    suite.config(gate={"edited_cases": edited_cases})
    suite.goldens(CASES)
    suite.replies(TWO_WRONG)
    suite.base()
    suite.goldens([*map(without_the_phrase, CASES[:2]), *CASES[2:]])
    ran = suite.head()
    assert (ran.code, ran.headline) == (code, headline), ran.err
    assert "**2 cases pass only because this change edited what they expect**: `c0000`, `c0001`." in ran.comment
    assert "the agent 0.0, the ruler ▲ 10.0" in ran.comment


@pytest.mark.parametrize(
    ("edited_cases", "code", "headline"),
    [
        ("warn", 0, "✅ orders: 18 of 18 approved, as before; 2 removed cases passed in base"),
        ("fail", 1, "❌ orders: 2 removed cases passed in base"),
    ],
)
def test_two_passing_cases_removed_stands_in_the_headline(suite, edited_cases, code, headline):
    suite.config(gate={"edited_cases": edited_cases})
    suite.goldens(CASES)
    suite.replies(some_replies(CASES))
    suite.base()
    suite.goldens(CASES[2:])
    suite.replies(some_replies(CASES[2:]))
    ran = suite.head()
    assert (ran.code, ran.headline) == (code, headline), ran.err
    assert "**2 removed cases passed in base**: `c0000`, `c0001`." in ran.comment


def test_the_one_expectation_of_a_failing_case_deleted_stands_in_the_headline(suite):
    suite.config()
    suite.goldens(CASES)
    suite.replies(TWO_WRONG)
    suite.base()
    bare = [{key: case[key] for key in ("id", "category", "input")} for case in CASES[:2]]
    suite.goldens([*({**case, "expected_behavior": ["is kind"]} for case in bare), *CASES[2:]])
    ran = suite.head()
    told = "2 cases graded in base have nothing to be graded by since this change edited them"
    assert (ran.code, ran.headline) == (0, f"✅ orders: 18 of 18 approved, as before; {told}"), ran.err


def test_a_wrong_expectation_corrected_with_the_agent_is_no_false_alarm(suite):
    """Base obeyed the wrong expectation: by head's ruler it failed, and the change mended it."""
    cases = some_cases(20, expected_tool=TOOL)
    wrong = {**cases[0], "expected_tool": "wrong_tool"}
    suite.config()
    suite.goldens([wrong, *cases[1:]])
    suite.replies([a_reply(wrong, tool_calls=[{"name": "wrong_tool", "args": {}}]), *some_replies(cases[1:])])
    suite.base()
    suite.goldens(cases)
    suite.replies(some_replies(cases))
    ran = suite.head()
    assert ran.code == 0, ran.out
    assert "19 of 20 → **20 of 20** cases approved. 1 was fixed." in ran.comment
    assert "the agent ▲ 5.0, the ruler ▼ 5.0" in ran.comment
