"""`quilate dashboard`: the history of baselines as a static site."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quilate.cli.languages import language_option, reader_language
from quilate.errors import UsageError

if TYPE_CHECKING:
    from quilate.report.dashboard.trends import Release, Trends
    from quilate.report.messages import Language
    from quilate.runs.store import HistoryPoint


@click.command(epilog="Example: quilate dashboard data --out site --tags-of .")
@click.argument("store", metavar="[DIR]", default=".quilate/baselines")
@click.option("--out", default="site", show_default=True, metavar="DIR", help="Where the site is written.")
@click.option("--suite", "only", multiple=True, metavar="NAME", help="Only these suites.  [default: all]")
@click.option("--branch", default="main", show_default=True, metavar="NAME", help="The base branch, of a data branch.")
@click.option("--last", type=click.IntRange(1), default=500, show_default=True, help="The newest so many runs.")
@click.option("--tags-of", metavar="DIR", help="Mark the tags of this git repository as releases.")
@click.option(
    "--repository",
    envvar="GITHUB_REPOSITORY",
    metavar="OWNER/NAME",
    help="Links commits and runs.  [default: no links]",
)
@click.option(
    "--server-url", envvar="GITHUB_SERVER_URL", default="https://github.com", show_default=True, metavar="URL"
)
@language_option("the site")
@click.option(
    "--config", "config_path", default="quilate.yml", show_default=True, metavar="FILE",
    help="Where report_language is read; may be absent.",
)  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def command(
    store: str, out: str, only: tuple[str, ...], branch: str, last: int, tags_of: str | None, repository: str | None,
    server_url: str, language: Language | None, config_path: str, quiet: bool,
) -> None:  # fmt: skip
    """Turns a directory of baselines, or a checkout of the data branch, into a static site (for Pages).

    Charts are plain SVG; nothing is fetched and no script runs. Exit code 0 once the site is written; 2: a folder
    that holds no baselines.
    """
    from quilate.report.dashboard.page import Place, write_site
    from quilate.report.dashboard.trends import trends

    spoken = reader_language(language, Path(config_path))
    sources = _sources(Path(store), branch, only)
    releases = tags(Path(tags_of)) if tags_of is not None else []
    every: list[Trends] = []
    for source in sources:
        points = source.history[-last:]
        # Where standard error is no terminal a bar would only leave its label in a log.
        hidden = quiet or not sys.stderr.isatty()
        with click.progressbar(length=len(points), label=source.suite, file=sys.stderr, hidden=hidden) as bar:
            every.append(trends(source.suite, points, source.load, releases, partial(bar.update, 1)))
    for path in write_site(Path(out), every, Place(server_url, repository or None), spoken):
        if not quiet:
            click.echo(str(path))


@dataclass(frozen=True, slots=True)
class _Source:
    suite: str
    history: Sequence[HistoryPoint]
    load: Callable[[str], Path | None]


def _sources(folder: Path, branch: str, only: Sequence[str]) -> list[_Source]:
    from quilate.github import checkout

    if not folder.is_dir():
        message = f"{folder}: there is no such folder; give a directory of baselines, or a checkout of the data branch"
        raise UsageError(message)
    if checkout.is_checkout(folder):
        found = [_of_checkout(folder, suite, branch) for suite in _chosen(checkout.suites_of(folder), only, folder)]
    else:
        found = [_of_directory(folder, suite) for suite in _chosen(_suites_in(folder), only, folder)]
    return found


def _chosen(there: Sequence[str], only: Sequence[str], folder: Path) -> list[str]:
    names = ", ".join(there) or "none"
    missing = [name for name in only if name not in there]
    if missing or not there:
        wanted = f"no suite {missing[0]!r}" if missing else "no suite's baselines"
        message = f"{folder}: {wanted}; there are: {names}. `quilate baseline save` stores the first"
        raise UsageError(message)
    return [name for name in there if not only or name in only]


def _suites_in(folder: Path) -> list[str]:
    return sorted(path.parent.name for path in folder.glob("*/history.jsonl"))


def _of_directory(folder: Path, suite: str) -> _Source:
    from quilate.runs.store import DirectoryStore

    store = DirectoryStore(folder, suite)

    def load(record: str) -> Path | None:
        try:
            return store.load(record)
        except UsageError:  # the history is a file like any other: what names no record has none
            return None

    return _Source(suite, store.history(), load)


def _of_checkout(folder: Path, suite: str, branch: str) -> _Source:
    from quilate.github import checkout

    there = checkout.branches_of(folder, suite)
    if branch not in there:
        message = (
            f"{folder}: suite {suite!r} has no history of branch {branch!r}; there are: {', '.join(there) or 'none'}"
        )
        raise UsageError(message)
    found = checkout.Checkout(folder, suite, branch)
    return _Source(suite, found.history(), found.load)


def tags(repository: Path) -> list[Release]:
    """The tags of a git repository with their commits and dates, oldest first; raises `UsageError` where git fails."""
    from quilate.report.dashboard.trends import Release

    commit = "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)"  # of an annotated tag, what it names
    shape = f"%(refname:strip=2)%09{commit}%09%(creatordate:iso-strict)"
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), "for-each-ref", "--sort=creatordate", f"--format={shape}", "refs/tags"],  # noqa: S607
            capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        message = f"--tags-of {repository}: git cannot list its tags ({error}); give a git repository"
        raise UsageError(message) from error
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    return [Release(parts[0], parts[1], parts[2]) for parts in lines if len(parts) == 3]
