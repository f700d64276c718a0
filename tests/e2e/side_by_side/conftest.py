"""A suite on disk with a judge on loopback, run as real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.integration.judge.conftest import Answer, Asked, Loopback, loopback
from tests.suite_factories import TOOL
from tests.wire_factories import SPEAKERS

from quilate.providers.scripted import first_of_schema

__all__ = ["loopback"]

SPEAKER = SPEAKERS[1]


def schema_of(asked: Asked) -> dict[str, Any]:
    schema: dict[str, Any] = asked.body["response_format"]["json_schema"]["schema"]
    return schema


def is_pair(asked: Asked) -> bool:
    return "response_1" in schema_of(asked)["properties"]


def pair_answer(asked: Asked, preferred: str, **scores: str) -> dict[str, Any]:
    """A valid answer about a pair; `scores` are fulfilments by response."""
    answer: dict[str, Any] = first_of_schema(schema_of(asked))
    task = asked.body["messages"][-1]["content"]
    for response in ("response_1", "response_2"):
        answer[response]["fulfilment"]["rating"] = scores.get(response, "3")
        if "factuality" in answer[response]:
            marked = f" {response}_tools>\n"
            rows = json.loads(task.split(marked)[1].split("\n")[0])
            answer[response]["factuality"] |= {"evidence_blocks": [rows[0]["block"]], "rating": "3"}
    answer["overall"] = {"justification": "It fulfils more of the request.", "preferred": preferred}
    return answer


class Bench:
    """A folder with a suite of cases, and `quilate` as a process in it."""

    def __init__(self, folder: Path, judge: Loopback) -> None:
        self.folder, self.judge = folder, judge
        self.on_pair: Callable[[Asked], dict[str, Any]] = lambda asked: pair_answer(asked, "response_1")
        judge.script = self._answer

    def _answer(self, asked: Asked) -> Answer:
        answer = self.on_pair(asked) if is_pair(asked) else first_of_schema(schema_of(asked))
        return Answer(SPEAKER.says(answer))

    @property
    def asked_about_pairs(self) -> list[Asked]:
        return [asked for asked in self.judge.asked if is_pair(asked)]

    def suite(self, cases: list[dict[str, Any]], **judge: Any) -> None:
        self.write("goldens.json", json.dumps({"version": "1", "cases": cases}))
        config = {
            "suite": "orders", "goldens": ["goldens.json"], "agent": {"replay": "replies.jsonl"},
            "judge": {"provider": "openai", "model": "gpt-6-luna", "base_url": f"{self.judge.url}/v1", "retries": 0,
                      **judge},
        }  # fmt: skip
        self.write("quilate.yml", json.dumps(config))

    def replies(self, replies: list[dict[str, Any]]) -> None:
        self.write("replies.jsonl", "".join(json.dumps(reply) + "\n" for reply in replies))

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def quilate(self, *args: str, key: str | None = "k") -> subprocess.CompletedProcess[str]:
        env = {name: value for name, value in os.environ.items() if name != "OPENAI_API_KEY"}
        env |= {} if key is None else {"OPENAI_API_KEY": key}
        return subprocess.run(
            [sys.executable, "-m", "quilate", *args], cwd=self.folder, env=env, text=True, capture_output=True,
            check=False, timeout=120,
        )  # fmt: skip

    def pairs(self, name: str = ".quilate/pairs.jsonl") -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.read(name).splitlines()]
        return [line for line in lines if line["kind"] == "pair"]

    def both_runs(self, cases: list[dict[str, Any]], head: str = "a new answer") -> subprocess.CompletedProcess[str]:
        """Base, recorded; then head, whose replies all differ, compared with it."""
        self.replies([a_reply(case) for case in cases])
        base = self.quilate("run", "--out", "base", "-q")
        assert (self.folder / "base" / "run.jsonl").exists(), base.stderr
        self.replies([a_reply(case, output=f"{head} to {case['id']}") for case in cases])
        return self.quilate("run", "--baseline", "base/run.jsonl")


def a_reply(case: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A reply whose tool gave data."""
    calls = [{"name": TOOL, "args": {}, "output": {"status": "shipped"}}]
    return {
        "case_id": case["id"],
        "output": f"answer to {case['id']}",
        "tool_calls": calls,
        "duration_ms": 10,
        **fields,
    }


@pytest.fixture
def bench(tmp_path: Path, loopback: Loopback) -> Bench:
    return Bench(tmp_path, loopback)
