"""The command line's door: it parses, calls the pipeline and renders errors; no logic of its own."""

from __future__ import annotations

import importlib
import traceback
from typing import Any

import click

from quilate import __version__
from quilate.errors import QuilateError, UsageError

COMMANDS = {
    "init": "quilate.cli.init",
    "check": "quilate.cli.check",
    "run": "quilate.cli.run",
    "compare": "quilate.cli.compare",
    "report": "quilate.cli.report",
    "evidence": "quilate.cli.evidence",
    "baseline": "quilate.cli.baseline",
    "case": "quilate.cli.case",
    "audit": "quilate.cli.audit",
    "judge": "quilate.cli.judge",
    "side-by-side": "quilate.cli.side_by_side",
    "rate": "quilate.cli.rate",
    "calibrate": "quilate.cli.calibrate",
    "dashboard": "quilate.cli.dashboard",
    "schema": "quilate.cli.schema",
    "demo": "quilate.cli.demo",
    "action": "quilate.cli.action",
}
"""Name → module; each has a click command called `command`. Loaded when called, so that start-up costs nothing."""


DEFECT = 70
"""The exit code of a defect of ours (EX_SOFTWARE of sysexits.h): none of the verdicts'."""


class LazyGroup(click.Group):
    """Loads a command's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of a run's story."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Renders an error once, on standard error, with its exit code."""
        from quilate.cli import streams

        streams.make_usable()
        try:
            return super().invoke(ctx)
        except QuilateError as error:
            from quilate.report import terminal

            click.echo(terminal.inert(f"error: {error}"), err=True)
            ctx.exit(error.exit_code)
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except BrokenPipeError:
            streams.reader_has_gone()
            ctx.exit(streams.BROKEN_PIPE)
        except Exception as error:  # noqa: BLE001 - Python's own exit code for a defect is 1, which here means that a change fails
            mend = streams.what_to_mend(error) if isinstance(error, OSError) else None
            if mend is not None:
                click.echo(f"error: {mend}", err=True)
                ctx.exit(UsageError.exit_code)
            click.echo(f"{traceback.format_exc()}\nerror: this is a defect of quilate; please report it", err=True)
            ctx.exit(DEFECT)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="quilate", message="%(prog)s %(version)s")
def main() -> None:
    """Golden cases, honest comparison, one comment and one gate for AI agents.

    Example: quilate run --baseline .quilate/baselines
    """
