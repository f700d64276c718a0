"""`quilate schema`: the file formats as JSON Schema."""

from __future__ import annotations

import json

import click


@click.command(epilog="Example: quilate schema golden > golden.schema.json")
@click.argument("name", metavar="config|golden|run|results", type=click.Choice(["config", "golden", "run", "results"]))
def command(name: str) -> None:
    """Prints the JSON Schema of a file format, for editors and other tools.

    config is quilate.yml, golden a golden file, run one line of a run file, results results.json. In VS Code, with the
    YAML extension, write at the top of a golden file:  # yaml-language-server: $schema=golden.schema.json
    """
    if name == "results":
        from quilate.report.results import results_schema

        schema = results_schema()
    else:
        from quilate.goldens.schema import schema_of

        schema = schema_of(name)
    click.echo(json.dumps(schema, ensure_ascii=False, indent=2))
