"""`quilate case`: new golden cases from incidents and other tools, and golden cases for other tools."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quilate.cli.case_add import add
from quilate.errors import UsageError

if TYPE_CHECKING:
    from quilate.goldens.importers.table import Import


@click.group(epilog="Example: quilate case add chat.txt --expected 'looks the order up first'")
def command() -> None:
    """Makes golden cases of incidents, and moves them between tools."""


command.add_command(add)


@command.command(
    "import", epilog="Example: quilate case import csv cases.csv --map pregunta=input --to goldens/faq.yaml"
)
@click.argument("kind", type=click.Choice(["promptfoo", "deepeval", "csv", "jsonl"]))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "--to",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The golden file; added to where it is there.  [default: only the table]",
)
@click.option(
    "--map", "pairs", multiple=True, metavar="COLUMN=FIELD", help="csv, jsonl: which column is which field of a case."
)
@click.option("--category", metavar="TEXT", help="Of cases that state none.  [default: the file's name]")
@click.option(
    "--input-variable", metavar="NAME", help="promptfoo: take this variable as the input, not the whole prompt."
)
@click.option("--redact", is_flag=True, help="Replace personal data in what is imported.")
def import_(
    kind: str, file: Path, to: Path | None, pairs: tuple[str, ...], category: str | None, input_variable: str | None,
    redact: bool,
) -> None:  # fmt: skip
    """Takes another tool's dataset over, and says of each part whether it was taken, and if not, why."""
    found = _imported(kind, file, pairs, category or file.stem, input_variable)
    if redact:
        from quilate.goldens.redact import Redaction

        redaction = Redaction()
        found.cases = [redaction.value(case) for case in found.cases]
    _check(found.cases, file)
    if to is not None and found.cases:
        from quilate.goldens.append import append_cases

        append_cases(to, found.cases, version=_today().isoformat())
        click.echo(f"{len(found.cases)} cases are in {to}", err=True)
    for line in found.summary():
        click.echo(line)


def _imported(kind: str, file: Path, pairs: tuple[str, ...], category: str, variable: str | None) -> Import:
    from quilate.documents import parse_document, read_document
    from quilate.goldens.importers import tabular

    if pairs and kind not in ("csv", "jsonl"):
        message = f"--map is for csv and jsonl; {kind} names its own fields"
        raise UsageError(message)
    match kind:
        case "promptfoo":
            from quilate.goldens.importers.promptfoo import read_promptfoo

            return read_promptfoo(_yaml_of(file), file.parent, name=category, input_variable=variable)
        case "deepeval":
            return tabular.read_deepeval(read_document(file).value, category=category)
        case "csv":
            rows: list[dict[str, Any]] = list(tabular.rows_of_csv(_text(file)))
        case _:
            value = parse_document(_text(file), file=str(file), kind="jsonl").value
            rows = [row for row in value if isinstance(row, dict)]
    if not rows:
        message = f"{file}: found no rows"
        raise UsageError(message)
    columns = list(dict.fromkeys(column for row in rows for column in row))
    return tabular.read_rows(rows, tabular.mapping_of(pairs, columns), category=category)


def _yaml_of(file: Path) -> Any:
    """A promptfoo configuration, whose YAML may have anchors and dates that a golden file may not."""
    import yaml

    try:
        return yaml.safe_load(_text(file))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = f"{file}: YAML that cannot be read ({str(error)[:200]})"
        raise UsageError(message) from None


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        message = f"{file}: not UTF-8; save the file as UTF-8 first"
        raise UsageError(message) from None


def _check(cases: list[dict[str, Any]], file: Path) -> None:
    """Every case as `quilate check` will read it. Raises `InputError`."""
    from quilate.documents import parse_document
    from quilate.errors import InputError
    from quilate.goldens.append import new_file
    from quilate.goldens.validate import validate_case

    if not cases:
        return
    document = parse_document(new_file(cases, version="1"), file=f"{file} (as golden cases)", kind="yaml")
    problems = [
        problem
        for index, case in enumerate(document.value["cases"])
        for problem in validate_case(document, ("cases", index), case, {})[1]
    ]
    if problems:
        raise InputError(problems)


@command.command("export", epilog="Example: quilate case export --format promptfoo -o promptfooconfig.yaml")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--config",
    default="quilate.yml",
    show_default=True,
    metavar="FILE",
    help="The configuration, where no PATH is given.",
)
@click.option("--format", "style", type=click.Choice(["jsonl", "promptfoo"]), default="jsonl", show_default=True)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="[default: standard output]"
)
def export(paths: tuple[str, ...], config: str, style: str, output: Path | None) -> None:
    """Writes golden cases as JSON Lines or as a promptfoo configuration; what does not fit is listed."""
    from quilate.config_load import load_config
    from quilate.goldens.load import load_dataset

    dataset = load_dataset(paths, Path()) if paths else load_config(config).goldens().dataset
    if style == "jsonl":
        from quilate.goldens.exporters.json_lines import as_json_lines

        text = "".join(f"{line}\n" for line in as_json_lines(dataset.cases))
    else:
        import json

        from quilate.goldens.exporters.promptfoo import as_promptfoo

        written, account = as_promptfoo(dataset.cases)
        text = json.dumps(written, ensure_ascii=False, indent=2) + "\n"  # JSON is YAML
        for line in account.summary():
            click.echo(line, err=True)
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


@command.command("redact", epilog="Example: quilate case redact chat.txt --person 'Robin Example' -o clean.txt")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True, allow_dash=True))
@click.option("--person", "people", multiple=True, metavar="NAME", help="A name to replace everywhere, in part too.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="[default: standard output]"
)
def redact(file: Path, people: tuple[str, ...], output: Path | None) -> None:
    """Replaces personal data by invented values that still validate, and takes secrets out. FILE - is standard input.

    Exit code 2, and nothing is written, where the shape of a secret is left.
    """
    from quilate.goldens.redact import Redaction, leftover_secrets

    text = sys.stdin.buffer.read().decode("utf-8", "replace") if str(file) == "-" else _text(file)
    redaction = Redaction(people=people)
    clean = redaction.text(text)
    kinds = leftover_secrets(clean)
    if kinds:
        message = f"{file}: what looks like a secret is left ({', '.join(kinds)}); take it out by hand, and revoke it"
        raise UsageError(message)
    for one in redaction.replaced:
        click.echo(f"{one.kind}: {one.times} times, {one.values} different", err=True)
    if output is None:
        click.echo(clean, nl=False)
    else:
        output.write_text(clean, encoding="utf-8", newline="")


def _today() -> dt.date:
    return dt.datetime.now().astimezone().date()
