"""The story of a run: ask, grade, confirm what newly fails, compare, gate. Everything it calls does one thing."""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from quilate import __version__
from quilate.agents.agent import Reply
from quilate.agents.open import open_agent
from quilate.agents.process import RunAs
from quilate.asking import Asking, started
from quilate.canonical import fingerprint
from quilate.compare.base_rules import BaseRules
from quilate.compare.compare import compare
from quilate.compare.comparison import Comparison
from quilate.compare.confirm import to_confirm
from quilate.compare.overlay import Overlay
from quilate.compare.rescore import rescore
from quilate.compare.summary import RunSummary
from quilate.evaluating import Evaluation, Limits, Listener, Replies
from quilate.goldens.case import GoldenCase
from quilate.graders import Graders, open_graders
from quilate.judge.pairs_file import beside
from quilate.redaction import Redactor
from quilate.runs.reader import RunReader, Scan
from quilate.runs.record import Conditions, DatasetInfo, Header
from quilate.runs.resume import usable_replies
from quilate.runs.writer import RunWriter
from quilate.side_by_side import PairsJob, judge_pairs, pairs_job
from quilate.suite import Selection, Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run of one suite: what to ask, where to write, what to compare with.

    `run_file` is written; `base` is the baseline's run file, None when there is nothing to compare with, and `rules`
    what base's configuration says, where it is known. `today` decides which quarantines are over. `run_as` is the user
    as whom the agent's processes run (in the container).
    """

    suite: Suite
    run_file: Path
    environ: Mapping[str, str]
    today: dt.date
    selection: Selection = field(default_factory=Selection)
    resume: bool = False
    commit: str | None = None
    base: Path | None = None
    rules: BaseRules | None = None
    run_as: RunAs | None = None
    secrets_withheld: bool = False
    secrets: tuple[str, ...] = ()
    """Values that must not reach the run file, whatever the agent or the judge says."""
    listener: Listener = field(default_factory=Listener)
    warn: Callable[[str], None] = lambda _: None
    now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC)


@dataclass(frozen=True, slots=True, repr=False)  # asyncio says a task, its result included, whenever it ends one
class Outcome:
    """What a run came to. `asking.common` is the one fault when all cases crashed alike.

    `head` and `base` are what was read of both run files, for whoever opens them again.
    """

    comparison: Comparison
    asking: Asking
    overlay: Overlay
    head: Scan
    base: Scan | None = None


async def run(job: Job) -> Outcome:
    """Evaluates the suite, confirms what newly fails where the base's policy says so, and compares.

    Raises `QuilateError` for what a person has to mend; an interrupted run leaves a journal that `resume` carries on.
    """
    cases = job.selection.of(job.suite.dataset)
    pairs = _pairs_job(job)
    async with _evaluation(job) as (evaluation, graders, trials):
        asking = await _evaluate(job, evaluation, graders, cases, trials)
        if job.base is None:
            with RunReader(job.run_file, scan=evaluation.journal.scan) as head:
                comparison = compare(None, RunSummary.of(head), today=job.today, rules=job.rules)
            return Outcome(comparison, asking, Overlay(), head.scan)
        with RunReader(job.base) as base:
            overlay, scan = await _confirmed(job, evaluation, graders, base, trials)
            with RunReader(job.run_file, scan=scan) as head:
                of_base, of_head = RunSummary.of(base), RunSummary.of(head)
                comparison = compare(of_base, of_head, overlay, today=job.today, rules=job.rules)
            if pairs is not None:
                await _side_by_side(job, pairs, evaluation, graders, base)
    return Outcome(comparison, asking, overlay, head.scan, base.scan)


@asynccontextmanager
async def _evaluation(job: Job) -> AsyncIterator[tuple[Evaluation, Graders, int]]:
    """The agent started, the graders ready, the journal open; all closed in order, whatever happens."""
    config = job.suite.config
    agent = open_agent(
        config.agent,
        base_dir=job.suite.base_dir,
        environ=job.environ,
        case_ids={case.id for case in job.suite.dataset.cases},
        run_as=job.run_as,
        secrets_withheld=job.secrets_withheld,
        warn=job.warn,
    )
    async with started(agent) as ready, _graders(job) as graders:
        recorded = [agent.trials(case.id) or 0 for case in job.suite.dataset.cases]
        trials = max([config.trials, *recorded])
        rulers = {case.id: graders.ruler_of(case) for case in job.suite.dataset.cases}
        header = header_of(job, agent.describe(), graders, trials, fingerprint(sorted(rulers.values())))
        clean = Redactor(job.secrets).text if job.secrets else None
        with RunWriter(job.run_file, header, resume=job.resume, clean=clean) as journal:
            limits = Limits(
                concurrency=config.agent.concurrency,
                timeout_s=config.agent.timeout_s,
                retries=config.agent.retries,
                grading=config.judge.concurrency if config.judge else 1,
            )
            evaluation = Evaluation(
                ready, graders.all, journal, job.suite.dataset, rulers, limits, job.listener, job.now
            )
            yield evaluation, graders, trials


def _graders(job: Job) -> AbstractAsyncContextManager[Graders]:
    """The graders, which take over the verdicts of the baseline and, on resuming, of the run itself."""
    own = (job.run_file,) if job.resume and job.run_file.exists() else ()
    known = (*own, *((job.base,) if job.base else ()))
    return open_graders(job.suite, job.environ, verdicts_of=known, run_as=job.run_as, tested_on=job.today)


async def _evaluate(
    job: Job, evaluation: Evaluation, graders: Graders, cases: tuple[GoldenCase, ...], trials: int
) -> Asking:
    """Asks and grades what is not there yet, and ends the run with its footer."""
    done: set[str] = set()
    kept: Replies = {}
    if job.resume:
        with RunReader(job.run_file) as earlier:
            kept = _by_case(usable_replies(earlier, cases))
            done = evaluation.keep(earlier, cases, kept, trials)
    asking = await evaluation.ask([case for case in cases if case.id not in done], trials, kept)
    evaluation.journal.footer(evaluation.footer(**graders.totals()))
    return asking


def _by_case(replies: Mapping[tuple[str, int], Reply]) -> Replies:
    found: dict[str, dict[int, Reply]] = {}
    for (case_id, trial), reply in replies.items():
        found.setdefault(case_id, {})[trial] = reply
    return found


async def _confirmed(
    job: Job, evaluation: Evaluation, graders: Graders, base: RunReader, trials: int
) -> tuple[Overlay, Scan]:
    """The overlay of what was graded again, after confirming what newly fails; what was read of the run file."""
    with RunReader(job.run_file, scan=evaluation.journal.scan) as head:
        by_base = graders.with_limit(base.header.conditions.max_latency_ms)
        overlay = await rescore(base, head, graders.all, old_graders=by_base)
        again = base.header.policy.confirm_flips
        newly = to_confirm(RunSummary.of(base), RunSummary.of(head), overlay, today=job.today) if again else ()
        lines = {case_id: head.grade_line(case_id) for case_id in newly}
        # On resuming, what was confirmed stays so, and of a confirmation that was cut off only the rest is asked.
        lines = {case_id: line for case_id, line in lines.items() if len(line.trials) < trials + again}
        kept = _by_case(usable_replies(head, [line.definition for line in lines.values()]))
    if lines:
        await evaluation.confirm(lines, trials, again, kept)
        evaluation.journal.footer(evaluation.footer(**graders.totals()))
    return overlay, head.scan


def _pairs_job(job: Job) -> PairsJob | None:
    """The pairs to judge beside the comparison: they inform the reader and change no verdict."""
    if job.base is None:
        return None
    return pairs_job(job.suite.config, base_dir=job.suite.base_dir, file=beside(job.run_file))


async def _side_by_side(job: Job, pairs: PairsJob, evaluation: Evaluation, graders: Graders, base: RunReader) -> None:
    """Replies that differ, judged in pairs beside the run file; the footer counts what that cost."""
    with RunReader(job.run_file, scan=evaluation.journal.scan) as head:
        judged = await judge_pairs(pairs, graders.judge, base, head)
    if judged is not None and judged.pairs:
        evaluation.journal.footer(evaluation.footer(**graders.totals()))


def header_of(job: Job, agent: dict[str, JsonValue], graders: Graders, trials: int, ruler: str) -> Header:
    """The run file's first line: everything that says whether two runs can be compared, and under which conditions."""
    config, dataset = job.suite.config, job.suite.dataset
    chat = config.agent.chat
    return Header(
        suite=config.suite,
        commit=job.commit,
        tool_version=__version__,
        dataset=DatasetInfo(
            version=dataset.version,
            fingerprint=dataset.fingerprint,
            cases=len(dataset.cases),
            selection=job.selection.describe(),
        ),
        ruler=ruler,
        agent=agent,
        agent_fingerprint=fingerprint(agent),
        judge=graders.judge_described,
        judge_fingerprint=graders.judge_fingerprint,
        policy=config.gate,
        conditions=Conditions(
            trials=trials,
            concurrency=config.agent.concurrency,
            max_latency_ms=config.max_latency_ms,
            fresh_single_turn=all(len(case.messages) == 1 for case in dataset.cases),
            system_prompt=chat.system if chat else None,
            started_at=job.now().isoformat(timespec="seconds"),
        ),
    )
