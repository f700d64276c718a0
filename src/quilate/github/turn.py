"""What one suite's turn in a step is given, and what it comes to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from quilate.agents.process import RunAs
from quilate.compare.comparison import Comparison
from quilate.github.api import Api
from quilate.github.commands import Annotation, Console
from quilate.github.settings import Settings
from quilate.redaction import Redactor
from quilate.report.input import Site

OUTPUTS = ("verdict", "pass_rate", "base_pass_rate", "drop_points", "run_file", "report", "comment_url")
SEVERITY = (1, 2, 3, 0)
"""Exit codes from worst to best: a failure stands, then what nobody measured rightly, then what nobody could tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Everything a turn needs beside its suite."""

    settings: Settings
    api: Api
    environ: Mapping[str, str]
    console: Console
    redactor: Redactor
    today: dt.date
    withheld: bool = False
    run_as: RunAs | None = None
    now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)

    def site(self, report_url: str | None) -> Site:
        """Where a report links to: an artifact's address does not exist yet when the comment is written."""
        settings = self.settings
        return Site(settings.server_url, settings.repository, settings.run_url, report_url)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a suite came to. `verdict` is the word of the output; `notes` are said in the log and the summary."""

    suite: str
    verdict: str
    exit_code: int
    markdown: str = ""
    comparison: Comparison | None = None
    run_file: Path | None = None
    report: Path | None = None
    comment_url: str | None = None
    annotations: tuple[Annotation, ...] = ()
    notes: tuple[str, ...] = field(default=())


def worst(codes: list[int]) -> int:
    """The exit code of several suites in one step."""
    return next((code for code in SEVERITY if code in codes), 0)


def outputs_of(turn: Turn) -> dict[str, str]:
    """A suite's outputs, each one line; an empty text where there is no such value."""
    delta = turn.comparison.overall if turn.comparison else None
    compared = turn.comparison is not None and turn.comparison.compared
    points = delta.points if delta and compared else None
    return {
        "verdict": turn.verdict,
        "pass_rate": number(delta.head.rate) if delta else "",
        "base_pass_rate": number(delta.base.rate) if delta and compared else "",
        "drop_points": number(-points) if points is not None else "",
        "run_file": turn.run_file.as_posix() if turn.run_file else "",
        "report": turn.report.as_posix() if turn.report else "",
        "comment_url": turn.comment_url or "",
    }


def number(value: Fraction | None) -> str:
    """An exact rate as a number for scripts, to four decimals: `92`, `66.6667`."""
    if value is None:
        return ""
    return f"{float(round(value, 4)):.4f}".rstrip("0").rstrip(".")
