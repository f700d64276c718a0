"""The recipes of docs/agents.md, run as they stand there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest
import yaml

from quilate.agents.shims import NAMES, source

DOCS = Path(__file__).parents[3] / "docs" / "agents.md"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


@pytest.fixture
def recipe(bench):
    """Writes the named files of a way's section and gives back its `agent:`."""
    bench.environ = {"PATH": os.environ["PATH"], "HOME": str(bench.folder)}
    for language, name in NAMES.items():
        (bench.folder / name).write_text(source(language))
    (bench.folder / "goldens").mkdir()
    cases = {"version": "1", "cases": [{"id": f"case-{n}", "category": "a", "input": t} for n, t in enumerate("ab", 1)]}
    (bench.folder / "goldens" / "orders.json").write_text(json.dumps(cases))

    def write(way: str) -> dict:
        section = DOCS.read_text().split(f"\n## ({way})")[1].split("\n## ")[0]
        for name, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
            (bench.folder / name).write_text(text)
        return yaml.safe_load((bench.folder / "quilate.yml").read_text())["agent"]

    return write


def _said(answered):
    return [(each.reply.output, [call.name for call in each.reply.tool_calls]) for each in answered]


BOTH = [("Busco: a", ["consultarPedido"]), ("Busco: b", ["consultarPedido"])]


@needs_node
def test_way_a_a_server_in_an_earlier_step(bench, recipe, free_port):
    agent = recipe("a")
    agent["http"]["url"] = agent["http"]["url"].replace("host.docker.internal:3000", f"127.0.0.1:{free_port}")
    server = subprocess.Popen(["node", "server.mjs"], cwd=bench.folder, env={**bench.environ, "PORT": str(free_port)})
    try:
        _await(f"http://127.0.0.1:{free_port}/")
        assert _said(bench.ask_each(agent, "a", "b")) == BOTH
    finally:
        server.kill()
        server.wait()


@needs_node
def test_way_a_on_a_laptop_the_server_is_started(bench, recipe, free_port):
    recipe("a")
    bench.environ["PORT"] = str(free_port)
    url = f"http://127.0.0.1:{free_port}"
    agent = {"http": {"url": f"{url}/ask", "start": ["node", "server.mjs"], "ready": f"{url}/"}, "env": ["PORT"]}
    assert _said(bench.ask_each(agent, "a", "b")) == BOTH


@needs_node
def test_way_b_replies_that_an_earlier_step_wrote(bench, recipe):
    agent = recipe("b")
    subprocess.run(["node", "write-replies.mjs"], cwd=bench.folder, env=bench.environ, check=True)
    answered = bench.ask_each(agent, "a", "b")
    assert _said(answered) == [("Busco: a", []), ("Busco: b", [])]
    assert all(each.reply.duration_ms is not None for each in answered)


def test_way_c_a_python_agent_with_its_setup(bench, recipe):
    assert _said(bench.ask_each(recipe("c"), "a", "b")) == BOTH


@needs_node
def test_way_d_a_command_beside_quilate(bench, recipe):
    assert _said(bench.ask_each(recipe("d"), "a", "b")) == BOTH


def _await(url):
    for _ in range(500):
        try:
            urllib.request.urlopen(url).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
