"""What a comparison is: plain values, exact counts, reasons as data. Rendered in `report/`, decided in `gate.py`."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from quilate.config import Gate
from quilate.grades import Verdict
from quilate.reasons import Reason, ReasonValue

__all__ = ["Comparison", "Delta", "Latency", "Noise", "Reason", "ReasonValue", "Tally"]


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one side. `approved` and `graded` cover the common cases; `errors` and `not_judged` the side's own."""

    approved: int
    graded: int
    partial: int = 0
    errors: int = 0
    not_judged: int = 0
    approved_trials: int | None = None
    graded_trials: int | None = None
    rate_sum: Fraction | None = None
    """With trials: the sum over cases of each case's approved share; the pass rate is this over `graded`."""

    @property
    def rate(self) -> Fraction | None:
        """The pass rate in percent, exact; None where nothing was graded."""
        if not self.graded:
            return None
        return 100 * (self.rate_sum if self.rate_sum is not None else Fraction(self.approved)) / self.graded


@dataclass(frozen=True, slots=True)
class Noise:
    """What chance alone could explain. Points for intervals; `label` as in the statistics page."""

    pairs: int
    broke: int
    fixed: int
    p_value: float | None
    low: float | None
    high: float | None
    label: str
    """improved, degraded, inconclusive or too_few."""
    floor: float | None = None
    """With trials: ± points this suite moves with nothing changed."""


@dataclass(frozen=True, slots=True)
class Delta:
    """Base against head, for the whole or for one category."""

    base: Tally
    head: Tally
    noise: Noise | None = None

    @property
    def points(self) -> Fraction | None:
        """Head's pass rate less base's, in points; None where either has none."""
        if self.base.rate is None or self.head.rate is None:
            return None
        return self.head.rate - self.base.rate


@dataclass(frozen=True, slots=True)
class Latency:
    """p95 by nearest rank, in milliseconds; None where no time was recorded."""

    base_p95_ms: float | None
    head_p95_ms: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything a comparison says. Lists hold case ids in the head's order (removed: the base's)."""

    suite: str
    verdict: Verdict
    exit_code: int
    reasons: tuple[Reason, ...]
    compared: bool
    policy: Gate
    overall: Delta
    categories: dict[str, Delta]
    broke: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    removed_passing: tuple[str, ...] = ()
    renamed: dict[str, str] = field(default_factory=dict)
    edited: tuple[str, ...] = ()
    approved_only_by_edit: tuple[str, ...] = ()
    latency_only: tuple[str, ...] = ()
    """Broke by latency alone."""
    critical: tuple[str, ...] = ()
    quarantined: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()
    errors: dict[str, str] = field(default_factory=dict)
    """Head's cases in error, with why."""
    base_errors: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()
    latency: Latency = Latency(None, None)
    warnings: tuple[Reason, ...] = ()
