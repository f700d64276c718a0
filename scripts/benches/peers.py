"""quilate against its peers: the same server, the same cases, the same concurrency, each a whole process.

`peers.py [CASES LATENCY_MS CONCURRENCY]` (200 50 10). The Python peers are installed once, each into an environment of
its own under QUILATE_CACHE (default ~/.cache/quilate); promptfoo takes part where `promptfoo` is on the PATH already,
since it is over a gigabyte. They do slightly different work: quilate journals, writes a comment, an HTML page and JUnit
XML; deepeval does not ask itself.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from measuring import HERE, QUILATE, load, seconds, server, typical, write_suite

TIMES = 3
TASKS = HERE / "peer_tasks"
PEERS = {"inspect-ai": ["inspect-ai", "openai"], "pydantic-evals": ["pydantic-evals", "openai"],
         "deepeval": ["deepeval", "openai"]}  # fmt: skip
QUIET = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_UPDATE_WARNING_OPT_OUT": "YES", "DEEPEVAL_DISABLE_DOTENV": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
}  # fmt: skip


def environment(name: str) -> Path | None:
    """The folder of the peer's programs; None where it cannot be installed here."""
    cache = Path(os.environ.get("QUILATE_CACHE") or Path.home() / ".cache" / "quilate")
    place = cache / "peers" / name
    done = place / "installed"
    if not done.exists():
        shutil.rmtree(place, ignore_errors=True)
        print(f"installing {name} …", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, *PEERS[name]], check=False).returncode:
            return None
        done.touch()
    return place / "bin"


def command_of(name: str, programs: Path, url: str, concurrency: int) -> list[str]:
    if name == "inspect-ai":
        return [
            str(programs / "inspect"), "eval", "for_inspect.py", "--model", "openai-api/mock/m",
            "--model-base-url", f"{url}/v1", "-M", "api_key=none", "--max-connections", str(concurrency),
            "--display", "plain",
        ]  # fmt: skip
    return [str(programs / "python"), str(TASKS / f"for_{name.replace('-', '_')}.py")]


def promptfoo_config(folder: Path, url: str, cases: int) -> None:
    tests = [
        {"vars": {"q": f"Q case {n}"}, "assert": [{"type": "contains", "value": f"case {n}"}]} for n in range(cases)
    ]
    provider = {"id": "openai:chat:m", "config": {"apiBaseUrl": f"{url}/v1", "apiKey": "none"}}
    config = {"prompts": ["{{q}}"], "providers": [provider], "tests": tests}
    (folder / "promptfooconfig.yaml").write_text(json.dumps(config))


def main() -> None:
    cases, latency_ms, concurrency = (int(each) for each in sys.argv[1:] or ("200", "50", "10"))
    ideal = cases * latency_ms / concurrency / 1000
    print(f"{cases} cases of {latency_ms} ms, {concurrency} at once, whole processes; ideal {ideal:.2f} s ({load()})")
    with tempfile.TemporaryDirectory(prefix="quilate-bench-") as name, server(latency_ms) as url:
        folder = Path(name)
        numbers = {"BENCH_URL": url, "BENCH_CASES": str(cases), "BENCH_CONCURRENCY": str(concurrency)}
        env = os.environ | QUIET | numbers | {"PROMPTFOO_CONFIG_DIR": name}
        write_suite(folder, url, cases, concurrency)
        shutil.copy(TASKS / "for_inspect.py", folder)  # inspect-ai takes no path from elsewhere
        own = typical(lambda: seconds([QUILATE, "run", "-q"], cwd=folder), TIMES)
        print(f"{'quilate':<16} {own:6.2f} s  {own / ideal:5.2f} × the ideal")
        commands = {}
        for peer in PEERS:
            programs = environment(peer)
            if programs is None:
                print(f"{peer:<16} does not install here")
            else:
                commands[peer] = command_of(peer, programs, url, concurrency)
        promptfoo = shutil.which("promptfoo")
        if promptfoo is None:
            print(f"{'promptfoo':<16} is not installed here")
        else:
            promptfoo_config(folder, url, cases)
            commands["promptfoo"] = [promptfoo, "eval", "-j", str(concurrency), "--no-cache", "--no-table",
                                     "--no-progress-bar", "-o", "out.json"]  # fmt: skip
        for peer, command in commands.items():
            took = typical(lambda command=command: seconds(command, cwd=folder, env=env), TIMES)
            print(f"{peer:<16} {took:6.2f} s  {took / ideal:5.2f} × the ideal, {took / own:5.2f} × quilate")


if __name__ == "__main__":
    main()
