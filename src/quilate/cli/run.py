"""`quilate run`: asks the agent, grades the replies, writes the run and its reports, compares with a baseline."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(epilog="Example: quilate run --category order-status --baseline .quilate/baselines")
@click.option(
    "--config", "config_path", default="quilate.yml", show_default=True, metavar="FILE", help="The configuration."
)
@click.option(
    "--out", default=".quilate", show_default=True, metavar="DIR", help="Where run.jsonl and the reports are written."
)
@click.option("--case", "cases", multiple=True, metavar="ID", help="Ask only these cases (globs; may be repeated).")
@click.option("--category", "categories", multiple=True, metavar="NAME", help="Ask only cases of these categories.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Ask only cases with one of these tags.")
@click.option("--trials", type=click.IntRange(1, 100), help="Ask every case so many times.  [default: as configured]")
@click.option("--resume", is_flag=True, help="Carry on the run in --out: ask and grade only what is missing.")
@click.option(
    "--baseline", metavar="FILE|DIR", help="Compare with a run file, or with the newest usable run of a directory."
)
@click.option("--commit", envvar="GITHUB_SHA", metavar="SHA", help="The commit that is tested, for the record.")
@click.option("-v", "--verbose", is_flag=True, help="Tell every case, with what was asked, called and answered.")
@click.option("-q", "--quiet", is_flag=True, help="Print the last line only.")
@click.pass_context
def command(
    ctx: click.Context, config_path: str, out: str, cases: tuple[str, ...], categories: tuple[str, ...],
    tags: tuple[str, ...], trials: int | None, resume: bool, baseline: str | None, commit: str | None, verbose: bool,
    quiet: bool,
) -> None:  # fmt: skip
    """Asks the agent every golden case, grades the replies and writes run.jsonl, comment.md and more to --out.

    Nothing is compared without --baseline. Exit code 0: pass, or nothing to compare with; 1: fail; 2: something to
    mend in files or flags; 3: inconclusive. An interrupted run is carried on with --resume.
    """
    from quilate.cli.running import Asked, run_here
    from quilate.suite import Selection

    asked = Asked(
        config=Path(config_path),
        out=Path(out),
        selection=Selection(cases, categories, tags),
        trials=trials,
        resume=resume,
        baseline=Path(baseline) if baseline is not None else None,
        commit=commit or None,
        verbose=verbose,
        quiet=quiet,
    )
    ctx.exit(run_here(asked))
