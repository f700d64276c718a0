"""Pairs beside a comparison: told in the comment, within the budget, without a say in the verdict."""

from __future__ import annotations

import json

from tests.e2e.side_by_side.conftest import Bench, a_reply, pair_answer
from tests.integration.judge.conftest import Answer, Asked
from tests.suite_factories import TOOL, some_cases

from quilate.judge.pairs import Side
from quilate.judge.side_by_side_sheet import first_side


def prefers_heads(asked: Asked) -> dict:
    """A judge that goes by the replies and not by their place."""
    task = asked.body["messages"][-1]["content"]
    first = task.split(" response_1>\n")[1].split("\n")[0]
    return pair_answer(asked, "response_1" if "new" in first else "response_2")


def says_friday(asked: Asked) -> bool:
    """Whether response 1 does."""
    return "Friday" in asked.body["messages"][-1]["content"].split(" response_2>")[0]


def test_a_judge_that_always_prefers_the_first_gives_ties_and_is_called_unreliable(bench: Bench) -> None:
    cases = some_cases(12)
    bench.suite(cases)
    run = bench.both_runs(cases)
    assert run.returncode == 0, run.stderr
    pairs = bench.pairs()
    assert [(pair["preferred"], pair["orders_agree"]) for pair in pairs] == [("tie", False)] * 12
    comment = bench.read(".quilate/comment.md")
    assert "judged side by side: 0 better, 0 worse, 12 alike" in comment.casefold()
    assert "In 12 of 12 pairs (100 %) the order decided. This judge is unreliable here." in comment
    assert "> The judge is unreliable in pairs: in 12 of 12 (100 %) it changed its mind with the order" in comment
    assert len(bench.asked_about_pairs) == 24


def test_both_orders_are_asked_and_nothing_tells_the_sides_apart(bench: Bench) -> None:
    cases = some_cases(4)
    bench.suite(cases)
    bench.on_pair = prefers_heads
    bench.both_runs(cases)
    for pair in bench.pairs():
        assert [answer["first"] for answer in pair["answers"]] == [
            first_side(pair["case_id"]).value, first_side(pair["case_id"]).other.value
        ]  # fmt: skip
    firsts = {first_side(case["id"]) for case in some_cases(12)}
    assert firsts == {Side.BASE, Side.HEAD}
    for asked in bench.asked_about_pairs:
        sent = json.dumps(asked.body).casefold()
        assert not any(
            word in sent for word in ('"base', '"head', "baseline", "old reply", "new reply", "pull request")
        )


def test_won_pairs_stand_in_comment_report_and_footer(bench: Bench) -> None:
    cases = some_cases(3)
    bench.suite(cases)
    bench.on_pair = prefers_heads
    bench.both_runs(cases)
    assert "judged side by side: 3 better, 0 worse, 0 alike" in bench.read(".quilate/comment.md").casefold()
    again = bench.quilate("report", ".quilate/run.jsonl", "--baseline", "base/run.jsonl", "--format", "md")
    assert "judged side by side: 3 better, 0 worse, 0 alike" in again.stdout.casefold()
    footer = json.loads(bench.read(".quilate/run.jsonl").splitlines()[-1])
    assert footer["judge"]["pairs"] == 3
    assert footer["judge"]["requests"] == 6


def test_pairs_of_other_replies_are_not_told_even_of_runs_begun_in_the_same_second(bench: Bench) -> None:
    cases = some_cases(3)
    bench.suite(cases)
    bench.on_pair = prefers_heads
    bench.both_runs(cases)
    header, *_ = bench.read("base/run.jsonl").splitlines(keepends=True)
    _, *lines = bench.read(".quilate/run.jsonl").splitlines(keepends=True)
    other_base = bench.folder / "other.jsonl"
    other_base.write_text("".join([header, *lines]))
    other = bench.quilate("report", ".quilate/run.jsonl", "--baseline", "other.jsonl", "--format", "md")
    assert "side by side:" not in other.stdout.casefold()


def test_identical_replies_are_not_asked_about_unless_all_are(bench: Bench) -> None:
    cases = some_cases(3)
    for mode, asked in (("changed", 2), ("all", 6), ("off", 0)):
        bench.suite(cases, side_by_side=mode)
        bench.replies([a_reply(case) for case in cases])
        bench.quilate("run", "--out", "base", "-q")
        bench.replies([a_reply(case, output="new") if case["id"] == "c0001" else a_reply(case) for case in cases])
        bench.judge.asked.clear()
        bench.quilate("run", "--baseline", "base/run.jsonl", "--out", mode, "-q")
        assert len(bench.asked_about_pairs) == asked, mode


def test_a_judge_that_is_down_gives_no_pairs_says_so_and_changes_no_verdict(bench: Bench) -> None:
    cases = some_cases(12)
    bench.suite(cases)
    bench.judge.script = lambda _asked: Answer({"error": {"message": "overloaded"}}, status=503)
    run = bench.both_runs(cases)
    assert run.returncode == 0
    assert "PASS orders: 12 of 12 approved, as before" in run.stdout
    comment = bench.read(".quilate/comment.md")
    assert "12 pairs without an answer of the judge" in comment
    assert "judged side by side" not in comment.casefold()
    assert len(bench.judge.asked) == 8  # one batch of four pairs; the rest is not asked
    assert {pair["error"] for pair in bench.pairs()} == {"infrastructure"}


def test_without_a_key_no_pair_is_asked_about(bench: Bench) -> None:
    cases = some_cases(12)
    bench.suite(cases)
    bench.replies([a_reply(case) for case in cases])
    bench.quilate("run", "--out", "base", "-q")
    bench.replies([a_reply(case, output="new") for case in cases])
    run = bench.quilate("run", "--baseline", "base/run.jsonl", key=None)
    assert run.returncode == 0
    assert {pair["error"] for pair in bench.pairs()} == {"secret"}
    assert bench.judge.asked == []


def test_the_budget_holds_for_verdicts_and_pairs_together(bench: Bench) -> None:
    cases = some_cases(12)
    price = {"input": 10, "output": 100}  # 100 tokens in and 20 out: 0.003 USD an answer
    bench.suite(cases, max_usd=0.012, price=price, concurrency=1)
    bench.on_pair = prefers_heads
    run = bench.both_runs(cases)
    assert run.returncode == 0, run.stderr
    footer = json.loads(bench.read(".quilate/run.jsonl").splitlines()[-1])
    assert footer["judge"]["requests"] == 4
    assert [pair.get("error") for pair in bench.pairs()] == [None, None, *["budget"] * 10]
    assert "10 pairs without an answer of the judge" in bench.read(".quilate/comment.md")


def test_what_tools_gave_outweighs_a_judge_that_was_taken_in(bench: Bench) -> None:
    cases = some_cases(1)
    bench.suite(cases)
    bench.on_pair = prefers_heads
    nothing = [{"name": TOOL, "args": {}, "output": []}]
    bench.replies([a_reply(cases[0], output="I could not find that order.", tool_calls=nothing)])
    bench.quilate("run", "--out", "base", "-q")
    bench.replies([a_reply(cases[0], output="Good news: it arrives on Friday.", tool_calls=nothing)])
    bench.on_pair = lambda asked: pair_answer(asked, "response_1" if says_friday(asked) else "response_2")
    bench.quilate("run", "--baseline", "base/run.jsonl", "-q")
    [pair] = bench.pairs()
    assert {answer["preferred"] for answer in pair["answers"]} == {"head"}
    assert (pair["preferred"], pair["decided_by"]) == ("base", "code")
    assert (pair["base"]["fulfilment"], pair["head"]["fulfilment"]) == (2, 1)
    assert pair["rulings"]["head"]["rule"] == "hallucination"


def test_resuming_asks_about_no_pair_twice(bench: Bench) -> None:
    cases = some_cases(3)
    bench.suite(cases)
    bench.on_pair = prefers_heads
    bench.both_runs(cases)
    before = len(bench.asked_about_pairs)
    bench.quilate("run", "--baseline", "base/run.jsonl", "--resume", "-q")
    assert len(bench.asked_about_pairs) == before
    assert {pair["preferred"] for pair in bench.pairs()} == {"head"}
