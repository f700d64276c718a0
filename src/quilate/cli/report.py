"""`quilate report`: renders a run again; asks and judges nothing."""

from __future__ import annotations

import datetime as dt
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quilate.cli.languages import language_option, reader_language
from quilate.errors import UsageError

if TYPE_CHECKING:
    from quilate.report.files import Source
    from quilate.report.messages import Language
    from quilate.report.terminal import Paint

FORMATS = ("md", "html", "text", "junit", "csv", "json")


@click.command(epilog="Example: quilate report .quilate/run.jsonl --baseline base.jsonl --format md")
@click.argument("run", metavar="RUN.jsonl")
@click.option("--baseline", metavar="BASE.jsonl", help="The run to compare with.")
@click.option("--out", metavar="DIR", help="Write files there instead of one format to standard output.")
@click.option(
    "--format", "formats", multiple=True, type=click.Choice(FORMATS),
    help="May be repeated with --out (default there: all).  [default: text]",
)  # fmt: skip
@language_option("comment, page and text")
@click.option(
    "--config", "config_path", default="quilate.yml", show_default=True, metavar="FILE",
    help="Where report_language is read; may be absent.",
)  # fmt: skip
@click.option("--most", type=click.IntRange(0), default=20, show_default=True, help="Cases told in full in the text.")
@click.option("-v", "--verbose", is_flag=True, help="Tell every failing case in the text.")
@click.option("-q", "--quiet", is_flag=True, help="Print the last line only.")
def command(
    run: str, baseline: str | None, out: str | None, formats: tuple[str, ...], language: Language | None,
    config_path: str, most: int, verbose: bool, quiet: bool,
) -> None:  # fmt: skip
    """Renders RUN.jsonl again, compared with a baseline or alone; asks and judges nothing.

    Exit code 0 once it is rendered, whatever the verdict (`quilate compare` gates); 2: a file that cannot be read.
    """
    from quilate.report import terminal
    from quilate.report.files import write_files, write_format

    if out is None and len(formats) > 1:
        message = "several formats need a folder; give --out DIR"
        raise UsageError(message)
    with ExitStack() as opened:
        source = read(run, baseline, reader_language(language, Path(config_path)), opened)
        if out is not None:
            for path in write_files(Path(out), source, formats or FORMATS):
                click.echo(str(path), err=True)
            if not formats and not quiet:
                return
        paint = colours()
        if quiet:
            click.echo(terminal.last_line(source.report, paint=paint))
        elif out is None:
            chosen = formats[0] if formats else "text"
            if chosen == "text":
                told = len(source.head.index) if verbose else most
                click.echo(
                    terminal.render(source.report, paint=paint, most_cases=told),
                    nl=False,
                )
            else:
                sys.stdout.flush()
                write_format(chosen, sys.stdout.buffer, source)


def read(run: str, baseline: str | None, language: Language, opened: ExitStack) -> Source:
    """Both runs and the report's data, closed with `opened`; raises `InputError` for a file that cannot be read."""
    from quilate.compare.offline import compare_files
    from quilate.report.files import Source
    from quilate.report.input import ReportInput
    from quilate.report.pairs import with_pairs
    from quilate.report.sources import metrics_of, not_approved, provenance_of
    from quilate.runs.reader import RunReader

    head = opened.enter_context(RunReader(run))
    base = opened.enter_context(RunReader(baseline)) if baseline is not None else None
    today = dt.datetime.now(dt.UTC).date()
    comparison, _ = compare_files(base, head, today=today)
    report = ReportInput(
        comparison=comparison, provenance=provenance_of(head, base), head=head, base=base, language=language,
        metrics=metrics_of(head, base), not_approved=not_approved(head),
    )  # fmt: skip
    return Source(head, base, with_pairs(report, head.path, head, base))


def colours() -> Paint:
    """ANSI colours on a terminal that knows them, unless `NO_COLOR` is set (any value)."""
    from quilate.report.terminal import plain

    wanted = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return _styled if wanted else plain


def _styled(text: str, *, fg: str | None = None, bold: bool = False) -> str:
    return click.style(text, fg=fg, bold=bold)
