"""One reply judged: every criterion gets exactly one grade, whatever the model answers."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judge_factories import a_call, a_grader, a_judged_case, a_reply, graded, met

from quilate.checks.rubric import ambiguity_rubric
from quilate.goldens.case import Expects
from quilate.grades import ErrorKind, Grade, GradedBy
from quilate.judge.grader import NoJudge
from quilate.judge.questions import mismatches
from quilate.providers.model import Completion, Failure, ProviderError, Stop

BOTH = a_judged_case("responde con el estado", "mantiene tono formal")


def test_each_criterion_gets_the_grade_the_judge_gave_it() -> None:
    grader, _ = a_grader([{"c01": met(True), "c02": met(False, justification="Tutea.")}])
    found = graded(grader, BOTH)
    assert [(g.id, g.grade, g.text) for g in found.values()] == [
        ("expected_behavior[0]", Grade.PASS, "responde con el estado"),
        ("expected_behavior[1]", Grade.FAIL, "mantiene tono formal"),
    ]
    assert found["expected_behavior[1]"].reason == "Tutea."
    assert all(g.graded_by is GradedBy.JUDGE for g in found.values())


def test_a_case_without_semantic_criteria_asks_nothing() -> None:
    grader, model = a_grader([])
    assert graded(grader, a_judged_case(expected_tool="x")) == {}
    assert model.prompts == []


def test_a_reference_answer_is_a_criterion_of_its_own() -> None:
    grader, model = a_grader([{"c01": met(True), "c02": met(False)}])
    found = graded(grader, a_judged_case("es amable", expected_output="Llega el jueves."))
    assert found["expected_output"].grade is Grade.FAIL
    assert "Llega el jueves." in model.prompts[0].turns[0].text


def test_an_exact_output_is_left_to_code() -> None:
    grader, model = a_grader([])
    assert graded(grader, a_judged_case(expected_output={"exact": "Hola."})) == {}
    assert model.prompts == []


def test_the_judge_sees_conversation_reply_and_tool_calls_with_outputs() -> None:
    grader, model = a_grader()
    call = a_call(args={"numero": "47821"}, output={"estado": "en ruta"})
    graded(grader, BOTH, a_reply("Va en camino.", tool_calls=(call,)))
    asked = model.prompts[0].turns[0].text
    for part in ("¿En qué estado está mi pedido 47821?", "Va en camino.", "consultarPedido", "47821", "en ruta"):
        assert part in asked


BAD = {
    "a missing key": ({"c01": met()}, "c02 is missing"),
    "an extra key": ({"c01": met(), "c02": met(), "c03": met()}, "c03 was not asked for"),
    "true as text": ({"c01": met(), "c02": met("true")}, "c02.met is the text 'true', not true or false"),
    "one as a number": ({"c01": met(), "c02": met(1)}, "c02.met is the number 1, not true or false"),
    "null": ({"c01": met(), "c02": met(None)}, "c02.met is null, not true or false"),
    "a verdict without evidence": ({"c01": met(), "c02": {"met": True}}, "c02.evidence is missing"),
    "a list": ("[1, 2]", "the answer holds no JSON object"),
    "prose": ("All criteria are met.", "the answer holds no JSON object"),
    "nothing": ("", "the answer is empty"),
    "a key twice": (
        '{"c01": {"evidence":"","justification":"","met":false,"met":true},"c02":' + json.dumps(met()) + "}",
        "was not asked for",
    ),
}


@pytest.mark.parametrize(("answer", "said"), BAD.values(), ids=BAD.keys())
def test_an_unusable_answer_is_repaired_once_and_then_an_error(answer: object, said: str) -> None:
    grader, model = a_grader([answer, answer])
    found = graded(grader, BOTH)
    assert {(g.grade, g.error) for g in found.values()} == {(Grade.ERROR, ErrorKind.JUDGE)}
    assert len(found) == 2
    assert len(model.prompts) == 2
    if said != "was not asked for":
        assert all(said in g.reason for g in found.values())
        assert said in model.prompts[1].turns[-1].text


def test_a_repaired_answer_counts() -> None:
    grader, _ = a_grader([{"c01": met()}, {"c01": met(), "c02": met()}])
    assert [g.grade for g in graded(grader, BOTH).values()] == [Grade.PASS, Grade.PASS]
    assert (grader.totals.requests, grader.totals.repairs, grader.totals.made) == (2, 1, 2)


ENDS = {
    "truncated": (Completion('{"c01": {', stop=Stop.LENGTH), "cut off at the token limit"),
    "refused": (Completion("", stop=Stop.REFUSAL, refusal="reasoning_extraction"), "refused to answer"),
    "filtered": (Completion("", stop=Stop.FILTERED), "content filter"),
}


@pytest.mark.parametrize(("completion", "said"), ENDS.values(), ids=ENDS.keys())
def test_an_answer_that_did_not_end_is_no_verdict(completion: Completion, said: str) -> None:
    grader, _ = a_grader([completion, completion])
    found = graded(grader, BOTH)
    assert {(g.grade, g.error) for g in found.values()} == {(Grade.ERROR, ErrorKind.JUDGE)}
    assert said in found["expected_behavior[0]"].reason


def test_a_refusal_with_a_complete_answer_is_still_no_verdict() -> None:
    full = json.dumps({"c01": met(), "c02": met()})
    grader, _ = a_grader([Completion(full, stop=Stop.REFUSAL)] * 2)
    assert {g.grade for g in graded(grader, BOTH).values()} == {Grade.ERROR}


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (Failure.UNAVAILABLE, ErrorKind.INFRASTRUCTURE),
        (Failure.QUOTA, ErrorKind.INFRASTRUCTURE),
        (Failure.KEY_ABSENT, ErrorKind.SECRET),
        (Failure.KEY_REFUSED, ErrorKind.JUDGE),
        (Failure.REJECTED, ErrorKind.JUDGE),
        (Failure.GARBLED, ErrorKind.JUDGE),
    ],
)
def test_each_failure_of_the_provider_is_its_own_error(failure: Failure, kind: ErrorKind) -> None:
    grader, _ = a_grader(lambda _: ProviderError(failure, "status 500: down"))
    found = graded(grader, BOTH)
    assert {(g.grade, g.error) for g in found.values()} == {(Grade.ERROR, kind)}
    assert "status 500: down" in found["expected_behavior[0]"].reason


def test_a_failure_that_lasts_is_not_asked_for_again() -> None:
    grader, model = a_grader(lambda _: ProviderError(Failure.QUOTA, "quota"))
    for number in range(5):
        graded(grader, a_judged_case("x", case_id=f"c-{number}"))
    assert len(model.prompts) == 1


def test_an_unavailable_judge_is_tried_again_and_then_counts() -> None:
    down = ProviderError(Failure.UNAVAILABLE, "529", retryable=True)
    grader, model = a_grader([down, down, {"c01": met(), "c02": met()}], retries=2)
    assert {g.grade for g in graded(grader, BOTH).values()} == {Grade.PASS}
    assert len(model.prompts) == 3
    assert grader.totals.retries == 2


def test_evidence_is_located_in_the_reply_and_marked_where_it_is_not() -> None:
    reply = a_reply("Su pedido  47821 llega el viernes.", tool_calls=(a_call(args={"numero": "47821"}),))
    case = a_judged_case("a", "b", "c", "d")
    answers = [
        met(evidence=quote) for quote in ("su pedido 47821", "llega el lunes a las 15:40", '"numero": "47821"', "")
    ]
    grader, _ = a_grader([{f"c0{number}": answer for number, answer in enumerate(answers, 1)}])
    found = [g.evidence for g in graded(grader, case, reply).values()]
    assert reply.output[found[0][0].start : found[0][0].end] == "Su pedido  47821"
    assert (found[1][0].start, found[1][0].note) == (None, "not found in the reply")
    assert (found[2][0].start, found[2][0].note) == (None, "in the tool calls")
    assert found[3] == ()


def test_votes_decide_by_majority_and_show_who_disagreed() -> None:
    script = iter([met(True), met(False, justification="No."), met(False, justification="No.")])
    grader, _ = a_grader(lambda _: {"c01": next(script)}, votes=3)
    found = graded(grader, a_judged_case("x"))["expected_behavior[0]"]
    assert found.grade is Grade.FAIL
    assert found.detail["votes"] == {"pass": 1, "fail": 2}
    assert found.reason == "No. (2 of 3 votes)"


def test_votes_without_a_majority_are_an_error() -> None:
    rubric = ambiguity_rubric(Expects.DIRECT_ANSWER)
    script = iter([("none", "pass"), ("none", "partial"), ("asked", "fail")])
    grader, _ = a_grader(
        lambda _: {
            "c01": {"evidence": "", "justification": "", **dict(zip(("failure", "grade"), next(script), strict=True))}
        },
        votes=3,
        left_open=[lambda _case, _reply: [rubric]],
    )
    found = graded(grader, a_judged_case())["ambiguity"]
    assert (found.grade, found.error) == (Grade.ERROR, ErrorKind.JUDGE)
    assert "no majority" in found.reason


def test_a_rubric_with_partial_may_be_partial_and_says_how_it_failed() -> None:
    rubric = ambiguity_rubric(Expects.CLARIFICATION)
    answer = {"evidence": "", "justification": "Adivina.", "failure": "guessed", "grade": "fail"}
    grader, model = a_grader([{"c01": answer}], left_open=[lambda _case, _reply: [rubric]])
    found = graded(grader, a_judged_case())["ambiguity"]
    assert (found.grade, found.detail["failure"]) == (Grade.FAIL, "guessed")
    assert rubric.partial in model.prompts[0].turns[0].text


def test_a_failure_kind_without_a_failure_is_no_verdict() -> None:
    answer = {"evidence": "", "justification": "", "failure": "guessed", "grade": "pass"}
    rubric = ambiguity_rubric(Expects.CLARIFICATION)
    grader, _ = a_grader([{"c01": answer}] * 2, left_open=[lambda _case, _reply: [rubric]])
    assert graded(grader, a_judged_case())["ambiguity"].error is ErrorKind.JUDGE


def test_partial_is_not_offered_where_the_rubric_has_none() -> None:
    grader, model = a_grader()
    graded(grader, BOTH)
    assert model.prompts[0].schema["properties"]["c01"]["properties"]["met"] == {"type": "boolean"}


def test_evidence_comes_before_the_verdict_in_every_schema() -> None:
    grader, model = a_grader(left_open=[lambda _case, _reply: [ambiguity_rubric(Expects.CLARIFICATION)]])
    graded(grader, BOTH)
    for part in model.prompts[0].schema["properties"].values():
        assert next(iter(part["properties"])) == "evidence"
        assert list(part["properties"])[-1] in ("met", "grade")
        assert part["required"] == list(part["properties"])
        assert part["additionalProperties"] is False


def test_without_a_judge_every_semantic_criterion_is_not_judged() -> None:
    found = graded(NoJudge(), a_judged_case("a", "b", expected_output="c", grounded=True))
    assert list(found) == ["expected_behavior[0]", "expected_behavior[1]", "expected_output", "grounded"]
    assert {(g.grade, g.reason) for g in found.values()} == {(Grade.NOT_JUDGED, "no judge is configured")}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["c01", "c02", "met", "x"]), inner),
    max_leaves=10,
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(), json_values.map(json.dumps)))
def test_no_answer_at_all_ends_in_anything_but_a_grade_for_each_criterion(answer: str) -> None:
    grader, _ = a_grader(lambda _: answer)
    criteria = asyncio.run(grader.grade(BOTH, a_reply(), 0))
    assert [g.id for g in criteria] == ["expected_behavior[0]", "expected_behavior[1]"]
    assert all(g.grade is Grade.ERROR and g.error is ErrorKind.JUDGE for g in criteria)


def test_a_boolean_is_no_whole_number() -> None:
    assert mismatches(True, {"type": "integer"}) == ["the answer is true, not a whole number"]
