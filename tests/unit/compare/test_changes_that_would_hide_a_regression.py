"""A change that edits everything around a worse agent: none of it makes the comparison say that nothing fell."""

import asyncio
import datetime as dt

import pytest
from tests.factories import a_case, a_criterion, a_grade_line, a_reply_line

from quilate.agents.agent import ToolCall
from quilate.checks.code import CodeChecks
from quilate.compare.compare import compare
from quilate.compare.offline import compare_files
from quilate.compare.rescore import rescore
from quilate.compare.summary import RunSummary
from quilate.grades import Grade, TrialGrade, worst
from quilate.grading import case_ruler, grade_case, summarise

PASS, FAIL, ERROR, NOT_JUDGED = Grade.PASS, Grade.FAIL, Grade.ERROR, Grade.NOT_JUDGED
TODAY = dt.date(2026, 3, 1)
EVIDENCE = {"policy": {"rule": "drop_and_evidence"}}


def lines(count, broken=0, *, prefix="c", **fields):
    return [a_grade_line(a_case(f"{prefix}{at:02}", **fields), FAIL if at < broken else PASS) for at in range(count)]


def codes(reasons):
    return [reason.code for reason in reasons]


# Templates: two of them for all cases would leave one degree of freedom, and no evidence of anything.


def test_templates_that_the_change_sets_take_effect_after_merge(compared):
    head = [
        a_grade_line(a_case(f"c{at:02}", template="ab"[at % 2]), FAIL if at in (0, 1, 2, 3, 4, 6, 8, 10) else PASS)
        for at in range(20)
    ]
    found = compared(lines(20), head, base_header=EVIDENCE)
    assert (found.verdict, codes(found.reasons)) == ("fail", ["drop"])
    assert found.overall.noise.method == "mid_p"


def test_templates_of_the_base_count_though_the_change_takes_them_off(compared):
    base = [a_grade_line(a_case(f"c{at:02}", template=f"t{at // 2}"), PASS) for at in range(20)]
    assert compared(base, lines(20, 8)).overall.noise.method == "t_clustered"


# Categories: what broke, moved to where there are more.


def test_moving_what_broke_to_a_larger_category_does_not_dilute_it(compared):
    small = [a_case(f"r{at}", category="returns") for at in range(10)]
    moved = [a_case(f"r{at}", category="orders" if at < 3 else "returns") for at in range(10)]
    base = [*lines(90), *(a_grade_line(case, PASS) for case in small)]
    head = [*lines(90), *(a_grade_line(case, FAIL if at < 3 else PASS) for at, case in enumerate(moved))]
    found = compared(base, head, base_header={"policy": {"scope": "category"}})
    assert found.verdict == "fail"
    assert [reason.text for reason in found.reasons] == [
        "pass rate of category returns as base has it fell 30.0 points (10 of 10 to 7 of 10), more than 5"
    ]


def test_a_moved_case_that_did_not_break_fails_nothing(compared):
    base = [*lines(19), a_grade_line(a_case("r", category="returns"), PASS)]
    head = [*lines(19), a_grade_line(a_case("r", category="orders"), PASS)]
    assert compared(base, head, base_header={"policy": {"scope": "category"}}).verdict == "pass"


def test_cutting_categories_small_does_not_blunt_the_evidence_on_those_of_base(compared):
    policy = {"policy": {"scope": "category", "rule": "drop_and_evidence", "max_drop": 40}}
    base = [*lines(12, category="returns"), *lines(12, prefix="d", category="orders")]
    head = [
        *(a_grade_line(a_case(f"c{at:02}", category=f"x{at}"), FAIL if at < 5 else PASS) for at in range(12)),
        *(a_grade_line(a_case(f"d{at:02}", category=f"y{at}"), PASS) for at in range(12)),
    ]
    found = compared(base, head, base_header=policy)
    assert (found.verdict, codes(found.reasons)) == ("fail", ["drop"])


# Trials: every case worse by a third flips no majority.


def test_a_drop_alike_in_every_case_is_evidence(compared):
    base = [a_grade_line(a_case(f"c{at:02}"), [PASS] * 3) for at in range(20)]
    head = [a_grade_line(a_case(f"c{at:02}"), [PASS, PASS, FAIL]) for at in range(20)]
    found = compared(base, head, base_header={"trials": 3, **EVIDENCE}, head_header={"trials": 3})
    assert (found.verdict, found.broke) == ("fail", ())
    assert found.overall.noise.label == "degraded"
    assert found.overall.noise.low == pytest.approx(-100 / 3)
    assert found.overall.noise.high < -20


def test_errors_add_to_a_drop_of_trials_that_no_majority_shows(compared):
    base = [a_grade_line(a_case(f"c{at:02}"), [PASS] * 3) for at in range(40)]
    head = [
        a_grade_line(a_case(f"c{at:02}"), [ERROR] * 3 if at < 3 else [PASS, PASS, FAIL if at < 7 else PASS])
        for at in range(40)
    ]
    found = compared(base, head, base_header={"trials": 3, **EVIDENCE}, head_header={"trials": 3})
    assert (found.verdict, codes(found.reasons)) == ("inconclusive", ["errors_could_hide_drop"])


# Edits whose base cannot be graded again.


def calling(case, tool, **reply):
    return a_reply_line(case, tool_calls=(ToolCall(name=tool, args={}),), **reply)


def graded(case, reply, **fields):
    trials = asyncio.run(grade_case(case, {0: reply.reply}, [CodeChecks(**fields)]))
    grade, criteria = summarise(trials)
    line = a_grade_line(case, grade)
    return line.model_copy(update={"trials": tuple(trials), "criteria": criteria})


def a_run(runs, answered, *, replies=True, **header):
    """A run of (case, called tool) pairs, graded by code."""
    asked = [calling(case, tool) for case, tool in answered]
    found = [graded(case, reply) for (case, _), reply in zip(answered, asked, strict=True)]
    return runs(found, replies=asked if replies else [], **header)


def offline(base, head):
    return compare_files(base, head, today=TODAY)[0]


TWENTY = [a_case(f"c{at:02}") for at in range(20)]
SCRATCHED = [a_case(f"c{at:02}", forbidden_tools=("zzz",)) for at in range(3)]


def test_scratching_what_broke_does_not_take_it_out_of_the_gate(runs):
    """No replies are stored, so that an edited case cannot be compared."""
    base = a_run(runs, [(case, "lookup") for case in TWENTY], replies=False)
    head = a_run(runs, [(case, "drop_table") for case in SCRATCHED] + [(case, "lookup") for case in TWENTY[3:]])
    found = offline(base, head)
    assert (found.verdict, found.exit_code, codes(found.reasons)) == ("inconclusive", 3, ["outside_could_hide_drop"])
    assert "3 cases approved in base" in found.reasons[0].text
    assert "would fall 15.0 points, more than 5" in found.reasons[0].text


def test_scratching_a_critical_case_does_not_take_it_out_of_the_gate(runs):
    vital = a_case("vital", critical=True)
    base = a_run(runs, [(case, "lookup") for case in [*TWENTY, vital]], replies=False)
    scratched = a_case("vital", critical=True, forbidden_tools=("zzz",))
    head = a_run(runs, [*((case, "lookup") for case in TWENTY), (scratched, "drop_table")])
    assert codes(offline(base, head).reasons) == ["outside_could_hide_critical"]


def test_expectations_made_stricter_are_no_doubt_where_base_still_approves_the_reply(runs):
    base = a_run(runs, [(case, "lookup") for case in TWENTY], replies=False)
    stricter = [a_case(f"c{at:02}", required_phrases=("please",)) for at in range(3)]
    head = a_run(runs, [(case, "lookup") for case in [*stricter, *TWENTY[3:]]])
    found = offline(base, head)
    assert (found.verdict, sorted(found.outside)) == ("pass", ["c00", "c01", "c02"])


@pytest.mark.parametrize(("setting", "verdict"), [("warn", "pass"), ("fail", "fail")])
def test_what_only_a_judge_could_grade_does_not_pass_by_an_edit_and_no_judge(runs, setting, verdict):
    """The change takes the judge away, and gives the case something that code approves."""
    judged = a_case("c", expected_behavior=("hands over to a person",))
    kind = a_criterion(PASS, "expected_behavior[0]")
    old = a_grade_line(judged, PASS, judge="one", criterion="expected_behavior[0]")
    steady = [a_grade_line(case, PASS) for case in TWENTY]
    base = runs([*steady, old.model_copy(update={"criteria": (kind,)})], judge_fingerprint="one", policy={
        "edited_cases": setting
    })  # fmt: skip
    edited = a_case("c", expected_behavior=(), forbidden_phrases=("zzz",), expected_tool=None, required_phrases=("to",))
    answer = a_reply_line(edited)
    head = runs([*steady, graded(edited, answer)], replies=[*map(a_reply_line, TWENTY), answer])
    found = offline(base, head)
    assert (found.verdict, found.approved_only_by_edit) == (verdict, ("c",))


def test_an_edit_that_could_not_be_held_against_what_base_expects_is_told(runs):
    """A criterion that no stored verdict answers: nobody knows whether the reply still does what base asks."""
    old = a_case("c", expected_behavior=("hands over", "is kind"))
    new = a_case("c", expected_behavior=("hands over",))
    judge = {"judge": {"model": "m"}, "judge_fingerprint": "one"}
    verdicts = [
        a_criterion(PASS, f"expected_behavior[{at}]", text=text, graded_by="judge")
        for at, text in enumerate(old.expected_behavior)
    ]

    def line(case, criteria):
        found = a_grade_line(case, PASS, judge="one")
        trial = TrialGrade(trial=0, grade=worst(criteria), criteria=tuple(criteria))
        return found.model_copy(update={"trials": (trial,), "criteria": trial.criteria})

    base = runs([line(old, verdicts)], replies=[a_reply_line(old)], **judge)
    head = runs([line(new, verdicts[:1])], replies=[a_reply_line(new)], **judge)
    found = offline(base, head)
    assert [(one.code, one.values["cases"]) for one in found.warnings] == [("edit_unchecked", ("c",))]


@pytest.mark.parametrize(("setting", "verdict"), [("warn", "pass"), ("fail", "fail")])
def test_deleting_the_one_expectation_of_a_failing_case_is_named(compared, setting, verdict):
    base = [*lines(18), *lines(2, 2, prefix="bad")]
    head = [
        *lines(18),
        *(a_grade_line(a_case(f"bad{at:02}", expected_behavior=("is kind",)), NOT_JUDGED) for at in (0, 1)),
    ]
    found = compared(base, head, base_header={"policy": {"edited_cases": setting}})
    told = found.reasons if setting == "fail" else found.warnings
    assert (found.verdict, told[0].code, told[0].values["cases"]) == (verdict, "unjudged_by_edit", ("bad00", "bad01"))


# Edits that hold both sides to the same, and so show no change.


@pytest.mark.parametrize(("broken", "verdict"), [(3, "fail"), (1, "pass")])
def test_expectations_that_neither_reply_meets_do_not_hide_what_broke(runs, broken, verdict):
    base = a_run(runs, [(case, "lookup") for case in TWENTY])
    impossible = [a_case(f"c{at:02}", required_phrases=("never said",)) for at in range(broken)]
    head = a_run(
        runs, [*((case, "drop_table") for case in impossible), *((case, "lookup") for case in TWENTY[broken:])]
    )
    found = offline(base, head)
    told = {reason.code: reason for reason in (*found.reasons, *found.warnings)}
    assert (found.verdict, found.agent_points) == (verdict, 0)
    assert told["broke_behind_edit"].values["cases"] == tuple(f"c{at:02}" for at in range(broken))
    assert ("drop" in told) == (verdict == "fail")


def test_expectations_that_an_unchanged_agent_does_not_meet_hide_nothing(runs):
    base = a_run(runs, [(case, "lookup") for case in TWENTY])
    stricter = [a_case(f"c{at:02}", required_phrases=("never said",)) for at in range(3)]
    head = a_run(runs, [(case, "lookup") for case in [*stricter, *TWENTY[3:]]])
    found = offline(base, head)
    assert (found.verdict, found.warnings, found.ruler_points) == ("pass", (), -15)


def test_a_critical_case_that_neither_reply_passes_now_has_broken(runs):
    vital = a_case("vital", critical=True)
    base = a_run(runs, [(case, "lookup") for case in [*TWENTY, vital]])
    impossible = a_case("vital", critical=True, required_phrases=("never said",))
    head = a_run(runs, [*((case, "lookup") for case in TWENTY), (impossible, "drop_table")])
    assert codes(offline(base, head).reasons) == ["critical"]


def test_a_lowered_default_time_limit_that_fails_both_sides_hides_nothing(runs):
    found = offline(slow(runs, 5000, 100.0), slow(runs, 50, 9000.0))
    assert (found.verdict, codes(found.reasons)) == ("fail", ["drop"])
    assert found.agent_points == 0


def test_cases_that_only_the_change_gives_something_to_grade_do_not_dilute_a_drop(runs):
    """Thirty cases that base could not grade, and that any reply passes now."""
    hollow = [a_case(f"h{at:02}", expected_behavior=("is kind",)) for at in range(30)]
    filled = [a_case(f"h{at:02}", required_phrases=("answer",)) for at in range(30)]
    base = a_run(runs, [(case, "lookup") for case in [*TWENTY, *hollow]])
    head = a_run(
        runs,
        [*((case, "drop_table") for case in TWENTY[:2]), *((case, "lookup") for case in [*TWENTY[2:], *filled])],
    )
    found = offline(base, head)
    assert (found.agent_points, found.verdict) == (-4, "fail")
    assert [reason.text for reason in found.reasons] == [
        "overall pass rate as base measures it fell 10.0 points (20 of 20 to 18 of 20), more than 5"
    ]


# What grades many cases alike.


def slow(runs, limit_ms, took_ms, **fields):
    cases = [a_case(f"c{at:02}", **fields) for at in range(20)]
    asked = [calling(case, "lookup", duration_ms=took_ms) for case in cases]
    found = [graded(case, reply, max_latency_ms=limit_ms) for case, reply in zip(cases, asked, strict=True)]
    return runs(found, replies=asked, max_latency_ms=limit_ms)


def test_a_raised_default_time_limit_that_a_slow_agent_needs_is_named(runs):
    base, head = slow(runs, 200, 100.0), slow(runs, 10_000, 5000.0)
    found = offline(base, head)
    assert found.approved_only_by_edit == tuple(f"c{at:02}" for at in range(20))
    assert (found.verdict, codes(found.reasons)) == ("inconclusive", ["all_only_by_edit"])


def test_a_raised_default_time_limit_that_nothing_needs_names_no_case(runs):
    found = offline(slow(runs, 200, 100.0), slow(runs, 10_000, 150.0))
    assert (found.verdict, found.approved_only_by_edit) == ("pass", ())


def test_the_limit_of_base_is_held_against_edited_cases_too(runs):
    base = slow(runs, 200, 100.0)
    head = slow(runs, 10_000, 5000.0, required_phrases=("answer",))
    old = [CodeChecks(max_latency_ms=200)]
    overlay = asyncio.run(rescore(base, head, [CodeChecks(max_latency_ms=10_000)], old_graders=old))
    found = compare(RunSummary.of(base), RunSummary.of(head), overlay, today=TODAY)
    assert len(found.approved_only_by_edit) == 20


def test_a_locale_pack_that_the_change_edits_is_told(runs):
    cases = [a_case(f"c{at:02}") for at in range(20)]

    def run(packs):
        found = [a_grade_line(case, PASS, ruler=case_ruler(case, packs=packs)) for case in cases]
        return runs(found, replies=[calling(case, "lookup") for case in cases])

    base, head = run("one"), run("two")
    overlay = asyncio.run(rescore(base, head, [CodeChecks()]))
    found = compare(RunSummary.of(base), RunSummary.of(head), overlay, today=TODAY)
    assert codes(found.warnings) == ["rules_changed"]
    assert "20 cases are graded by other rules than in base" in found.warnings[0].text
