"""An agent that wants our token and the runner's files, in the real image. As root it would get them; it does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CONFIG = """
suite: shop
goldens: [goldens.yaml]
agent: {command: [python, agent.py]}
"""
GOLDENS = "version: '1'\ncases: [{id: one, category: c, input: Hello, required_phrases: [seen]}]\n"
SPY = Path(__file__).with_name("hostile_agent.py").read_text("utf-8")
GIT_CONFIG = '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n'


@pytest.fixture
def spied(runner):
    """What the agent saw, and the step; `as_root`: had the image no user for it."""

    def act(*, as_root: bool = False):
        runner.write({"quilate.yml": CONFIG, "goldens.yaml": GOLDENS, "agent.py": SPY})
        sha = runner.commit()
        runner.write({".git/config": (runner.workspace / ".git/config").read_text() + GIT_CONFIG})
        if as_root:
            runner.env = {"QUILATE_AGENT_USER": ""}
        step = runner.push(sha)
        assert (step.code, step.outputs.get("verdict")) == (0, "recorded"), step.log
        lines = [json.loads(line) for line in (runner.workspace / ".quilate/run.jsonl").read_text().splitlines()]
        reply = next(line["reply"] for line in lines if line["kind"] == "reply")
        return json.loads(reply["output"].removeprefix("seen ")), step

    return act


def test_the_agent_gets_nothing(spied, runner):
    seen, step = spied()
    assert (seen["uid"], seen["groups"]) == (10001, [])
    assert set(seen["own"]) <= {"PATH", "HOME", "LANG", "LC_CTYPE"}
    assert seen["tokens"] == []
    assert (seen["memory"], seen["maps"], seen["kill"]) == ("PermissionError",) * 3
    assert not seen["ptrace"]
    assert seen["files"] == []
    for name in ("event", "output", "env", "path", "credentials", "git", "goldens", "run", "code"):
        assert seen[name] == "PermissionError", name
    assert seen["docker"] in ("FileNotFoundError", "PermissionError")
    assert seen["setuid"] == ""
    assert max(seen["fds"]) <= 3  # its three streams, and the folder that it is listing
    assert step.outputs["verdict"] == "recorded"
    assert "::warning" not in step.log


def test_the_same_agent_would_get_everything_as_root(spied):
    seen, _ = spied(as_root=True)
    assert seen["tokens"]
    assert (seen["ptrace"], seen["output"], seen["goldens"]) == (True, True, True)
    assert "/opt/quilate" in seen["maps"]
    assert "c2VjcmV0" in seen["git"] + seen["credentials"]
    assert seen["files"]


def test_the_runners_files_are_its_own_again_afterwards(spied, runner):
    spied()
    folder = runner.folder / "step-1"
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert modes == {"file_commands": 0o755, "workflow": 0o755, "home": 0o755, "runner_temp": 0o755}
    assert {path.stat().st_mode & 0o777 for path in (folder / "file_commands").iterdir()} == {0o666}
    owners = {path.stat().st_uid for path in (runner.workspace / ".quilate").rglob("*")}
    assert owners == {1001}


def test_files_that_cannot_be_shut_are_told(runner):
    runner.owner = 10001
    runner.write({"quilate.yml": CONFIG, "goldens.yaml": GOLDENS, "agent.py": SPY})
    step = runner.push(runner.commit())
    assert "::warning" in step.log
    assert "it belongs to the agent's user" in step.log


def test_modules_in_the_workspace_are_not_ours(runner):
    bait = "open('/github/workspace/imported', 'w').close()\n"
    modules = (
        "json",
        "click",
        "yaml",
        "typing",
        "quilate/__init__",
        "sitecustomize",
        "usercustomize",
        "github/__init__",
    )
    runner.write({f"{name}.py": bait for name in modules})
    runner.write({"quilate.yml": CONFIG.replace("agent.py", "-I, agent.py"), "goldens.yaml": GOLDENS})
    runner.write({"agent.py": "import json; print(json.dumps({'output': 'seen'}))"})
    runner.env = {"PYTHONPATH": "/github/workspace", "PYTHONSTARTUP": "/github/workspace/json.py"}
    step = runner.push(runner.commit())
    assert (step.code, step.outputs["verdict"]) == (0, "recorded"), step.log
    assert not (runner.workspace / "imported").exists()
