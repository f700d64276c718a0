"""`quilate judge --show CASE`: exactly what the judge would be sent."""

from __future__ import annotations

import click


@click.command(epilog="Example: quilate judge --show consulta-pedido-positivo-001 --run .quilate/run.jsonl")
@click.option("--show", "case_id", metavar="CASE", required=True, help="The id of the case to show.")
@click.option("--config", metavar="FILE", default="quilate.yml", show_default=True, help="The configuration.")
@click.option(
    "--run", "run_file", metavar="RUN.jsonl", help="A run file to take the reply from.  [default: a placeholder]"
)
@click.option("--trial", type=click.IntRange(min=0), default=0, show_default=True, help="Which trial's reply.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="text: the prompt as people read it; json: the body of the request.",
)  # fmt: skip
def command(case_id: str, config: str, run_file: str | None, trial: int, form: str) -> None:
    """Prints what the judge would be sent about one case, and sends nothing to it.

    A grounded case is searched for, as in a run: its evidence is part of what is sent.

    Exit code 0; 2: no judge, no such case, or nothing in it for a judge.
    """
    import asyncio
    import os

    from quilate.config_load import load_config
    from quilate.errors import UsageError
    from quilate.judge.showing import PLACEHOLDER, find_case, show

    file = load_config(config)
    case = find_case(file.dataset(), case_id)
    reply = PLACEHOLDER
    if run_file is not None:
        from quilate.runs.reader import RunReader

        with RunReader(run_file) as run:
            lines = run.reply_lines(case_id)
        if trial not in lines:
            message = f"{run_file} holds no reply of trial {trial} to {case_id!r}"
            raise UsageError(message)
        reply = lines[trial].reply
    shown = asyncio.run(show(file.config, case, reply, base_dir=file.base_dir, environ=os.environ))
    click.echo(shown.as_json() if form == "json" else shown.as_text(), nl=False)
