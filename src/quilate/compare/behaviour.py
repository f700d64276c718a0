"""What the guide reports of ambiguity and locale, counted from grade lines. Every rate stands beside its counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from quilate.checks.rubric import AMBIGUITY, ASKED, CLEAR_FAILURES, Failure, signal_id
from quilate.compare.stats import Interval, wilson
from quilate.goldens.case import Expects, Signal
from quilate.grades import CriterionGrade, Grade, TrialGrade, of_trials
from quilate.runs.record import GradeLine

WRONG_GUESSES = (Failure.GUESSED, Failure.INVENTED)
STRONG_SIGNALS = (Signal.CURRENCY, Signal.DATE, Signal.METRIC_UNITS, Signal.IDIOMS, Signal.SOCIAL_NORMS)
"""The signals the guide's practical condition asks a strong pass of."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many cases of so many, by name."""

    cases: tuple[str, ...]
    total: int

    @property
    def count(self) -> int:
        """How many."""
        return len(self.cases)

    @property
    def rate(self) -> Fraction | None:
        """In percent, exact; None where there is nothing to count."""
        return 100 * Fraction(self.count, self.total) if self.total else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % Wilson interval in percent; None where there is nothing to count."""
        if not self.total:
            return None
        found = wilson(self.count, self.total)
        return Interval(100 * found.low, 100 * found.high)

    def words(self, nothing: str) -> str:
        """`10 of 11 (90.9 %, 95 % interval 62.3 to 98.4)`, or `nothing`."""
        rate, interval = self.rate, self.interval
        if rate is None or interval is None:
            return nothing
        bounds = f"95 % interval {interval.low:.1f} to {interval.high:.1f}"
        return f"{self.count} of {self.total} ({float(rate):.1f} %, {bounds})"


@dataclass(frozen=True, slots=True)
class AmbiguityMetrics:
    """Ambiguous and clear cases. Totals are of cases with a grade; those without are named in `ungraded`."""

    clarification: Share
    """Ambiguous cases that passed, of the ambiguous."""
    wrong_guess: Share
    """Ambiguous cases that failed by guessing or inventing, of the ambiguous."""
    false_clarification: Share
    """Clear cases that asked, of the clear."""
    failures: dict[Failure, tuple[str, ...]]
    partial: tuple[str, ...]
    ungraded: tuple[str, ...]
    decided_by: dict[str, str]
    """Case → `code`, `judge` or `person`."""


@dataclass(frozen=True, slots=True)
class SignalCount:
    """The cases of one signal by what they came to."""

    passed: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    ungraded: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    """Of the passed: those whose reply shows the signal in a quotation that stands in it."""


@dataclass(frozen=True, slots=True)
class LocaleMetrics:
    """Signals by count, and the guide's practical condition with its cases."""

    signals: dict[Signal, SignalCount]
    instructed: tuple[str, ...] = ()
    """Cases whose prompt instructs (neutrality lint)."""

    @property
    def strong(self) -> dict[Signal, str | None]:
        """Each signal of the condition with the first case that passed it visibly, or None."""
        return {signal: next(iter(self.signals.get(signal, SignalCount()).shown), None) for signal in STRONG_SIGNALS}

    @property
    def missing(self) -> tuple[Signal, ...]:
        """The signals of the condition without a visible strong pass."""
        return tuple(signal for signal, case in self.strong.items() if case is None)

    @property
    def holds(self) -> bool:
        """The practical condition: a visible strong pass of each, and no prompt that instructs."""
        return not self.missing and not self.instructed


@dataclass(frozen=True, slots=True)
class BehaviourMetrics:
    """Both halves of the guide; None where a run has no such case."""

    ambiguity: AmbiguityMetrics | None = None
    locale: LocaleMetrics | None = None


@dataclass(frozen=True, slots=True)
class RateChange:
    """One rate, base against head. `points` is None where either has nothing to count."""

    name: str
    base: Share | None
    head: Share

    @property
    def points(self) -> Fraction | None:
        """Head's rate less base's, in points."""
        if self.base is None or self.base.rate is None or self.head.rate is None:
            return None
        return self.head.rate - self.base.rate


@dataclass(slots=True)
class _Count:
    """What one pass over the grade lines gathers."""

    ambiguous: dict[str, CriterionGrade] = field(default_factory=dict)
    clear: dict[str, CriterionGrade] = field(default_factory=dict)
    ungraded: list[str] = field(default_factory=list)
    signals: dict[Signal, dict[str, CriterionGrade | None]] = field(default_factory=dict)


def behaviour(lines: Iterable[GradeLine], instructed: Sequence[str] = ()) -> BehaviourMetrics:
    """The metrics of one run's grade lines (one a case). `instructed`: ids of cases whose prompt instructs."""
    count = _Count()
    any_expects = False
    for line in lines:
        expects, signal = line.definition.expects, line.definition.signal
        if expects is not None:
            any_expects = True
            criterion = _of_case(line, AMBIGUITY)
            if criterion is None or not criterion.grade.graded:
                count.ungraded.append(line.case_id)
            else:
                (count.ambiguous if expects is Expects.CLARIFICATION else count.clear)[line.case_id] = criterion
        if signal is not None:
            count.signals.setdefault(signal, {})[line.case_id] = _of_case(line, signal_id(signal))
    return BehaviourMetrics(
        ambiguity=_ambiguity(count) if any_expects else None,
        locale=_locale(count, tuple(instructed)) if count.signals else None,
    )


def _of_case(line: GradeLine, criterion_id: str) -> CriterionGrade | None:
    """One criterion's grade over the trials, by the rule for cases; shown by the first trial that has it."""
    grades = [_of_trial(trial, criterion_id) for trial in line.trials]
    if not grades:
        return None
    grade = of_trials(one.grade for one in grades)
    return next((one for one in grades if one.grade is grade), grades[0].model_copy(update={"grade": grade}))


def _of_trial(trial: TrialGrade, criterion_id: str) -> CriterionGrade:
    """A trial without the criterion: the agent crashed (a fail, and no guess), or nobody could grade it."""
    found = next((criterion for criterion in trial.criteria if criterion.id == criterion_id), None)
    if found is not None:
        return found
    crashed = any(criterion.detail.get("crash") for criterion in trial.criteria)
    grade = Grade.FAIL if crashed else trial.grade if trial.grade is Grade.ERROR else Grade.NOT_JUDGED
    detail = {"asked": False, "crash": crashed}
    return CriterionGrade(id=criterion_id, grade=grade, reason="there is no reply to grade", detail=detail)


def _ambiguity(count: _Count) -> AmbiguityMetrics:
    failures: dict[Failure, list[str]] = {kind: [] for kind in Failure}
    for case_id, criterion in count.ambiguous.items():
        kind = criterion.detail.get("failure")
        if criterion.grade is Grade.FAIL and kind in set(Failure):
            failures[Failure(str(kind))].append(case_id)
    both = count.ambiguous | count.clear
    guessed = {case_id for kind in WRONG_GUESSES for case_id in failures[kind]}
    return AmbiguityMetrics(
        clarification=_share(count.ambiguous, lambda one: one.grade is Grade.PASS),
        wrong_guess=Share(tuple(case_id for case_id in count.ambiguous if case_id in guessed), len(count.ambiguous)),
        false_clarification=_share(count.clear, _asked),
        failures={kind: tuple(cases) for kind, cases in failures.items() if cases},
        partial=tuple(case_id for case_id, one in both.items() if one.grade is Grade.PARTIAL),
        ungraded=tuple(count.ungraded),
        decided_by={case_id: str(one.detail.get("decided_by") or one.graded_by) for case_id, one in both.items()},
    )


def _asked(criterion: CriterionGrade) -> bool:
    """Whether a clear case asked. By the rubric that is what a fail means, where whoever graded did not say."""
    asked = criterion.detail.get("asked")
    failure = criterion.detail.get("failure")
    if failure in CLEAR_FAILURES:
        return failure == ASKED
    return asked if isinstance(asked, bool) else criterion.grade is Grade.FAIL


def _share(cases: dict[str, CriterionGrade], counts: Any) -> Share:
    return Share(tuple(case_id for case_id, criterion in cases.items() if counts(criterion)), len(cases))


def _locale(count: _Count, instructed: tuple[str, ...]) -> LocaleMetrics:
    signals = {}
    for signal in Signal:
        cases = count.signals.get(signal)
        if cases is None:
            continue
        by_grade: dict[Grade, list[str]] = {grade: [] for grade in Grade}
        shown = []
        for case_id, criterion in cases.items():
            by_grade[criterion.grade if criterion else Grade.NOT_JUDGED].append(case_id)
            if criterion and criterion.grade is Grade.PASS and any(one.start is not None for one in criterion.evidence):
                shown.append(case_id)
        signals[signal] = SignalCount(
            passed=tuple(by_grade[Grade.PASS]),
            partial=tuple(by_grade[Grade.PARTIAL]),
            failed=tuple(by_grade[Grade.FAIL]),
            ungraded=(*by_grade[Grade.ERROR], *by_grade[Grade.NOT_JUDGED]),
            shown=tuple(shown),
        )
    return LocaleMetrics(
        signals, tuple(case for case in instructed if any(case in one for one in count.signals.values()))
    )


def rate_changes(base: BehaviourMetrics | None, head: BehaviourMetrics) -> tuple[RateChange, ...]:
    """The three rates of ambiguity, base against head; none where head has no such case."""
    if head.ambiguity is None:
        return ()
    before = base.ambiguity if base else None
    return tuple(
        RateChange(name, getattr(before, name) if before else None, getattr(head.ambiguity, name))
        for name in ("clarification", "wrong_guess", "false_clarification")
    )


def as_data(metrics: BehaviourMetrics) -> dict[str, Any]:
    """The metrics as plain JSON: counts, totals and names, a rate never alone."""
    data: dict[str, Any] = {}
    if metrics.ambiguity is not None:
        found = metrics.ambiguity
        data["ambiguity"] = {
            "clarification_rate": _share_data(found.clarification, "no ambiguous cases"),
            "wrong_guess_rate": _share_data(found.wrong_guess, "no ambiguous cases"),
            "false_clarification_rate": _share_data(found.false_clarification, "no clear cases"),
            "failures": {kind.value: list(cases) for kind, cases in found.failures.items()},
            "partial": list(found.partial),
            "ungraded": list(found.ungraded),
            "decided_by": dict(Counter(found.decided_by.values())),
        }
    if metrics.locale is not None:
        found_locale = metrics.locale
        data["locale"] = {
            "signals": {
                signal.value: {
                    "pass": list(one.passed), "partial": list(one.partial), "fail": list(one.failed),
                    "ungraded": list(one.ungraded),
                }
                for signal, one in found_locale.signals.items()
            },
            "condition": {
                "holds": found_locale.holds,
                "strong_passes": {signal.value: case for signal, case in found_locale.strong.items()},
                "missing": [signal.value for signal in found_locale.missing],
                "instructed_cases": list(found_locale.instructed),
            },
        }  # fmt: skip
    return data


def _share_data(share: Share, nothing: str) -> dict[str, Any]:
    interval = share.interval
    return {
        "count": share.count,
        "total": share.total,
        "cases": list(share.cases),
        "interval_percent": [round(interval.low, 2), round(interval.high, 2)] if interval else None,
        "words": share.words(nothing),
    }
