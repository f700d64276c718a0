"""From a run's outcome to what its reports are rendered from."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from quilate.config_load import DEFAULT_CONFIG
from quilate.pipeline import Job, Outcome
from quilate.report.files import Source
from quilate.report.input import ReportInput
from quilate.report.pairs import with_pairs
from quilate.report.sources import metrics_of, not_approved, provenance_of
from quilate.runs.reader import RunReader

__all__ = ["Source", "source_of"]


def source_of(job: Job, outcome: Outcome, opened: ExitStack, *, config: Path | None = None) -> Source:
    """Both runs, opened until `opened` closes, and the report's data."""
    head = opened.enter_context(RunReader(job.run_file, scan=outcome.head))
    base = opened.enter_context(RunReader(job.base, scan=outcome.base)) if job.base is not None else None
    report = ReportInput(
        comparison=outcome.comparison,
        provenance=replace(provenance_of(head, base), config=_named(config)),
        head=head,
        base=base,
        metrics=metrics_of(head, base),
        not_approved=not_approved(head),
        language=job.suite.config.report_language,
    )
    return Source(head, base, with_pairs(report, job.run_file, head, base))


def _named(config: Path | None) -> str | None:
    """The configuration as a command has to name it; None where the default is meant."""
    return None if config is None or config == Path(DEFAULT_CONFIG) else str(config)
