"""The configured judge against a loopback server in each provider's format: every way ends in a named state."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.integration.judge.conftest import Answer, Loopback
from tests.judge_factories import a_judged_case, a_reply, invented, met, suite_config, supported
from tests.wire_factories import SPEAKERS, Speaker

from quilate.grades import CriterionGrade, ErrorKind, Grade
from quilate.judge.build import build_judge
from quilate.judge.totals import JudgeTotals
from quilate.retrieval.scripted import ScriptedRetriever

pytestmark = pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda each: each.provider)

KEYS = {"ANTHROPIC_API_KEY": "k-secret-1", "OPENAI_API_KEY": "k-secret-1"}
GOOD = {"c01": met(), "c02": met(False, justification="Tutea.")}
CASE = a_judged_case("responde con el estado", "mantiene tono formal")
OK, NO = Grade.PASS, Grade.FAIL


def judged(
    speaker: Speaker, loopback: Loopback, *answers: Answer, environ: dict[str, str] = KEYS, cases: int = 1, **judge: Any
) -> tuple[list[CriterionGrade], JudgeTotals]:
    if answers:
        loopback.answers(*answers)
    model = "claude-haiku-5-5" if speaker.provider == "anthropic" else "gpt-6-luna"
    written = {"provider": speaker.provider, "model": model, "base_url": loopback.url + speaker.base, "retries": 1}
    config = suite_config({**written, **judge})

    async def go() -> tuple[list[CriterionGrade], JudgeTotals]:
        async with build_judge(config, base_dir=Path(), environ=environ, left_open=()) as judge:
            found = [await judge.grade(CASE, a_reply(f"Va. {n}"), 0) for n in range(cases)]
            return [grade for each in found for grade in each], judge.totals()

    return asyncio.run(go())


def test_right_verdicts_tokens_and_cost(speaker: Speaker, loopback: Loopback) -> None:
    found, totals = judged(speaker, loopback, Answer(speaker.says(GOOD)))
    assert [g.grade for g in found] == [OK, NO]
    assert found[1].reason == "Tutea."
    assert (totals.requests, totals.made, totals.input_tokens, totals.output_tokens) == (1, 2, 100, 20)
    assert totals.cost_usd is not None
    assert loopback.asked[0].path == speaker.path
    key = loopback.asked[0].headers["x-api-key" if speaker.provider == "anthropic" else "authorization"]
    assert key.removeprefix("Bearer ") == "k-secret-1"


def test_a_key_pasted_with_its_line_break_is_sent_without(speaker: Speaker, loopback: Loopback) -> None:
    environ = dict.fromkeys(KEYS, "k-secret-1\n")
    found, _ = judged(speaker, loopback, Answer(speaker.says(GOOD)), environ=environ)
    assert [g.grade for g in found] == [OK, NO]


def test_a_key_that_no_header_can_carry_is_said_and_never_shown(speaker: Speaker, loopback: Loopback) -> None:
    environ = dict.fromkeys(KEYS, "k-sec\nret-1")
    found, _ = judged(speaker, loopback, Answer(speaker.says(GOOD)), environ=environ)
    assert {g.error for g in found} == {ErrorKind.JUDGE}
    assert "holds a line break" in found[0].reason
    assert "k-sec" not in found[0].reason
    assert loopback.asked == []


def test_a_thinking_block_may_come_first(speaker: Speaker, loopback: Loopback) -> None:
    found, _ = judged(speaker, loopback, Answer(speaker.thinks_first(GOOD)))
    assert [g.grade for g in found] == [OK, NO]


def test_a_server_that_ignores_the_schema_and_fences_its_json_is_understood(
    speaker: Speaker, loopback: Loopback
) -> None:
    fenced = f"Here is the JSON:\n```json\n{json.dumps(GOOD)}\n```"
    found, _ = judged(speaker, loopback, Answer(speaker.says(fenced)))
    assert [g.grade for g in found] == [OK, NO]


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_what_passes_is_waited_for(speaker: Speaker, loopback: Loopback, status: int) -> None:
    busy = Answer(speaker.error("busy"), status, {"retry-after": "0"})
    found, totals = judged(speaker, loopback, busy, Answer(speaker.says(GOOD)))
    assert [g.grade for g in found] == [OK, NO]
    assert (totals.requests, totals.retries) == (1, 1)


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_what_does_not_pass_is_infrastructure(speaker: Speaker, loopback: Loopback, status: int) -> None:
    found, totals = judged(speaker, loopback, Answer(speaker.error("busy today"), status, {"retry-after-ms": "1"}))
    assert {(g.grade, g.error) for g in found} == {(Grade.ERROR, ErrorKind.INFRASTRUCTURE)}
    assert found[0].reason == f"the judge gave no answer: status {status}: busy today"
    assert len(loopback.asked) == 2
    assert totals.errors == 2


def test_a_wait_longer_than_a_minute_is_not_made(speaker: Speaker, loopback: Loopback) -> None:
    found, _ = judged(speaker, loopback, Answer(speaker.error("busy"), 429, {"retry-after": "3600"}))
    assert found[0].error is ErrorKind.INFRASTRUCTURE
    assert len(loopback.asked) == 1


def test_a_spend_limit_is_not_asked_again_by_anyone(speaker: Speaker, loopback: Loopback) -> None:
    answer = Answer(speaker.error("limit", code=speaker.quota_code, kind="rate_limit_error"), 429)
    found, _ = judged(speaker, loopback, answer, cases=3)
    assert {g.error for g in found} == {ErrorKind.INFRASTRUCTURE}
    assert "spend limit" in found[0].reason
    assert len(loopback.asked) == 1


def test_no_answer_in_time_is_infrastructure(speaker: Speaker, loopback: Loopback) -> None:
    slow = Answer(speaker.says(GOOD), delay_s=0.5)
    found, _ = judged(speaker, loopback, slow, timeout_s=0.1, retries=0)
    assert found[0].error is ErrorKind.INFRASTRUCTURE
    assert "no answer within 0.1 s" in found[0].reason


def test_a_server_that_is_not_there_is_infrastructure(speaker: Speaker, loopback: Loopback) -> None:
    found, _ = judged(speaker, loopback, base_url="http://127.0.0.1:9" + speaker.base, retries=0)
    assert found[0].error is ErrorKind.INFRASTRUCTURE
    assert "no connection to 127.0.0.1:9" in found[0].reason


def a_bad_answer(speaker: Speaker, name: str) -> tuple[Answer, str]:
    return {
        "truncated": (Answer(speaker.truncated()), "cut off at the token limit"),
        "refused": (Answer(speaker.refuses()), "the judge refused to answer"),
        "a missing key": (Answer(speaker.says({"c01": met()})), "c02 is missing"),
        "an extra key": (Answer(speaker.says({**GOOD, "c03": met()})), "c03 was not asked for"),
        "true as text": (Answer(speaker.says({**GOOD, "c02": met("true")})), "not true or false"),
        "an empty answer": (Answer(speaker.says("")), "the answer is empty"),
        "an empty body": (Answer(b""), "an empty body instead of JSON"),
        "html": (
            Answer(b"<html>Sign in</html>", headers={"content-type": "text/html"}),
            "an HTML page instead of JSON",
        ),
        "another json": (Answer({"ok": True}), "the answer has no"),
        "a list": (Answer([1]), "JSON that is no object"),
        "bad request": (Answer(speaker.error("schema too deep"), 400), "status 400: schema too deep"),
        "unknown model": (Answer(speaker.error("no such model"), 404), "status 404: no such model"),
        "redirect": (Answer(b"", 302, {"location": "http://example.com"}), "status 302"),
    }[name]


@pytest.mark.parametrize(
    "name",
    ["truncated", "refused", "a missing key", "an extra key", "true as text", "an empty answer", "an empty body",
     "html", "another json", "a list", "bad request", "unknown model", "redirect"],
)  # fmt: skip
def test_what_cannot_be_used_is_the_judges_error(speaker: Speaker, loopback: Loopback, name: str) -> None:
    answer, said = a_bad_answer(speaker, name)
    found, _ = judged(speaker, loopback, answer, retries=0)
    assert {(g.grade, g.error) for g in found} == {(Grade.ERROR, ErrorKind.JUDGE)}
    assert said in found[0].reason


def test_an_absent_key_is_a_secret_and_nothing_is_sent(speaker: Speaker, loopback: Loopback) -> None:
    found, _ = judged(speaker, loopback, Answer(speaker.says(GOOD)), environ={})
    assert {(g.grade, g.error) for g in found} == {(Grade.ERROR, ErrorKind.SECRET)}
    assert "_API_KEY is not set" in found[0].reason
    assert loopback.asked == []


def test_a_refused_key_is_said_and_never_shown(speaker: Speaker, loopback: Loopback) -> None:
    answer = Answer(speaker.error("Incorrect key k-secret-1"), 401)
    found, _ = judged(speaker, loopback, answer, cases=3, api_key_env="HOUSE_KEY", environ={"HOUSE_KEY": "k-secret-1"})
    assert {g.error for g in found} == {ErrorKind.JUDGE}
    assert "the key in HOUSE_KEY was refused: status 401: Incorrect key ***" in found[0].reason
    assert len(loopback.asked) == 1


def test_the_budget_stops_a_run_cleanly(speaker: Speaker, loopback: Loopback) -> None:
    found, totals = judged(speaker, loopback, Answer(speaker.says(GOOD)), cases=4, max_usd=0.00002)
    kinds = [g.error for g in found]
    assert kinds[:2] == [None, None]
    assert set(kinds[4:]) == {ErrorKind.BUDGET}
    assert totals.requests == len(loopback.asked) < 4


def test_extra_keys_reach_the_request_and_null_takes_one_away(speaker: Speaker, loopback: Loopback) -> None:
    taken = {"anthropic": "max_tokens", "openai": "max_completion_tokens", "openai-responses": "store"}[
        speaker.provider
    ]
    judged(speaker, loopback, Answer(speaker.says(GOOD)), extra={"seed": 7, taken: None, "model": "other"})
    body = loopback.asked[0].body
    assert body["seed"] == 7
    assert taken not in body
    assert body["model"] != "other"


def test_half_a_character_in_a_reply_is_still_judged(speaker: Speaker, loopback: Loopback) -> None:
    loopback.answers(Answer(speaker.says(GOOD)))
    config = suite_config({"provider": speaker.provider, "base_url": loopback.url + speaker.base})

    async def go() -> list[Grade]:
        async with build_judge(config, base_dir=Path(), environ=KEYS, left_open=()) as judge:
            return [grade.grade for grade in await judge.grade(CASE, a_reply("Va \ud83d"), 0)]

    assert asyncio.run(go()) == [OK, NO]


def grounded(speaker: Speaker, loopback: Loopback, answer: Any, found: list[str]) -> CriterionGrade:
    loopback.answers(Answer(speaker.says({"c01": answer})))
    config = suite_config({"provider": speaker.provider, "base_url": loopback.url + speaker.base})
    retriever = ScriptedRetriever(lambda _query: found)

    async def go() -> CriterionGrade:
        async with build_judge(config, base_dir=Path(), environ=KEYS, left_open=(), retriever=retriever) as judge:
            case = a_judged_case(grounded=True)
            return (await judge.grade(case, a_reply("El despacho cuesta $4.990."), 0))[0]

    return asyncio.run(go())


def test_invented_and_not_invented_over_the_wire(speaker: Speaker, loopback: Loopback) -> None:
    assert grounded(speaker, loopback, supported(1), ["$4.990"]).grade is OK
    assert grounded(speaker, loopback, invented("cuesta $4.990"), ["$3.990"]).grade is NO


def test_invented_without_a_claim_is_no_verdict(speaker: Speaker, loopback: Loopback) -> None:
    found = grounded(speaker, loopback, invented(), ["$3.990"])
    assert (found.grade, found.error) == (Grade.ERROR, ErrorKind.JUDGE)
    assert "no claim is named" in found.reason


def test_without_fragments_the_judge_is_not_asked_whether_it_invented(speaker: Speaker, loopback: Loopback) -> None:
    found = grounded(speaker, loopback, invented("cuesta $4.990"), [])
    assert (found.grade, found.detail["verdict"]) == (Grade.NOT_JUDGED, "no_evidence")
    assert "unsupported_claims" not in json.dumps(loopback.asked[0].body)
