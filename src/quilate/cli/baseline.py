"""`quilate baseline`: stores runs to compare with, and shows what is stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from quilate.runs.store import DirectoryStore

_DIRECTORY = click.option(
    "--dir",
    "directory",
    default=".quilate/baselines",
    show_default=True,
    metavar="DIR",
    help="Where they are kept.",
)
_SUITE = click.option("--suite", metavar="NAME", help="The suite.  [default: that of quilate.yml]")
_CONFIG = click.option(
    "--config", "config_path", default="quilate.yml", show_default=True, metavar="FILE", help="The configuration."
)


@click.group(epilog="Example: quilate baseline save .quilate/run.jsonl")
def command() -> None:
    """Stores runs to compare with, and shows what is stored."""


@command.command(epilog="Example: quilate baseline save .quilate/run.jsonl --commit 3f9c2ab")
@click.argument("run", metavar="RUN.jsonl")
@_DIRECTORY
@click.option("--commit", metavar="SHA", help="Store it as this commit's.  [default: the run's own, else `local`]")
def save(run: str, directory: str, commit: str | None) -> None:
    """Stores a complete run; the first usable record of a commit stays, `local` is replaced."""
    from quilate.runs.reader import RunReader
    from quilate.runs.store import DirectoryStore

    with RunReader(run) as reader:
        suite, name = reader.header.suite, commit or reader.header.commit or "local"
    store = DirectoryStore(directory, suite)
    if store.save(Path(run), commit):
        click.echo(f"stored as {name}: compare with it by `quilate run --baseline {directory}`")
    else:
        click.echo(f"{name} has a usable record already, which stays")


@command.command(name="list", epilog="Example: quilate baseline list")
@_DIRECTORY
@_SUITE
@_CONFIG
def list_(directory: str, suite: str | None, config_path: str) -> None:
    """Lists the stored records, newest first."""
    for name in _store(directory, suite, config_path).list():
        click.echo(name)


@command.command(epilog="Example: quilate baseline show local")
@click.argument("name", required=False)
@_DIRECTORY
@_SUITE
@_CONFIG
def show(name: str | None, directory: str, suite: str | None, config_path: str) -> None:
    """Shows a record (default: the newest usable one) as text."""
    from contextlib import ExitStack

    from quilate.cli.report import read
    from quilate.errors import UsageError
    from quilate.report import terminal
    from quilate.report.sources import not_approved

    store = _store(directory, suite, config_path)
    if name is None:
        found = store.newest()
        path = found.path if found else None
    else:
        path = store.load(name)
    if path is None:
        there = ", ".join(store.list()) or "none"
        message = f"no record {name!r} of suite {store.suite!r} in {directory}; there are: {there}"
        raise UsageError(message)
    with ExitStack() as opened:
        source = read(str(path), None, "en", opened)
        click.echo(terminal.render(source.report, failing=not_approved(source.head)), nl=False)


@command.command(epilog="Example: quilate baseline history")
@_DIRECTORY
@_SUITE
@_CONFIG
def history(directory: str, suite: str | None, config_path: str) -> None:
    """Lists every run that was stored, oldest first: when, which, dataset, counts."""
    for point in _store(directory, suite, config_path).history():
        click.echo(
            f"{point.started_at}  {point.record[:12]:<12}  dataset {point.dataset_version}  "
            f"{point.approved} of {point.graded} approved, {point.errors} in error, {point.not_judged} not judged"
        )


def _store(directory: str, suite: str | None, config_path: str) -> DirectoryStore:
    from quilate.runs.store import DirectoryStore

    if suite is None:
        from quilate.config_load import load_config

        suite = load_config(config_path).config.suite
    return DirectoryStore(directory, suite)
