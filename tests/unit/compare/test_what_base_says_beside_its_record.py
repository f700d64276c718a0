"""Base's configuration beside its record: the suite's name there, the policy without a record, one that is unread."""

import datetime as dt

import pytest
from tests.factories import a_case, a_grade_line

from quilate.compare.base_rules import BaseRules
from quilate.compare.compare import compare
from quilate.compare.summary import RunSummary
from quilate.config import Gate
from quilate.grades import Grade

TODAY = dt.date(2026, 3, 1)


def lines(count=10, broken=0):
    return [a_grade_line(a_case(f"c{at:02}"), Grade.FAIL if at < broken else Grade.PASS) for at in range(count)]


@pytest.fixture
def ruled(runs):
    """`ruled(base_lines, head_lines, rules)` → the comparison of base's `orders` with head's `other`."""

    def make(base, head, rules):
        old = None if base is None else RunSummary.of(runs(base, suite="orders"))
        return compare(old, RunSummary.of(runs(head, suite="other")), today=TODAY, rules=rules)

    return make


def test_a_rename_that_base_knows_is_compared_and_named(ruled):
    found = ruled(lines(), lines(broken=2), BaseRules("orders", Gate()))
    assert (found.verdict, found.exit_code, found.compared) == ("fail", 1, True)
    assert found.warnings[0].values == {"base": "orders", "head": "other"}


def test_a_record_of_a_third_suite_is_none_to_compare_with(ruled):
    found = ruled(lines(), lines(), BaseRules("refunds", Gate()))
    assert [reason.code for reason in found.reasons] == ["other_suite"]


def test_without_a_record_the_bases_policy_gates_all_the_same(ruled):
    rules = BaseRules("orders", Gate(on_missing_baseline="fail", min_pass_rate=90))
    found = ruled(None, lines(), rules)
    assert (found.verdict, found.exit_code) == ("inconclusive", 3)
    assert found.policy_changes == {
        "min_pass_rate": ("90", "off"), "on_missing_baseline": ("fail", "pass"), "suite": ("orders", "other")
    }  # fmt: skip
    assert ruled(None, lines(broken=2), rules).exit_code == 1


@pytest.mark.parametrize("broken", [0, 2])
def test_a_base_nobody_can_read_leaves_the_verdict_to_a_person(runs, broken):
    base, head = RunSummary.of(runs(lines(), suite="other")), RunSummary.of(runs(lines(broken=broken), suite="other"))
    found = compare(base, head, today=TODAY, rules=BaseRules("other", Gate(), unread="no YAML"))
    assert (found.exit_code, found.reasons[0].code, found.acceptable) == (3, "base_config_unread", True)


def test_nobody_answers_for_errors_behind_a_base_nobody_can_read(runs):
    erred = [a_grade_line(a_case(f"c{at:02}"), Grade.ERROR) for at in range(10)]
    base, head = RunSummary.of(runs(lines(), suite="other")), RunSummary.of(runs(erred, suite="other"))
    found = compare(base, head, today=TODAY, rules=BaseRules("other", Gate(), unread="no YAML"))
    assert (found.exit_code, found.acceptable) == (3, False)
