"""`quilate case add`: one incident into one golden case, by questions or by flags."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quilate.errors import InputError, QuilateError, UsageError

if TYPE_CHECKING:
    from quilate.goldens.case import GoldenCase
    from quilate.goldens.incidents.adding import Given
    from quilate.goldens.incidents.building import Built
    from quilate.goldens.incidents.reading import Reading


@click.command(epilog="Example: quilate case add chat.txt --expected 'looks the order up first' --forbid-phrase sorry")
@click.argument("file", required=False)
@click.option("--from", "--transcript", "source_file", metavar="FILE", help="The same as FILE.")
@click.option(
    "--candidates",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Candidates of `quilate audit`.",
)
@click.option("--pick", metavar="ID", help="Which of the candidates.")
@click.option("--asked", metavar="TEXT", help="What was asked, or the conversation.")
@click.option("--answered", metavar="TEXT", help="The bad answer.")
@click.option("--expected", multiple=True, metavar="TEXT", help="What a good reply does; may be given again.")
@click.option("--tool", multiple=True, metavar="CALL", help="A tool it should have called: get_order(number=47821).")
@click.option("--forbid-tool", multiple=True, metavar="NAME", help="A tool it must not call.")
@click.option("--forbid-phrase", multiple=True, metavar="TEXT", help="A phrase that must not appear.")
@click.option("--require-phrase", multiple=True, metavar="TEXT", help="A phrase that must appear.")
@click.option("--category", metavar="TEXT", help="The group it is reported in.")
@click.option("--severity", metavar="WORD", help="critical, high, medium or low.")
@click.option("--person", multiple=True, metavar="NAME", help="A name to replace; may be given again.")
@click.option("--id", "case_id", metavar="ID", help="[default: made of the date and the question]")
@click.option("--owner", metavar="NAME", help="Who answers for the case.")
@click.option("--source", metavar="TEXT", help="Where it comes from, such as an issue's address.")
@click.option(
    "--to",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The golden file; added to where it is there.  [default: a new one in goldens/incidents]",
)
@click.option(
    "--config", default="quilate.yml", show_default=True, metavar="FILE", help="Whose cases it is compared with."
)
@click.option("--ask", is_flag=True, help="Ask the suite's agent, to see whether it reproduces.")
@click.option("--dry-run", is_flag=True, help="Show the case and write nothing.")
def add(
    file: str | None, source_file: str | None, candidates: Path | None, pick: str | None, case_id: str | None,
    owner: str | None, source: str | None, to: Path | None, config: str, *, ask: bool, dry_run: bool, **flags: Any,
) -> None:  # fmt: skip
    """Makes a golden case: redacted, compared with the cases that are there, written without touching anything else.

    FILE is a transcript, an issue's text, a stored mail, the log of a model's API (JSON, or the events of a stream), or
    an exported trace; - is standard input. On a terminal it asks for what is missing; elsewhere it names it and exits
    with 2.
    """
    from quilate.goldens.importers.table import slug, unique
    from quilate.goldens.incidents.building import Source, build

    if file and source_file:
        message = f"{file} and --from {source_file}: give one of them"
        raise UsageError(message)
    source_file = file or source_file
    known = _known(config)
    today = dt.datetime.now().astimezone().date()
    reading = _reading(source_file, candidates, pick, flags, known)
    question = reading.case.get("input", "")
    words = question if isinstance(question, str) else question[-1]["content"]
    name = case_id or unique(
        f"{today.isoformat()}-{slug(_clean(words, reading.people), 'incident')}", {case.id for case in known}
    )
    if case_id and case_id in {case.id for case in known}:
        message = f"--id {case_id}: there is such a case already; give another"
        raise UsageError(message)
    built = _built(build(reading, Source(name, today, source, owner), known))
    from quilate.goldens.append import append_cases

    target = to or Path("goldens") / "incidents" / f"{_file_name(name)}.yaml"
    if dry_run:
        click.echo(built.text, nl=False)
    else:
        append_cases(target, [built.written], version=today.isoformat())
        click.echo(f"{target}: case {name}")
        if Path(config).exists() and name not in {case.id for case in _known(config)}:
            click.echo(f"{config} does not read {target}, so that nobody is asked it: add it to goldens:", err=True)
    _tell(built)
    if set(built.case.expectations) <= {"expected_behavior"} and _without_judge(config):
        click.echo(f"{config} has no judge, and only a judge can grade it: add --forbid-phrase or --tool", err=True)
    for passage in reading.unread:
        click.echo(f"not read, for it belongs to no field: {passage!r}", err=True)
    if ask:
        _ask(config, built.case, today)


def _reading(
    source_file: str | None, candidates: Path | None, pick: str | None, flags: dict[str, Any],
    known: Sequence[GoldenCase],
) -> Reading:  # fmt: skip
    from quilate.goldens.incidents.adding import candidate, reading_of, what_is_missing
    from quilate.goldens.incidents.reading import Reading

    if candidates is not None:
        case = {key: value for key, value in candidate(candidates, pick).items() if key not in ("id", "added")}
        return Reading(case=case)
    given = _given(source_file, flags)
    reading = reading_of(given)
    if not reading.complete and sys.stdin.isatty() and source_file != "-":
        from quilate.cli.case_questions import ask_for

        reading = ask_for(given, reading, [case.category for case in known])
    if not reading.complete:
        no_words = source_file is None and not flags.get("asked")
        hint = "\na transcript or a log: quilate case add FILE, or - for standard input" if no_words else ""
        raise UsageError(what_is_missing(reading) + hint)
    return reading


def _given(source_file: str | None, flags: dict[str, Any]) -> Given:
    from quilate.goldens.incidents.adding import FLAGS, Given

    fields = {}
    for key, flag in FLAGS.items():
        value = flags.get(flag.removeprefix("--").replace("-", "_"))
        if value:
            fields[key] = (value,) if isinstance(value, str) else tuple(value)
    text = "" if source_file is None else _text_of(source_file)
    return Given(fields, text, source_file or "")


def _text_of(source_file: str) -> str:
    from quilate.goldens.incidents.files import text_of

    try:
        data = sys.stdin.buffer.read() if source_file == "-" else Path(source_file).read_bytes()
    except FileNotFoundError:
        message = f"{source_file}: there is no such file; what was asked goes to --asked"
        raise UsageError(message) from None
    except (OSError, ValueError) as error:
        message = f"{source_file}: cannot be read ({getattr(error, 'strerror', None) or error})"
        raise UsageError(message) from None
    return text_of(data, "standard input" if source_file == "-" else source_file)


def _built(result: Any) -> Built:
    from quilate.goldens.incidents.adding import FLAGS
    from quilate.goldens.incidents.building import Built, Duplicate, Incomplete, SecretLeft

    match result:
        case Built():
            return result
        case Duplicate(case_id):
            message = f"the dataset asks exactly this already: case {case_id}; nothing was written"
        case SecretLeft(kinds):
            message = f"what looks like a secret is left ({', '.join(kinds)}); take it out by hand, and revoke it"
        case Incomplete(questions):
            message = "\n".join(f"{FLAGS[each.key]}: cannot be used as it is written" for each in questions)
        case _:
            message = "no case"
    raise UsageError(message)


def _file_name(case_id: str) -> str:
    """An id is any text; a path made of it stays in its folder."""
    import re

    return re.sub(r"[^\w-]+", "-", case_id).strip("-")[:100] or "incident"


def _clean(text: str, people: Sequence[str]) -> str:
    """The words an id is made of must not be somebody's name or number."""
    from quilate.goldens.redact import Redaction

    return Redaction(people=people).text(text)


def _known(config: str) -> tuple[GoldenCase, ...]:
    """The suite's cases; none where there is no configuration yet, or no case."""
    from quilate.config_load import load_config

    if not Path(config).exists():
        return ()
    try:
        return load_config(config).goldens().dataset.cases
    except InputError as error:
        if all("names no file" in problem.found or "no case" in problem.found for problem in error.problems):
            return ()
        raise


def _without_judge(config: str) -> bool:
    from quilate.config_load import load_config

    return Path(config).exists() and load_config(config).config.judge is None


NOTES = {
    "arguments_as_text": 'arguments without quotes are text: 47821 is "47821"; check their types',
    "system_prompt": "the log's system prompt is left out, since the agent of today brings its own",
    "many_turns": "the input is a long history; keep the turns around the bad answer",
    "stream_cut": "the streamed answer breaks off or has parts that cannot be read; look at it",
    "continues": "the request continues one that is not in the log; give the whole conversation with --asked",
    "several": "the log holds several conversations; the last was taken",
}


def _tell(built: Built) -> None:
    for one in built.replaced:
        click.echo(f"replaced: {one.kind}, {one.times} times, {one.values} different", err=True)
    for near in built.near:
        click.echo(f"like it: {near.case_id} (similarity {near.score} of 100)", err=True)
    if "category_unstated" in built.notes:
        click.echo(f"no --category: it is {built.case.category} for now", err=True)
    if built.called:
        click.echo(f"the logged answer called: {'; '.join(built.called)}", err=True)
    for note in built.notes:
        if note in NOTES:
            click.echo(NOTES[note], err=True)


def _ask(config: str, case: GoldenCase, today: dt.date) -> None:
    import os

    from quilate.red_first import red_first
    from quilate.suite import open_suite

    try:
        found = red_first(open_suite(Path(config)), case, environ=os.environ, today=today)
    except QuilateError as error:
        click.echo(f"not asked: {error}", err=True)
        return
    click.echo(f"asked of today's agent: {found.headline}{': ' + found.reason if found.reason else ''}", err=True)
