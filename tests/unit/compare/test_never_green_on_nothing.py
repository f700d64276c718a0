"""None of these says pass, and each says which exit code."""

import datetime as dt

import pytest
from tests.factories import a_case, a_criterion, a_grade_line

from quilate.grades import Grade
from quilate.grading import summarise

PASS, FAIL, ERROR = Grade.PASS, Grade.FAIL, Grade.ERROR
TWENTY = range(20)


def cases(**fields):
    return [a_case(f"c{n:02}", **fields) for n in TWENTY]


def graded(grade, of=None, **fields):
    return [a_grade_line(case, grade, **fields) for case in of or cases()]


def only_latency(case, grade):
    """As grading does it: latency passed alone leaves a case not judged, failed it fails it."""
    from quilate.grades import TrialGrade, worst

    criterion = a_criterion(grade, "max_latency_ms", necessary=True)
    trial = TrialGrade(trial=0, grade=worst([criterion]), criteria=(criterion,))
    case_grade, criteria = summarise([trial])
    line = a_grade_line(case, Grade.PASS)
    return line.model_copy(update={"grade": case_grade, "criteria": criteria, "trials": (trial,)})


def crashed(case):
    line = a_grade_line(case, Grade.FAIL, criterion="answered", criterion_fields={"necessary": True})
    return line.model_copy(update={"grade": Grade.FAIL})


def expect(found, verdict, exit_code, code):
    assert (found.verdict, found.exit_code, found.reasons[0].code) == (verdict, exit_code, code)


def test_every_reply_is_429(compared):
    expect(compared(graded(PASS), graded(ERROR)), "inconclusive", 3, "max_error_rate")


def test_every_reply_is_429_and_there_is_no_baseline(compared):
    expect(compared(None, graded(ERROR)), "inconclusive", 3, "max_error_rate")


def test_all_crash_alike(compared):
    expect(compared(graded(PASS), [crashed(case) for case in cases()]), "fail", 1, "drop")


def test_all_crash_alike_and_did_so_in_base(compared):
    both = [crashed(case) for case in cases()]
    expect(compared(both, both), "inconclusive", 3, "base_unusable")


def test_all_crash_alike_and_there_is_no_baseline(compared):
    expect(compared(None, [crashed(case) for case in cases()]), "inconclusive", 3, "only_necessary")


def test_two_of_twenty_in_error_both_approved_in_base(compared):
    head = [a_grade_line(case, ERROR if n < 2 else PASS) for n, case in enumerate(cases())]
    found = compared(graded(PASS), head)
    expect(found, "inconclusive", 3, "errors_could_hide_drop")


def test_two_of_twenty_in_error_neither_approved_in_base_may_pass(compared):
    base = [a_grade_line(case, FAIL if n < 2 else PASS) for n, case in enumerate(cases())]
    head = [a_grade_line(case, ERROR if n < 2 else PASS) for n, case in enumerate(cases())]
    expect(compared(base, head), "pass", 0, "within_limits")


def test_every_input_edited(compared):
    head = [a_case(case.id, input=f"{case.input}?") for case in cases()]
    expect(compared(graded(PASS), graded(PASS, head)), "inconclusive", 3, "nothing_common")


def test_every_case_edited_and_not_graded_again(compared):
    head = cases(expected_tool="other")
    expect(compared(graded(PASS), graded(PASS, head)), "inconclusive", 3, "nothing_common")


def test_every_case_renamed_and_edited(compared):
    head = [a_case(f"x{n}", input=f"question of c{n:02}", expected_tool="other") for n in TWENTY]
    expect(compared(graded(PASS), graded(PASS, head)), "inconclusive", 3, "nothing_common")


def test_every_case_renamed_is_compared(compared):
    head = [a_case(f"x{n}", input=f"question of c{n:02}") for n in TWENTY]
    expect(compared(graded(PASS), graded(FAIL, head)), "fail", 1, "drop")


@pytest.mark.parametrize("grade", [PASS, FAIL])
def test_only_latency_to_grade_by(compared, grade):
    fast = [only_latency(case, grade) for case in cases(max_latency_ms=100)]
    found = compared(fast, fast)
    assert (found.verdict, found.exit_code) == ("inconclusive", 3)


def test_only_latency_to_grade_by_and_no_baseline(compared):
    fast = [only_latency(case, PASS) for case in cases(max_latency_ms=100)]
    expect(compared(None, fast), "inconclusive", 3, "nothing_graded")


def test_a_base_of_errors_only(compared):
    expect(compared(graded(ERROR), graded(PASS)), "inconclusive", 3, "base_unusable")


def test_a_base_that_was_cut_off(compared):
    found = compared(graded(PASS), graded(PASS), base_header={"complete": False})
    expect(found, "inconclusive", 3, "base_unusable")


def test_a_head_that_was_cut_off(compared):
    found = compared(graded(PASS), graded(PASS), head_header={"complete": False})
    expect(found, "inconclusive", 3, "head_incomplete")


@pytest.mark.parametrize(("setting", "exit_code"), [("pass", 0), ("fail", 3)])
def test_no_baseline(compared, setting, exit_code):
    found = compared(None, graded(PASS), head_header={"policy": {"on_missing_baseline": setting}})
    expect(found, "inconclusive", exit_code, "no_baseline")
    assert not found.compared


def test_every_expectation_deleted(compared):
    bare = [only_latency(case, PASS) for case in cases(max_latency_ms=5000)]
    expect(compared(graded(PASS), bare), "inconclusive", 3, "nothing_common")


def test_quarantine_of_all(compared):
    away = {"owner": "ada", "reason": "flaky", "until": dt.date(2026, 12, 31)}
    both = graded(PASS, cases(quarantine=away))
    expect(compared(both, both), "inconclusive", 3, "nothing_common")


def test_quarantine_of_all_set_by_the_change_itself_excuses_nothing(compared):
    away = {"owner": "ada", "reason": "flaky", "until": dt.date(2026, 12, 31)}
    found = compared(graded(PASS), graded(FAIL, cases(quarantine=away)))
    expect(found, "fail", 1, "drop")
    assert {one.why for one in found.quarantine} == {"this change sets it; it takes effect after merge"}


def test_judge_swapped_and_nothing_graded_again(compared):
    base = graded(PASS, judge="one")
    head = graded(PASS, judge="two")
    found = compared(base, head, base_header={"judge_fingerprint": "one"}, head_header={"judge_fingerprint": "two"})
    expect(found, "inconclusive", 3, "nothing_common")
    assert found.judge_changed
    assert found.edited == ()


def test_no_case_at_all(compared):
    expect(compared(graded(PASS), []), "inconclusive", 3, "nothing_common")
    expect(compared(None, []), "inconclusive", 3, "nothing_graded")


def test_another_suite(compared):
    found = compared(graded(PASS), graded(PASS), base_header={"suite": "shop"})
    expect(found, "inconclusive", 3, "other_suite")
