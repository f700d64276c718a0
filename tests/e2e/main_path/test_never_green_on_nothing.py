"""None of these says pass: what was set up, and the verdict, the exit code and the comment's first line it comes to."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from tests.suite_factories import a_case, a_reply, some_cases, some_replies

from quilate.providers.scripted import first_of_schema

AWAY = {"owner": "ada@example.com", "reason": "flaky since the last release", "until": "2999-12-31"}
OUTAGE = {"error": {"kind": "infrastructure", "message": "the provider is down"}, "output": ""}
CASES = some_cases(20)
FAST = some_cases(20, max_latency_ms=1000)
JUDGED = some_cases(6, expected_behavior=["answers the question"])
GROUNDED = some_cases(6, grounded=True)


@dataclass
class World:
    """The suite and the servers that it may ask."""

    suite: Any
    server: Any
    judge_server: Any

    def write(self, cases: list[dict[str, Any]], replies: list[dict[str, Any]] | None = None, **config: Any) -> None:
        self.suite.config(**config)
        self.suite.goldens(cases)
        self.suite.replies(some_replies(cases) if replies is None else replies)

    def judge(self, **more: Any) -> dict[str, Any]:
        base_url = f"{self.judge_server.url}/v1"
        return {
            "provider": "openai",
            "model": "judge-1",
            "base_url": base_url,
            "retries": 0,
            "api_key_env": "KEY",
        } | more

    def http(self) -> dict[str, Any]:
        return {"http": {"url": f"{self.server.url}/ask"}, "retries": 1}

    def search(self) -> dict[str, Any]:
        return {"http": {"url": f"{self.server.url}/search"}}


def says(body: Any) -> Callable[[Any], tuple[int, Any]]:
    return lambda _asked: (200, body)


def completion(text: str, tokens: int = 20) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "judge-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 100, "completion_tokens": tokens, "total_tokens": 100 + tokens},
    }  # fmt: skip


def agrees(asked: Any) -> tuple[int, Any]:
    """A judge on the wire that approves of everything, in the shape it was asked for."""
    answer = first_of_schema(asked.body["response_format"]["json_schema"]["schema"])
    for each in answer.values():
        if "verdict" in each:
            each |= {"verdict": "not_invented", "supporting_blocks": [1]}
    return 200, completion(json.dumps(answer))


# Each sets up a base (unless it says otherwise), then what head is; the run that follows is told by the table.


def every_reply_429(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.server.answer = lambda _: (429, {"error": "slow down"})
    world.server.headers = {"Retry-After": "0"}
    world.suite.config(agent=world.http())


def command_not_found(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.suite.config(agent={"command": ["no-such-agent"]})


def connection_refused(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.suite.config(agent={"http": {"url": "http://127.0.0.1:9/ask"}, "retries": 0})


def crashes_in_both(world: World) -> None:
    world.write(CASES, agent={"command": ["no-such-agent"]})
    world.suite.base()


def two_of_twenty_in_error(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.suite.replies([*[a_reply(case, **OUTAGE) for case in CASES[:2]], *some_replies(CASES[2:])])


def three_of_twenty_in_error(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.suite.replies([*[a_reply(case, **OUTAGE) for case in CASES[:3]], *some_replies(CASES[3:])])


def every_input_edited(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.write([{**case, "input": f"{case['input']} Please."} for case in CASES])


def only_latency(world: World) -> None:
    world.write(FAST)
    world.suite.base()


def only_latency_in_head(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.write(FAST)


def base_of_errors(world: World) -> None:
    world.write(CASES, [a_reply(case, **OUTAGE) for case in CASES])
    world.suite.base()
    world.write(CASES)


def base_cut_off(world: World) -> None:
    world.write(CASES)
    file = world.suite.base().written / "run.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))


def only_a_category_of_base(world: World) -> None:
    world.write([{**case, "category": "a" if number < 15 else "b"} for number, case in enumerate(CASES)])
    world.suite.base()


def too_few_in_common(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.write([*CASES[:15], *[a_case(number) for number in range(100, 120)]])


def every_case_edited_where_edits_gate(world: World) -> None:
    """Nothing is called for any more, so that replies which were wrong are right."""
    world.write(CASES, some_replies(CASES, wrong=20), gate={"edited_cases": "fail"})
    world.suite.base()
    easy = [{**case, "expected_tool": None, "forbidden_tools": ["other"]} for case in CASES]
    world.write(easy, some_replies(CASES, wrong=20), gate={"edited_cases": "fail"})


def every_case_edited_where_edits_warn(world: World) -> None:
    """The same with an agent that calls nothing any more: base's definitions approve of none of it."""
    world.write(CASES)
    world.suite.base()
    easy = [{**case, "expected_tool": None, "forbidden_tools": ["other"]} for case in CASES]
    world.write(easy, some_replies(CASES, wrong=20))


def every_case_edited_without_stored_replies(world: World) -> None:
    world.write(CASES)
    file = world.suite.base().written / "run.jsonl"
    kept = [line for line in file.read_bytes().splitlines(keepends=True) if b'"kind":"reply"' not in line]
    file.write_bytes(b"".join(kept))
    world.write([{**case, "forbidden_tools": ["other"]} for case in CASES])


def every_case_renamed_and_broken(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    renamed = [{**case, "id": f"renamed-{case['id']}"} for case in CASES]
    world.write(renamed, some_replies(renamed, wrong=20))


def every_expectation_deleted(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    world.write([{key: case[key] for key in ("id", "category", "input")} for case in CASES])


def all_in_quarantine(world: World) -> None:
    world.write([{**case, "quarantine": AWAY} for case in CASES])
    world.suite.base()


def all_in_quarantine_by_this_change(world: World) -> None:
    world.write(CASES)
    world.suite.base()
    away = [{**case, "quarantine": AWAY} for case in CASES]
    world.write(away, some_replies(away, wrong=20))


def no_judge(world: World) -> None:
    world.write(JUDGED)
    world.suite.base()


def judge_without_its_key(world: World) -> None:
    world.judge_server.answer = agrees
    world.write(JUDGED, judge=world.judge())
    world.suite.base()
    world.suite.environ.clear()
    world.suite.replies([a_reply(case, output="another answer") for case in JUDGED])


def judge_down(world: World) -> None:
    world.judge_server.answer = agrees
    world.write(JUDGED, judge=world.judge())
    world.suite.base()
    world.judge_server.answer = lambda _: (529, {"error": {"message": "overloaded"}})
    world.suite.replies([a_reply(case, output="another answer") for case in JUDGED])


def judge_says_rubbish(world: World) -> None:
    world.judge_server.answer = agrees
    world.write(JUDGED, judge=world.judge())
    world.suite.base()
    world.judge_server.answer = says(completion("The agent did rather well, I think."))
    world.suite.replies([a_reply(case, output="another answer") for case in JUDGED])


def budget_spent_at_once(world: World) -> None:
    world.judge_server.answer = agrees
    price = {"input": 1000, "output": 1000}
    world.write(JUDGED, judge=world.judge(price=price))
    world.suite.base()
    world.suite.config(judge=world.judge(price=price, max_usd="0.000001", concurrency=1))
    world.suite.replies([a_reply(case, output="another answer") for case in JUDGED])


def judge_swapped_without_budget(world: World) -> None:
    world.judge_server.answer = agrees
    price = {"input": 1000, "output": 1000}
    world.write(JUDGED, judge=world.judge(price=price))
    world.suite.base()
    world.suite.config(judge=world.judge(model="judge-2", price=price, max_usd="0.000001", concurrency=1))


def every_search_empty(world: World) -> None:
    grounded_base(world)
    world.server.answer = says({"fragments": []})


def search_down(world: World) -> None:
    grounded_base(world)
    world.server.answer = lambda _: (500, {"error": "no index"})


def every_search_empty_in_both(world: World) -> None:
    grounded_base(world, fragments=[])


def grounded_base(world: World, fragments: list[str] = ["The answer is known."]) -> None:  # noqa: B006 - not changed
    world.judge_server.answer = agrees
    world.server.answer = says({"fragments": [{"text": text} for text in fragments]})
    world.write(GROUNDED, judge=world.judge(), retriever=world.search())
    world.suite.base()


@dataclass(frozen=True)
class Row:
    setup: Callable[[World], None]
    code: int
    headline: str
    arguments: tuple[str, ...] = ()


TELL = "⚠️ orders: could not tell, "
NECESSARY = "latency, metrics and not crashing"
NOTHING_COMMON = TELL + "no case could be compared with the base"
NO_GRADE = TELL + "6 of 6 cases have no grade"
ALL_BROKE = "❌ orders: pass rate fell 100.0 points, the limit is 5"
TOO_FEW = TELL + "only 15 of the base's 20 graded cases could be compared"
ONLY_BY_EDIT = "❌ orders: 20 cases pass only because this change edited what they expect"
ALL_BY_EDIT = "all 20 approved cases pass only because this change edited what they expect"
HIDDEN = TELL + "2 cases approved in base are in error here and could hide a drop beyond the limit"
UNUSABLE = TELL + "the base's run cannot be compared with: "
TABLE = [
    Row(every_reply_429, 3, TELL + "20 of 20 cases have no grade"),
    Row(command_not_found, 1, ALL_BROKE),
    Row(connection_refused, 1, ALL_BROKE),
    Row(crashes_in_both, 3, UNUSABLE + "`none of its 20 cases was answered in time`"),
    Row(two_of_twenty_in_error, 3, HIDDEN),
    Row(three_of_twenty_in_error, 3, TELL + "3 of 20 cases have no grade"),
    Row(every_input_edited, 3, NOTHING_COMMON),
    Row(only_latency, 3, NOTHING_COMMON),
    Row(only_latency_in_head, 3, NOTHING_COMMON),
    Row(base_of_errors, 3, UNUSABLE + "`20 of the run's 20 cases are in error, more than 10 %`"),
    Row(base_cut_off, 3, UNUSABLE + "`the run is incomplete: its file has no footer`"),
    Row(only_a_category_of_base, 3, TOO_FEW, ("--category", "a")),
    Row(too_few_in_common, 3, TOO_FEW),
    Row(every_case_edited_where_edits_gate, 1, ONLY_BY_EDIT),
    Row(every_case_edited_where_edits_warn, 3, TELL + ALL_BY_EDIT),
    Row(every_case_edited_without_stored_replies, 3, NOTHING_COMMON),
    Row(every_case_renamed_and_broken, 1, ALL_BROKE),
    Row(every_expectation_deleted, 3, NOTHING_COMMON),
    Row(all_in_quarantine, 3, NOTHING_COMMON),
    Row(all_in_quarantine_by_this_change, 1, ALL_BROKE),
    Row(no_judge, 3, NOTHING_COMMON),
    Row(judge_without_its_key, 3, NO_GRADE),
    Row(judge_down, 3, NO_GRADE),
    Row(judge_says_rubbish, 3, NO_GRADE),
    Row(budget_spent_at_once, 3, TELL + "5 of 6 cases have no grade"),
    Row(judge_swapped_without_budget, 3, TELL + "5 of 6 cases have no grade"),
    Row(every_search_empty, 3, NOTHING_COMMON),
    Row(every_search_empty_in_both, 3, NOTHING_COMMON),
    Row(search_down, 3, NO_GRADE),
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.setup.__name__)
def test_it_does_not_say_pass(suite, server, judge_server, row):
    suite.environ["KEY"] = "a key"
    row.setup(World(suite, server, judge_server))
    ran = suite.head(*row.arguments)
    assert (ran.code, ran.headline) == (row.code, row.headline), ran.err


@pytest.mark.parametrize(("setting", "code"), [("pass", 0), ("fail", 3)])
def test_without_a_baseline_it_says_not_compared_under_both_settings(suite, server, judge_server, setting, code):
    World(suite, server, judge_server).write(CASES, gate={"on_missing_baseline": setting})
    ran = suite.run()
    assert (ran.code, ran.headline) == (code, "⚪ orders: 20 of 20 approved, not compared")
    assert ran.last_line == "NOT COMPARED orders: 20 of 20 approved, not compared"


def test_a_directory_without_a_usable_record_is_no_baseline(suite, server, judge_server):
    World(suite, server, judge_server).write(CASES, gate={"on_missing_baseline": "fail"})
    (suite.folder / "empty").mkdir()
    ran = suite.run("--baseline", "empty")
    assert (ran.code, ran.headline) == (3, "⚪ orders: 20 of 20 approved, not compared")


@pytest.mark.parametrize("setting", ["pass", "fail"])
@pytest.mark.parametrize(
    ("agent", "cases", "headline"),
    [
        ({"command": ["no-such-agent"]}, CASES, "the agent crashed at each of 20 cases"),
        ({"replay": "outage.jsonl"}, CASES, "20 of 20 cases have no grade"),
        ({"replay": "replies.jsonl"}, FAST, "none of 20 cases has a grade"),
    ],
    ids=["all crash alike", "all in error", "only latency"],
)  # fmt: skip
def test_nothing_of_substance_and_no_baseline_is_inconclusive_and_not_green(
    suite, server, judge_server, setting, agent, cases, headline
):
    World(suite, server, judge_server).write(cases, agent=agent, gate={"on_missing_baseline": setting})
    suite.replies([a_reply(case, **OUTAGE) for case in CASES], "outage.jsonl")
    ran = suite.run()
    assert (ran.code, ran.headline) == (3, TELL + headline)


@pytest.mark.parametrize("flag", ["--category", "--case", "--tag"])
def test_a_selection_of_nothing_is_an_error_of_usage(suite, server, judge_server, flag):
    World(suite, server, judge_server).write(CASES)
    ran = suite.run(flag, "nothing-like-it")
    assert ran.code == 2
    assert ran.err.startswith(f"error: {flag} 'nothing-like-it' selects no case")
    assert not (ran.written / "comment.md").exists()


@pytest.mark.parametrize("setup", [command_not_found, connection_refused], ids=lambda setup: setup.__name__)
def test_where_all_crash_alike_it_is_said_once_with_the_mend(suite, server, judge_server, setup):
    setup(World(suite, server, judge_server))
    ran = suite.head()
    mend = {command_not_found: "'no-such-agent' is not installed here", connection_refused: "start the agent before"}
    for told in (ran.comment, " ".join((ran.out + ran.err).split())):
        assert told.count("Every case crashed alike: ") == 1
        assert told.count(mend[setup]) == 1


HOSTILE_WORDS = "\x1b[2J\x1b]8;;https://example.com\x1b\\ \u202e ##[error]x\n::error::y"


def test_what_an_agent_says_when_all_crash_alike_is_obeyed_by_no_terminal_and_no_runner(suite, server, judge_server):
    script = f"import sys; sys.stderr.write({HOSTILE_WORDS!r}); sys.exit(3)"
    World(suite, server, judge_server).write(CASES, agent={"command": [sys.executable, "-c", script]})
    ran = suite.run()
    assert "Every case crashed alike: the agent exited with 3: ⟨U+001B⟩" in " ".join(ran.out.split())
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]|^\s*::|##\[", ran.err + ran.out, re.MULTILINE)
