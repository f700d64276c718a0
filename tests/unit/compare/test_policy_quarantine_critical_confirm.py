"""Whose rules gate, what is set aside, what is asked again."""

import datetime as dt

import pytest
from tests.factories import a_case, a_criterion, a_grade_line

from quilate.compare.confirm import confirmed_line, decide, to_confirm
from quilate.compare.overlay import Overlay
from quilate.compare.summary import RunSummary
from quilate.grades import Grade, TrialGrade

PASS, FAIL, PARTIAL, ERROR, NOT_JUDGED = Grade.PASS, Grade.FAIL, Grade.PARTIAL, Grade.ERROR, Grade.NOT_JUDGED
TODAY = dt.date(2026, 3, 1)


def lines(count, broken=0, **fields):
    return [a_grade_line(a_case(f"c{at:02}", **fields), FAIL if at < broken else PASS) for at in range(count)]


def away(until):
    return {"owner": "ada", "reason": "flaky", "until": until}


def test_the_bases_policy_gates_and_the_change_is_told(compared):
    found = compared(lines(20), lines(20, 2), head_header={"policy": {"max_drop": 50, "min_pass_rate": 10}})
    assert found.verdict == "fail"
    assert found.policy_changes == {"max_drop": ("5", "50"), "min_pass_rate": ("off", "10")}
    assert [warning.text for warning in found.warnings if warning.code == "policy_changed"] == [
        "this change sets max_drop to 50; the base's 5 gates it, the new value takes effect after merge",
        "this change sets min_pass_rate to 10; the base's off gates it, the new value takes effect after merge",
    ]


def test_a_new_case_that_fails_does_not_count_in_the_floor(compared):
    head = [*lines(20), a_grade_line(a_case("red-first"), FAIL)]
    found = compared(lines(20), head, base_header={"policy": {"min_pass_rate": 100}})
    assert found.verdict == "pass"


@pytest.mark.parametrize(("until", "verdict"), [(TODAY, "pass"), (TODAY - dt.timedelta(1), "fail")])
def test_a_quarantined_case_is_outside_the_gate_through_its_last_day(compared, until, verdict):
    flaky = a_case("flaky", quarantine=away(until))
    base, head = lines(10), lines(10)
    found = compared([*base, a_grade_line(flaky, PASS)], [*head, a_grade_line(flaky, FAIL)])
    assert found.verdict == verdict
    assert found.overall.head.graded == (10 if verdict == "pass" else 11)
    assert [(one.case_id, one.base, one.head) for one in found.quarantine] == [("flaky", PASS, FAIL)]


def test_a_quarantined_case_that_broke_is_reported_and_not_counted_as_broke(compared):
    flaky = a_case("flaky", quarantine=away(TODAY))
    found = compared([*lines(10), a_grade_line(flaky, PASS)], [*lines(10), a_grade_line(flaky, FAIL)])
    assert found.broke == ()
    assert [(flip.case_id, flip.quarantined) for flip in found.flips] == [("flaky", True)]
    assert found.quarantined == ("flaky",)


def test_a_longer_quarantine_takes_effect_after_merge(compared):
    base = [a_grade_line(a_case("flaky", quarantine=away(dt.date(2026, 1, 1))), PASS)]
    head = [a_grade_line(a_case("flaky", quarantine=away(dt.date(2027, 1, 1))), FAIL)]
    assert compared(base, head).verdict == "fail"


def test_an_ended_quarantine_is_told(compared):
    case = a_case("flaky", quarantine=away(dt.date(2026, 1, 1)))
    found = compared([a_grade_line(case, PASS)], [a_grade_line(case, PASS)])
    assert found.quarantine[0].why == "its quarantine ended on 2026-01-01; the case counts again"


def test_errors_of_quarantined_cases_are_outside_the_gate_too(compared):
    away_case = a_case("flaky", quarantine=away(TODAY))
    found = compared([*lines(5), a_grade_line(away_case, PASS)], [*lines(5), a_grade_line(away_case, ERROR)])
    assert (found.verdict, found.overall.head.errors) == ("pass", 0)
    assert "flaky" in found.errors


@pytest.mark.parametrize(
    ("until", "graded", "errors", "in_effect"), [(TODAY, 5, 0, True), (TODAY - dt.timedelta(1), 6, 1, False)]
)
def test_without_a_baseline_too_a_quarantined_case_counts_nowhere(compared, until, graded, errors, in_effect):
    own = [a_grade_line(a_case(f"flaky{at}", quarantine=away(until)), grade) for at, grade in enumerate((FAIL, ERROR))]
    policy = {"policy": {"min_pass_rate": 90, "max_error_rate": 50}}
    found = compared(None, [*lines(5), *own], head_header=policy)
    assert (found.overall.head.graded, found.overall.head.errors) == (graded, errors)
    assert (found.reasons[0].code == "no_baseline") == in_effect
    assert found.quarantined == (("flaky0", "flaky1") if in_effect else ())
    assert [(one.in_effect, one.head) for one in found.quarantine] == [(in_effect, FAIL), (in_effect, ERROR)]


def test_a_quarantine_of_all_without_a_baseline_measures_nothing(compared):
    found = compared(None, lines(5, quarantine=away(TODAY)))
    assert (found.exit_code, found.reasons[0].code) == (3, "nothing_graded")


@pytest.mark.parametrize(("trials", "fails"), [([FAIL] * 3, True), ([FAIL, FAIL, PASS], False), ([PARTIAL] * 3, True)])
def test_a_critical_case_fails_the_gate_where_it_newly_fails_in_every_trial(compared, trials, fails):
    critical = a_case("vital", critical=True)
    base = [*lines(99), a_grade_line(critical, [PASS] * 3)]
    head = [*lines(99), a_grade_line(critical, trials)]
    found = compared(base, head, base_header={"trials": 3}, head_header={"trials": 3})
    assert (found.verdict == "fail") == fails
    assert found.critical == (("vital",) if fails else ())
    assert ("vital" in found.flaky) == (not fails)


def test_taking_the_critical_mark_off_takes_effect_after_merge(compared):
    base = [*lines(99), a_grade_line(a_case("vital", critical=True), PASS)]
    head = [*lines(99), a_grade_line(a_case("vital"), FAIL)]
    found = compared(base, head)
    assert (found.verdict, found.reasons[0].code) == ("fail", "critical")
    assert "no_longer_critical" in [warning.code for warning in found.warnings]


def test_removing_a_critical_case_is_told_as_that(compared):
    vital = a_grade_line(a_case("vital", critical=True), PASS)
    found = compared([*lines(20), vital], lines(20))
    told = {warning.code: warning.values["cases"] for warning in found.warnings}
    assert told == {"removed_passing": ("vital",), "no_longer_critical": ("vital",)}


def test_a_critical_case_that_always_failed_does_not_newly_fail(compared):
    vital = a_grade_line(a_case("vital", critical=True), FAIL)
    assert compared([*lines(19), vital], [*lines(19), vital]).verdict == "pass"


def test_only_newly_failing_cases_are_asked_again(runs):
    away_case = a_case("away", quarantine=away(TODAY))
    grades = {
        "broke": (PASS, FAIL), "partly": (PASS, PARTIAL), "was-red": (FAIL, FAIL), "fixed": (FAIL, PASS),
        "erred": (PASS, ERROR),
    }  # fmt: skip
    base = [a_grade_line(a_case(name), old) for name, (old, _) in grades.items()] + [a_grade_line(away_case, PASS)]
    head = [a_grade_line(a_case(name), new) for name, (_, new) in grades.items()] + [a_grade_line(away_case, FAIL)]
    found = to_confirm(RunSummary.of(runs(base)), RunSummary.of(runs(head)), Overlay(), today=TODAY)
    assert found == ("broke", "partly")


@pytest.mark.parametrize(
    ("first", "again", "confirmed", "counts"),
    [
        ([FAIL], [PASS, PASS], PASS, (2, 3)),
        ([FAIL], [PASS, FAIL], FAIL, (1, 3)),
        ([FAIL], [ERROR, ERROR], FAIL, (0, 1)),
        ([FAIL], [PASS, ERROR], FAIL, (1, 2)),
        ([FAIL], [PASS, PASS, ERROR, ERROR], PASS, (2, 3)),
        ([FAIL], [PARTIAL, PARTIAL], PARTIAL, (0, 3)),
        ([FAIL, FAIL, PASS], [PASS, PASS], PASS, (3, 5)),
        ([FAIL], [], FAIL, (0, 1)),
    ],
)
def test_the_majority_of_all_that_could_be_graded_decides(first, again, confirmed, counts):
    found = decide(first, again)
    assert found.confirmed is confirmed
    assert found.first is not PASS
    assert (found.approved, found.graded) == counts


def again(grades, start=1):
    return [
        TrialGrade(trial=start + at, grade=grade, criteria=(a_criterion(grade),)) for at, grade in enumerate(grades)
    ]


def test_a_confirmed_flip_keeps_both_verdicts_and_counts_by_the_majority(compared):
    base, head = lines(20), lines(20, 2)
    head[0] = confirmed_line(head[0], again([PASS, PASS]))
    head[1] = confirmed_line(head[1], again([FAIL, PASS]))
    found = compared(base, head)
    assert (found.overall.head.approved, found.overall.head.graded) == (19, 20)
    assert found.verdict == "pass"
    assert found.broke == ("c01",)
    assert [(name, one.first, one.confirmed) for name, one in found.confirmed.items()] == [
        ("c00", FAIL, PASS), ("c01", FAIL, FAIL),
    ]  # fmt: skip
    assert found.confirmed["c00"].approved == 2


def test_a_case_that_has_nothing_to_be_graded_by_any_more_is_told(compared):
    base, head = lines(20), lines(20)
    head[3] = a_grade_line(a_case("c03"), NOT_JUDGED)
    found = compared(base, head)
    assert "now_not_judged" in [warning.code for warning in found.warnings]
