"""Every grader of one run, opened together: code, what is regional, the judge with verdicts it may take over."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from quilate.agents.process import RunAs
from quilate.checks.code import CodeChecks
from quilate.checks.locale_checks import LocaleChecks, build_locale_checks
from quilate.errors import InputError
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade
from quilate.grading import Grader, case_ruler
from quilate.judge.build import OpenJudge, build_judge
from quilate.judge.calibrate_record import CalibrationRecord, for_footer, read_record
from quilate.judge.takeover import TakeOver
from quilate.runs.reader import RunReader
from quilate.suite import Suite


@dataclass(frozen=True, slots=True)
class Graders:
    """What grades a run, and what of it is in each case's ruler."""

    code: CodeChecks
    local: LocaleChecks
    judge: OpenJudge
    calibration: CalibrationRecord | None = None

    @property
    def all(self) -> Sequence[Grader]:
        """In the order in which criteria are told."""
        return (self.code, self.local, self.judge)

    def with_limit(self, max_latency_ms: float) -> Sequence[Grader]:
        """The same with another latency limit for cases that state none: the base's, for what base expects."""
        return (CodeChecks(max_latency_ms=max_latency_ms), self.local, self.judge)

    @property
    def judge_described(self) -> dict[str, JsonValue] | None:
        """The judge, for the run's header; None where none is configured."""
        return self.judge.identity.described if self.judge.identity else None

    @property
    def judge_fingerprint(self) -> str | None:
        """Changes when the judge, its model or its prompts change."""
        return self.judge.identity.fingerprint if self.judge.identity else None

    def ruler_of(self, case: GoldenCase) -> str:
        """The fingerprint of everything that decides the case's grade but the reply."""
        judge = self.judge.identity.for_case(case) if self.judge.identity else None
        return case_ruler(case, judge=judge, packs=self.local.fingerprint_for(case))

    def totals(self) -> dict[str, object]:
        """The judge's counts and its last calibration, for the run's footer."""
        if self.judge.identity is None:
            return {}
        counted: dict[str, JsonValue] = self.judge.totals().dump()
        if self.calibration is not None:
            counted["calibration"] = for_footer(self.calibration, self.judge.identity.fingerprint)
        return {"judge": counted}


@asynccontextmanager
async def open_graders(
    suite: Suite,
    environ: Mapping[str, str],
    *,
    verdicts_of: Sequence[Path] = (),
    run_as: RunAs | None = None,
    tested_on: dt.date | None = None,
) -> AsyncIterator[Graders]:
    """The suite's graders, ready to grade. Raises `InputError` for locale packs, prompts or labels that cannot be used.

    `verdicts_of` names run files whose verdicts on identical replies are taken over, the later ones first.
    """
    local = build_locale_checks(suite.config, suite.base_dir, tested_on)
    problems = local.problems(suite.dataset)
    if problems:
        raise InputError(problems)
    judged = suite.config.judge is not None
    calibration = _calibration(suite)
    judge = build_judge(
        suite.config,
        base_dir=suite.base_dir,
        environ=environ,
        take_over=TakeOver(_verdicts(verdicts_of)) if judged else None,
        # Without a judge the locale checks themselves tell what nobody could decide.
        left_open=[local.left_open] if judged else [],
        run_as=run_as,
    )
    async with judge:
        yield Graders(CodeChecks(max_latency_ms=suite.config.max_latency_ms), local, judge, calibration)


def _calibration(suite: Suite) -> CalibrationRecord | None:
    named = suite.config.judge.calibration if suite.config.judge else None
    return None if named is None else read_record(suite.base_dir / named)


def _verdicts(paths: Sequence[Path]) -> Iterator[Sequence[CriterionGrade]]:
    for path in paths:
        with RunReader(path) as run:
            for line in run.grade_lines():
                for trial in line.trials:
                    yield trial.criteria
