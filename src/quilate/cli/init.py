"""`quilate init`: everything a repository needs, written beside what it has."""

from __future__ import annotations

from pathlib import Path

import click

NEXT = {
    "python": "agent.py             put your agent into `run`; requirements.txt and agent.env are in quilate.yml",
    "node": "agent.mjs            put your agent into `run` (the AI SDK's results are understood as they are)",
    "http": "server.py            stands for your endpoint; quilate.yml says its address and how it is started",
}


@click.command(epilog="Example: quilate init --agent node")
@click.option(
    "--agent", type=click.Choice(["python", "node", "http"]), default="python", show_default=True,
    help="How your agent is asked: a Python function, a JavaScript function, or an HTTP endpoint.",
)  # fmt: skip
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), show_default="this folder",
    help="The repository's root.",
)  # fmt: skip
@click.option("--audit", is_flag=True, help="Also a workflow that audits past conversations each week.")
def command(agent: str, folder: Path, audit: bool) -> None:
    """Writes quilate.yml, a first golden file, an example agent, the workflows and the incident form.

    Nothing is overwritten: files that are there are listed and left alone. Exit code 2 where a file cannot be made.
    """
    from quilate.scaffold import Kind, default_branch, scaffold, suite_name, write

    suite, branch = suite_name(folder.resolve().name), default_branch(folder)
    written = write(folder, scaffold(Kind(agent), suite=suite, branch=branch, audit=audit))
    for name in written.new:
        click.echo(f"  new   {name}")
    for name in written.left:
        click.echo(f"  left  {name} (was there; not touched)")
    click.echo(_next(agent, branch, ".gitignore" in written.left))


def _next(agent: str, branch: str, ignored_before: bool) -> str:
    ignore = "\n  .gitignore           add the line .quilate/" if ignored_before else ""
    return f"""
Try it:
  quilate check
  quilate run

Then:
  {NEXT[agent]}
  goldens/first.yaml   write your own cases: what is asked, what a good reply shows{ignore}

Commit it all to {branch}: that push records the first baseline, and every pull request after it is compared."""
