"""Asking and grading as one stream into the run file: replies as they come, each case graded when it is whole."""

from __future__ import annotations

import asyncio
import datetime as dt
import time
from array import array
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from quilate.agents.agent import Agent, Reply
from quilate.asking import Answered, Asking, ask_all
from quilate.compare.confirm import confirmed_line
from quilate.compare.delta import nearest_rank_p95
from quilate.goldens.case import Dataset, GoldenCase
from quilate.grades import ErrorKind, Grade
from quilate.grading import Grader, grade_trial, summarise
from quilate.runs.reader import RunReader
from quilate.runs.record import Footer, GradeLine, ReplyLine
from quilate.runs.writer import RunWriter

Replies = Mapping[str, Mapping[int, Reply]]
"""Case id → trial → reply."""


class Listener:
    """Told what happens, as it happens; this one is silent."""

    def replied(self, case: GoldenCase, trial: int, reply: Reply) -> None:
        """One trial was answered, or failed to be."""

    def graded(self, line: GradeLine) -> None:
        """One case was graded."""

    def kept(self, replies: int, grades: int) -> None:
        """So many replies and grades of an earlier attempt are used again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much at once, how long, how often again."""

    concurrency: int
    timeout_s: float
    retries: int
    grading: int = 4
    """Cases graded at once: a judge takes its time, code none."""


@dataclass(slots=True)
class Evaluation:
    """One run in the making. `ask` may be called again with more trials of some cases, to confirm what newly fails."""

    agent: Agent
    graders: Sequence[Grader]
    journal: RunWriter
    dataset: Dataset
    rulers: Mapping[str, str]
    """Case id → the fingerprint of everything that decides its grade but the reply."""
    limits: Limits
    listener: Listener = field(default_factory=Listener)
    now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)
    _grades: dict[str, Grade] = field(default_factory=dict)
    _durations_ms: array[float] = field(default_factory=lambda: array("d"))
    _startups_ms: array[float] = field(default_factory=lambda: array("d"))
    _replies: int = 0
    _started: float = field(default_factory=time.monotonic)

    async def ask(self, cases: Sequence[GoldenCase], trials: int, kept: Replies | None = None) -> Asking:
        """Asks each case until it has `trials` replies, then grades it. Replies in `kept` are not asked for again."""
        rounds = _Round(self, cases, trials, kept or {})
        return await rounds.run(self._grade_whole)

    async def confirm(
        self, lines: Mapping[str, GradeLine], trials: int, again: int, kept: Replies | None = None
    ) -> None:
        """Asks the cases of `lines`, graded after `trials` askings, `again` more times; the majority decides.

        Replies in `kept` are not asked for again.
        """
        cases = [case for case in self.dataset.cases if case.id in lines and self.agent.trials(case.id) is None]

        async def grade(case: GoldenCase, replies: Mapping[int, Reply]) -> None:
            graded = [await grade_trial(case, replies[trial], self.graders, trial) for trial in sorted(replies)]
            self._write_grade(confirmed_line(lines[case.id], graded))

        await _Round(self, cases, again, kept or {}, first=trials).run(grade)

    def keep(self, run: RunReader, cases: Sequence[GoldenCase], kept: Replies, trials: int) -> set[str]:
        """Counts what an earlier attempt recorded; returns the ids of cases that need not be graded again."""
        done: set[str] = set()
        for case in cases:
            replies = kept.get(case.id, {})
            for reply in replies.values():
                self._count(reply)
            have = replies.keys() & range(self.wanted(case, trials))
            if run.index.grade_place(case.id) is None or len(have) < self.wanted(case, trials):
                continue
            line = run.grade_line(case.id)
            if line.ruler == self.rulers[case.id] and not _worth_grading_again(line):
                done.add(case.id)
                self._grades[case.id] = line.grade
        self.listener.kept(sum(len(replies) for replies in kept.values()), len(done))
        return done

    def footer(self, **totals: object) -> Footer:
        """The footer of what was asked and graded so far; `totals` are further fields of it."""
        counts = Counter(self._grades.values())
        return Footer.model_validate(
            {
                "ended": "complete",
                "counts": {grade: counts[grade] for grade in Grade},
                "replies": self._replies,
                "latency_p95_ms": nearest_rank_p95(self._durations_ms),
                "startup_p95_ms": nearest_rank_p95(self._startups_ms),
                "seconds": round(time.monotonic() - self._started, 3),
                "ended_at": self.now().isoformat(timespec="seconds"),
                **totals,
            }
        )

    def wanted(self, case: GoldenCase, trials: int) -> int:
        """How many replies make the case whole: a replay's own number, else `trials`; at least one."""
        recorded = self.agent.trials(case.id)
        return trials if recorded is None else max(recorded, 1)

    def write_reply(self, answered: Answered) -> None:
        """Records a reply as it comes."""
        case, reply = answered.case, answered.reply
        self.journal.reply(
            ReplyLine(
                case_id=case.id,
                trial=answered.trial,
                input_fingerprint=case.input_fingerprint,
                prompt=case.messages,
                reply=reply,
                asked_at=answered.asked_at.isoformat(timespec="milliseconds"),
            )
        )
        self._count(reply)
        self.listener.replied(case, answered.trial, reply)

    def _count(self, reply: Reply) -> None:
        self._replies += 1
        if reply.duration_ms is not None:
            self._durations_ms.append(reply.duration_ms)
        if reply.startup_ms is not None:
            self._startups_ms.append(reply.startup_ms)

    async def _grade_whole(self, case: GoldenCase, replies: Mapping[int, Reply]) -> None:
        trials = [await grade_trial(case, replies[trial], self.graders, trial) for trial in sorted(replies)]
        grade, criteria = summarise(trials)
        self._write_grade(
            GradeLine(
                case_id=case.id,
                category=case.category,
                grade=grade,
                criteria=criteria,
                trials=tuple(trials),
                definition=case,
                location=self.dataset.locations.get(case.id),
                input_fingerprint=case.input_fingerprint,
                ruler=self.rulers[case.id],
            )
        )

    def _write_grade(self, line: GradeLine) -> None:
        self.journal.grade(line)
        self._grades[line.case_id] = line.grade
        self.listener.graded(line)


GradeWhole = Callable[[GoldenCase, Mapping[int, Reply]], Awaitable[None]]


class _Round:
    """Asks some cases, and grades each as soon as it is whole. Trials are numbered from `first`."""

    def __init__(
        self, evaluation: Evaluation, cases: Sequence[GoldenCase], trials: int, kept: Replies, *, first: int = 0
    ) -> None:
        self._evaluation = evaluation
        self._cases = cases
        self._trials = trials
        self._first = first
        self._replies = {case.id: self._of_this_round(case, kept.get(case.id, {})) for case in cases}
        # Graders that fall behind hold the asking back, so that whole cases do not pile up in memory.
        self._whole: asyncio.Queue[tuple[GoldenCase, dict[int, Reply]] | None] = asyncio.Queue(
            maxsize=2 * evaluation.limits.grading
        )

    def _of_this_round(self, case: GoldenCase, replies: Mapping[int, Reply]) -> dict[int, Reply]:
        trials = range(self._first, self._first + self._evaluation.wanted(case, self._trials))
        return {trial: reply for trial, reply in replies.items() if trial in trials}

    async def run(self, grade: GradeWhole) -> Asking:
        """Asks and grades at once; the first failure ends both and is raised as it is."""
        try:
            async with asyncio.TaskGroup() as group:
                asked = group.create_task(self._ask())
                for _ in range(self._evaluation.limits.grading):
                    group.create_task(self._grade_from_queue(grade))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        return asked.result()

    async def _ask(self) -> Asking:
        for case in self._cases:
            await self._hand_on_if_whole(case)
        limits = self._evaluation.limits
        asked = await ask_all(
            self._evaluation.agent,
            [case for case in self._cases if case.id in self._replies],
            self._on_reply,
            trials=self._first + self._trials,
            concurrency=limits.concurrency,
            timeout_s=limits.timeout_s,
            retries=limits.retries,
            already=self._already(),
            now=self._evaluation.now,
        )
        for _ in range(limits.grading):
            await self._whole.put(None)
        return asked

    def _already(self) -> set[tuple[str, int]]:
        have = {(case_id, trial) for case_id, replies in self._replies.items() for trial in replies}
        return have | {(case.id, trial) for case in self._cases for trial in range(self._first)}

    async def _on_reply(self, answered: Answered) -> None:
        self._evaluation.write_reply(answered)
        self._replies[answered.case.id][answered.trial] = answered.reply
        await self._hand_on_if_whole(answered.case)

    async def _hand_on_if_whole(self, case: GoldenCase) -> None:
        if len(self._replies[case.id]) >= self._evaluation.wanted(case, self._trials):
            await self._whole.put((case, self._replies.pop(case.id)))

    async def _grade_from_queue(self, grade: GradeWhole) -> None:
        while (whole := await self._whole.get()) is not None:
            await grade(*whole)


def _worth_grading_again(line: GradeLine) -> bool:
    """Whether a judge or a budget, not a reply, was what failed."""
    again = (ErrorKind.JUDGE, ErrorKind.BUDGET, ErrorKind.INFRASTRUCTURE, ErrorKind.SECRET)
    return any(criterion.error in again for trial in line.trials for criterion in trial.criteria)
