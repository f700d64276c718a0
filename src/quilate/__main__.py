"""`python -m quilate`."""

from __future__ import annotations

import sys


def main() -> None:
    """The command line; `--version` alone answers without loading anything."""
    if sys.argv[1:] == ["--version"]:
        from quilate import __version__

        sys.stdout.write(f"quilate {__version__}\n")
        return
    from quilate.cli import main as cli

    cli()


if __name__ == "__main__":
    main()
