"""What the benches share: a timed process, the agent's server, a suite on disk."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
QUILATE = str(Path(sys.executable).with_name("quilate"))


def seconds(command: Sequence[str], *, cwd: Path | None = None, env: dict[str, str] | None = None) -> float:
    """How long a command takes that has to succeed."""
    as_users_have_it = {**(env or os.environ)}
    as_users_have_it.pop("PYTHONDONTWRITEBYTECODE", None)  # else every start compiles every module
    started = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, env=as_users_have_it, capture_output=True, text=True, check=False)
    took = time.perf_counter() - started
    if done.returncode:
        message = f"{command}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        raise RuntimeError(message)
    return took


def processor_seconds(command: Sequence[str], *, cwd: Path | None = None) -> float:
    """How much processor time a command takes, whatever else the machine does meanwhile."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds(command, cwd=cwd)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def typical(measure: Callable[[], float], times: int) -> float:
    """The median of several measurements, the first (with cold caches) left out."""
    measure()
    return statistics.median(measure() for _ in range(times))


@contextmanager
def server(latency_ms: float) -> Iterator[str]:
    """The address of an agent that takes so long."""
    command = [sys.executable, str(HERE / "server.py"), str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def write_suite(folder: Path, url: str, cases: int, concurrency: int) -> None:
    """A suite of so many cases that are asked of `url`."""
    folder.mkdir(parents=True, exist_ok=True)
    golden = [
        {"id": f"case-{n}", "category": f"category-{n % 6}", "input": f"Q case {n}", "expected_tool": "lookup",
         "expected_tool_args": {"number": "1"}, "required_phrases": [f"case {n}"]}
        for n in range(cases)
    ]  # fmt: skip
    (folder / "goldens.json").write_text(json.dumps({"version": "1", "cases": golden}))
    agent = {"http": {"url": f"{url}/ask"}, "concurrency": concurrency}
    (folder / "quilate.yml").write_text(json.dumps({"suite": "bench", "goldens": ["goldens.json"], "agent": agent}))


def load() -> str:
    """The machine's load, without which no figure says much."""
    cores = os.cpu_count()
    return f"load {os.getloadavg()[0]:.1f} on {cores} cores" if hasattr(os, "getloadavg") else f"{cores} cores"
