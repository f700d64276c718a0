"""The grader of everything regional: signals, language, register, ambiguity, freshness; by code, or left to a judge."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quilate.agents.agent import Reply
from quilate.canonical import fingerprint
from quilate.checks.ambiguity.grade import read_ambiguity
from quilate.checks.language import read_language
from quilate.checks.locale.load import Locale, Packs, load_packs
from quilate.checks.locale.markers import grade_register
from quilate.checks.locale.sighting import evidence_of, graded
from quilate.checks.locale.signals import read_signal, seen_for_judge, signal_context
from quilate.checks.rubric import REGISTER, RubricText, ambiguity_rubric, freshness_rubric, signal_id, signal_rubric
from quilate.config import Config
from quilate.errors import Problem
from quilate.goldens.case import Dataset, Dimension, GoldenCase, Signal
from quilate.grades import CriterionGrade, Grade
from quilate.saying import message, say

OPEN_SIGNALS = (Signal.IDIOMS, Signal.SOCIAL_NORMS, Signal.REGIONALISM)
"""The signals a judge may be asked about: matters of meaning, and social norms where a pack names no marker."""

_NONE_OF_ITS_OWN = {
    Signal.CURRENCY: message("{locale} has no currency of its own"),
    Signal.DATE: message("{locale} has no date of its own"),
    Signal.METRIC_UNITS: message("{locale} has no metric units of its own"),
}


@dataclass(frozen=True)
class LocaleChecks:
    """Implements `grading.Grader`. `judged`: a judge grades what is left open, so nothing is said of it here.

    `tested_on` is the date of the test, which freshness is told with.
    """

    packs: Packs
    judged: bool
    tested_on: dt.date | None = None

    async def grade(self, case: GoldenCase, reply: Reply, trial: int) -> Sequence[CriterionGrade]:
        """What code decides of `reply`; without a judge, what it leaves open as `not_judged`."""
        decided = [self._signal(case, reply), self._language(case, reply), self._register(case, reply)]
        decided.append(read_ambiguity(case.expects, reply.output, case.question) if case.expects else None)
        decided.append(self._no_reference(case))
        grades = [grade for grade in decided if grade is not None]
        if not self.judged:
            grades += [self._not_judged(rubric, case, reply) for rubric in self.left_open(case, reply)]
        return grades

    def left_open(self, case: GoldenCase, reply: Reply) -> list[RubricText]:
        """The rubrics of what code leaves open for this reply, in the order they are asked: for a judge."""
        rubrics: list[RubricText] = []
        locale = self._locale(case)
        if case.signal in OPEN_SIGNALS and locale is not None:
            assert case.signal is not None
            if read_signal(case.signal, reply.output, case.question, locale) is None:
                rubrics.append(signal_context(case.signal, reply.output, case.question, locale))
        if case.expects and read_ambiguity(case.expects, reply.output, case.question) is None:
            rubrics.append(ambiguity_rubric(case.expects))
        fresh = case.time_sensitive
        if fresh and fresh.reference:
            as_of = fresh.as_of.isoformat() if fresh.as_of else None
            rubrics.append(freshness_rubric(fresh.reference, as_of, self._tested_on()))
        return rubrics

    def fingerprint_for(self, case: GoldenCase) -> str | None:
        """What of the packs decides this case's grade, for its ruler; None where no pack bears on it."""
        locale = self._locale(case)
        if locale is None:
            return None
        return fingerprint([locale.fingerprint, case.dimension is Dimension.REGISTER])

    def problems(self, dataset: Dataset) -> list[Problem]:
        """Cases whose locale has no pack, or whose signal has no locale: a signal that nothing could see."""
        found = []
        for case in dataset.cases:
            place = dataset.locations[case.id]
            if case.locale is not None and self._locale(case) is None:
                problem = (f'text "{case.locale}"', self.packs.unknown(case.locale))
                found.append(Problem(place.file, place.line, "locale", *problem, case.id))
            elif case.signal is not None and case.locale is None:
                problem = (f"signal {case.signal.value} and no locale", "add locale: pt-BR (to the case, or defaults:)")
                found.append(Problem(place.file, place.line, "signal", *problem, case.id))
        return found

    def _locale(self, case: GoldenCase) -> Locale | None:
        return self.packs.get(case.locale) if case.locale else None

    def _tested_on(self) -> str | None:
        return self.tested_on.isoformat() if self.tested_on else None

    def _signal(self, case: GoldenCase, reply: Reply) -> CriterionGrade | None:
        if case.signal is None:
            return None
        locale = self._locale(case)
        question = signal_rubric(case.signal).question
        if locale is None:
            reason = self.packs.unknown(case.locale) if case.locale else say("the case names a signal and no locale")
            return CriterionGrade.of(
                id=signal_id(case.signal), grade=Grade.NOT_JUDGED, reason=reason, text=question,
                detail={"decided_by": "code"},
            )  # fmt: skip
        grade = read_signal(case.signal, reply.output, case.question, locale)
        if grade is None and case.signal not in OPEN_SIGNALS:
            return CriterionGrade.of(
                id=signal_id(case.signal), grade=Grade.NOT_JUDGED, text=question,
                reason=say(_NONE_OF_ITS_OWN[case.signal], locale=locale.pack.locale),
                detail={"decided_by": "code"},
            )  # fmt: skip
        return grade

    def _language(self, case: GoldenCase, reply: Reply) -> CriterionGrade | None:
        grade = read_language(case, reply.output)
        if grade is None or reply.output.strip() or not reply.tool_calls:
            return grade
        return grade.because(say("only tool calls, no text to tell by"), Grade.NOT_JUDGED)

    def _register(self, case: GoldenCase, reply: Reply) -> CriterionGrade | None:
        """Cases that test the register, in a locale whose pack lists the words that mark one."""
        locale = self._locale(case)
        if case.dimension is not Dimension.REGISTER or locale is None:
            return None
        finding = grade_register(reply.output, locale)
        if finding is None:
            return None
        title = say("no marked colloquialism or jargon of {locale}", locale=locale.pack.locale)
        return graded(REGISTER, title, finding, reply.output)

    def _no_reference(self, case: GoldenCase) -> CriterionGrade | None:
        fresh = case.time_sensitive
        if fresh is None or fresh.reference:
            return None
        return CriterionGrade.of(
            id="freshness", grade=Grade.NOT_JUDGED, text=say("the facts are as recent as a dated reference"),
            reason=say("time-sensitive, and the case has no dated reference to judge freshness by"),
            detail={"decided_by": "code", "tested_on": self._tested_on()},
        )  # fmt: skip

    def _not_judged(self, rubric: RubricText, case: GoldenCase, reply: Reply) -> CriterionGrade:
        """What needs a judge where there is none, with what code sees of it; never silently green."""
        locale = self._locale(case)
        signal = case.signal is not None and rubric.criterion_id == signal_id(case.signal)
        seen = seen_for_judge(reply.output, locale) if signal and locale is not None else []
        return CriterionGrade.of(
            id=rubric.criterion_id,
            grade=Grade.NOT_JUDGED,
            reason=say("only a judge can decide this, and none is configured"),
            text=rubric.question,
            evidence=evidence_of(seen, reply.output),
            detail={"decided_by": None},
        )


def build_locale_checks(config: Config, base_dir: Path, tested_on: dt.date | None = None) -> LocaleChecks:
    """The grader for a suite; `base_dir` is what its pack paths are relative to. Raises `InputError` for bad packs."""
    packs = load_packs(config.locales, base_dir)
    return LocaleChecks(packs, judged=config.judge is not None, tested_on=tested_on)
