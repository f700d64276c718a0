"""The demo's story: baseline, a change that breaks the agent, the comment, the verdict, and what to type next."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

import click

from quilate.cli.running import RUN_FILE, Asked, run_here
from quilate.errors import UsageError
from quilate.grades import Verdict
from quilate.runs.store import DirectoryStore

FILES = ("agent.py", "shop.json", "prompts/v1.json", "prompts/v2.json", "goldens/orders.es-CL.yaml")
CONFIG = """\
suite: orders
goldens: [goldens/*.yaml]
agent:
  command: [{python}, agent.py, --prompt, {version}]
  protocol: jsonl
"""


def tell(keep: str | None) -> None:
    """Runs the example in a folder of its own (`keep`, else a temporary one) and explains each step."""
    with _folder(keep) as folder:
        _lay_out(folder)
        cases = "38 golden cases of a shoe shop's orders agent, in Chilean Spanish"
        click.echo(f"quilate demo: {cases}\n\n1. The base branch: the agent with prompt v1\n")
        base = folder / "out" / "base"
        _run(folder, "v1", base, None)
        store = folder / ".quilate" / "baselines"
        DirectoryStore(store, "orders").save(base / RUN_FILE)
        click.echo(f"\n2. Its run is stored as the baseline in {_named(store, folder, keep)}\n")
        click.echo("3. A change: prompt v2\n")
        head = folder / "out" / "change"
        code = _run(folder, "v2", head, store)
        click.echo("\n4. The comment a reviewer gets:\n")
        click.echo((head / "comment.md").read_text(encoding="utf-8"))
        click.echo(f"5. The verdict: {_verdict(code).value}, exit code {code}. The check on the pull request is red.\n")
        click.echo(_next(keep))


def _run(folder: Path, version: str, out: Path, baseline: Path | None) -> int:
    config = folder / f"quilate.{version}.yml"
    return run_here(Asked(config=config, out=out, baseline=baseline, quiet=True))


def _verdict(code: int) -> Verdict:
    return {0: Verdict.PASS, 1: Verdict.FAIL}.get(code, Verdict.INCONCLUSIVE)


def _lay_out(folder: Path) -> None:
    example = files("quilate.demo")
    for name in FILES:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with as_file(example / name) as source:
            shutil.copyfile(source, target)
    for version in ("v1", "v2"):
        text = CONFIG.format(python=f"'{sys.executable}'", version=version)
        (folder / f"quilate.{version}.yml").write_text(text, encoding="utf-8")


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


def _named(path: Path, folder: Path, keep: str | None) -> str:
    return str(path) if keep else str(path.relative_to(folder))


def _next(keep: str | None) -> str:
    if keep:
        return (
            f"Next: cd {keep}, change prompts/v2.json or a golden case, and\n"
            "  quilate run --config quilate.v2.yml --baseline .quilate/baselines"
        )
    return (
        "Next:\n"
        "  quilate demo --keep demo    to play with the example's files\n"
        "  quilate init                to begin with your own agent"
    )
