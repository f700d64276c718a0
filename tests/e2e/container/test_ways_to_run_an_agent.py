"""The ways to run an agent, from the image; the fourth (no container) is what tests/e2e/action does everywhere."""

from __future__ import annotations

import io
import json
import os
import subprocess
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

GOLDENS = "version: '1'\ncases: [{id: one, category: c, input: Hello, required_phrases: [Busco]}]\n"
HEAD = "suite: shop\ngoldens: [goldens.yaml]\n"
HOST, CONTAINER = "10.213.7.1", "10.213.7.2"


class Agent(BaseHTTPRequestHandler):
    """A server of the job's earlier step, in whatever language."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = json.dumps({"output": f"Busco: {asked['input']}"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        """Silent."""


@pytest.fixture
def serving():
    """Starts the agent's server at an address of this machine; gives its port."""
    servers = []

    def start(address: str) -> int:
        server = ThreadingHTTPServer((address, 0), Agent)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return server.server_port

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def bridge():
    """A network of its own for a container, as Docker's: this machine is its gateway, and has no name there."""
    name = f"quilate-{os.getpid()}"

    def ip(*arguments: str) -> None:
        done = subprocess.run(["ip", *arguments], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no network can be made here: ip {' '.join(arguments)}: {done.stderr.strip()}")

    try:
        ip("netns", "add", name)
        ip("link", "add", "quilate0", "type", "veth", "peer", "name", "quilate1")
        ip("link", "set", "quilate1", "netns", name)
        ip("addr", "add", f"{HOST}/30", "dev", "quilate0")
        ip("link", "set", "quilate0", "up")
        ip("-n", name, "addr", "add", f"{CONTAINER}/30", "dev", "quilate1")
        ip("-n", name, "link", "set", "quilate1", "up")
        ip("-n", name, "route", "add", "default", "via", HOST)
        yield f"ns:/run/netns/{name}"
    finally:
        subprocess.run(["ip", "link", "del", "quilate0"], capture_output=True)
        subprocess.run(["ip", "netns", "del", name], capture_output=True)


def networked(engine, bridge: str) -> str:
    """The network as the engine has it: Docker's own bridge has this machine as its gateway anyway."""
    return bridge if engine.command == "podman" else "bridge"


def test_a_a_server_on_the_runner_is_found_by_the_gateway(runner, engine, bridge, serving):
    port = serving("0.0.0.0")
    url = f"http://host.docker.internal:{port}/ask"
    runner.write({"quilate.yml": f"{HEAD}agent: {{http: {{url: {url!r}}}}}\n", "goldens.yaml": GOLDENS})
    ended = runner.run("run", network=networked(engine, bridge))
    assert ended.code == 0, ended.log
    assert "1 of 1 approved" in ended.log


def test_a_a_server_on_127_0_0_1_only_is_recognised(runner, engine, bridge, serving):
    port = serving("127.0.0.1")
    url = f"http://host.docker.internal:{port}/ask"
    agent = f"agent: {{retries: 0, http: {{url: {url!r}}}}}\n"
    runner.write({"quilate.yml": HEAD + agent, "goldens.yaml": GOLDENS})
    ended = runner.run("run", network=networked(engine, bridge))
    assert ended.code != 0
    assert "bind it to 0.0.0.0" in ended.log


def test_b_replies_that_an_earlier_step_wrote(runner):
    replies = json.dumps({"case_id": "one", "output": "Busco: Hello"}) + "\n"
    runner.write({"quilate.yml": f"{HEAD}agent: {{replay: replies.jsonl}}\n", "goldens.yaml": GOLDENS})
    runner.write({"replies.jsonl": replies})
    step = runner.push(runner.commit())
    assert (step.code, step.outputs["verdict"], step.outputs["pass_rate"]) == (0, "recorded", "100"), step.log


def test_c_a_python_agent_with_what_it_imports(runner):
    config = f"""{HEAD}agent:
  command: [python, agent.py]
  setup: [pip, install, --no-index, --disable-pip-version-check, wheels/shop_words-1.0-py3-none-any.whl]
"""
    agent = """
import json, os, sys
from shop_words import SEARCHING
case = json.load(sys.stdin)
print(json.dumps({"output": f"{SEARCHING}: {case['input']}"}))
"""
    runner.write({"quilate.yml": config, "goldens.yaml": GOLDENS, "agent.py": agent})
    runner.write({"wheels/shop_words-1.0-py3-none-any.whl": wheel("shop_words", "SEARCHING = 'Busco'\n")})
    sha = runner.commit()
    step = runner.push(sha)
    assert (step.code, step.outputs["verdict"], step.outputs["pass_rate"]) == (0, "recorded", "100"), step.log
    again = runner.push(sha)  # the virtual environment is there, and another user's by now
    assert again.code == 0, again.log


def test_what_the_container_cannot_run_is_said_at_once_with_the_ways(runner):
    config = f"{HEAD}agent: {{command: [node, agent.mjs]}}\n"
    more = "".join(f"  - {{id: more-{n}, category: c, input: Hello, required_phrases: [Busco]}}\n" for n in range(9))
    goldens = GOLDENS.replace("cases: [", "cases:\n  - ").replace("}]", "}") + more
    runner.write({"quilate.yml": config, "goldens.yaml": goldens, "agent.mjs": ""})
    step = runner.push(runner.commit())
    for way in ("'node' is not installed here", "(a)", "(b)", "(c)", "(d)"):
        assert way in step.log


def wheel(name: str, text: str) -> bytes:
    """A wheel of one module."""
    info = f"{name}-1.0.dist-info"
    files = {
        f"{name}.py": text,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return data.getvalue()
