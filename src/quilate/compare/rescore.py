"""One ruler for both sides: stored replies graded again, where the change edited what grades them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quilate.agents.agent import Reply
from quilate.checks.latency import grade_latency
from quilate.compare.align import Pair, align
from quilate.compare.overlay import CaseGrades, Overlay
from quilate.grades import Grade, TrialGrade, worst
from quilate.grading import Grader, grade_case
from quilate.runs.fields import LATENCY
from quilate.runs.reader import CaseRecord, RunReader
from quilate.saying import say

AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of how many cases have been graded again."""

    done: int
    total: int


async def rescore(
    base: RunReader,
    head: RunReader,
    graders: Sequence[Grader],
    *,
    old_graders: Sequence[Grader] | None = None,
    at_once: int = AT_ONCE,
    progress: Callable[[Progress], None] = lambda _: None,
) -> Overlay:
    """Grades again what base and head graded by different rulers; writes nothing to either run.

    The base's stored replies are graded by head's definitions and `graders`. Where the case itself was edited, head's
    reply is also graded by the base's definition and `old_graders` (default: the same graders): where it is approved,
    so that what passes only by the edit can be named; where it is not and base is only by its own ruler, to see whether
    the edit or the agent fails it. What cannot be graded again (no stored reply, a judge that is down or out of budget)
    is in `why`. A default latency limit that differs is held against head's times alone.
    """
    pairs = align(base.index, head.index).needs_rescoring
    overlay, limit, done = Overlay(), asyncio.Semaphore(at_once), 0

    async def one(pair: Pair) -> None:
        nonlocal done
        async with limit:
            await _rescore_case(pair, base, head, graders, graders if old_graders is None else old_graders, overlay)
        done += 1
        progress(Progress(done, len(pairs)))

    for start in range(0, len(pairs), 16 * at_once):  # so that no more tasks than these exist at a time
        async with asyncio.TaskGroup() as group:
            for pair in pairs[start : start + 16 * at_once]:
                group.create_task(one(pair))
    return overlay


async def _rescore_case(
    pair: Pair,
    base: RunReader,
    head: RunReader,
    graders: Sequence[Grader],
    old_graders: Sequence[Grader],
    overlay: Overlay,
) -> None:
    old, new = base.case(pair.base_id), head.case(pair.head_id)
    missing = _missing(old)
    if missing:
        overlay.why[pair.head_id] = missing
    else:
        again = CaseGrades.of(await grade_case(new.grade_line.definition, old.replies, graders))
        if again.grade is Grade.ERROR:
            overlay.why[pair.head_id] = say("the base's reply could not be graded again: {why}", why=_erred(again))
        else:
            overlay.base_by_head[pair.head_id] = again
    if not new.replies:
        return
    if not _needs_bases_view(old.grade_line.grade, new.grade_line.grade, overlay.base_by_head.get(pair.head_id)):
        return
    if pair.edited:
        overlay.head_by_base[pair.head_id] = CaseGrades.of(
            await grade_case(old.grade_line.definition, new.replies, old_graders)
        )
    elif pair.relimited:
        limit_ms = base.header.conditions.max_latency_ms
        overlay.head_by_base[pair.head_id] = CaseGrades.of(
            [_timed(trial, new.replies.get(trial.trial), limit_ms) for trial in new.grade_line.trials]
        )


def _needs_bases_view(base: Grade, head: Grade, again: CaseGrades | None) -> bool:
    """Whether what base expects of head's reply could tell of an edit that hides: it made head pass, or base fail."""
    base_lost = base is Grade.PASS and (again is None or again.grade is not Grade.PASS)
    return head is Grade.PASS or (head.graded and base_lost)


def _timed(trial: TrialGrade, reply: Reply | None, limit_ms: float) -> TrialGrade:
    """The trial as `limit_ms` grades its time, everything else as it was graded."""
    timed = None if reply is None else grade_latency(reply.duration_ms, limit_ms)
    others = tuple(criterion for criterion in trial.criteria if criterion.id != LATENCY)
    if timed is None or len(others) == len(trial.criteria):
        return trial
    criteria = (*others, timed)
    return trial.model_copy(update={"grade": worst(criteria), "criteria": criteria})


def _missing(old: CaseRecord) -> str | None:
    """Why the base's stored replies are not those it was graded by."""
    lacking = {trial.trial for trial in old.grade_line.trials} - old.replies.keys()
    if not lacking:
        return None
    if not old.replies:
        return say("the base's record holds no replies to grade again")
    return say("the base's record lacks {n} of its {all} replies", n=len(lacking), all=len(old.grade_line.trials))


def _erred(grades: CaseGrades) -> str:
    erred = next((found for found in grades.criteria if found.grade is Grade.ERROR), None)
    return erred.why if erred else say("its criteria are in error")
