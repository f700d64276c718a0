"""`quilate check`: are the files that people write right, and do they say what is meant?"""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quilate.errors import InputError, Problem, UsageError

if TYPE_CHECKING:
    from quilate.cli import check_formats
    from quilate.config_load import ConfigFile
    from quilate.goldens.case import Dataset


@click.command(epilog="Example: quilate check goldens/orders.yaml --strict")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--config", metavar="FILE", help="The configuration.  [default: quilate.yml, where there is one]")
@click.option(
    "--format", "style", type=click.Choice(["text", "json", "github"]), default="text", show_default=True,
    help="text for people, json for programs, github for annotations on a pull request.",
)  # fmt: skip
@click.option("--review", is_flag=True, help="Also say what a quarterly review should look at.")
@click.option(
    "--baselines", default=".quilate/baselines", show_default=True, metavar="DIR",
    help="With --review: stored runs, or a checkout of the data branch.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Exit 1 when there is a warning.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    config: str | None,
    style: str,
    review: bool,
    baselines: str,
    strict: bool,
) -> None:
    """Validates the configuration and the golden cases, and lints them.

    PATH is a golden file, a folder or a glob; without one, the files that the configuration names are checked.

    Exit code 0: no error; 1: a warning under --strict; 2: an error.
    """
    from quilate.cli import check_formats

    named = ctx.get_parameter_source("baselines") is click.core.ParameterSource.COMMANDLINE
    if named and not Path(baselines).is_dir():
        wanted = "a folder of baselines, or a checkout of the data branch"
        message = f"--baselines {baselines}: there is no such folder; name {wanted}"
        raise UsageError(message)
    today = dt.datetime.now().astimezone().date()
    checked = check(paths, config, today=today, baselines=Path(baselines) if review else None)
    render = {
        "text": check_formats.as_text,
        "json": check_formats.as_json,
        "github": check_formats.as_github,
    }[style]
    for line in render(checked):
        click.echo(line)
    ctx.exit(2 if checked.problems else 1 if strict and checked.findings else 0)


def check(
    paths: tuple[str, ...], config: str | None, *, today: dt.date, baselines: Path | None = None
) -> check_formats.Checked:
    """Reads and lints; problems are in the result, not raised. Raises `UsageError` when there is nothing to check.

    With `baselines`, a folder of stored runs, what a review should look at is among the findings.
    """
    from quilate.cli.check_formats import Checked
    from quilate.config_load import DEFAULT_CONFIG, load_suite
    from quilate.goldens.lint import lint
    from quilate.goldens.load import Goldens, load_goldens
    from quilate.goldens.neutrality import instructing_system_prompt

    if config is None and os.path.lexists(DEFAULT_CONFIG):
        config = DEFAULT_CONFIG
    if config is None and not paths:
        message = f"there is no {DEFAULT_CONFIG} here; name golden files to check, or a configuration with --config"
        raise UsageError(message)
    problems: list[Problem] = []
    loaded: ConfigFile | None = None
    goldens: Goldens | None = None
    if config is not None:
        suite = load_suite(config, goldens=not paths)
        loaded, goldens = suite.file, suite.goldens
        problems.extend(suite.problems)
    if paths:
        try:
            goldens = load_goldens(paths, Path())
        except InputError as error:
            problems.extend(error.problems)
    if goldens is None:
        return Checked(problems, [], 0, 0)
    findings = lint(goldens, today)
    if loaded is not None:
        findings += instructing_system_prompt(loaded, goldens.dataset.cases)
        problems.extend(_locale_problems(loaded, goldens.dataset))
    if baselines is None:
        return Checked(problems, findings, len(goldens.files), len(goldens.dataset.cases))
    from quilate.goldens.living import review, versions
    from quilate.goldens.living_runs import past_runs

    runs = past_runs(baselines, loaded.config.suite) if loaded is not None else ()
    findings += review(goldens, runs, today)
    return Checked(problems, findings, len(goldens.files), len(goldens.dataset.cases), versions(runs))


def _locale_problems(file: ConfigFile, dataset: Dataset) -> list[Problem]:
    """What is wrong with the repository's locale packs, and the locales of cases that no pack is there for."""
    if not file.config.locales and not any(case.locale or case.signal for case in dataset.cases):
        return []
    from quilate.checks.locale_checks import build_locale_checks

    try:
        return build_locale_checks(file.config, file.base_dir).problems(dataset)
    except InputError as error:
        return list(error.problems)
