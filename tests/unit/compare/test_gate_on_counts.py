"""The gate's arithmetic and the order of its verdicts, on counts alone."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.compare.comparison import Delta, Tally
from quilate.compare.facts import Facts, Hidden, Line
from quilate.compare.gate import acceptable, decide
from quilate.config import Gate
from quilate.grades import Verdict
from quilate.reasons import Reason


def facts(base=20, head=20, graded=20, *, policy=None, hidden=Hidden(), p_worse=1.0, p_if_errors_fail=1.0, **fields):  # noqa: B008
    line = Line(None, Delta(Tally(base, graded), Tally(head, graded)), hidden, p_worse, p_if_errors_fail)
    fields.setdefault("asked", graded)
    fields.setdefault("base_graded", graded)
    fields.setdefault("substantive", graded)
    fields.setdefault("errors", 0)
    fields.setdefault("compared", True)
    return Facts(policy=Gate(**(policy or {})), overall=line, **fields)


def codes(reasons):
    return [reason.code for reason in reasons]


@pytest.mark.parametrize(
    ("resting", "verdict", "told"),
    [(19, Verdict.PASS, "within_limits"), (20, Verdict.INCONCLUSIVE, "all_only_by_edit")],
)
def test_where_every_approval_rests_on_edits_it_is_inconclusive(resting, verdict, told):
    decision = decide(facts(resting_on_edits=resting))
    assert (decision.verdict, codes(decision.reasons)) == (verdict, [told])


@pytest.mark.parametrize(
    ("base", "head", "graded", "verdict"),
    [
        (20, 19, 20, Verdict.PASS), (20, 18, 20, Verdict.FAIL), (50, 47, 50, Verdict.FAIL),
        (1000, 950, 1000, Verdict.PASS), (1000, 949, 1000, Verdict.FAIL), (19, 20, 20, Verdict.PASS),
        (0, 0, 20, Verdict.PASS), (18, 17, 20, Verdict.PASS),
    ],
)  # fmt: skip
def test_exactly_five_points_pass_and_more_fails(base, head, graded, verdict):
    assert decide(facts(base, head, graded)).verdict is verdict


def test_the_reason_of_a_drop_gives_points_counts_and_limit():
    decision = decide(facts(49, 46, 50))
    assert [reason.text for reason in decision.reasons] == [
        "overall pass rate fell 6.0 points (49 of 50 to 46 of 50), more than 5"
    ]
    assert decision.reasons[0].values == {"category": None, "points": Fraction(-6), "limit": Fraction(5)}
    assert decision.exit_code == 1


def test_a_drop_just_past_the_limit_is_not_rounded_to_the_limit():
    decision = decide(facts(1999, 1899, 1999))
    assert decision.reasons[0].text == "overall pass rate fell 5.003 points (1999 of 1999 to 1899 of 1999), more than 5"


@pytest.mark.parametrize(("limit", "verdict"), [(0.1, Verdict.PASS), (0.09, Verdict.FAIL), (0, Verdict.FAIL)])
def test_limits_are_decimals_as_written(limit, verdict):
    assert decide(facts(1000, 999, 1000, policy={"max_drop": limit})).verdict is verdict


@given(st.integers(1, 400), st.data())
def test_the_limit_is_integer_arithmetic(graded, data):
    base, head = data.draw(st.integers(0, graded)), data.draw(st.integers(0, graded))
    assert (decide(facts(base, head, graded)).verdict is Verdict.FAIL) == (100 * (base - head) > 5 * graded)


@pytest.mark.parametrize(("errors", "verdict"), [(2, Verdict.PASS), (3, Verdict.INCONCLUSIVE)])
def test_errors_above_the_limit_are_inconclusive(errors, verdict):
    graded = 20 - errors
    decision = decide(facts(graded, graded, graded, asked=20, errors=errors, base_graded=20))
    assert decision.verdict is verdict


def test_errors_above_the_limit_come_before_a_drop_which_is_told_all_the_same():
    decision = decide(facts(17, 10, 17, asked=20, errors=3, base_graded=20))
    assert (decision.verdict, decision.exit_code) == (Verdict.INCONCLUSIVE, 3)
    assert codes(decision.reasons) == ["max_error_rate"]
    assert codes(decision.warnings) == ["drop"]
    assert decision.reasons[0].text == "3 of 20 cases could not be graded, more than 10 %"


@pytest.mark.parametrize(("common", "verdict"), [(16, Verdict.PASS), (15, Verdict.INCONCLUSIVE)])
def test_too_little_in_common_is_inconclusive(common, verdict):
    decision = decide(facts(common, common, common, base_graded=20))
    assert decision.verdict is verdict


def test_errors_that_could_hide_a_drop_are_inconclusive_and_after_a_fail():
    hidden = Hidden(2, Fraction(2))
    decision = decide(facts(18, 18, 18, asked=20, errors=2, base_graded=20, hidden=hidden))
    assert (decision.verdict, decision.exit_code) == (Verdict.INCONCLUSIVE, 3)
    assert decision.reasons[0].text == (
        "2 cases approved in base could not be graded here; were they to fail, the overall pass rate would fall "
        "10.0 points, more than 5"
    )
    assert decide(facts(18, 15, 18, asked=20, errors=2, base_graded=20, hidden=hidden)).verdict is Verdict.FAIL


def test_one_hidden_error_within_the_limit_passes():
    decision = decide(facts(19, 19, 19, asked=20, errors=1, base_graded=20, hidden=Hidden(1, Fraction(1))))
    assert decision.verdict is Verdict.PASS


def test_with_evidence_demanded_hidden_errors_must_be_evidence_too():
    policy = {"rule": "drop_and_evidence"}
    hidden = Hidden(2, Fraction(2))
    same = {"asked": 20, "errors": 2, "base_graded": 20, "hidden": hidden, "policy": policy}
    assert decide(facts(18, 18, 18, **same, p_if_errors_fail=0.125)).verdict is Verdict.PASS
    assert decide(facts(18, 18, 18, **same, p_if_errors_fail=0.03)).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(("p_value", "verdict"), [(0.049, Verdict.FAIL), (0.05, Verdict.PASS), (0.3, Verdict.PASS)])
def test_with_evidence_demanded_a_drop_that_chance_explains_warns(p_value, verdict):
    decision = decide(facts(20, 17, policy={"rule": "drop_and_evidence"}, p_worse=p_value))
    assert decision.verdict is verdict
    assert codes(decision.warnings) == ([] if verdict is Verdict.FAIL else ["drop_without_evidence"])


def test_the_floor_is_absolute():
    policy = {"min_pass_rate": 85}
    assert decide(facts(17, 17, policy=policy)).verdict is Verdict.PASS
    decision = decide(facts(16, 16, policy=policy))
    assert [reason.text for reason in decision.reasons] == ["overall pass rate is 80.0 % (16 of 20), below 85 %"]


def test_errors_that_could_hide_a_rate_below_the_floor_are_inconclusive():
    decision = decide(
        facts(
            19, 19, 19, asked=20, errors=1, base_graded=20, hidden=Hidden(1, Fraction(1)), policy={"min_pass_rate": 96}
        )
    )
    assert codes(decision.reasons) == ["errors_could_hide_floor"]


def category(name, base, head, graded, **fields):
    return Line(name, Delta(Tally(base, graded), Tally(head, graded)), **fields)


def test_categories_gate_only_where_the_policy_says_so():
    lines = (category("returns", 4, 3, 4), category("orders", 16, 16, 16))
    assert decide(facts(20, 19, categories=lines)).verdict is Verdict.PASS
    decision = decide(facts(20, 19, categories=lines, policy={"scope": "category"}))
    assert [reason.text for reason in decision.reasons] == [
        "pass rate of category returns fell 25.0 points (4 of 4 to 3 of 4), more than 5"
    ]


def test_evidence_of_several_categories_is_adjusted_for_being_several():
    lines = (category("a", 10, 6, 10, p_worse=0.03), category("b", 10, 10, 10, p_worse=0.5))
    policy = {"scope": "category", "rule": "drop_and_evidence"}
    assert decide(facts(20, 20, categories=lines, policy=policy)).verdict is Verdict.PASS


def test_critical_cases_fail_whatever_the_percentages():
    decision = decide(facts(100, 99, 100, critical_broke=("a",)))
    assert decision.verdict is Verdict.FAIL
    assert codes(decision.reasons) == ["critical"]


def test_a_critical_case_in_error_is_no_pass():
    decision = decide(facts(99, 99, 99, asked=100, errors=1, base_graded=100, critical_errors=("a",)))
    assert codes(decision.reasons) == ["errors_could_hide_critical"]


@pytest.mark.parametrize("field", ["only_by_edit", "unjudged_by_edit", "removed_passing", "reworded_passing"])
@pytest.mark.parametrize(("edited", "verdict"), [("warn", Verdict.PASS), ("fail", Verdict.FAIL)])
def test_edits_that_hide_warn_or_fail_as_the_policy_says(field, edited, verdict):
    decision = decide(facts(**{field: ("a",)}, policy={"edited_cases": edited}))
    assert decision.verdict is verdict
    assert len(decision.reasons if edited == "fail" else decision.warnings) == 1


@pytest.mark.parametrize(("setting", "code"), [("pass", 0), ("fail", 3)])
def test_without_a_baseline_nothing_is_compared(setting, code):
    decision = decide(facts(compared=False, policy={"on_missing_baseline": setting}))
    assert (decision.verdict, decision.exit_code) == (Verdict.INCONCLUSIVE, code)
    assert "not" not in decision.reasons[0].text.split()[:2]
    assert decision.reasons[0].text == "there is no baseline: nothing was compared"


def test_without_a_baseline_the_floor_still_holds():
    assert decide(facts(0, 10, compared=False, policy={"min_pass_rate": 85})).verdict is Verdict.FAIL


def test_without_a_baseline_and_with_nothing_graded_it_is_no_missing_baseline():
    decision = decide(facts(0, 0, 0, asked=5, compared=False))
    assert (codes(decision.reasons), decision.exit_code) == (["nothing_graded"], 3)


def test_zero_common_cases_are_never_a_pass():
    decision = decide(facts(0, 0, 0, asked=0, base_graded=0, substantive=0))
    assert (decision.verdict, decision.exit_code) == (Verdict.INCONCLUSIVE, 3)


@pytest.mark.parametrize(
    ("substantive", "verdict"), [(16, Verdict.PASS), (15, Verdict.INCONCLUSIVE), (0, Verdict.INCONCLUSIVE)]
)
def test_a_pass_needs_substance(substantive, verdict):
    decision = decide(facts(20, 20, substantive=substantive))
    assert decision.verdict is verdict
    assert decision.exit_code == (0 if verdict is Verdict.PASS else 3)


def test_an_unusable_run_is_inconclusive_before_everything():
    decision = decide(facts(20, 0, unusable=(Reason("base_unusable", {}, "no"),)))
    assert (decision.verdict, codes(decision.reasons)) == (Verdict.INCONCLUSIVE, ["base_unusable"])


NUMBER = st.integers(0, 30)


@given(NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, st.booleans())
def test_a_pass_always_rests_on_enough_substance(base, head, graded, errors, base_graded, substantive, compared):
    base, head, substantive = min(base, graded), min(head, graded), min(substantive, graded)
    counts = {"errors": errors, "base_graded": base_graded, "substantive": substantive, "compared": compared}
    decision = decide(facts(base, head, graded, asked=graded + errors, **counts))
    if decision.verdict is Verdict.PASS:
        assert compared
        assert substantive > 0
        assert 100 * substantive >= 80 * base_graded
    if decision.exit_code == 0:
        assert decision.verdict is Verdict.PASS or codes(decision.reasons) == ["no_baseline"]


def test_cases_that_only_the_new_ruler_grades_make_up_for_none_that_the_base_graded():
    decision = decide(facts(10, 10, 10, asked=20, base_graded=10, newly_graded=10))
    assert codes(decision.reasons) == ["min_common"]
    assert decision.reasons[0].text.startswith("only 0 of the base's 10 graded cases could be compared")


def test_cases_that_only_the_new_ruler_grades_are_no_harm_beside_the_others():
    assert decide(facts(20, 20, 20, base_graded=10, newly_graded=10)).verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("given", "may"),
    [
        (facts(20, 18), True),  # a drop
        (facts(), False),  # a pass has nothing to answer for
        (facts(resting_on_edits=20), True),
        (facts(15, 15, 15, base_graded=20, substantive=15, gone=5), True),
        (facts(15, 12, 15, base_graded=20, substantive=15, gone=5), True),  # and a drop, which is told
        (facts(15, 15, 15, base_graded=20, substantive=15, gone=3), True),  # 15 of 17 are enough
        (facts(13, 13, 13, base_graded=20, substantive=13, gone=3), False),  # four more are missing for other reasons
        (facts(15, 15, 15, base_graded=20, substantive=15), False),
        (facts(0, 0, 0, base_graded=20, substantive=0, gone=20), False),  # nothing was compared
        (facts(15, 15, 15, base_graded=20, substantive=0, gone=5), False),  # nothing of substance
        (facts(resting_on_edits=20, substantive=0), False),
        (facts(17, 17, 17, asked=20, errors=3, base_graded=20, resting_on_edits=17), False),  # an outage
        (facts(18, 18, 18, asked=20, errors=2, base_graded=20, hidden=Hidden(2, Fraction(2)),
               resting_on_edits=18), False),
        (facts(compared=False), False),
        (facts(unusable=(Reason("head_incomplete", {}, "cut off"),), resting_on_edits=20), False),
    ],
)  # fmt: skip
def test_a_person_answers_for_failures_and_their_own_edits_and_for_nothing_else(given, may):
    assert acceptable(given) is may
