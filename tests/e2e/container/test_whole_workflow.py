"""A whole workflow on this machine: act runs it, the real image is the action, and GitHub is the fake on loopback."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]

WORKFLOW = """
on: [push, pull_request]
jobs:
  evals:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v7
      - id: agent
        uses: ./quilate
        continue-on-error: true
        with:
          mode: ${{ github.event_name == 'push' && 'record' || 'compare' }}
      - run: echo "outcome=$OUTCOME verdict=$VERDICT drop=$DROP url=$URL file=$(head -c 16 "$RUN_FILE" | tr -d '\\n')"
        env:
          OUTCOME: ${{ steps.agent.outcome }}
          VERDICT: ${{ steps.agent.outputs.verdict }}
          DROP: ${{ steps.agent.outputs.drop_points }}
          URL: ${{ steps.agent.outputs.comment_url }}
          RUN_FILE: ${{ steps.agent.outputs.run_file }}
"""
AGENT = """
import json, sys
case = json.load(sys.stdin)
print(json.dumps({"output": f"Answer to {case['input']}" if case["case_id"] not in %r else "No idea"}))
"""
CONFIG = "suite: shop\ngoldens: [goldens.yaml]\nagent: {command: [python, agent.py]}\n"


def goldens() -> str:
    cases = [{"id": f"case-{n}", "category": "c", "input": f"q{n}", "required_phrases": [f"q{n}"]} for n in range(10)]
    return yaml.safe_dump({"version": "1", "cases": cases})


@pytest.fixture
def shop(runner):
    """A repository with the action in a folder of its own. Its image is built already; act looks no further."""
    for name in ("action.yml", "Dockerfile"):
        runner.write({f"quilate/{name}": (ROOT / name).read_text("utf-8")})
    runner.write({"quilate.yml": CONFIG, "goldens.yaml": goldens(), "agent.py": AGENT % ([],)})
    runner.write({".github/workflows/evals.yml": WORKFLOW})
    return runner


def path_with_act() -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if shutil.which("act", path=path) is None:
        pytest.skip("act is not installed: requirements/test.txt has it for Linux")
    return path


def act(shop, event: str, payload: dict[str, object], **permissions: str) -> str:
    path = shop.folder / f"{event}.json"
    path.write_text(json.dumps(payload))
    subprocess.run(
        ["git", "-C", str(shop.workspace), "remote", "add", "origin", "https://github.com/octo/shop.git"],
        capture_output=True,
    )
    token = shop.github.token(**permissions)
    env = {"GITHUB_TOKEN": token, "PATH": path_with_act(), "QUILATE_IMAGE": shop.engine.image}
    done = subprocess.run(
        [ROOT / "scripts/workflow", shop.workspace, event, path, shop.github.url],
        env=os.environ | env,
        capture_output=True, text=True, errors="replace", timeout=300,
    )  # fmt: skip
    log = done.stdout + done.stderr
    assert done.returncode == 0, log
    return log


def said(log: str) -> dict[str, str]:
    """What the step after the action read of its outputs."""
    line = re.findall(r"\| (outcome=.*)", log)[-1]
    return dict(word.split("=", 1) for word in line.split(" "))


def test_a_workflow_records_compares_comments_and_hands_its_outputs_on(shop):
    assert shop.github.repository.full_name == "octo/shop"
    first = shop.commit()
    repository = {"full_name": "octo/shop", "default_branch": "main", "name": "shop", "owner": {"login": "octo"}}
    pushed = act(
        shop,
        "push",
        {"ref": "refs/heads/main", "after": first, "deleted": False, "repository": repository},
        contents="write",
    )
    assert said(pushed) | {"file": ""} == {
        "outcome": "success", "verdict": "recorded", "drop": "", "url": "", "file": "",
    }  # fmt: skip
    assert said(pushed)["file"].startswith('{"kind":')
    assert any(first in name for name in shop.github.repository.files_of("quilate-data"))

    shop.write({"agent.py": AGENT % (["case-3", "case-7"],)})
    head = shop.commit()
    shop.github.repository.refs["refs/heads/main"] = first
    shop.github.repository.open_pull(1, head)
    pull = {
        "number": 1, "state": "open", "head": {"sha": head, "ref": "topic", "repo": {"full_name": "octo/shop"}},
        "base": {"ref": "main", "sha": first, "repo": {"full_name": "octo/shop"}},
    }  # fmt: skip
    compared = act(
        shop, "pull_request",
        {"action": "opened", "number": 1, "pull_request": pull, "repository": repository},
        contents="read", pull_requests="write", actions="read",
    )  # fmt: skip
    after = said(compared)
    assert (after["outcome"], after["verdict"], after["drop"]) == ("failure", "fail", "20")
    (comment,) = shop.github.repository.comments
    assert after["url"].endswith(f"#issuecomment-{comment.id}")
    assert "case-3" in comment.body
