"""Edited cases: the base's replies by head's ruler, head's replies by the base's definitions."""

import asyncio
import datetime as dt

import pytest
from tests.factories import a_case, a_grade_line, a_reply_line

from quilate.agents.agent import FaultKind, ToolCall
from quilate.checks.code import CodeChecks
from quilate.compare.compare import compare
from quilate.compare.offline import compare_files
from quilate.compare.rescore import rescore
from quilate.compare.summary import RunSummary
from quilate.config import Gate
from quilate.grades import CriterionGrade, ErrorKind, Grade, GradedBy, TrialGrade
from quilate.grading import case_ruler, grade_case, summarise

PASS, FAIL, ERROR = Grade.PASS, Grade.FAIL, Grade.ERROR
TODAY = dt.date(2026, 3, 1)


def calling(tool):
    return {"tool_calls": (ToolCall(name=tool, args={}),)}


def evaluated(case, *replies, judge=None, verdicts=()):
    """Reply and grade lines of a case whose replies call these tools; `verdicts` are further criteria."""
    answers = [a_reply_line(case, trial, **calling(tool)) for trial, tool in enumerate(replies)]
    graded = asyncio.run(grade_case(case, {one.trial: one.reply for one in answers}, [CodeChecks()]))
    graded = [_with(trial, verdicts) for trial in graded]
    grade, criteria = summarise(graded)
    line = a_grade_line(case, grade, judge=judge)
    return answers, line.model_copy(update={"trials": tuple(graded), "criteria": criteria})


def _with(trial, verdicts):
    from quilate.grades import worst

    criteria = (*trial.criteria, *verdicts)
    return TrialGrade(trial=trial.trial, grade=worst(criteria), criteria=criteria)


def run_of(runs, evaluations, **header):
    return runs(
        [line for _, line in evaluations], replies=[one for answers, _ in evaluations for one in answers], **header
    )


def offline(base, head):
    return compare_files(base, head, today=TODAY)[0]


def steady(count=9):
    return [evaluated(a_case(f"s{n}"), "lookup") for n in range(count)]


def test_a_corrected_expectation_with_the_agent_mended_is_no_false_alarm(runs):
    base = run_of(runs, [*steady(), evaluated(a_case("c", expected_tool="wrong"), "wrong")])
    head = run_of(runs, [*steady(), evaluated(a_case("c", expected_tool="right"), "right")])
    found = offline(base, head)
    assert found.verdict == "pass"
    assert found.fixed == ("c",)
    assert found.rescored == ("c",)
    assert (found.agent_points, found.ruler_points) == (10, -10)


@pytest.mark.parametrize(("policy", "verdict"), [("warn", "pass"), ("fail", "fail")])
def test_deleting_every_expectation_of_a_failing_case_is_named_and_is_an_edit(runs, policy, verdict):
    gate = {"policy": Gate(edited_cases=policy)}
    base = run_of(runs, [*steady(), evaluated(a_case("c", expected_tool="lookup"), "lookup")], **gate)
    bare = a_case("c", expected_tool=None, expected_behavior=("is kind",))
    head = run_of(runs, [*steady(), evaluated(bare, "drop_table")], **gate)
    found = offline(base, head)
    assert found.verdict == verdict
    told = found.reasons if policy == "fail" else found.warnings
    assert [reason.text for reason in told] == ["1 case graded in base has nothing to be graded by since it was edited"]


def test_deleting_a_failing_expectation_is_named(runs):
    strict = {"expected_tool": "lookup", "forbidden_tools": ("drop_table",)}
    base = run_of(runs, [*steady(), evaluated(a_case("c", **strict), "lookup")])
    loose = a_case("c", expected_tool="drop_table")
    head = run_of(runs, [*steady(), evaluated(loose, "drop_table")])
    found = offline(base, head)
    assert found.approved_only_by_edit == ("c",)
    assert [warning.code for warning in found.warnings] == ["approved_only_by_edit"]
    assert found.warnings[0].text == "1 case passes only because this change edited what it expects"


def test_deleting_failing_expectations_with_an_unchanged_agent_is_named_and_can_fail(runs):
    """Two cases failed in base; the change drops what failed and touches no agent."""
    strict = [a_case(f"c{n}", expected_tool="lookup", required_phrases=("never said",)) for n in range(2)]
    loose = [a_case(f"c{n}", expected_tool="lookup") for n in range(2)]
    for setting, verdict in (("warn", "pass"), ("fail", "fail")):
        base = run_of(
            runs, [*steady(), *(evaluated(case, "lookup") for case in strict)], policy={"edited_cases": setting}
        )
        head = run_of(runs, [*steady(), *(evaluated(case, "lookup") for case in loose)])
        found = offline(base, head)
        assert found.approved_only_by_edit == ("c0", "c1")
        assert (found.verdict, found.agent_points) == (verdict, 0)
        assert found.ruler_points > 0


def test_edited_cases_are_not_in_the_delta_twice(runs):
    base = run_of(runs, [evaluated(a_case(f"c{n}", expected_tool="lookup"), "lookup") for n in range(20)])
    head = run_of(runs, [evaluated(a_case(f"c{n}", expected_tool="find"), "find") for n in range(20)])
    found = offline(base, head)
    assert (found.overall.base.approved, found.overall.head.approved, found.overall.head.graded) == (0, 20, 20)
    assert len(found.rescored) == 20


def test_a_break_behind_an_edit_of_something_else_is_seen(runs):
    base = run_of(runs, [evaluated(a_case(f"c{n}", expected_tool="lookup"), "lookup") for n in range(20)])
    edited = [a_case(f"c{n}", expected_tool="lookup", forbidden_tools=("x",)) for n in range(20)]
    head = run_of(runs, [evaluated(case, "lookup" if n > 1 else "other") for n, case in enumerate(edited)])
    found = offline(base, head)
    assert found.broke == ("c0", "c1")
    assert all(flip.rescored for flip in found.flips)
    assert found.verdict == "fail"


def test_without_stored_replies_an_edited_case_stays_outside_and_says_why(runs):
    old, new = a_case("c", expected_tool="a"), a_case("c", expected_tool="b")
    base = runs([a_grade_line(old, PASS)], replies=[])
    head = run_of(runs, [evaluated(new, "b")])
    assert offline(base, head).outside == {"c": "the base's record holds no replies to grade again"}


def test_a_lost_trial_is_not_passed_over(runs):
    old, new = a_case("c", expected_tool="a"), a_case("c", expected_tool="b")
    answers, line = evaluated(old, "a", "a")
    base = runs([line], replies=answers[:1], trials=2)
    head = run_of(runs, [evaluated(new, "b")])
    assert offline(base, head).outside == {"c": "the base's record lacks 1 of its 2 replies"}


class Judge:
    """A scripted judge: a verdict a reply, or what went wrong."""

    def __init__(self, grade, error=None):
        self.grade_given, self.error, self.asked = grade, error, []

    async def grade(self, case, reply, trial):
        self.asked.append((case.id, trial))
        return [CriterionGrade(id="expected_behavior[0]", grade=self.grade_given, reason="said so", error=self.error)]


def test_a_swapped_judge_changes_the_ruler_and_not_the_agent(runs):
    case = a_case("c", expected_behavior=("is kind",))
    verdict = CriterionGrade(id="expected_behavior[0]", grade=PASS, reason="kind", graded_by=GradedBy.JUDGE)
    refusal = verdict.model_copy(update={"grade": FAIL})
    base = run_of(runs, [evaluated(case, "x", judge="one", verdicts=[verdict])], judge_fingerprint="one")
    head = run_of(runs, [evaluated(case, "x", judge="two", verdicts=[refusal])], judge_fingerprint="two")
    overlay = asyncio.run(rescore(base, head, [CodeChecks(), Judge(FAIL)]))
    found = compare(RunSummary.of(base), RunSummary.of(head), overlay, today=TODAY)
    assert (found.agent_points, found.ruler_points) == (0, -100)
    assert found.judge_changed
    assert (found.edited, found.broke, found.approved_only_by_edit) == ((), (), ())


def test_a_judge_out_of_budget_leaves_the_case_outside(runs):
    case = a_case("c", expected_behavior=("is kind",))
    base = run_of(runs, [evaluated(case, "x", judge="one")])
    head = run_of(runs, [evaluated(case, "x", judge="two")])
    spent = Judge(ERROR, ErrorKind.BUDGET)
    overlay = asyncio.run(rescore(base, head, [CodeChecks(), spent]))
    assert overlay.base_by_head == {}
    assert overlay.why == {"c": "the base's reply could not be graded again: said so"}


def test_nothing_is_graded_again_where_nothing_was_edited(runs):
    judge = Judge(PASS)
    base, head = run_of(runs, steady()), run_of(runs, steady())
    overlay = asyncio.run(rescore(base, head, [judge]))
    assert (overlay.base_by_head, judge.asked) == ({}, [])


def test_grading_again_writes_nothing(runs):
    base = run_of(runs, [evaluated(a_case("c", expected_tool="a"), "a")])
    head = run_of(runs, [evaluated(a_case("c", expected_tool="b"), "b")])
    before = base.path.read_bytes(), head.path.read_bytes()
    offline(base, head)
    assert (base.path.read_bytes(), head.path.read_bytes()) == before


def judged(text, grade=PASS, at=0):
    return CriterionGrade(
        id=f"expected_behavior[{at}]", text=text, grade=grade, reason="seen", graded_by=GradedBy.JUDGE
    )


JUDGED = {"judge": {"model": "m"}, "judge_fingerprint": "one"}


def test_stored_verdicts_are_kept_where_the_criterion_is_the_same_text(runs):
    old = a_case("c", expected_tool="a", expected_behavior=("is kind", "is short"))
    new = a_case("c", expected_tool="a", expected_behavior=("is short",))
    before = [judged("is kind", FAIL), judged("is short", PASS, 1)]
    base = run_of(runs, [evaluated(old, "a", judge="one", verdicts=before)], **JUDGED)
    head = run_of(runs, [evaluated(new, "a", judge="one", verdicts=[judged("is short")])], **JUDGED)
    found = offline(base, head)
    assert found.rescored == ("c",)
    assert found.overall.base.approved == 1
    assert found.approved_only_by_edit == ()  # whether it is kind nobody was asked about head's reply


def test_a_new_behaviour_cannot_be_judged_from_files_alone(runs):
    old = a_case("c", expected_tool="a", expected_behavior=("is kind",))
    new = a_case("c", expected_tool="a", expected_behavior=("is brief",))
    base = run_of(runs, [evaluated(old, "a", judge="one", verdicts=[judged("is kind")])], **JUDGED)
    head = run_of(runs, [evaluated(new, "a", judge="one", verdicts=[judged("is brief")])], **JUDGED)
    assert "no stored verdict of the same judge" in offline(base, head).outside["c"]


def test_another_judges_stored_verdicts_are_not_taken(runs):
    case = a_case("c", expected_tool="a", expected_behavior=("is kind",))
    base = run_of(runs, [evaluated(case, "a", judge="one", verdicts=[judged("is kind")])], **JUDGED)
    other = {"judge": {"model": "n"}, "judge_fingerprint": "two"}
    head = run_of(runs, [evaluated(case, "a", judge="two", verdicts=[judged("is kind")])], **other)
    found = offline(base, head)
    assert found.verdict == "inconclusive"
    assert list(found.outside) == ["c"]


def test_a_base_reply_in_error_stays_in_error(runs):
    old, new = a_case("c", expected_tool="a"), a_case("c", expected_tool="b")
    base = runs([a_grade_line(old, ERROR)], replies=[a_reply_line(old, fault=FaultKind.INFRASTRUCTURE)])
    head = run_of(runs, [evaluated(new, "b")])
    assert offline(base, head).outside["c"].startswith("the base's reply could not be graded again")


def test_a_renamed_and_rejudged_case_keeps_its_pair(runs):
    old, new = a_case("old", input="q", expected_tool="a"), a_case("new", input="q", expected_tool="a")
    assert case_ruler(old) == case_ruler(new)
    base, head = run_of(runs, [evaluated(old, "a")]), run_of(runs, [evaluated(new, "a", judge="two")])
    overlay = asyncio.run(rescore(base, head, [CodeChecks()]))
    found = compare(RunSummary.of(base), RunSummary.of(head), overlay, today=TODAY)
    assert found.renamed == {"old": "new"}
    assert found.rescored == ("new",)


def test_a_ruler_that_the_files_do_not_hold_is_not_pretended_to(runs):
    old, new = a_case("c", expected_tool="a"), a_case("c", expected_tool="b")
    answers, line = evaluated(new, "b")
    head = runs([line.model_copy(update={"ruler": case_ruler(new, packs="a pack of their own")})], replies=answers)
    assert "cannot be rebuilt" in offline(run_of(runs, [evaluated(old, "a")]), head).outside["c"]


def test_another_default_latency_limit_is_another_ruler_for_cases_that_state_none(runs):
    slow, own = a_case("slow", expected_tool="a"), a_case("own", expected_tool="a", max_latency_ms=400)
    graded = [a_grade_line(slow, FAIL, criterion="max_latency_ms"), a_grade_line(own, PASS)]
    replies = [a_reply_line(case, duration_ms=300.0, **calling("a")) for case in (slow, own)]
    base = runs(graded, replies=replies, max_latency_ms=200)
    head = runs([a_grade_line(slow, PASS), graded[1]], replies=replies, max_latency_ms=500)
    found = offline(base, head)
    assert found.rescored == ("slow",)
    assert (found.agent_points, found.ruler_points, found.edited) == (0, 50, ())
    assert "latency_limit_changed" in [warning.code for warning in found.warnings]
