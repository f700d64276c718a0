"""What a report is made from: plain data, so that rendering asks, reads and decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Protocol

from quilate.agents.agent import Reply
from quilate.compare.comparison import Comparison
from quilate.judge.pairs import UNRELIABLE_ABOVE, Pairs
from quilate.report.messages import Language
from quilate.runs.record import GradeLine


class CaseRecord(Protocol):
    """What a run holds of one graded case."""

    @property
    def grade_line(self) -> GradeLine:
        """Its grade, the last one given."""
        ...

    @property
    def replies(self) -> Mapping[int, Reply]:
        """Trial → reply."""
        ...


class RunSource(Protocol):
    """One side's run, read case by case (`runs.reader.RunReader` is one)."""

    def case(self, case_id: str) -> CaseRecord:
        """What the run holds of a case; raises KeyError where it has no grade."""
        ...


FAR_BEHIND = 20
"""Commits. GitHub tests a merge with the base branch's tip, so that a base is seldom far from it by itself."""


@dataclass(frozen=True, slots=True)
class BaseCommit:
    """Which commit the comparison stands on, and how it was found.

    `distance` counts commits back from the commit named by `role` to the one that had a usable record. `commit` is
    empty where a run file names none.
    """

    commit: str
    distance: int = 0
    role: Literal["parent", "merge_base", "merge_group", "push", "file"] = "parent"
    made_at: str = ""
    """When the base's run was made, as its header says (ISO 8601); told where the base is a file."""
    behind: int = 0
    """How many commits of the base branch came after the commit named by `role`; counted for a fork, which chose it."""

    @property
    def far_behind(self) -> bool:
        """Whether so much was merged since then that a reader should know."""
        return self.behind > FAR_BEHIND


@dataclass(frozen=True, slots=True)
class NoBaseline:
    """Why there is nothing to compare with.

    `no_record`: none of the `looked_at` newest commits of `branch` has one. `unusable`: there are records, none of
    them can be used. `not_given`: a run on a laptop without `--baseline`. `other`: `text` says it.
    """

    why: Literal["no_record", "unusable", "not_given", "other"]
    branch: str = "main"
    looked_at: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """Where the repository and this run's page are; None where there is none (a laptop)."""

    server_url: str | None = None
    repository: str | None = None
    run_url: str | None = None
    report_url: str | None = None


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """Which run wrote a comment; stands in the marker, so that an older run does not overwrite a newer one's."""

    run_id: int
    attempt: int
    head_sha: str


@dataclass(frozen=True, slots=True)
class JudgeUse:
    """The judge's part in the run; `cost_usd` None where the price is not known."""

    model: str
    taken_over: int = 0
    made: int = 0
    cost_usd: str | None = None


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Who accepted for this head commit what the gate held back, with which label.

    `queued`: the run is a merge queue's, and the acceptance is that of this pull request.
    """

    login: str
    label: str
    queued: int | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the numbers come from."""

    tool_version: str
    dataset_version: str
    cases: int
    trials: int = 1
    selection: str | None = None
    base: BaseCommit | None = None
    no_baseline: NoBaseline | None = None
    site: Site = Site()
    identity: RunIdentity | None = None
    seconds: float | None = None
    judge: JudgeUse | None = None
    code_only: int = 0
    """Cases with criteria for a judge that were graded by code alone, since no judge is configured."""
    common_crash: str | None = None
    """What every case crashed with, where all crashed alike: said once."""
    judge_changed: tuple[str, str] | None = None
    """The names of base's and head's judge, where the change swaps it."""
    accepted: Acceptance | None = None
    accept_label: str | None = None
    """The label by which it could be accepted; None where there are no labels (a laptop)."""
    fork: bool = False
    """The replies come from a fork's run and are as the fork reported them."""
    config: str | None = None
    """The configuration's path, where a command needs it (`--config`)."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A count of a count; `whole` 0 says that there was nothing to count."""

    part: int
    whole: int


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric of the ambiguity guide, base against head."""

    name: Literal["clarification", "wrong_guess", "false_clarification"]
    base: Ratio | None
    head: Ratio


@dataclass(frozen=True, slots=True)
class Groundedness:
    """The three verdicts on invention, over head's cases."""

    not_invented: int
    invented: int
    no_evidence: int
    lost_evidence: tuple[str, ...] = ()
    """Cases with evidence in base and none in head."""
    gaps: tuple[str, ...] = ()
    """Cases whose search worked and found nothing: the knowledge base has nothing for them."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Replies that differ, judged in pairs and in both orders."""

    better: int
    worse: int
    alike: int
    flip_rate: Fraction | None = None
    """Share of pairs in which the two orders disagreed, 0 to 1."""
    unjudged: int = 0
    """Pairs that the judge gave no answer about; they are in no other count."""
    why_unjudged: str = ""

    @property
    def judged(self) -> int:
        """How many pairs came to a verdict."""
        return self.better + self.worse + self.alike

    @property
    def flipped(self) -> int:
        """In how many of them the order decided."""
        return round((self.flip_rate or Fraction(0)) * self.judged)

    @property
    def unreliable(self) -> bool:
        """The two orders disagreed so often that the judge is announced as unreliable."""
        return self.flip_rate is not None and self.flip_rate > UNRELIABLE_ABOVE


@dataclass(frozen=True, slots=True)
class PairCalibration:
    """How the judge of pairs last agreed with people's preferences, and which judge that was."""

    agreement: Ratio
    kappa: float | None
    judge_fingerprint: str


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the judge last agreed with people. `agreement.whole` is 0 where only pairs were rated."""

    agreement: Ratio
    kappa: float | None
    at: str
    other_judge: bool = False
    """It was another judge, or another version of its prompts, than the one that graded this run."""
    should_not_gate: bool = False
    pairs: PairCalibration | None = None


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sections beside the pass rate; each absent where it was not measured."""

    ambiguity: tuple[MetricChange, ...] = ()
    groundedness: Groundedness | None = None
    side_by_side: SideBySide | None = None
    calibration: Calibration | None = None
    locale_signals: dict[str, str | None] = field(default_factory=dict)
    """Signal → a case with a strong pass, or None: the guide's practical condition."""
    instructed: tuple[str, ...] = ()
    """Cases whose prompt, or the run's system prompt, instructs what they measure: the condition cannot be claimed."""


@dataclass(frozen=True, slots=True)
class ReportInput:
    """Everything one rendering needs."""

    comparison: Comparison
    provenance: Provenance
    head: RunSource
    base: RunSource | None = None
    metrics: Metrics = Metrics()
    pairs: Pairs | None = None
    """Replies judged side by side, where they were."""
    not_approved: tuple[str, ...] = ()
    """Head's cases that failed, are partial or in error: what is told where nothing was compared."""
    language: Language = "en"
