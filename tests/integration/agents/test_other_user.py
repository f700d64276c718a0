"""In the container the agent runs as another user: it can read neither our environment nor what is ours alone."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from quilate.agents.process import RunAs

NOBODY = 65534

pytestmark = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can start a process as another user"
)

SPY = """
    import json, os, sys
    def read(path):
        try:
            return open(path).read()[:200]
        except OSError as error:
            return type(error).__name__
    print(json.dumps({"output": json.dumps({
        "uid": os.getuid(), "groups": os.getgroups(), "home": os.environ["HOME"],
        "parent": read(f"/proc/{os.getppid()}/environ"), "token": read("token"), "can": read("/etc/hostname") != "",
    })}))
"""


@pytest.fixture
def nobodys(bench, gone):
    python = "/usr/bin/python3"
    allowed = subprocess.run([python, "-c", ""], check=False, user=NOBODY, group=NOBODY).returncode == 0
    if not allowed:
        pytest.skip(f"{python} does not run as another user")
    for folder in (bench.folder, *bench.folder.parents):
        if folder.owner() == "root" and folder != folder.parent:
            folder.chmod(folder.stat().st_mode | 0o011)
    bench.folder.chmod(0o777)
    bench.options = {"run_as": RunAs(uid=NOBODY, gid=NOBODY, home="/tmp")}
    token = bench.folder / "token"
    token.write_text("ghs_secret")
    token.chmod(0o600)
    return lambda source: {"command": [python, bench.write("agent.py", source)]}


@pytest.mark.parametrize("protocol", ["json", "jsonl"])
def test_the_agent_is_another_user_and_reads_nothing_of_ours(bench, nobodys, protocol):
    source = SPY if protocol == "json" else "import sys; sys.stdin.readline()\n    " + SPY.lstrip()
    reply = bench.ask(nobodys("\n    " + source.lstrip()) | {"protocol": protocol})
    seen = json.loads(reply.output)
    assert (seen["uid"], seen["groups"], seen["home"]) == (NOBODY, [], "/tmp")
    assert (seen["parent"], seen["token"]) == ("PermissionError", "PermissionError")


def test_another_users_hung_agent_is_ended_with_its_children(bench, nobodys, gone):
    source = """
        import os, subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("pids", "w").write(f"{os.getpid()} {child.pid}")
        time.sleep(600)
    """
    assert "no reply within" in bench.ask(nobodys(source) | {"timeout_s": 2}).fault.message
    assert gone((bench.folder / "pids").read_text())
