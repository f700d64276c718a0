"""`quilate demo`: the whole story on the embedded example."""

from __future__ import annotations

import click


@click.command(epilog="Example: quilate demo")
@click.option(
    "--keep", metavar="DIR", help="Write the example's files there, to play with.  [default: nothing is kept]"
)
def command(keep: str | None) -> None:
    """Evaluates an orders agent, stores the baseline, evaluates a change that breaks it, and shows the comment.

    No network and no key. Exit code 0 once the demo itself worked, although the change it shows fails the gate.
    """
    from quilate.demo.story import tell

    tell(keep)
