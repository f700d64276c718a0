"""Three verdicts; whether there is evidence is decided by code alone."""

from __future__ import annotations

import pytest
from tests.judge_factories import (
    a_call,
    a_grader,
    a_judged_case,
    a_reply,
    fragments,
    graded,
    invented,
    met,
    supported,
)  # fmt: skip

from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, ErrorKind, Grade, worst
from quilate.judge.groundedness import blank
from quilate.providers.scripted import ScriptedModel

FACT = "El pedido 47821 llega el viernes 5."
REPLY = a_reply("Su pedido 47821 llega el viernes. El despacho cuesta $4.990.")


def a_grounded_case(*behavior: str, **fields: object) -> GoldenCase:
    return a_judged_case(*behavior, grounded=True, **fields)


def of_search(
    found: object, answer: object = None, case: GoldenCase | None = None
) -> tuple[CriterionGrade, ScriptedModel]:
    grader, model = a_grader(**({} if answer is None else {"script": lambda _: answer}), search=lambda _query: found)
    return graded(grader, case or a_grounded_case(), REPLY)["grounded"], model


def test_a_reply_whose_claims_are_supported_passes() -> None:
    found, _ = of_search([FACT], {"c01": supported(1)})
    assert (found.grade, found.detail["verdict"]) == (Grade.PASS, "not_invented")


def test_an_invention_fails_and_names_the_claim_where_it_stands() -> None:
    found, _ = of_search([FACT], {"c01": invented("el despacho cuesta $4.990")})
    assert (found.grade, found.detail["verdict"]) == (Grade.FAIL, "invented")
    assert REPLY.output[found.evidence[0].start : found.evidence[0].end] == "El despacho cuesta $4.990"
    assert "«el despacho cuesta $4.990»" in found.reason


def test_an_empty_search_is_no_evidence_and_neither_for_nor_against_the_agent() -> None:
    found, model = of_search([])
    assert (found.grade, found.error, found.detail["verdict"]) == (Grade.NOT_JUDGED, None, "no_evidence")
    assert found.detail["evidence"] == "empty"
    assert "invented" not in str(model.prompts[0].schema)


def test_a_broken_search_is_no_evidence_and_an_error_of_the_infrastructure() -> None:
    found, model = of_search(RuntimeError("status 502"))
    assert (found.grade, found.error) == (Grade.ERROR, ErrorKind.INFRASTRUCTURE)
    assert (found.detail["verdict"], found.detail["evidence"]) == ("no_evidence", "broken")
    assert "status 502" in found.reason
    assert "invented" not in str(model.prompts[0].schema)


def test_blank_fragments_are_an_empty_search() -> None:
    assert of_search(["", "  \n "])[0].detail["evidence"] == "empty"


def test_whatever_the_model_says_without_fragments_the_verdict_is_no_evidence() -> None:
    found, _ = of_search([], {"c01": invented("El despacho cuesta $4.990"), "verdict": "invented"})
    assert (found.grade, found.detail["verdict"]) == (Grade.NOT_JUDGED, "no_evidence")


def test_without_evidence_the_judge_says_what_it_can_for_the_reader_only() -> None:
    found, model = of_search([])
    said = found.detail["without_evidence"]
    assert set(said) == {"resolved", "handed_over", "tone"}
    assert said["tone"]["verdict"] == "yes"
    assert worst([found]) is Grade.NOT_JUDGED
    assert '"evidence"' not in [
        line.split()[-1] for line in model.prompts[0].turns[0].text.split("\n") if "<data" in line
    ]


def test_the_other_criteria_of_the_case_are_judged_without_evidence_too() -> None:
    grader, _ = a_grader(search=lambda _query: [])
    found = graded(grader, a_grounded_case("es formal"), REPLY)
    assert (found["expected_behavior[0]"].grade, found["grounded"].grade) == (Grade.PASS, Grade.NOT_JUDGED)


NO_VERDICT = {
    "invented without a claim": (invented(), "no claim is named"),
    "a claim the reply does not make": (invented("El despacho es gratuito en todo el país"), "the reply does not say"),
    "a claim of nothing": (invented(" . "), "quotes nothing"),
    "a claim of one letter": (invented("a"), "quotes nothing"),
    "a claim with another figure": (invented("El despacho cuesta $5.990"), "the reply does not say"),
    "not invented with a claim": (invented("llega el viernes", verdict="not_invented"), "unsupported claims are named"),
    "a block that is not there": (supported(7), "no evidence block 7"),
    "the third verdict from the model": (
        {**supported(), "verdict": "no_evidence"},
        "not one of invented, not_invented",
    ),
}


@pytest.mark.parametrize(("answer", "said"), NO_VERDICT.values(), ids=NO_VERDICT.keys())
def test_an_inconsistent_answer_is_retried_once_and_then_an_error(answer: object, said: str) -> None:
    found, model = of_search([FACT], {"c01": answer})
    assert (found.grade, found.error) == (Grade.ERROR, ErrorKind.JUDGE)
    assert said in found.reason
    assert len(model.prompts) == 2


def test_a_claim_is_found_though_accents_case_and_space_differ_a_little() -> None:
    found, _ = of_search([FACT], {"c01": invented("el  DESPACHO cuesta $4.99O")})
    assert found.grade is Grade.FAIL
    assert found.evidence[0].note == "close, not word for word"


def test_fragments_of_the_agent_are_used_and_the_search_is_not_asked() -> None:
    grader, _ = a_grader(lambda _: {"c01": supported(1)}, search=lambda _query: pytest.fail("asked"))
    found = graded(grader, a_grounded_case(), a_reply(fragments=fragments(FACT)))["grounded"]
    assert found.detail["evidence_source"] == "agent"


def test_an_agent_that_searched_and_found_nothing_leaves_no_evidence() -> None:
    grader, _ = a_grader(search=lambda _query: [FACT])
    found = graded(grader, a_grounded_case(), a_reply(fragments=()))["grounded"]
    assert (found.grade, found.detail["evidence"]) == (Grade.NOT_JUDGED, "empty")


def test_which_search_and_when_it_was_consulted_stand_in_the_result() -> None:
    found, _ = of_search([FACT], {"c01": supported(1)})
    assert found.detail["evidence_source"] == "retriever"
    assert found.detail["consulted_at"] == "2026-01-01T00:00:00+00:00"


def with_tools(*calls: object, case: GoldenCase | None = None, **options: object) -> CriterionGrade:
    grader, _ = a_grader(**options)
    return graded(grader, case or a_grounded_case(), a_reply(tool_calls=calls))["grounded"]


def test_outputs_of_tools_that_succeeded_are_evidence() -> None:
    found = with_tools(a_call(output={"estado": "en ruta"}), script=lambda _: {"c01": supported(1)})
    assert (found.grade, found.detail["blocks"]) == (Grade.PASS, 1)


@pytest.mark.parametrize(
    "call",
    [
        a_call(output=None), a_call(output=""), a_call(output="[]"), a_call(output={"hits": []}),
        a_call(output="x", error="down"), a_call(output={"error": "down"}),
        a_call(output="Error: pedido no encontrado"), a_call(output="None"), a_call(output='{"results": []}'),
        a_call(output={"results": [], "total": 0}), a_call(output='{"error": "down"}'),
        a_call(output={"isError": True, "content": [{"text": "down"}]}),
        a_call(output={"ok": False, "message": "down"}),
        a_call(output="Traceback (most recent call last):\n  File"),
    ],
)  # fmt: skip
def test_blank_and_failed_outputs_are_none(call: object) -> None:
    found = with_tools(call)
    assert (found.grade, found.detail["verdict"]) == (Grade.NOT_JUDGED, "no_evidence")


def test_failed_tools_are_named_among_the_good() -> None:
    found = with_tools(a_call(output="ok 5"), a_call("buscar", error="down"), script=lambda _: {"c01": supported(1)})
    assert (found.detail["blocks"], found.detail["left_out"]) == (1, ["buscar"])


def test_tools_declared_no_evidence_are_none() -> None:
    found = with_tools(a_call("think", output="it is fine"), non_evidence_tools=("thi*",))
    assert found.detail["evidence"] == "absent"


def test_a_case_may_take_fragments_only() -> None:
    found = with_tools(a_call(output="en ruta"), case=a_grounded_case(evidence="fragments"))
    assert found.detail["verdict"] == "no_evidence"


def test_a_broken_search_is_no_evidence_though_a_tool_answered() -> None:
    found = with_tools(a_call(output="en ruta"), search=lambda _query: RuntimeError("down"))
    assert (found.grade, found.error) == (Grade.ERROR, ErrorKind.INFRASTRUCTURE)


def test_an_empty_search_with_a_tools_output_has_evidence() -> None:
    found = with_tools(a_call(output="en ruta"), search=lambda _query: [], script=lambda _: {"c01": supported(1)})
    assert found.grade is Grade.PASS


def test_a_question_is_searched_once_a_run() -> None:
    grader, _ = a_grader(lambda _: {"c01": supported(1)}, search=lambda _query: [FACT])
    graded_twice = [graded(grader, a_grounded_case(), REPLY)["grounded"].grade for _ in range(1)]
    assert graded_twice == [Grade.PASS]
    assert grader.totals.searches == 1


def test_a_judge_in_error_leaves_codes_own_verdict_standing() -> None:
    grader, _ = a_grader(lambda _: "rubbish", search=lambda _query: [])
    found = graded(grader, a_grounded_case("es formal"), REPLY)
    assert (found["expected_behavior[0]"].error, found["grounded"].grade) == (ErrorKind.JUDGE, Grade.NOT_JUDGED)


def test_evidence_and_criteria_go_in_one_request() -> None:
    grader, model = a_grader([{"c01": met(), "c02": supported(1)}], search=lambda _query: [FACT])
    found = graded(grader, a_grounded_case("es formal"), REPLY)
    assert len(model.prompts) == 1
    assert FACT in model.prompts[0].turns[0].text
    assert [g.grade for g in found.values()] == [Grade.PASS, Grade.PASS]


def test_numbers_and_booleans_are_never_blank() -> None:
    assert not blank(0)
    assert not blank(False)
    assert not blank({"total": 0})
    assert not blank({"estado": "failed", "items": []})
    assert blank({"a": [None, ""]})
