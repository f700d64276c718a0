"""`quilate side-by-side`: the pairwise judge over replies that differ between two runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from quilate.judge.pairs import Pairs


@click.command(epilog="Example: quilate side-by-side base.jsonl .quilate/run.jsonl --out .quilate/pairs")
@click.argument("base", metavar="BASE.jsonl")
@click.argument("head", metavar="HEAD.jsonl")
@click.option(
    "--config", "config_path", default="quilate.yml", show_default=True, metavar="FILE",
    help="The configuration; its judge is asked.",
)  # fmt: skip
@click.option(
    "--out", metavar="DIR", help="Write side-by-side.md, side-by-side.json and pairs.jsonl there.",
)  # fmt: skip
@click.option(
    "--pairs", "which", type=click.Choice(["changed", "all"]), default="changed", show_default=True,
    help="all: identical replies too, which shows how often the judge goes by the order.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["md", "json"]), default="md", show_default=True)
@click.option("-q", "--quiet", is_flag=True, help="Print the last line only.")
@click.pass_context
def command(
    ctx: click.Context, base: str, head: str, config_path: str, out: str | None, which: Literal["changed", "all"],
    form: str, quiet: bool,
) -> None:  # fmt: skip
    """Asks the configured judge which of two runs' replies to the same question is better, in both orders.

    Nothing is gated. Exit code 0 once pairs are judged, or where no replies differ; 2: a file or a configuration that
    cannot be used; 3: the judge gave no answer about any pair.
    """
    from quilate.report import side_by_side as document

    pairs = _judged(Path(base), Path(head), Path(config_path), Path(out) if out else None, which)
    as_json = json.dumps(document.as_json(pairs), ensure_ascii=False, indent=2) + "\n"
    if out is not None:
        for name, text in (("side-by-side.md", document.markdown(pairs)), ("side-by-side.json", as_json)):
            part = Path(out) / f"{name}.part"
            part.write_text(text, encoding="utf-8", errors="replace")
            part.replace(Path(out) / name)
            click.echo(str(Path(out) / name), err=True)
    if quiet:
        click.echo(document.last_line(pairs))
    elif out is None or form == "json":
        click.echo(as_json if form == "json" else document.markdown(pairs), nl=False)
    else:
        click.echo(document.last_line(pairs))
    ctx.exit(3 if pairs.pairs and not pairs.count.judged else 0)


def _judged(base: Path, head: Path, config_path: Path, out: Path | None, which: Literal["changed", "all"]) -> Pairs:
    import asyncio
    import os
    import tempfile

    from quilate.config_load import load_config
    from quilate.errors import UsageError
    from quilate.judge.build import build_judge
    from quilate.judge.pairs_file import PAIRS_FILE
    from quilate.runs.reader import RunReader
    from quilate.side_by_side import PairsJob, judge_pairs, pair_prompts

    file = load_config(config_path)
    judge = file.config.judge
    if judge is None or judge.provider == "labels":
        found = "no judge is configured" if judge is None else "the judge is a file of labels, which answers nothing"
        message = f"{config_path}: {found}; write judge: with a model (docs/judge.md), or let people rate pairs: "
        raise UsageError(message + f"quilate rate {head} --base {base}")

    async def work(folder: Path) -> Pairs:
        job = PairsJob(judge, pair_prompts(judge, file.base_dir), folder / PAIRS_FILE, which)
        with RunReader(base) as old, RunReader(head) as new:
            async with build_judge(file.config, base_dir=file.base_dir, environ=os.environ) as opened:
                pairs = await judge_pairs(job, opened, old, new)
        assert pairs is not None
        return pairs

    if out is not None:
        return asyncio.run(work(out))
    with tempfile.TemporaryDirectory(prefix="quilate-") as folder:
        return asyncio.run(work(Path(folder)))
