"""`quilate audit`: did past conversations invent, as far as the knowledge base can tell?"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from quilate.audit.entry import Entry
    from quilate.audit.report import About
    from quilate.audit.summary import Summary
    from quilate.config_load import ConfigFile


@click.command(epilog="Example: quilate audit conversations.jsonl --days 7 --out .quilate/audit")
@click.argument("conversations", metavar="CONVERSATIONS.jsonl", type=click.Path(path_type=Path))
@click.option("--config", metavar="FILE", default="quilate.yml", show_default=True, help="The configuration.")
@click.option(
    "--out", metavar="DIR", default=".quilate/audit", show_default=True, type=click.Path(path_type=Path),
    help="Where audit.md, audit.json, candidates.yaml and the journal are written.",
)  # fmt: skip
@click.option(
    "--days", type=click.IntRange(min=1), default=14, show_default=True,
    help="The window: older conversations are counted, not judged.",
)  # fmt: skip
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="The window's last day, UTC.  [default: now]")
@click.option("--resume", is_flag=True, help="Carry on with an audit of the same log; try again what erred.")
@click.option("-q", "--quiet", is_flag=True, help="Print the last line only.")
@click.pass_context
def command(
    ctx: click.Context,
    conversations: Path,
    config: str,
    out: Path,
    days: int,
    until: dt.datetime | None,
    resume: bool,
    quiet: bool,
) -> None:
    """Judges past conversations by what the agent's search finds for them today, in three verdicts.

    Each line of CONVERSATIONS.jsonl holds id, question, reply, when (ISO 8601), and optionally fragments (what the
    search found then) and verdict (what an earlier evaluator said).

    Exit code 0: done; 2: usage or configuration; 3: nothing was judged, or more than gate.max_error_rate percent have
    no verdict because the judge or the search failed.
    """
    import asyncio

    from quilate.config_load import load_config

    file = load_config(config)
    end = _end(until, out, resume)
    summary, about, candidates = asyncio.run(_audit(file, conversations, out, end, days, resume, quiet))
    _say(summary, about, out, candidates, quiet)
    ctx.exit(3 if _unusable(summary, file.config.gate.max_error_rate) else 0)


def _end(until: dt.datetime | None, out: Path, resume: bool) -> dt.datetime:
    """The window's end. An audit without a date ends now; resumed, it ends where it did."""
    from quilate.audit.journal import settings_of
    from quilate.audit.outputs import JOURNAL

    if until is not None:
        return until.replace(tzinfo=dt.UTC) + dt.timedelta(days=1) - dt.timedelta(microseconds=1)
    earlier = settings_of(out / JOURNAL) if resume else {}
    if isinstance(earlier.get("until"), str):
        return dt.datetime.fromisoformat(str(earlier["until"]))
    return dt.datetime.now(dt.UTC).replace(microsecond=0)


async def _audit(
    file: ConfigFile, log: Path, out: Path, until: dt.datetime, days: int, resume: bool, quiet: bool
) -> tuple[Summary, About, int]:
    import os

    from quilate.audit.auditing import Audit, audit, held
    from quilate.audit.journal import Journal
    from quilate.audit.outputs import JOURNAL, write_outputs
    from quilate.audit.report import About
    from quilate.errors import UsageError
    from quilate.judge.build import build_judge
    from quilate.judge.grader import JudgeGrader

    opened = build_judge(
        file.config, base_dir=file.base_dir, environ=os.environ, left_open=(), remember_searches=False
    )  # fmt: skip
    grader, identity = opened.grader, opened.identity
    if not isinstance(grader, JudgeGrader) or identity is None:
        message = "an audit needs a model as its judge: add judge: to the configuration (docs/judge.md)"
        raise UsageError(message)
    settings = {
        "log": log.name, "until": until.isoformat(), "days": days, "judge": identity.fingerprint,
        "search": identity.search,
    }  # fmt: skip
    concurrency = 2 * (file.config.judge.concurrency if file.config.judge else 1)
    job = Audit(log=log, until=until, days=days, concurrency=concurrency)
    journal = Journal(out / JOURNAL, settings, resume=resume)
    counter = Counter(quiet)
    with journal:
        done = held(journal.path) if resume else 0
        async with opened:
            await audit(job, grader, journal, done, counter.heard)
    counter.end()
    about = About(
        log=log.name,
        since=(until - dt.timedelta(days=days)).isoformat(),
        until=until.isoformat(),
        days=days,
        made_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        judge=identity.described,
        totals=opened.totals().dump(),
        searched=file.config.retriever is not None,
    )
    summary, candidates = write_outputs(out, about)
    return summary, about, candidates


class Counter:
    """Says on standard error, where that is a terminal, how many conversations are done."""

    def __init__(self, quiet: bool) -> None:
        import sys

        self._shown = not quiet and sys.stderr.isatty()
        self._count = 0

    def heard(self, entry: Entry) -> None:
        """One more."""
        self._count += 1
        if self._shown and self._count % 20 == 0:
            click.echo(f"\r{self._count} conversations", nl=False, err=True)

    def end(self) -> None:
        """Ends the line."""
        if self._shown and self._count >= 20:
            click.echo("", err=True)


def _say(summary: Summary, about: About, out: Path, candidates: int, quiet: bool) -> None:
    from quilate.audit.entry import Outcome
    from quilate.audit.outputs import CANDIDATES, JSON, MARKDOWN
    from quilate.audit.report import ROWS

    if not quiet:
        for outcome, name, _meaning in ROWS:
            if summary.counts[outcome]:
                click.echo(f"{summary.counts[outcome]:>7}  {name.replace('*', '')}")
        click.echo(f"{summary.lines:>7}  lines")
        click.echo(f"wrote {out / MARKDOWN}, {out / JSON}, {out / CANDIDATES} ({candidates} candidates)", err=True)
    click.echo(
        f"{summary.counts[Outcome.INVENTED]} invented, {summary.counts[Outcome.NOT_INVENTED]} not invented, "
        f"{summary.no_evidence} without evidence, of {summary.in_window} conversations in {about.days} days"
    )


def _unusable(summary: Summary, max_error_rate: float) -> bool:
    """Whether the audit says nothing: no conversation in the window, or too many without a verdict by an outage."""
    return not summary.in_window or 100 * summary.failed > max_error_rate * summary.in_window
