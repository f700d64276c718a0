"""`quilate compare`: two run files in, the comparison and the verdict out. Reads no configuration."""

from __future__ import annotations

import datetime as dt
import json

import click


@click.command(epilog="Example: quilate compare base.jsonl .quilate/run.jsonl --format json")
@click.argument("base", metavar="BASE.jsonl")
@click.argument("head", metavar="HEAD.jsonl")
@click.option(
    "--format", "form", type=click.Choice(["text", "md", "json"]), default="text", show_default=True,
    help="text for a terminal, md as the comment, json for programs (docs/comparison.md).",
)  # fmt: skip
@click.option(
    "--today", type=click.DateTime(["%Y-%m-%d"]), help="The day by which quarantines end.  [default: today, UTC]"
)
@click.option("-q", "--quiet", is_flag=True, help="Print the last line only.")
@click.pass_context
def command(ctx: click.Context, base: str, head: str, form: str, today: dt.datetime | None, quiet: bool) -> None:
    """Compares run HEAD with run BASE and gates by BASE's policy.

    Cases whose expectations differ are graded again from the stored replies, so that both sides stand under one ruler;
    nothing is asked. Exit code 0: pass; 1: fail; 2: a file that cannot be read; 3: inconclusive.
    """
    from quilate.compare.offline import compare_files
    from quilate.runs.reader import RunReader

    day = today.date() if today else dt.datetime.now(dt.UTC).date()
    with RunReader(base) as old, RunReader(head) as new:
        comparison, _ = compare_files(old, new, today=day)
        if form == "json":
            from quilate.compare.as_json import as_json

            click.echo(json.dumps(as_json(comparison), ensure_ascii=False, indent=2))
        else:
            from quilate.report import comment, terminal
            from quilate.report.input import ReportInput
            from quilate.report.sources import metrics_of, provenance_of

            report = ReportInput(
                comparison=comparison, provenance=provenance_of(new, old), head=new, base=old,
                metrics=metrics_of(new, old),
            )  # fmt: skip
            if quiet:
                click.echo(terminal.last_line(report))
            else:
                click.echo(comment.render(report) if form == "md" else terminal.render(report), nl=False)
    ctx.exit(comparison.exit_code)
