"""The audit: a log streamed through the judge, so many conversations at a time, journalled as it goes."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from quilate.agents.agent import Reply
from quilate.audit.conversations import Conversation, Unreadable, read_conversations
from quilate.audit.entry import Entry, Outcome, entry_of, set_aside, window
from quilate.audit.journal import Journal, entries, standing
from quilate.errors import UsageError
from quilate.goldens.case import GoldenCase
from quilate.judge.grader import JudgeGrader

Line = Conversation | Unreadable
Listener = Callable[[Entry], None]


@dataclass(frozen=True, slots=True)
class Audit:
    """What is audited: the log, the window that ends at `until`, and how many conversations at a time."""

    log: Path
    until: dt.datetime
    days: int
    concurrency: int


async def audit(job: Audit, grader: JudgeGrader, journal: Journal, done: int, listener: Listener) -> None:
    """Judges what the journal does not hold yet: first what erred before, then the rest of the log.

    `done` is how many lines the journal holds. Entries are written in the order of the log. Raises `UsageError` where
    the log is no longer the one the journal is about.
    """
    if done:
        retry = {entry.line for entry in standing(journal.path) if entry.outcome.worth_another_try}
        again = (line for line in _checked(job.log, journal.path) if line.line in retry)
        async for entry in _judged(job, grader, again, again=True):
            journal.add(entry)
            listener(entry)
    rest = (line for index, line in enumerate(read_conversations(job.log)) if index >= done)
    async for entry in _judged(job, grader, rest, again=False):
        journal.add(entry)
        listener(entry)


def held(path: Path) -> int:
    """How many lines of the log a journal holds."""
    return sum(not entry.again for entry in entries(path))


def _checked(log: Path, journal: Path) -> Iterator[Line]:
    """The lines of the log that the journal holds, each checked to be the same as then."""
    lines = read_conversations(log)
    for entry in entries(journal):
        if entry.again:
            continue
        line = next(lines, None)
        if line is None or (line.line, line.digest) != (entry.line, entry.digest):
            message = f"{log} has changed at line {entry.line} since the audit began; start anew without --resume"
            raise UsageError(message)
        yield line


async def _judged(job: Audit, grader: JudgeGrader, lines: Iterable[Line], *, again: bool) -> AsyncIterator[Entry]:
    """Entries in the order of `lines`, with at most `concurrency` under way: memory does not grow with the log."""
    under_way: deque[asyncio.Task[Entry]] = deque()
    try:
        for line in lines:
            under_way.append(asyncio.create_task(_entry(job, grader, line, again=again)))
            if len(under_way) >= job.concurrency:
                yield await under_way.popleft()
        while under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _entry(job: Audit, grader: JudgeGrader, line: Line, *, again: bool) -> Entry:
    if isinstance(line, Unreadable):
        return set_aside(line, Outcome.UNREADABLE)
    outside = window(line, until=job.until, days=job.days)
    if outside is not None:
        return set_aside(line, outside)
    case = GoldenCase(id=line.id or "-", category="audit", input=line.question, grounded=True)
    reply = Reply(output=line.reply, fragments=line.fragments)
    sheet, grades = await grader.grade_sheet(case, reply, 0)
    blocks = sheet.evidence.blocks if sheet is not None and sheet.evidence is not None else ()
    return entry_of(line, grades, [block.text for block in blocks], again=again)
