"""`quilate evidence`: the package an auditor asks for, and whether one is unchanged."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(epilog="Example: quilate evidence .quilate/run.jsonl -o evidence.zip")
@click.argument("path", metavar="RUN.jsonl|PACKAGE", type=click.Path(path_type=Path))
@click.option("-o", "--out", metavar="DIR|ZIP", type=click.Path(path_type=Path), help="Where the package goes.")
@click.option("--verify", is_flag=True, help="Check that PACKAGE is what its manifest says.")
@click.pass_context
def command(ctx: click.Context, path: Path, out: Path | None, verify: bool) -> None:
    """Packs exact prompts, raw replies, rubric, scores and metrics of a run; or verifies such a package.

    Exit code 0: packed, or unchanged; 1: --verify found a difference; 2: there is nothing to pack or to verify.
    """
    if verify:
        if out is not None:
            message = "give --verify or -o, not both"
            raise click.UsageError(message)
        ctx.exit(_verify(path))
    if out is None:
        message = "say where the package goes: -o evidence.zip, or -o a new folder"
        raise click.UsageError(message)
    _pack(path, out)


def _pack(path: Path, out: Path) -> None:
    from quilate.report.conditions import prove
    from quilate.report.evidence import package
    from quilate.report.package import write_package
    from quilate.runs.reader import RunReader

    with RunReader(path) as run:
        digest = write_package(package(run), out)
        proof = prove(run)
    for reason in proof.broken[:5]:
        click.echo(f"note: {reason}", err=True)
    claim = "fresh single-turn requests without instruction: " + ("proven" if proof.holds else "not proven")
    click.echo(f"{out}: packed, {claim}; manifest SHA-256 {digest}")


def _verify(path: Path) -> int:
    from quilate.report.package import verify_package

    verified = verify_package(path)
    for problem in verified.problems:
        click.echo(f"{path}: {problem}")
    if verified.problems:
        count = len(verified.problems)
        click.echo(f"{path}: not what its manifest says, {count} difference{'' if count == 1 else 's'}")
        return 1
    click.echo(f"{path}: {verified.files} files unchanged; manifest SHA-256 {verified.digest}")
    return 0
