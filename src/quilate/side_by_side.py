"""Two runs' replies that differ, judged in pairs and written beside the run. It changes no verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from quilate import __version__
from quilate.compare.differing import Differing
from quilate.config import Config, JudgeConfig
from quilate.grades import ErrorKind
from quilate.judge.build import OpenJudge
from quilate.judge.grader import JudgeGrader
from quilate.judge.pairs import PairResult, Pairs, PairsFooter, PairsHeader, RunRef
from quilate.judge.pairs_file import PairsWriter, earlier_answers
from quilate.judge.prompts import SIDE_BY_SIDE, Prompts, load_prompts
from quilate.judge.side_by_side import PairJudge, unjudged
from quilate.judge.side_by_side_sheet import TwoReplies
from quilate.runs.reader import RunReader

Progress = Callable[[PairResult], None]


@dataclass(frozen=True, slots=True)
class PairsJob:
    """Which pairs to judge, with which prompts, and where to write them."""

    config: JudgeConfig
    prompts: Prompts
    file: Path
    mode: Literal["changed", "all"] = "changed"
    progress: Progress = lambda _pair: None


def pairs_job(config: Config, *, base_dir: Path, file: Path) -> PairsJob | None:
    """What the configuration asks for beside a comparison; None where it asks for no pairs, or nobody could be asked.

    Raises `InputError` for prompts that cannot be used: before anything is asked, not after.
    """
    judge = config.judge
    if judge is None or judge.provider == "labels" or judge.side_by_side == "off":
        return None
    return PairsJob(judge, pair_prompts(judge, base_dir), file, judge.side_by_side)


def pair_prompts(judge: JudgeConfig, base_dir: Path) -> Prompts:
    """The prompts of the judge of pairs. Raises `InputError`."""
    return load_prompts(base_dir / judge.prompts if judge.prompts else None, SIDE_BY_SIDE)


async def judge_pairs(job: PairsJob, judge: OpenJudge, base: RunReader, head: RunReader) -> Pairs | None:
    """Judges the pairs of two runs with the run's own judge, within what is left of its budget.

    `judge` is entered already. None where there is no model to ask (no judge, or people's labels). A pair that the
    judge cannot be got to answer for is written without a verdict; nothing is raised for it.
    """
    grader = judge.grader
    if not isinstance(grader, JudgeGrader) or judge.identity is None:
        return None
    known = earlier_answers(job.file)
    found = Differing(base, head, every=job.mode == "all")
    reported = found.outputs_reported()
    pair_judge = PairJudge(
        grader.client,
        job.prompts,
        judge=judge.identity.fingerprint,
        non_evidence_tools=job.config.non_evidence_tools,
        outputs_reported=reported,
        cache=grader.cache,
        known=known,
    )
    header = PairsHeader(
        tool_version=__version__,
        base=RunRef.of(base.header),
        head=RunRef.of(head.header),
        mode=job.mode,
        judge=judge.identity.described,
        judge_fingerprint=pair_judge.fingerprint,
        outputs_reported=reported,
    )
    results: list[PairResult] = []
    with PairsWriter(job.file, header) as writer:
        await _judged(iter(found), pair_judge, job, writer, results)
        footer = PairsFooter(identical=found.identical, without_reply=tuple(found.without_reply))
        writer.finish(footer)
    return Pairs(header, tuple(results), footer)


async def _judged(
    pairs: Iterator[TwoReplies], judge: PairJudge, job: PairsJob, writer: PairsWriter, results: list[PairResult]
) -> None:
    """As many at a time as the judge may be asked at once, so that no more replies than that are held; in order.

    After a batch of which the provider answered nothing, the rest is not asked: every pair would wait for its retries.
    """
    at_once, out_of_order = job.config.concurrency, ""
    while batch := [two for _, two in zip(range(at_once), pairs, strict=False)]:
        if out_of_order:
            judged = [unjudged(two, ErrorKind.INFRASTRUCTURE, out_of_order) for two in batch]
        else:
            judged = await asyncio.gather(*(judge.judge(two) for two in batch))
            if all(pair.error is ErrorKind.INFRASTRUCTURE and not pair.answers for pair in judged):
                out_of_order = judged[0].why
        for pair in judged:
            writer.pair(pair)
            results.append(pair)
            job.progress(pair)
