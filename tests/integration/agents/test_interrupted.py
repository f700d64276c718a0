"""Ctrl-C and SIGTERM, sent to a real process that asks a real agent."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

ASKING = """
import asyncio, json, os, sys
from pathlib import Path
from quilate.agents.open import open_agent
from quilate.asking import ask_all, cancelled_by_signals, started
from quilate.config import AgentConfig
from quilate.goldens.case import GoldenCase

agent = open_agent(AgentConfig.model_validate_json(sys.argv[1]), base_dir=Path("."), environ=os.environ)
cases = [GoldenCase(id=f"c{n}", category="a", input="quick" if n < 3 else "slow") for n in range(20)]

async def go():
    with open("journal", "a") as journal, cancelled_by_signals():
        def record(answered):
            print(answered.case.id, file=journal, flush=True)
        async with started(agent) as ready:
            await ask_all(ready, cases, record, concurrency=4)

try:
    asyncio.run(go())
except (asyncio.CancelledError, KeyboardInterrupt):
    print("ended in order")
"""

AGENT = """
    import json, os, signal, subprocess, sys, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        if json.loads(line)["input"] == "slow":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            with open("pids", "a") as pids:
                print(os.getpid(), child.pid, file=pids)
            time.sleep(600)
        print(json.dumps({"output": "x"}), flush=True)
        if len(sys.argv) < 2:
            break
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("protocol", ["json", "jsonl"])
def test_interrupted_it_leaves_no_process_and_what_was_answered_is_recorded(bench, gone, number, protocol):
    agent = {"command": [*bench.python(AGENT), *(["more"] if protocol == "jsonl" else [])], "protocol": protocol}
    asking = subprocess.Popen(
        [sys.executable, "-c", ASKING, json.dumps(agent)], cwd=bench.folder, stdout=subprocess.PIPE, text=True
    )
    pids = bench.folder / "pids"
    for _ in range(500):
        if pids.exists() and len(pids.read_text().splitlines()) == 4:
            break
        time.sleep(0.02)
    asking.send_signal(number)
    out, _ = asking.communicate(timeout=30)
    assert (asking.returncode, out) == (0, "ended in order\n")
    assert sorted((bench.folder / "journal").read_text().split()) == ["c0", "c1", "c2"]
    assert gone(pids.read_text())
