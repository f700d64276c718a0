"""`quilate baseline`: stores runs to compare with, and shows what is stored: in a folder, or on the data branch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from quilate.runs.store import BaselineStore

_DIRECTORY = click.option(
    "--dir", "directory", default=".quilate/baselines", show_default=True, metavar="DIR", help="Where they are kept."
)
_ON_GITHUB = click.option(
    "--data-branch", is_flag=True, help="On the repository's data branch at GitHub instead (needs GITHUB_TOKEN)."
)
_HISTORY = click.option(
    "--branch", default="main", show_default=True, metavar="NAME", help="With --data-branch: the branch of the history."
)
_SUITE = click.option("--suite", metavar="NAME", help="The suite.  [default: that of the configuration, or the run]")
_CONFIG = click.option(
    "--config", "config_path", default="quilate.yml", show_default=True, metavar="FILE", help="The configuration."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where baselines are, as the flags say it."""

    directory: str
    data_branch: bool
    branch: str
    suite: str | None
    config_path: str

    @contextmanager
    def store(self, suite: str | None = None) -> Iterator[BaselineStore]:
        """The store of a suite (default: the flag's, else the configuration's)."""
        from quilate.config_load import load_config

        exists = Path(self.config_path).exists()
        config = load_config(self.config_path).config if exists or not (suite or self.suite) else None
        name = self.suite or suite or (config.suite if config else "")
        if not self.data_branch:
            from quilate.runs.store import DirectoryStore

            yield DirectoryStore(self.directory, name)
            return
        import os
        import tempfile

        from quilate.config import BaselineConfig
        from quilate.github.local_store import data_branch_store

        with tempfile.TemporaryDirectory(prefix="quilate-") as folder:
            baseline = config.baseline if config else BaselineConfig()
            yield data_branch_store(os.environ, name, baseline, folder=Path(folder), branch=self.branch)


def _placed(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the flags that say where baselines are, as one `place`."""

    @_DIRECTORY
    @_ON_GITHUB
    @_HISTORY
    @_SUITE
    @_CONFIG
    @functools.wraps(command)
    def placed(
        *, directory: str, data_branch: bool, branch: str, suite: str | None, config_path: str, **others: Any
    ) -> None:
        place = Place(directory=directory, data_branch=data_branch, branch=branch, suite=suite, config_path=config_path)
        command(place=place, **others)

    return placed


@click.group(epilog="Example: quilate baseline save .quilate/run.jsonl")
def command() -> None:
    """Stores runs to compare with, and shows what is stored."""


@command.command(epilog="Example: quilate baseline save .quilate/run.jsonl --commit 3f9c2ab")
@click.argument("run", metavar="RUN.jsonl")
@_placed
@click.option("--commit", metavar="SHA", help="Store it as this commit's.  [default: the run's own, else `local`]")
def save(place: Place, run: str, commit: str | None) -> None:
    """Stores a complete run; the first usable record of a commit stays, `local` is replaced."""
    from quilate.runs.reader import RunReader

    with RunReader(run) as reader:
        suite, name = reader.header.suite, commit or reader.header.commit or "local"
    with place.store(suite) as store:
        stored = store.save(Path(run), commit)
    if not stored:
        click.echo(f"{name} has a usable record already, which stays")
    elif place.data_branch:
        click.echo(f"stored as {name} on the data branch")
    else:
        click.echo(f"stored as {name}: compare with it by `quilate run --baseline {place.directory}`")


@command.command(name="list", epilog="Example: quilate baseline list")
@_placed
def list_(place: Place) -> None:
    """Lists the stored records, newest first."""
    with place.store() as store:
        for name in store.list():
            click.echo(name)


@command.command(epilog="Example: quilate baseline show local")
@click.argument("name", required=False)
@_placed
def show(place: Place, name: str | None) -> None:
    """Shows a record (default: the newest usable one) as text."""
    from contextlib import ExitStack

    from quilate.cli.report import read
    from quilate.errors import UsageError
    from quilate.report import terminal

    with place.store() as store, ExitStack() as opened:
        there = store.list()
        found = store.nearest(there) if name is None else None
        path = store.load(name) if name is not None else found.path if found else None
        if path is None:
            message = f"no usable record {name or ''}; there are: {', '.join(there) or 'none'}"
            raise UsageError(message)
        source = read(str(path), None, "en", opened)
        click.echo(terminal.render(source.report), nl=False)


@command.command(epilog="Example: quilate baseline history")
@_placed
def history(place: Place) -> None:
    """Lists every run that was stored, oldest first: when, which, dataset, counts."""
    with place.store() as store:
        for point in store.history():
            click.echo(
                f"{point.started_at}  {point.record[:12]:<12}  dataset {point.dataset_version}  "
                f"{point.approved} of {point.graded} approved, {point.errors} in error, {point.not_judged} not judged"
            )
