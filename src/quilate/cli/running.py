"""What `quilate run` does between its flags and its exit code."""

from __future__ import annotations

import asyncio
import datetime as dt
import gc
import os
import sys
from collections.abc import Coroutine
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click

from quilate.asking import cancelled_by_signals
from quilate.cli.progress import Progress
from quilate.cli.report import colours
from quilate.errors import UsageError
from quilate.pipeline import Job, Outcome, run
from quilate.redaction import secret_values
from quilate.report import terminal
from quilate.report.files import write_files
from quilate.reporting import Source, source_of
from quilate.runs.reader import RunReader
from quilate.runs.store import DirectoryStore
from quilate.suite import Selection, Suite, open_suite

RUN_FILE = "run.jsonl"
FORMATS = ("md", "html", "junit")
INTERRUPTED = 130
"""The shell's exit code for a process that Ctrl-C ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The flags of `quilate run`."""

    config: Path
    out: Path
    selection: Selection = Selection()  # noqa: RUF009 - frozen, so one will do for all
    trials: int | None = None
    resume: bool = False
    baseline: Path | None = None
    commit: str | None = None
    verbose: bool = False
    quiet: bool = False


def run_here(asked: Asked) -> int:
    """Runs the suite, writes everything to `asked.out`, prints the result; returns the exit code."""
    suite = _with_trials(open_suite(asked.config), asked.trials)
    run_file = asked.out / RUN_FILE
    if asked.resume and not run_file.exists():
        message = f"{run_file}: there is no run to carry on; leave --resume out"
        raise UsageError(message)
    base = _baseline(asked.baseline, suite, run_file)
    with Progress(
        len(asked.selection.of(suite.dataset)), quiet=asked.quiet, language=suite.config.report_language
    ) as progress:
        job = Job(
            suite=suite,
            run_file=run_file,
            environ=os.environ,
            today=dt.datetime.now(dt.UTC).date(),
            selection=asked.selection,
            resume=asked.resume,
            commit=asked.commit,
            base=base,
            secrets=secret_values(os.environ, "", [suite.config]),
            listener=progress,
            warn=progress.warn,
        )
        outcome = _in_order(run(job), run_file)
    with ExitStack() as opened:
        source = source_of(job, outcome, opened, config=asked.config)
        written = write_files(asked.out, source, FORMATS)
        _print(asked, outcome, source, [run_file, *written])
    return outcome.comparison.exit_code


def _in_order(work: Coroutine[object, object, Outcome], run_file: Path) -> Outcome:
    """Runs it; Ctrl-C and SIGTERM end it in order, with what was answered written."""

    async def guarded() -> Outcome:
        with cancelled_by_signals():
            return await work

    # Modules and the suite stay until the end: that the collector looks through them again costs 0.1 ms a case.
    gc.freeze()
    try:
        return asyncio.run(guarded())
    except (asyncio.CancelledError, KeyboardInterrupt):
        click.echo(f"interrupted: what was answered is in {run_file}; carry on with --resume", err=True)
        sys.exit(INTERRUPTED)


def _with_trials(suite: Suite, trials: int | None) -> Suite:
    if trials is None:
        return suite
    return Suite(suite.config.model_copy(update={"trials": trials}), suite.base_dir, suite.dataset)


def _baseline(given: Path | None, suite: Suite, run_file: Path) -> Path | None:
    """The run file to compare with. A directory without a usable record is no baseline, and the report says so."""
    if given is None:
        return None
    if not given.exists():
        mend = "store one with `quilate baseline save`, or leave --baseline out"
        message = f"--baseline {given}: there is no such file or directory; {mend}"
        raise UsageError(message)
    if given.is_file():
        # Begun anew, it would be compared with itself, which always passes.
        if run_file.exists() and given.samefile(run_file):
            mend = "store it with `quilate baseline save`, or choose another --out"
            message = f"--baseline {given}: this run writes that file itself; {mend}"
            raise UsageError(message)
        with RunReader(given) as base:
            if base.header.suite != suite.config.suite:
                message = f"{given} is a run of suite {base.header.suite!r}, not of {suite.config.suite!r}"
                raise UsageError(message)
        return given
    found = DirectoryStore(given, suite.config.suite).newest()
    if found is None and (given / RUN_FILE).is_file():
        mend = f"name {given / RUN_FILE}, or the folder that `quilate baseline save` writes"
        message = f"--baseline {given}: this is a run's folder, not one of baselines; {mend}"
        raise UsageError(message)
    return found.path if found else None


def _print(asked: Asked, outcome: Outcome, source: Source, written: list[Path]) -> None:
    paint = colours()
    if asked.quiet and outcome.asking.common is not None:
        click.echo(terminal.inert(f"every case crashed alike: {outcome.asking.common.message}"), err=True)
    if asked.quiet:
        click.echo(terminal.last_line(source.report, paint=paint))
        return
    if asked.verbose:
        from quilate.report.case_text import whole_case

        for case_id in source.head.index:
            click.echo(whole_case(case_id, source.report, paint))
    text = terminal.render(
        source.report,
        paint=paint,
        written=[str(path) for path in written],
        tell_cases=not asked.verbose,
    )
    click.echo(text, nl=False)
