"""`quilate calibrate`: how far the judge and people agree, and whether the judge should gate."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from quilate.judge.calibrate_pairs import PairAgreement


@click.command(epilog="Example: quilate calibrate labels.jsonl --run .quilate/run.jsonl")
@click.argument("labels", metavar="LABELS.jsonl")
@click.option("--run", "run_file", required=True, metavar="RUN.jsonl", help="The run whose replies people rated.")
@click.option("--pairs", "pairs_file", metavar="PAIRS.jsonl", help="Pairs that the judge judged.  [default: by RUN]")
@click.option(
    "--record", metavar="FILE", help="Where the record for later comments goes.  [default: calibration.json by LABELS]"
)
@click.option("--format", "form", type=click.Choice(["text", "md", "json"]), default="text", show_default=True)
@click.option("--date", "at", type=click.DateTime(["%Y-%m-%d"]), help="The date in the record.  [default: today, UTC]")
def command(
    labels: str, run_file: str, pairs_file: str | None, record: str | None, form: str, at: dt.datetime | None
) -> None:  # fmt: skip
    """Puts people's labels beside the judge's verdicts on the same replies: agreement, kappa, what the judge misses.

    The judge is the one that judged RUN. The record is carried by later runs' comments once judge.calibration in
    quilate.yml names it. Exit code 0 whatever the figures; 2: a file that cannot be used, or no label of this run.
    """
    from quilate.errors import UsageError
    from quilate.judge.calibrate import calibrate
    from quilate.judge.calibrate_record import PairFigures, record_of, write_record
    from quilate.judge.calibrate_runs import judged_replies
    from quilate.judge.labels import read_labels
    from quilate.report import calibrate as document
    from quilate.runs.reader import RunReader

    read = read_labels(Path(labels))
    with RunReader(run_file) as run:
        found = calibrate(read, judged_replies(run))
        header = run.header
    pairs, pair_judge = _pairs(Path(labels), Path(run_file), pairs_file)
    if not found.overall.labels and not pairs.labels:
        message = (
            f"{labels}: none of its {len(read)} labels stands beside a verdict of {run_file}; "
            f"rate that run's replies: quilate rate {run_file}"
        )
        raise UsageError(message)
    judge = header.judge or {}
    if form == "json":
        click.echo(json.dumps(document.as_json(found, judge, pairs), ensure_ascii=False, indent=2))
    else:
        render = document.markdown if form == "md" else document.text
        click.echo(render(found, str(judge.get("model")), pairs), nl=False)
    path = Path(record) if record is not None else Path(labels).with_name("calibration.json")
    day = (at or dt.datetime.now(dt.UTC)).date().isoformat()
    write_record(path, record_of(found, header, day, PairFigures.of(pairs, pair_judge)))
    click.echo(f"{path} (name it in quilate.yml: judge: {{calibration: {path.name}}})", err=True)


def _pairs(labels: Path, run_file: Path, given: str | None) -> tuple[PairAgreement, str]:
    """The judge's pairs beside people's and that judge's fingerprint; a file that was named has to be there."""
    from quilate.judge.calibrate_pairs import calibrate_pairs, read_pair_labels
    from quilate.judge.pairs_file import beside, read_pairs

    path = Path(given) if given is not None else beside(run_file)
    if given is None and not path.exists():
        return calibrate_pairs((), ()), ""
    pairs = read_pairs(path)
    return calibrate_pairs(read_pair_labels(labels), pairs.pairs), pairs.header.judge_fingerprint
