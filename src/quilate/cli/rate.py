"""`quilate rate`: people rate replies, or pairs of replies, on a page of their own machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from quilate.cli.languages import language_option, reader_language

if TYPE_CHECKING:
    from quilate.judge.criteria import LeftOpen
    from quilate.rating.tasks import Task
    from quilate.report.messages import Language
    from quilate.runs.reader import RunReader


@click.command(epilog="Example: quilate rate .quilate/run.jsonl --labels labels.jsonl --rater ana")
@click.argument("run", metavar="RUN.jsonl")
@click.option("--base", metavar="BASE.jsonl", help="Rate pairs: RUN's replies against BASE's, side by side and blind.")
@click.option("--labels", metavar="FILE", help="Where labels are appended.  [default: labels.jsonl beside RUN]")
@click.option("--rater", metavar="NAME", help="Who rates.  [default: your login name]")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Rate only the first N.")
@click.option(
    "--config", "config_path", default="quilate.yml", show_default=True, metavar="FILE",
    help="For locale packs of the repository's own, and the language; may be absent.",
)  # fmt: skip
@language_option("the page")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port of the page.  [default: a free one]")
@click.option("--open/--no-open", "opens", default=True, help="Whether a browser is opened.")
def command(
    run: str, base: str | None, labels: str | None, rater: str | None, limit: int | None, config_path: str,
    language: Language | None, port: int, opens: bool,
) -> None:  # fmt: skip
    """Opens a page on which one reply (or one pair) after the other is rated, by keyboard, blind.

    Labels are written as they are made; starting again goes on where it was left. Nothing leaves this machine.
    A labels file serves as `judge: {provider: labels}` and for `quilate calibrate`. Exit code 0; 2: a file that cannot
    be used, or nothing to rate.
    """
    from contextlib import ExitStack

    from quilate.errors import UsageError
    from quilate.rating.keys import KEYS
    from quilate.rating.labels_file import LabelsFile
    from quilate.rating.server import RatingServer
    from quilate.rating.session import Session
    from quilate.report.messages import Translator
    from quilate.runs.reader import RunReader

    name, t = rater or _login(), Translator(reader_language(language, Path(config_path)))
    file = LabelsFile(Path(labels) if labels else Path(run).with_name("labels.jsonl"), name)
    with ExitStack() as opened:
        head = opened.enter_context(RunReader(run))
        old = opened.enter_context(RunReader(base)) if base is not None else None
        tasks = _tasks(head, old, name, Path(config_path))[:limit]
        session = Session(tasks, file, t=t)
        try:
            server = RatingServer(session, port)
        except OSError as error:
            message = f"--port {port}: {error.strerror}; leave it out for a free one"
            raise UsageError(message) from error
        click.echo(f"{server.url}\n{session.done} of {len(tasks)} rated by {name}; labels go to {file.path}")
        click.echo(f"Stop with {KEYS[t.language].stop} on the page, or with Ctrl+C here.", err=True)
        if opens:
            click.launch(server.url)
        try:
            server.serve()
        except KeyboardInterrupt:
            click.echo("", err=True)
        click.echo(f"{session.done} of {len(tasks)} rated; {file.path}")


def _tasks(head: RunReader, base: RunReader | None, rater: str, config: Path) -> list[Task]:
    from quilate.errors import UsageError
    from quilate.rating.tasks import pair_tasks, single_tasks

    if base is not None:
        found = pair_tasks(base, head, rater)
        if not found:
            message = f"no reply of {head.name} differs from that of {base.name} to the same question"
            raise UsageError(message)
        return found
    found = single_tasks(head, _left_open(head, config))
    if not found:
        message = (
            f"{head.name}: code grades every criterion of its cases, so there is nothing for a person; "
            "rate pairs with --base BASE.jsonl, or add expected_behavior to cases"
        )
        raise UsageError(message)
    return found


def _left_open(head: RunReader, config: Path) -> list[LeftOpen]:
    """What checks leave open, by the run's own date; packs of the repository's own where a configuration names them."""
    import datetime as dt

    from quilate.checks.locale.load import load_packs
    from quilate.checks.locale_checks import LocaleChecks, build_locale_checks

    try:
        day: dt.date | None = dt.datetime.fromisoformat(head.header.conditions.started_at).date()
    except ValueError:
        day = None
    if config.exists():
        from quilate.config_load import load_config

        file = load_config(config)
        return [build_locale_checks(file.config, file.base_dir, day).left_open]
    return [LocaleChecks(load_packs(), judged=True, tested_on=day).left_open]


def _login() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "anonymous"
