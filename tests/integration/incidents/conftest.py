"""A repository with a suite, one golden case and an agent."""

from __future__ import annotations

import pytest

CONFIG = "suite: orders\ngoldens: ['goldens/**/*.yaml']\nagent: {command: [python3, agent.py]}\n"
GOLDENS = """# ours
version: '1'
cases:
  - id: known   # the first
    category: orders
    input: Is it in stock?
    forbidden_phrases: [sorry]
"""
AGENT = """import json, sys
asked = json.loads(sys.stdin.readline())
print(json.dumps({"case_id": asked["case_id"], "output": "Sorry."}))
"""


@pytest.fixture
def repository(tmp_path, monkeypatch):
    (tmp_path / "goldens").mkdir()
    (tmp_path / "quilate.yml").write_text(CONFIG)
    (tmp_path / "goldens" / "orders.yaml").write_text(GOLDENS)
    (tmp_path / "agent.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    return tmp_path
