"""A report's data from run files: what their headers and footers say, and the cases' place in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Protocol, TypeGuard

from quilate.asking import common_crash
from quilate.grades import Grade
from quilate.report.input import (
    BaseCommit,
    Calibration,
    CaseRecord,
    Groundedness,
    JudgeUse,
    Metrics,
    NoBaseline,
    PairCalibration,
    Provenance,
    Ratio,
)
from quilate.runs.index import CaseSummary
from quilate.runs.record import Footer, GradeLine, Header


class Index(Protocol):
    """A run's cases in short (`runs.index.RunIndex` is one)."""

    def summaries(self) -> Iterator[CaseSummary]:
        """Every graded case, in the order of the file."""
        ...

    def grades(self) -> Iterator[tuple[str, Grade]]:
        """Every graded case and its grade, in the order of the file."""
        ...

    def waiting(self) -> Iterator[str]:
        """The cases with a criterion, no necessary one, that was not judged."""
        ...

    def measured(self) -> Iterator[str]:
        """The cases that may count in what is measured beside the pass rate."""
        ...

    def file(self, case_id: str) -> str | None:
        """The golden file the case stands in; None where that is not known."""
        ...

    def durations_ms(self, case_id: str) -> Sequence[float]:
        """The recorded times of the case's trials."""
        ...


class ReadRun(Protocol):
    """A run that can be read case by case and knows its cases in short (`runs.reader.RunReader` is one)."""

    @property
    def header(self) -> Header:
        """The first line."""
        ...

    @property
    def footer(self) -> Footer | None:
        """The last line; None where the run did not end in order."""
        ...

    @property
    def index(self) -> Index:
        """Its cases in short."""
        ...

    def case(self, case_id: str) -> CaseRecord:
        """What the run holds of a case; raises KeyError where it has no grade."""
        ...


def provenance_of(head: ReadRun, base: ReadRun | None = None) -> Provenance:
    """What the run files say of themselves; who knows more (the commit's place, the run's page) replaces fields."""
    header, footer = head.header, head.footer
    return Provenance(
        tool_version=header.tool_version,
        dataset_version=header.dataset.version,
        cases=header.dataset.cases,
        trials=header.conditions.trials,
        selection=header.dataset.selection,
        base=_given(base.header) if base is not None else None,
        no_baseline=None if base is not None else NoBaseline("not_given"),
        seconds=footer.seconds if footer else None,
        judge=judge_use(header, footer),
        code_only=code_only(head) if header.judge is None else 0,
        judge_changed=_judge_change(base.header, header) if base is not None else None,
        common_crash=common_crash_of(head),
    )


def common_crash_of(run: ReadRun) -> str | None:
    """What every reply of a run crashed with, where all crashed alike; None otherwise."""
    if any(case.substantive or case.grade is not Grade.FAIL for case in run.index.summaries()):
        return None
    ids = (case_id for case_id, _ in run.index.grades())
    found = common_crash((reply.fault for case_id in ids for reply in run.case(case_id).replies.values()), least=1)
    return found.why if found else None


def _given(base: Header) -> BaseCommit:
    return BaseCommit(base.commit or "", role="file", made_at=base.conditions.started_at)


def judge_use(header: Header, footer: Footer | None) -> JudgeUse | None:
    """The judge's part as the footer counts it; None where no judge is configured."""
    if header.judge is None:
        return None
    counted = footer.judge if footer else {}
    return JudgeUse(
        model=_name(header), taken_over=_count(counted.get("taken_over")) + _count(counted.get("from_cache")),
        made=_count(counted.get("made")), cost_usd=_cost(counted.get("cost_usd")),
    )  # fmt: skip


def _judge_change(base: Header, head: Header) -> tuple[str, str] | None:
    if base.judge_fingerprint == head.judge_fingerprint or _name(base) == _name(head):
        return None
    return _name(base), _name(head)


def _name(header: Header) -> str:
    judge = header.judge or {}
    return str(judge.get("model") or judge.get("provider") or "none")


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _cost(value: object) -> str | None:
    try:
        cost = Decimal(str(value))
    except InvalidOperation:
        return None
    return str(cost) if cost.is_finite() and cost >= 0 else None


def code_only(run: ReadRun) -> int:
    """How many graded cases have a criterion that waits for a judge: the pass rate says nothing of those criteria."""
    return sum(1 for case_id in run.index.waiting() if run.case(case_id).grade_line.grade.graded)


def metrics_of(head: ReadRun, base: ReadRun | None = None) -> Metrics:
    """What run files show beside the pass rate: ambiguity, locale, groundedness. Pairs are judged elsewhere."""
    from quilate.compare.behaviour import behaviour
    from quilate.report.behaviour import ambiguity_changes, locale_signals

    now, before = _Grounds(), _Grounds()
    shown = behaviour(now.passing(head))
    earlier = behaviour(before.passing(base)) if base is not None else None
    return Metrics(
        ambiguity=ambiguity_changes(earlier, shown), locale_signals=locale_signals(shown),
        groundedness=now.against(before), calibration=calibration_of(head.footer), instructed=tuple(now.instructed),
    )  # fmt: skip


def calibration_of(footer: Footer | None) -> Calibration | None:
    """The judge's last calibration, as the run carried it; None where there is none, or it makes no sense."""
    found = footer.judge.get("calibration") if footer else None
    if not isinstance(found, dict):
        return None
    agreed, labels, kappa = found.get("agreed"), found.get("labels"), found.get("kappa")
    if not (_is_count(agreed) and _is_count(labels) and agreed <= labels):
        return None
    return Calibration(
        agreement=Ratio(agreed, labels),
        kappa=kappa if isinstance(kappa, float | int) and -1 <= kappa <= 1 else None,
        at=str(found.get("at", "")),
        other_judge=found.get("same_judge") is not True,
        should_not_gate=found.get("advice") == "should_not_gate",
        pairs=_pair_calibration(found.get("pairs")),
    )


def _pair_calibration(found: object) -> PairCalibration | None:
    if not isinstance(found, dict):
        return None
    agreed, labels, kappa = found.get("agreed"), found.get("labels"), found.get("kappa")
    if not (_is_count(agreed) and _is_count(labels) and labels > 0 and agreed <= labels):
        return None
    known = kappa if isinstance(kappa, float | int) and -1 <= kappa <= 1 else None
    return PairCalibration(Ratio(agreed, labels), known, str(found.get("judge_fingerprint", "")))


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


@dataclass
class _Grounds:
    """The verdicts on invention, and the cases that instruct, gathered as the lines of measured cases pass."""

    verdicts: dict[str, str] = field(default_factory=dict)
    gaps: list[str] = field(default_factory=list)
    instructed: list[str] = field(default_factory=list)

    def passing(self, run: ReadRun) -> Iterator[GradeLine]:
        from quilate.goldens.neutrality import instructions_for

        for case_id in run.index.measured():
            line = run.case(case_id).grade_line
            if instructions_for(line.definition, run.header.conditions.system_prompt):
                self.instructed.append(line.case_id)
            for criterion in line.criteria:
                verdict = criterion.detail.get("verdict")
                if criterion.id == "grounded" and isinstance(verdict, str):
                    self.verdicts[line.case_id] = verdict
                    if criterion.detail.get("evidence") == "empty":  # a search that worked, and found nothing
                        self.gaps.append(line.case_id)
            yield line

    def against(self, base: _Grounds) -> Groundedness | None:
        if not self.verdicts:
            return None
        counts = Counter(self.verdicts.values())
        lost = [
            case_id for case_id, verdict in self.verdicts.items()
            if verdict == "no_evidence" and base.verdicts.get(case_id, verdict) != verdict
        ]  # fmt: skip
        return Groundedness(
            counts["not_invented"], counts["invented"], counts["no_evidence"], tuple(lost), tuple(self.gaps)
        )


def not_approved(run: ReadRun) -> tuple[str, ...]:
    """The cases a report without a comparison tells: what failed, is partial or in error, in the file's order."""
    told = (Grade.FAIL, Grade.PARTIAL, Grade.ERROR)
    return tuple(each.case_id for each in run.index.summaries() if each.grade in told)
