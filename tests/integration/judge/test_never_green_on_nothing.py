"""A run that could not judge is never green: verdict, exit code and first line of the comment, state by state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.integration.judge.conftest import Answer, Asked, Loopback
from tests.judge_factories import met, supported
from tests.wire_factories import SPEAKERS

from quilate.cli import main

CHAT = SPEAKERS[1]
CASES = 8


class World:
    """Agent (`/agent`), search (`/search`) and judge, each of which can be told to fail."""

    def __init__(self) -> None:
        self.judge: Answer | None = None
        self.search: Answer = Answer({"fragments": ["Abrimos a las 9."]})
        self.judge_fails_after: int | None = None
        self.judged = 0

    def __call__(self, asked: Asked) -> Answer:
        if asked.path == "/agent":
            return Answer({"output": "Abrimos a las 9.", "tool_calls": []})
        if asked.path == "/search":
            return self.search
        self.judged += 1
        if self.judge is not None:
            return self.judge
        if self.judge_fails_after is not None and self.judged > self.judge_fails_after:
            return Answer(CHAT.error("down"), 503)
        text = asked.body["messages"][1]["content"]
        grounded = '"unsupported_claims"' in text
        view = {"evidence": "", "justification": "", "verdict": "yes"}
        return Answer(CHAT.says({"c01": supported(1)} if grounded else {"c01": met()} if '"met"' in text else
                                {f"c0{number}": view for number in (1, 2, 3)}))  # fmt: skip


@pytest.fixture
def world(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    loopback.script = World()
    return loopback.script


def run(
    folder: Path, loopback: Loopback, *args: str, grounded: bool = False, judge: dict[str, Any] | None = None
) -> Any:
    expected = {"grounded": True} if grounded else {"expected_behavior": ["es amable"]}
    cases = [{"id": f"c-{n}", "category": "horario", "input": f"¿Horario {n}?", **expected} for n in range(CASES)]
    (folder / "g.json").write_text(json.dumps({"version": "1", "cases": cases}))
    written: dict[str, Any] = {
        "suite": "s", "goldens": ["g.json"], "agent": {"http": {"url": loopback.url + "/agent"}},
        "retriever": {"http": {"url": loopback.url + "/search"}},
    }  # fmt: skip
    if judge is not None:
        base = {"provider": "openai", "model": "gpt-6-luna", "base_url": loopback.url + "/v1", "retries": 0}
        written["judge"] = {**base, **judge}
    (folder / "quilate.yml").write_text(json.dumps(written))
    return CliRunner().invoke(
        main, ["run", "--config", str(folder / "quilate.yml"), "--out", str(folder / "out"), *args]
    )


def first_line(folder: Path) -> str:
    lines = (folder / "out" / "comment.md").read_text().splitlines()
    return next(line for line in lines if line.strip() and not line.startswith("<!--"))


def a_baseline(folder: Path, loopback: Loopback, **options: Any) -> str:
    done = run(folder, loopback, judge={}, **options)
    assert (folder / "out" / "run.jsonl").exists(), done.output
    base = folder / "base.jsonl"
    (folder / "out" / "run.jsonl").rename(base)
    return str(base)


RUBBISH = Answer(CHAT.says("All good!"))
DOWN = Answer(CHAT.error("down"), 503)

NOTHING_COMMON = "could not tell, no case could be compared with the base"
STATES = {
    "no judge configured": (None, {}, False, NOTHING_COMMON),
    "judge down": ({}, {"judge": DOWN}, False, "could not tell, 8 of 8 cases have no grade"),
    "judge answering rubbish": ({}, {"judge": RUBBISH}, False, "could not tell, 8 of 8 cases have no grade"),
    "budget reached at once": (
        {"max_usd": 0.0000001, "concurrency": 1}, {}, False, "could not tell, 7 of 8 cases have no grade",
    ),
    "every search empty": ({}, {"search": Answer({"fragments": []})}, True, NOTHING_COMMON),
    "search down": ({}, {"search": Answer({}, 503)}, True, "could not tell, 8 of 8 cases have no grade"),
}  # fmt: skip


@pytest.mark.parametrize(("judge", "states", "grounded", "said"), STATES.values(), ids=STATES.keys())
def test_a_run_that_could_not_judge_is_inconclusive(
    tmp_path: Path, loopback: Loopback, world: World, judge: Any, states: dict[str, Answer], grounded: bool, said: str
) -> None:
    base = a_baseline(tmp_path, loopback, grounded=grounded)
    # Another model is another judge: no verdict of the baseline stands in for those that could not be made.
    other = None if judge is None else {"model": "gpt-6.1-terra", **judge}
    for name, answer in states.items():
        setattr(world, name, answer)
    done = run(tmp_path, loopback, "--baseline", base, grounded=grounded, judge=other)
    assert done.exit_code == 3
    assert first_line(tmp_path) == f"## ⚠️ s: {said}"
    assert f"INCONCLUSIVE s: {said}" in done.output


def test_an_outage_in_the_middle_is_resumed_without_asking_the_agent_again(
    tmp_path: Path, loopback: Loopback, world: World
) -> None:
    base = a_baseline(tmp_path, loopback)
    loopback.asked.clear()
    world.judged, world.judge_fails_after = 0, 3
    done = run(tmp_path, loopback, "--baseline", base, judge={"model": "gpt-6.1-terra", "concurrency": 1})
    assert done.exit_code == 3, done.output
    assert sum(asked.path == "/agent" for asked in loopback.asked) == CASES
    loopback.asked.clear()
    world.judge_fails_after = None
    done = run(
        tmp_path, loopback, "--baseline", base, "--resume", judge={"model": "gpt-6.1-terra", "concurrency": 1}
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert sum(asked.path == "/agent" for asked in loopback.asked) == 0


def test_a_change_of_no_reply_costs_no_judgement(tmp_path: Path, loopback: Loopback, world: World) -> None:
    base = a_baseline(tmp_path, loopback)
    world.judged = 0
    done = run(tmp_path, loopback, "--baseline", base, judge={})
    assert done.exit_code == 0, done.output
    assert world.judged == 0
