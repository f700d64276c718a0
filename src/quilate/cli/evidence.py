"""`quilate evidence`: the package an auditor asks for, and whether one is unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from quilate.report.evidence import PackedPairs
    from quilate.runs.reader import RunReader


@click.command(epilog="Example: quilate evidence .quilate/run.jsonl -o evidence.zip")
@click.argument("path", metavar="RUN.jsonl|PACKAGE", type=click.Path(path_type=Path))
@click.option("-o", "--out", metavar="DIR|ZIP", type=click.Path(path_type=Path), help="Where the package goes.")
@click.option("--verify", is_flag=True, help="Check that PACKAGE is what its manifest says.")
@click.pass_context
def command(ctx: click.Context, path: Path, out: Path | None, verify: bool) -> None:
    """Packs exact prompts, raw replies, rubric, scores, metrics and judged pairs of a run; or verifies such a package.

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
        pairs = _pairs_beside(path, run)
        digest = write_package(package(run, pairs), out)
        proof = prove(run)
    for reason in proof.broken[:5]:
        click.echo(f"note: {reason}", err=True)
    claim = "fresh single-turn requests without instruction: " + ("proven" if proof.holds else "not proven")
    with_pairs = f" with {len(pairs.pairs.pairs)} judged pairs" if pairs else ""
    click.echo(f"{out}: packed{with_pairs}, {claim}; manifest SHA-256 {digest}")


def _pairs_beside(path: Path, run: RunReader) -> PackedPairs | None:
    """The pairs that stand beside the run, where they are about its replies; a note where they are another run's."""
    from quilate.judge.pairs_file import beside, pairs_of_head
    from quilate.report.evidence import PackedPairs

    there = beside(path)
    pairs = pairs_of_head(there, run)
    if pairs is not None:
        return PackedPairs(pairs, there.read_bytes())
    if there.exists():
        click.echo(f"note: {there} is about another run's replies and was left out", err=True)
    return None


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
