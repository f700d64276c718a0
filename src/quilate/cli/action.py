"""`quilate action`: what the container runs; everything comes from the environment."""

from __future__ import annotations

import click


@click.command(epilog="Example, in a workflow's step: env QUILATE_MODE=compare quilate action")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Does what the workflow's event calls for: records, compares, publishes; the exit code is the gate.

    Inputs come as INPUT_<NAME> or QUILATE_<NAME> (config, suite, token, mode, output, comment), everything else as the
    runner sets it. Exit code 0: pass; 1: fail; 2: usage or configuration; 3: inconclusive.
    """
    import os

    from quilate.github.entry import run

    ctx.exit(run(os.environ))
