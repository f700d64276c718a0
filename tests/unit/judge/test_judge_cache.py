"""Verdicts are made once: kept on disk, or taken over from the baseline's run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.judge_factories import a_grader, a_judged_case, a_reply, graded, met, suite_config, supported

from quilate.agents.agent import Usage
from quilate.grades import CriterionGrade, ErrorKind, Grade
from quilate.judge.build import identify
from quilate.judge.takeover import TakeOver
from quilate.providers.model import Completion
from quilate.providers.prices import Price, price_of

CASES = [a_judged_case("a", "b", "c", case_id=f"c-{number:02d}", input=f"pregunta {number}") for number in range(50)]


def judge_all(replies: dict[str, str], **options: object) -> tuple[list[list[CriterionGrade]], object, object]:
    grader, model = a_grader(**options)
    everything = [asyncio.run(grader.grade(case, a_reply(replies.get(case.id, "hola")), 0)) for case in CASES]
    return everything, grader.totals, model


def test_a_second_run_with_one_reply_changed_judges_one_case() -> None:
    base, first, _ = judge_all({})
    assert (first.made, first.requests) == (150, 50)
    _, second, model = judge_all({"c-07": "otra cosa"}, take_over=TakeOver(base))
    assert len(model.prompts) == 1
    assert "otra cosa" in model.prompts[0].turns[0].text
    assert (second.made, second.taken_over, second.requests) == (3, 147, 1)


def test_the_same_holds_by_the_cache_alone(tmp_path: Path) -> None:
    judge_all({}, cache=tmp_path)
    _, second, model = judge_all({"c-07": "otra cosa"}, cache=tmp_path)
    assert len(model.prompts) == 1
    assert (second.made, second.from_cache) == (3, 147)


def test_what_is_taken_over_is_the_verdict_that_was_made() -> None:
    case = a_judged_case("x")
    grader, _ = a_grader([{"c01": met(False, evidence="viernes", justification="No.")}])
    made = graded(grader, case)["expected_behavior[0]"]
    taken = graded(a_grader([], take_over=TakeOver([[made]]))[0], case)["expected_behavior[0]"]
    assert taken.detail["origin"] == "taken over"
    assert taken.model_copy(update={"detail": made.detail}) == made


@pytest.mark.parametrize(
    "change",
    [
        {"case": a_judged_case("other")},
        {"reply": a_reply("other")},
        {"trial": 1},
        {"fingerprint": "judge-2"},
    ],
    ids=["criterion", "reply", "trial", "judge"],
)
def test_anything_that_decides_a_verdict_is_in_its_key(change: dict[str, object]) -> None:
    made = graded(a_grader()[0], a_judged_case("x")).values()
    again, model = a_grader(take_over=TakeOver([made]), fingerprint=change.get("fingerprint", "judge-1"))
    graded(again, change.get("case", a_judged_case("x")), change.get("reply"), change.get("trial", 0))
    assert len(model.prompts) == 1


def test_evidence_is_in_the_key() -> None:
    case = a_judged_case(grounded=True)
    answer = {"c01": supported(1)}
    made = graded(a_grader(lambda _: answer, search=lambda _query: ["one"])[0], case).values()
    for found, calls in ((["one"], 0), (["two"], 1)):
        again, model = a_grader(lambda _: answer, search=lambda _query, f=found: f, take_over=TakeOver([made]))
        graded(again, case)
        assert len(model.prompts) == calls


@pytest.mark.parametrize("grade", [Grade.PASS, Grade.FAIL])
def test_no_baseline_can_hold_a_verdict_where_there_is_no_evidence(grade: Grade) -> None:
    case = a_judged_case(grounded=True)
    made = graded(a_grader(search=lambda _query: [])[0], case)["grounded"]
    edited = made.model_copy(update={"grade": grade, "detail": {**made.detail, "verdict": "not_invented"}})
    again, model = a_grader(search=lambda _query: [], take_over=TakeOver([[edited]]))
    found = graded(again, case)["grounded"]
    assert (found.grade, found.detail["verdict"], found.detail["evidence"]) == (
        Grade.NOT_JUDGED,
        "no_evidence",
        "empty",
    )
    assert model.prompts == []


def test_a_judgement_without_a_grade_is_not_taken_over() -> None:
    made = graded(a_grader()[0], a_judged_case("x"))["expected_behavior[0]"]
    assert len(TakeOver([[made.model_copy(update={"grade": Grade.NOT_JUDGED})]])) == 0


def test_errors_are_neither_kept_nor_taken_over(tmp_path: Path) -> None:
    grader, _ = a_grader(lambda _: "rubbish", cache=tmp_path)
    erred = graded(grader, a_judged_case("x")).values()
    assert len(TakeOver([erred])) == 0
    again, model = a_grader(cache=tmp_path)
    assert graded(again, a_judged_case("x"))["expected_behavior[0]"].grade is Grade.PASS
    assert len(model.prompts) == 1


def test_a_cached_answer_is_validated_again(tmp_path: Path) -> None:
    graded(a_grader(cache=tmp_path)[0], a_judged_case("x"))
    for path in tmp_path.glob("*/*.json"):
        path.write_text(path.read_text().replace('"met": true', '"met": "true"'))
    again, model = a_grader(cache=tmp_path)
    graded(again, a_judged_case("x"))
    assert len(model.prompts) == 1


def test_rubbish_in_the_cache_is_passed_over(tmp_path: Path) -> None:
    graded(a_grader(cache=tmp_path)[0], a_judged_case("x"))
    for path in tmp_path.glob("**/*.json"):
        path.write_bytes(b"\xff{")
    assert graded(a_grader(cache=tmp_path)[0], a_judged_case("x"))["expected_behavior[0]"].grade is Grade.PASS


def test_an_alias_that_moved_voids_what_the_old_model_said(tmp_path: Path) -> None:
    def answered_by(model: str) -> object:
        return lambda _: Completion('{"c01": {"evidence": "", "justification": "", "met": true}}', model=model)

    graded(a_grader(answered_by("m-2026-01"), cache=tmp_path)[0], a_judged_case("x"))
    graded(a_grader(answered_by("m-2026-02"), cache=tmp_path)[0], a_judged_case("y"))
    again, model = a_grader(answered_by("m-2026-02"), cache=tmp_path)
    graded(again, a_judged_case("x"))
    assert len(model.prompts) == 1


def test_the_model_is_in_the_cache_key(tmp_path: Path) -> None:
    prints = [
        identify(suite_config({"model": model}), base_dir=tmp_path).fingerprint
        for model in ("gpt-6-luna", "gpt-6.1-sol")
    ]
    assert prints[0] != prints[1]
    for each in prints:
        grader, model = a_grader(cache=tmp_path, fingerprint=each)
        graded(grader, a_judged_case("x"))
        assert len(model.prompts) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"provider": "anthropic", "model": "gpt-6-luna"},
        {"base_url": "https://llm.example.com/v1"},
        {"model": "gpt-6.1-sol"},
        {"votes": 3},
        {"extra": {"reasoning_effort": "none"}},
    ],
    ids=["provider", "host", "model", "votes", "extra"],
)
def test_another_judge_is_another_ruler(other: dict[str, object], tmp_path: Path) -> None:
    one, two = (identify(suite_config(judge), base_dir=tmp_path) for judge in ({}, other))
    assert one.fingerprint != two.fingerprint


def test_what_does_not_change_a_verdict_is_not_in_the_ruler(tmp_path: Path) -> None:
    one, two = (
        identify(suite_config(judge), base_dir=tmp_path)
        for judge in ({}, {"max_usd": 1, "timeout_s": 5, "retries": 0, "concurrency": 2, "api_key_env": "K"})
    )
    assert one.fingerprint == two.fingerprint


def test_the_judge_is_in_the_ruler_of_cases_that_need_one_only(tmp_path: Path) -> None:
    identity = identify(suite_config({}), base_dir=tmp_path)
    assert identity.for_case(a_judged_case(expected_tool="x")) is None
    assert identity.for_case(a_judged_case("x")) == identity.fingerprint


def test_the_search_is_in_the_ruler_of_grounded_cases_only(tmp_path: Path) -> None:
    one, two = (
        identify(suite_config({}, retriever={"command": ["s"], "parameters": {"threshold": t}}), base_dir=tmp_path)
        for t in (0.5, 0.6)
    )
    assert one.for_case(a_judged_case("x")) == two.for_case(a_judged_case("x"))
    assert one.for_case(a_judged_case(grounded=True)) != two.for_case(a_judged_case(grounded=True))


USAGE = Usage(input_tokens=3000, output_tokens=300)
PRICE = price_of("gpt-6-luna")


def test_cost_is_counted_from_the_dated_price_list() -> None:
    grader, _ = a_grader(usage=USAGE, price=PRICE)
    graded(grader, a_judged_case("x"))
    assert grader.totals.dump() | {"requests": 1, "input_tokens": 3000, "cost_usd": "0.00045"} == grader.totals.dump()


def test_an_unknown_model_shows_tokens_only() -> None:
    grader, _ = a_grader(usage=USAGE, price=price_of("house-model-1"))
    graded(grader, a_judged_case("x"))
    assert grader.totals.dump()["input_tokens"] == 3000
    assert "cost_usd" not in grader.totals.dump()


def test_reaching_the_budget_stops_judging_cleanly() -> None:
    grader, model = a_grader(usage=USAGE, price=PRICE, max_usd="0.0009")
    found = [graded(grader, a_judged_case("x", input=str(n)))["expected_behavior[0]"] for n in range(5)]
    assert [g.grade for g in found] == [Grade.PASS, Grade.PASS, Grade.ERROR, Grade.ERROR, Grade.ERROR]
    assert {g.error for g in found[2:]} == {ErrorKind.BUDGET}
    assert "0.0009 of 0.0009 USD" in found[2].reason
    assert len(model.prompts) == 2


def test_a_server_that_counts_no_tokens_still_reaches_the_budget() -> None:
    grader, _ = a_grader(price=PRICE, max_usd="0.0000001")
    found = [graded(grader, a_judged_case("x", input=str(n)))["expected_behavior[0]"].error for n in range(2)]
    assert found == [None, ErrorKind.BUDGET]


def test_long_prompts_and_cached_tokens_have_their_own_price() -> None:
    haiku = price_of("claude-haiku-5-5")
    assert isinstance(haiku, Price)
    assert str(haiku.cost_usd(Usage(input_tokens=200_000))) == "0.10"
    assert str(haiku.cost_usd(Usage(input_tokens=100_000, cached_tokens=100_000)).normalize()) == "0.001"


def test_a_dated_name_has_the_price_of_its_model() -> None:
    assert price_of("gpt-6-luna-2026-06-01") == PRICE
    assert price_of(None) is None
