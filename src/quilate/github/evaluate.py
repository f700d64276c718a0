"""One suite's turn: evaluated and recorded, evaluated and compared, or its head's verdict said again."""

from __future__ import annotations

import asyncio
import dataclasses
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from quilate import pipeline
from quilate.asking import cancelled_by_signals
from quilate.compare.base_rules import BaseRules
from quilate.compare.compare import compare as compare_runs
from quilate.compare.comparison import Comparison
from quilate.compare.offline import compare_files
from quilate.compare.summary import RunSummary
from quilate.config import BaselineConfig
from quilate.errors import InputError, QuilateError
from quilate.github import accept, artifacts, lookup, regraded
from quilate.github.base_rules import ruled
from quilate.github.branch_store import BranchStore
from quilate.github.commands import Annotation
from quilate.github.data_branch import DataBranch
from quilate.github.errors import GitHubError
from quilate.github.event import Record, Repeat
from quilate.github.git_data import GitData
from quilate.github.history import Origin
from quilate.github.lookup import Base, Lookup, Rule
from quilate.github.suites import Place
from quilate.github.turn import Step
from quilate.judge.pairs_file import beside, pairs_of_runs
from quilate.report.input import Acceptance, BaseCommit, NoBaseline, ReportInput, RunIdentity
from quilate.report.pairs import with_pairs
from quilate.report.sources import metrics_of, not_approved, provenance_of
from quilate.runs.reader import RunReader
from quilate.runs.resume import usable
from quilate.runs.store import BaselineStore, DirectoryStore

ROLES = {
    Rule.PARENT: "parent",
    Rule.MERGE_BASE: "merge_base",
    Rule.MERGE_GROUP: "merge_group",
    Rule.SAME: "push",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """A suite's run, compared. `found` is how its baseline was looked for."""

    place: Place
    comparison: Comparison
    found: Lookup
    branch: str

    def report(
        self, step: Step, head: RunReader, base: RunReader | None, *, identity: RunIdentity | None,
        accepted: Acceptance | None = None, fork: bool = False,
    ) -> ReportInput:  # fmt: skip
        """What the comment and the summary are rendered from."""
        config = self.place.suite.config
        provenance = dataclasses.replace(
            provenance_of(head, base), base=base_commit(self.found),
            no_baseline=None if base else no_baseline(self.found, self.branch),
            site=step.site(config.report_url), identity=identity, accepted=accepted, fork=fork,
            accept_label=config.accept_label if identity else None,
            config=None if self.place.config_path == "quilate.yml" else self.place.config_path,
        )  # fmt: skip
        report = ReportInput(
            comparison=self.comparison, provenance=provenance, head=head, base=base, metrics=metrics_of(head, base),
            not_approved=not_approved(head), language=config.report_language,
        )  # fmt: skip
        return with_pairs(report, self.place.run_file, head, base)


def store_of(step: Step, place: Place, branch: str, accepted: Acceptance | None = None) -> BaselineStore:
    """Where a suite's baselines are; a run that is saved goes to the history of `branch`, with its acceptance."""
    settings, baseline = step.settings, place.suite.config.baseline
    if baseline.store == "directory":
        return DirectoryStore(place.suite.base_dir / baseline.directory, place.name, keep=baseline.keep)
    by, label = (accepted.login, accepted.label) if accepted else (None, None)
    origin = Origin(branch, settings.event_name, settings.run_id, settings.run_attempt, by, label)
    return branch_store(step, place.name, baseline, origin, place.output)


def branch_store(step: Step, suite: str, baseline: BaselineConfig, origin: Origin, output: Path) -> BranchStore:
    """The data branch of this repository as a store; records that are read come to `output/base`."""
    data = DataBranch(GitData(step.api), suite, branch=baseline.branch, keep=baseline.keep)
    return BranchStore(data, output / "base", origin)


def record(step: Step, place: Place, plan: Record) -> tuple[str, Comparison]:
    """Evaluates a pushed commit and stores its run; gives what became of it in one sentence.

    Raises `UnusableRunError` for a run that may not be measured by, `QuilateError` where a usable one cannot be
    stored: a gate that is quietly off for ever is the worst failure.
    """
    outcome = evaluate(step, place, commit=plan.commit, base=None)
    with RunReader(place.run_file) as run:
        why = usable(run)
    if why is not None:
        raise UnusableRunError(f"no baseline was recorded: {why.text}", outcome)
    kept = stored_run(place)
    try:
        stored = store_of(step, place, plan.branch, accepted_before(step, place, plan)).save(kept, plan.commit)
    except QuilateError as error:
        error.exit_code = 2
        raise
    commit = plan.commit[:7]
    said = "stored as the baseline" if stored else "not stored: the commit has a usable record already, which stays"
    return f"the run of {commit} was {said}", outcome


def accepted_before(step: Step, place: Place, plan: Record) -> Acceptance | None:
    """Who accepted the drop this commit was merged with, for the history; None where that cannot be read."""
    try:
        return accept.merged_with(step.api, plan.commit, place.suite.config.accept_label, place.name)
    except GitHubError as error:
        step.console.say(f"the history will not say who accepted a drop, if anyone did: {error}")
        return None


class UnusableRunError(QuilateError):
    """A push whose run may not become a baseline."""

    exit_code = 3

    def __init__(self, message: str, comparison: Comparison) -> None:
        super().__init__(message)
        self.comparison = comparison


def stored_run(place: Place) -> Path:
    """The run file as it is stored: without replies where the configuration says so."""
    if place.suite.config.baseline.store_replies:
        return place.run_file
    from quilate.github.private import without_replies

    return without_replies(place.run_file, place.output / "stored.jsonl")


def evaluate(
    step: Step, place: Place, *, commit: str, base: Path | None, rules: BaseRules | None = None, resume: bool = False
) -> Comparison:
    """Asks, grades and compares; what is written is without secrets afterwards, whatever happens."""
    job = pipeline.Job(
        suite=place.suite, run_file=place.run_file, environ=step.environ, today=step.today, resume=resume,
        commit=commit, base=base, rules=rules, run_as=step.run_as, secrets_withheld=step.withheld,
        warn=step.console.say, now=step.now, secrets=step.redactor.values,
    )  # fmt: skip
    try:
        outcome = asyncio.run(_in_order(job))
        if base is not None:
            with RunReader(base) as of_base, RunReader(place.run_file) as of_head:
                regraded.write(regraded.beside(place.run_file), outcome.overlay, of_base.header, of_head.header)
    finally:
        for path in (place.run_file, beside(place.run_file), regraded.beside(place.run_file)):
            step.redactor.file(path)
    if outcome.asking.common is not None:
        said = step.redactor.text(f"every case crashed alike: {outcome.asking.common.message}")
        step.console.annotate([Annotation("error", said, "quilate")])
    return outcome.comparison


async def _in_order(job: pipeline.Job) -> pipeline.Outcome:
    """A cancelled job ends what it started, and leaves a run file that is valid as far as it goes."""
    with cancelled_by_signals():
        return await pipeline.run(job)


def compare(step: Step, place: Place, base: Base, *, tested: str, branch: str) -> Compared:
    """Evaluates what was tested and compares it with the base's nearest record."""
    by_base = ruled(step, place, base)
    found = lookup.nearest(step.api, store_of(step, by_base.record, branch), base)
    say_skipped(step, found)
    resume = step.settings.run_attempt > 1 and _take_up(step, place, tested)
    comparison = evaluate(step, place, commit=tested, base=base_path(found), rules=by_base.rules, resume=resume)
    return Compared(by_base.place, comparison, found, branch)


def repeat(step: Step, place: Place, plan: Repeat) -> Compared | None:
    """The head's verdict again, from the files its newest run left; None where none can be read.

    Nothing is asked: the agent is not, and verdicts and pairs of the judge are those the run holds.
    """
    try:
        left = artifacts.newest_of_head(
            step.api, plan.pull.head_repository, plan.pull.head_sha, place.name, but_run=step.settings.run_id,
            meant=lambda tested: _base_of_run(step, plan, tested) is not None,
        )  # fmt: skip
    except GitHubError as error:
        step.console.say(f"the head's earlier run cannot be read, so it is evaluated again: {error}")
        return None
    if left is None:
        step.console.say("the head has no earlier run that can be read, so it is evaluated again")
        return None
    _lay_out(step, place, left)
    with RunReader(place.run_file) as head:
        compared_with = _base_of_run(step, plan, head.header.commit) or lookup.base_of(step.api, plan)
        by_base = ruled(step, place, compared_with)
        found = lookup.nearest(step.api, store_of(step, by_base.record, plan.pull.base_ref), compared_with)
        say_skipped(step, found)
        with ExitStack() as opened:
            path = base_path(found)
            base = opened.enter_context(RunReader(path)) if path else None
            _keep_own_pairs(step, place, head, base)
            comparison = _compared_again(step, place, head, base, by_base.rules)
            return Compared(by_base.place, comparison, found, plan.pull.base_ref)


def _compared_again(
    step: Step, place: Place, head: RunReader, base: RunReader | None, rules: BaseRules | None
) -> Comparison:
    """The comparison from files alone: with what the head's run graded again, else with what code can grade again."""
    path = regraded.beside(place.run_file)
    overlay = regraded.read(path, base.header, head.header) if base is not None else None
    if base is not None and overlay is not None:
        return compare_runs(RunSummary.of(base), RunSummary.of(head), overlay, today=step.today, rules=rules)
    path.unlink(missing_ok=True)
    return compare_files(base, head, today=step.today, rules=rules)[0]


def _lay_out(step: Step, place: Place, left: artifacts.Left) -> None:
    """An earlier run's files in the place of this one's, without secrets."""
    place.output.mkdir(parents=True, exist_ok=True)
    place.run_file.write_bytes(left.run)
    step.redactor.file(place.run_file)
    for name in artifacts.OTHERS:
        path = place.run_file.with_name(name)
        path.unlink(missing_ok=True)
        if name in left.others:
            path.write_bytes(left.others[name])
            step.redactor.file(path)


def _keep_own_pairs(step: Step, place: Place, head: RunReader, base: RunReader | None) -> None:
    """Leaves no pairs beside the run file but those of these two runs' replies: the file may say anything."""
    path = beside(place.run_file)
    try:
        if pairs_of_runs(path, head, base) is not None:
            return
    except InputError as error:
        step.console.say(f"the pairs judged side by side cannot be read, so none are told: {error}")
    path.unlink(missing_ok=True)


def _base_of_run(step: Step, plan: Repeat, tested: str | None) -> Base | None:
    """The base of what that run tested: the label's own merge commit may stand on a later base.

    None where it is no commit of the pull request's base branch: the run is of another pull request with this head,
    and a verdict against another branch's baseline is none of this one's.
    """
    pull = plan.pull
    try:
        base = lookup.base_of_tested(step.api, tested or plan.tested, pull.head_sha, pull.base_ref)
        own = base.rule is not Rule.PARENT or step.api.divergence(pull.base_ref, base.commit).ahead == 0
        return base if own else None
    except lookup.UnknownCommitError:
        return lookup.base_of_tested(step.api, plan.tested, pull.head_sha, pull.base_ref)


def _take_up(step: Step, place: Place, tested: str) -> bool:
    """Whether an earlier attempt of this run left a run file to carry on, which then stands in its place."""
    try:
        left = artifacts.newest_of_run(step.api, step.settings.run_id, place.name)
    except GitHubError as error:
        step.console.say(f"the earlier attempt's run cannot be read, so every case is asked again: {error}")
        return False
    if left is None:
        return False
    with RunReader.of_bytes(left.run, "the earlier attempt's run") as run:
        if run.header.commit != tested:
            return False
    _lay_out(step, place, left)
    step.console.say("the replies of the earlier attempt are taken up")
    return True


def base_path(found: Lookup) -> Path | None:
    """The baseline's run file."""
    return found.found.path if found.found else None


def base_commit(found: Lookup) -> BaseCommit | None:
    """The baseline as a report tells it."""
    if found.found is None:
        return None
    role = ROLES[found.base.rule]
    return BaseCommit(found.found.commit, found.found.distance, role, behind=found.base.behind)  # type: ignore[arg-type]


def no_baseline(found: Lookup, branch: str) -> NoBaseline:
    """Why there is none, as a report tells it."""
    return NoBaseline("unusable" if found.unusable else "no_record", branch, found.looked_at)


def say_skipped(step: Step, found: Lookup) -> None:
    """Each record that was passed over, in the log."""
    for skipped in found.found.skipped if found.found else ():
        step.console.say(f"the record of {skipped.commit[:7]} was passed over: {skipped.why}")
