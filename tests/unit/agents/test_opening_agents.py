from __future__ import annotations

import asyncio
import json

import pytest

from quilate.agents.agent import FaultKind
from quilate.agents.open import open_agent
from quilate.agents.session import proxy_for
from quilate.asking import ask_all, started
from quilate.config import AgentConfig
from quilate.goldens.case import GoldenCase


def _open(folder, agent, environ=None, **options):
    config = AgentConfig.model_validate_json(json.dumps(agent))
    return open_agent(config, base_dir=folder, environ=environ or {}, **options)


AGENTS = [
    {"command": ["python", "agent.py"]},
    {"command": ["python", "agent.py"], "protocol": "jsonl", "setup": ["pip", "install", "x"]},
    {"http": {"url": "http://127.0.0.1:1/", "headers": {"Authorization": "Bearer {{ env.KEY }}"}}, "env": ["KEY"]},
    {"replay": "replies.jsonl"},
]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_description_is_json_and_holds_no_secret(tmp_path, agent):
    described = json.dumps(_open(tmp_path, agent, {"KEY": "sk-secret"}).describe())
    assert "sk-secret" not in described
    assert str(tmp_path) not in described


def test_nothing_is_started_or_read_by_opening(tmp_path):
    _open(tmp_path, {"replay": "not-there.jsonl"})
    _open(tmp_path, {"command": ["not-there"]})


@pytest.mark.parametrize("agent", [{"command": ["x"], "env": ["KEY"]}, {"http": {"url": "http://x/"}, "env": ["KEY"]}])
def test_a_fork_without_the_agents_secret_is_not_asked(tmp_path, agent):
    answered = []

    async def go():
        async with started(_open(tmp_path, agent, secrets_withheld=True)) as ready:
            return await ask_all(ready, [GoldenCase(id="a", category="a", input="q")], answered.append)

    asyncio.run(go())
    fault = answered[0].reply.fault
    assert fault.kind is FaultKind.SECRET
    assert "KEY" in fault.message


def test_a_fork_is_asked_where_the_agent_needs_no_secret(tmp_path):
    agent = _open(tmp_path, {"command": ["x"], "env": ["KEY"]}, {"KEY": "there"}, secrets_withheld=True)
    assert agent.describe()["kind"] == "command"
    assert "withheld" not in agent.describe()


@pytest.mark.parametrize(
    ("origin", "proxy"),
    [
        ("https://agent.example.com:443", "http://proxy.example.com:8080"),
        ("http://127.0.0.1:3000", None),
        ("http://localhost:3000", None),
        ("http://host.docker.internal:3000", None),
        ("https://inner.example.com:443", None),
    ],
)
def test_a_proxy_is_for_what_lies_beyond_the_runner(monkeypatch, origin, proxy):
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://proxy.example.com:8080")
    monkeypatch.setenv("no_proxy", "inner.example.com")
    assert proxy_for(origin) == proxy
