"""`quilate schema`: the file formats as JSON Schema."""

from __future__ import annotations

import json

import click


@click.command(epilog="Example: quilate schema golden > golden.schema.json")
@click.argument("name", metavar="config|golden|run", type=click.Choice(["config", "golden", "run"]))
def command(name: str) -> None:
    """Prints the JSON Schema of a file format, for editors and other tools.

    config is quilate.yml, golden a golden file, run one line of a run file. In VS Code, with the YAML extension,
    write at the top of a golden file:  # yaml-language-server: $schema=golden.schema.json
    """
    from quilate.goldens.schema import schema_of

    click.echo(json.dumps(schema_of(name), ensure_ascii=False, indent=2))
