"""The demo's story: baseline, a change that breaks the agent, the comment, the verdict, and what to type next."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

import click

from quilate.cli.running import RUN_FILE, Asked, run_here
from quilate.demo import GOLDENS, goldens_file
from quilate.errors import UsageError
from quilate.grades import Verdict
from quilate.runs.store import DirectoryStore

FILES = ("agent.py", "shop.json", "prompts/v1.json", "prompts/v2.json")
BASELINES = Path(".quilate/baselines")
BASE_OUT = Path(".quilate/base")
OUT = Path(".quilate")
CONFIG = """\
suite: orders
goldens: [goldens/*.yaml]
agent:
  command: [{python}, agent.py, --prompt, current]
  protocol: jsonl
"""


def tell(keep: str | None) -> None:
    """Runs the example in a folder of its own (`keep`, else a temporary one) and explains each step."""
    with _folder(keep) as folder, chdir(folder):
        _lay_out(Path())
        say = click.echo
        say("quilate demo: 38 golden cases of a shoe shop's orders agent, in Chilean Spanish\n")
        say("1. The base branch: the agent with its first prompt\n")
        _with_prompt("v1")
        _run(BASE_OUT, None)
        DirectoryStore(BASELINES, "orders").save(BASE_OUT / RUN_FILE)
        say(f"\n2. Its run is stored as the baseline in {BASELINES}\n\n3. A change: another prompt\n")
        _with_prompt("v2")
        code = _run(OUT, BASELINES)
        say("\n4. The comment a reviewer gets:\n")
        say((OUT / "comment.md").read_text(encoding="utf-8"))
        say(f"5. The verdict: {_verdict(code).value}, exit code {code}. The check on the pull request is red.\n")
        say(_next(keep))


def _run(out: Path, baseline: Path | None) -> int:
    return run_here(Asked(config=Path("quilate.yml"), out=out, baseline=baseline, quiet=True))


def _with_prompt(version: str) -> None:
    shutil.copyfile(Path("prompts") / f"{version}.json", Path("prompts/current.json"))


def _verdict(code: int) -> Verdict:
    return {0: Verdict.PASS, 1: Verdict.FAIL}.get(code, Verdict.INCONCLUSIVE)


def _lay_out(folder: Path) -> None:
    example = Path(__file__).parent
    sources = {name: example / name for name in FILES} | {f"goldens/{GOLDENS}": goldens_file()}
    for name, source in sources.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    # A path with a quote or a backslash in it is still one YAML scalar in JSON's notation.
    (folder / "quilate.yml").write_text(CONFIG.format(python=json.dumps(sys.executable)), encoding="utf-8")


@contextmanager
def _folder(keep: str | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="quilate-demo-") as name:
            yield Path(name)
        return
    folder = Path(keep)
    if folder.exists() and any(folder.iterdir()):
        message = f"--keep {keep}: the folder is not empty; name a new one"
        raise UsageError(message)
    folder.mkdir(parents=True, exist_ok=True)
    yield folder


def _next(keep: str | None) -> str:
    if keep:
        return (
            f"Next: cd {keep}, change prompts/current.json or a golden case, and\n  quilate run --baseline {BASELINES}"
        )
    return (
        "Next:\n"
        "  quilate demo --keep demo    to play with the example's files\n"
        "  quilate init                to begin with your own agent"
    )
