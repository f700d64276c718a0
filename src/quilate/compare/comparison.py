"""What a comparison is: plain values, exact counts, reasons as data. Rendered in `report/`, decided in `gate.py`."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from quilate.config import Gate
from quilate.grades import Grade, Verdict
from quilate.reasons import Reason, ReasonValue

__all__ = [
    "Comparison", "Confirmation", "Delta", "Flip", "Latency", "Noise", "PassK", "Power", "Quarantined", "Reason",
    "ReasonValue", "Tally",
]  # fmt: skip


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
    method: str = "mid_p"
    """mid_p (one trial: Bonett-Price interval, one-sided mid-p McNemar), t or t_clustered (per-case differences)."""

    @property
    def significant(self) -> bool:
        """Whether a drop is more than chance explains, one-sided at .05."""
        return self.p_value is not None and self.p_value < 0.05


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

    @property
    def change_ms(self) -> float | None:
        """Head's less base's; None where either has none."""
        if self.base_p95_ms is None or self.head_p95_ms is None:
            return None
        return self.head_p95_ms - self.base_p95_ms


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A newly failing case that was asked again: the first grade, the majority's, and of how many graded askings."""

    first: Grade
    confirmed: Grade
    approved: int
    graded: int


@dataclass(frozen=True, slots=True)
class Flip:
    """A case approved on one side only. Trials are (approved, graded); both grades are under one ruler, head's."""

    case_id: str
    base_id: str
    category: str
    base: Grade
    head: Grade
    base_trials: tuple[int, int]
    head_trials: tuple[int, int]
    latency_only: bool = False
    critical: bool = False
    rescored: bool = False
    """The base's stored reply was graded again, since the change edited the ruler."""
    quarantined: bool = False

    @property
    def broke(self) -> bool:
        """Approved in base and not in head; else it was fixed."""
        return self.base is Grade.PASS

    @property
    def flaky(self) -> bool:
        """Whether head's trials do not agree."""
        return 0 < self.head_trials[0] < self.head_trials[1]


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A case with a quarantine, and how it fared. Outside the gate only while `in_effect`."""

    case_id: str
    owner: str
    reason: str
    until: str
    in_effect: bool
    why: str
    """In one clause: in effect until when, ended when, or not before this change is merged."""
    base: Grade | None
    head: Grade | None


@dataclass(frozen=True, slots=True)
class PassK:
    """pass^k: the share of cases all of whose `k` askings are approved; None where no case has so many."""

    k: int
    base: Fraction | None
    head: Fraction | None


@dataclass(frozen=True, slots=True)
class Power:
    """What a suite of this size can detect. Chances are shares; `text` says it in one sentence."""

    cases: int
    points_per_case: Fraction
    drop_points: int
    flips: float
    """The share of cases that flip between two runs: as seen, or assumed."""
    noticed_by_limit: float
    noticed_with_evidence: float
    cases_needed: int
    text: str


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
    flips: tuple[Flip, ...] = ()
    """Broke, then fixed, with what a reader needs of each; quarantined ones last."""
    confirmed: dict[str, Confirmation] = field(default_factory=dict)
    partial: tuple[str, ...] = ()
    """Head's cases that are partial: not approved, and not lost."""
    quarantine: tuple[Quarantined, ...] = ()
    rescored: tuple[str, ...] = ()
    """Compared after the base's stored replies were graded again by head's ruler."""
    outside: dict[str, str] = field(default_factory=dict)
    """Head's cases that base also has and that were not compared, with why."""
    reworded_passing: tuple[str, ...] = ()
    """Cases that ask something else now and were approved in base: as good as removed."""
    removed_by_selection: int = 0
    """Base's cases that head was not asked, since it asked only a selection."""
    ruler: Delta | None = None
    """The ruler's change: the base's replies under its own ruler against the same replies under head's."""
    policy_changes: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Key → base's and head's value; head's takes effect after merge."""
    judge_changed: bool = False
    trials: tuple[int, int] = (1, 1)
    """How often every case was asked, base and head."""
    base_graded: int = 0
    """The base's graded cases, of which `overall.base.graded` are common."""
    head_cases: int = 0
    pass_k: tuple[PassK, ...] = ()
    power: Power | None = None
    acceptable: bool = False
    """A person may answer for it: it failed, or only people's edits leave it open, which no further run changes."""

    @property
    def agent_points(self) -> Fraction | None:
        """The agent's change: both sides under head's ruler."""
        return self.overall.points

    @property
    def ruler_points(self) -> Fraction | None:
        """The ruler's change on the base's replies; None where no case was graded again."""
        return self.ruler.points if self.ruler else None
