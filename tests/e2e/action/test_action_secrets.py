"""Hostile agents and golden files: nothing they print takes effect, nothing secret leaves."""

from __future__ import annotations

import json

SECRET = "sk-live-0123456789abcdef-öß"
AGENT = """import json, os, sys
asked = json.load(sys.stdin)
with open(f"/proc/{os.getppid()}/environ") as environ:  # outside the container nothing keeps it from that
    token = environ.read().partition("INPUT_TOKEN=")[2].partition("\\0")[0]
said = "token: " + token + " and " + ", ".join(token for _ in range(60))  # wherever a quotation is cut, one is cut
said += os.environ.get("AGENT_KEY", "no key") + " and " + " ".join(sorted(os.environ))
noise = "\\n::set-output name=verdict::pass\\n::add-mask::order\\n::stop-commands::x\\n##[error]boo\\n::error::boo\\n"
sys.stderr.write(said + noise)
print(json.dumps({"output": said + noise, "tool_calls": []}))
"""
CONFIG = """suite: orders
goldens: [goldens.yaml]
agent: {command: [python3, agent.py], env: [AGENT_KEY]}
"""
GOLDENS = """cases:
  - {id: "a ${{ secrets.X }}", category: c, input: "::error::hi ${{ secrets.X }}", required_phrases: ["never said"]}
  - {id: "b\\n::error::boo", category: "##[error]c", input: q, required_phrases: [key]}
"""


def everything(shop, result):
    files = [path.read_bytes() for path in result.folder.rglob("*") if path.is_file()]
    stored = list(shop.fake.repository.files_of("quilate-data").values())
    comments = [one.body.encode() for one in shop.fake.repository.comments]
    return b"\n".join([*files, *stored, *comments, result.summary.encode(), json.dumps(result.outputs).encode()])


def test_a_hostile_agent_and_golden_file_take_no_effect_and_leak_nothing(shop, executed):
    sha = shop.main({"quilate.yml": CONFIG, "goldens.yaml": GOLDENS, "agent.py": AGENT, ".gitignore": ".quilate\n"})
    env = {"AGENT_KEY": SECRET, "DEPLOY_TOKEN": "ghp_other_secret_value_1"}
    pushed = shop.record(sha, env=env, process=True)
    assert pushed.code == 0, pushed.log
    result = shop.compare(*shop.topic({"n.txt": "x"}), action="opened", env=env, process=True)
    assert result.code == 0, result.log
    for one in (pushed, result):
        kinds = {command.split("::")[1].split(" ")[0] for command in executed(one.log)}
        assert kinds <= {"add-mask", "error", "warning", "notice"}
        masks = [command for command in executed(one.log) if command.startswith("::add-mask::")]
        assert f"::add-mask::{SECRET}" in masks
        assert "::add-mask::order" not in masks
        said = one.log
        for mask in masks:
            said = said.replace(mask, "")
        assert SECRET not in said
        assert "ghs_" not in said
        published = everything(shop, one)
        assert SECRET.encode() not in published
        assert json.dumps(SECRET)[1:-1].encode() not in published
        assert b"ghs_" not in published
        assert b"token: [secret]" in published
        assert b"GITHUB_TOKEN" not in published
        assert b"DEPLOY_TOKEN" not in published
    assert result.outputs["verdict"] in ("pass", "fail")
    assert set(result.outputs) == {
        "verdict",
        "pass_rate",
        "base_pass_rate",
        "drop_points",
        "run_file",
        "report",
        "comment_url",
    }


def test_annotations_are_at_the_golden_cases_own_lines(opened, reply_lines, executed):
    result = opened.compare(*opened.topic({"replies.jsonl": reply_lines(3, 8)}), action="opened")
    errors = [command for command in executed(result.log) if command.startswith("::error")]
    assert any("file=goldens.yaml,line=5," in command for command in errors)
    assert any("file=goldens.yaml,line=10," in command for command in errors)
