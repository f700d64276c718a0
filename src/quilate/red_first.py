"""A new case asked of the agent of today, before anybody mends it: does it show what was reported?"""

from __future__ import annotations

import asyncio
import dataclasses
import datetime as dt
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quilate import pipeline
from quilate.agents.process import RunAs
from quilate.asking import cancelled_by_signals
from quilate.errors import QuilateError
from quilate.goldens.case import Dataset, GoldenCase, Location
from quilate.goldens.load import with_suite_defaults
from quilate.grades import Grade
from quilate.runs.reader import RunReader
from quilate.suite import Suite

TIMES = 3
"""How often a case is asked where the suite's own trials are fewer."""


@dataclass(frozen=True, slots=True)
class RedFirst:
    """What `asked` askings came to. `reason` says why there is nothing to tell where `asked` is 0."""

    grades: tuple[Grade, ...] = ()
    reply: str = ""
    why: str = ""
    reason: str = ""

    @property
    def asked(self) -> int:
        """How many askings were graded."""
        return sum(grade.graded for grade in self.grades)

    @property
    def failed(self) -> int:
        """How many of them were not approved."""
        return sum(grade.graded and grade is not Grade.PASS for grade in self.grades)

    @property
    def headline(self) -> str:
        """One line, of our own words only."""
        if not self.grades:
            return "not asked"
        if not self.asked:
            return "asked, and nothing could be graded"
        if not self.failed:
            return f"does not reproduce ({self.asked} of {self.asked} pass)"
        return f"reproduces {self.failed} of {self.asked}"


def red_first(
    suite: Suite, case: GoldenCase, *, environ: Mapping[str, str], today: dt.date, run_as: RunAs | None = None
) -> RedFirst:
    """Asks the suite's agent one case `max(trials, TIMES)` times and grades it. Never raises for a failing agent."""
    config = suite.config
    if config.agent.kind == "replay":
        return RedFirst(reason="the suite replays recorded replies, and has none of a new case")
    alone = Dataset(version="red-first", cases=(case,), locations={case.id: Location(file="-", line=1)})
    dataset = with_suite_defaults(alone, max_latency_ms=config.max_latency_ms, grounded=config.grounded)
    trials = max(config.trials, TIMES)
    narrowed = dataclasses.replace(suite, config=config.model_copy(update={"trials": trials}), dataset=dataset)
    with tempfile.TemporaryDirectory(prefix="quilate-red-first-") as folder:
        run_file = Path(folder) / "run.jsonl"
        job = pipeline.Job(suite=narrowed, run_file=run_file, environ=environ, today=today, run_as=run_as)
        try:
            asyncio.run(_in_order(job))
            with RunReader(run_file) as run:
                return _told(run, case.id)
        except QuilateError as error:
            return RedFirst(reason=str(error))


def _told(run: RunReader, case_id: str) -> RedFirst:
    """The trials' grades, and the reply and the reason of the first that was not approved."""
    line = run.grade_line(case_id)
    replies = run.reply_lines(case_id)
    shown = next(
        (trial for trial in line.trials if trial.grade.graded and trial.grade is not Grade.PASS), line.trials[0]
    )
    reasons = [f"{each.id}: {each.reason}" for each in shown.criteria if each.grade is not Grade.PASS and each.reason]
    faults = [each.reply.fault for each in replies.values() if each.reply.fault is not None]
    if len(faults) == len(replies):
        return RedFirst(reason=f"the agent gave no reply: {faults[0].message}")
    grades = tuple(trial.grade for trial in line.trials)
    return RedFirst(grades, replies[shown.trial].reply.output, "\n".join(reasons))


async def _in_order(job: pipeline.Job) -> None:
    with cancelled_by_signals():
        await pipeline.run(job)
