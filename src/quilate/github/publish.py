"""What a suite came to, put where people read it: report files, comment, status. None of it changes the verdict."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from quilate.compare.comparison import Comparison
from quilate.github import accept, annotating, comment
from quilate.github.api import Api
from quilate.github.commands import Annotation
from quilate.github.conversation import Conversation
from quilate.github.errors import GitHubError
from quilate.github.evaluate import Compared, base_path
from quilate.github.turn import Step, Turn
from quilate.grades import Verdict
from quilate.redaction import Redactor
from quilate.report.comment import render, render_broken
from quilate.report.files import FILES, Source, write_files
from quilate.report.input import Acceptance, ReportInput, RunIdentity
from quilate.report.ladder import COMMENT_BYTES, SUMMARY_BYTES
from quilate.runs.reader import RunReader

FORMATS = ("md", "html", "junit", "json")
STATES = {"pass": "success", "fail": "failure"}
"""Verdict → state of a commit status; anything else is `error`, and a missing baseline that may pass is `success`."""


def of_compared(
    step: Step, compared: Compared, *, identity: RunIdentity | None, talk: Conversation | None,
    accepted: Acceptance | None = None, fork: bool = False,
) -> Turn:  # fmt: skip
    """Renders, writes and posts a comparison. `talk` is None where nothing is to be said on a pull request.

    `accepted` turns what a person may answer for into a pass, and nothing else.
    """
    comparison = compared.comparison
    if not comparison.acceptable:
        accepted = None
    place = compared.place
    with ExitStack() as opened:
        head = opened.enter_context(RunReader(place.run_file))
        path = base_path(compared.found)
        base = opened.enter_context(RunReader(path)) if path else None
        report = compared.report(step, head, base, identity=identity, accepted=accepted, fork=fork)
        markdown = render_all(report, step.redactor, SUMMARY_BYTES // 2)
        body = render_all(report, step.redactor, COMMENT_BYTES)
        if accepted is not None and identity is not None:
            body += accept.marker(accepted.login, identity.head_sha) + "\n"
        written = write_reports(place.output, body, Source(head, base, report), step.redactor)
        found = annotating.of_comparison(comparison, head, report.language)
    url, notes = post(step, talk, place.name, body, identity)
    return Turn(
        suite=place.name,
        verdict=verdict_of(comparison, accepted),
        exit_code=0 if accepted else comparison.exit_code,
        markdown=markdown,
        comparison=comparison,
        run_file=place.run_file,
        report=written,
        comment_url=url,
        annotations=tuple(_redacted(one, step.redactor) for one in found),
        notes=notes,
    )


def of_broken(
    step: Step, suite: str, error: BaseException, exit_code: int, *, identity: RunIdentity | None,
    talk: Conversation | None, output: Path, found: tuple[Annotation, ...] = (),
) -> Turn:  # fmt: skip
    """An evaluation that itself broke: the reader learns what, and what to do."""
    said = step.redactor.text(str(error) or type(error).__name__)
    body = step.redactor.text(render_broken(suite, said, identity=identity, site=step.site(None)))
    output.mkdir(parents=True, exist_ok=True)
    report = output / "comment.md"
    report.write_text(body, encoding="utf-8")
    url, notes = post(step, talk, suite, body, identity)
    shown = tuple(_redacted(one, step.redactor) for one in found) or (Annotation("error", said[:1000], "quilate"),)
    return Turn(
        suite=suite, verdict="broken", exit_code=exit_code, markdown=body, report=report, comment_url=url,
        annotations=shown, notes=notes,
    )  # fmt: skip


def post(
    step: Step, talk: Conversation | None, suite: str, body: str, identity: RunIdentity | None
) -> tuple[str | None, tuple[str, ...]]:
    """Makes or updates the comment. What GitHub refuses is a note: the verdict and the report stand without it."""
    if talk is None or identity is None or not step.settings.comment:
        return None, ()
    try:
        outcome = comment.publish(talk, suite, body, identity)
    except Exception as error:  # noqa: BLE001 - the verdict stands, whatever keeps it from being told here
        return None, (f"The comment could not be written: {error if isinstance(error, GitHubError) else repr(error)}",)
    if outcome.written is comment.Written.SUPERSEDED:
        return outcome.url, ("A newer run has commented already; its comment stays.",)
    return outcome.url, ()


def set_status(api: Api, step: Step, sha: str, turn: Turn) -> None:
    """The verdict as a commit status of a pull request's head, where a job's own check does not reach it."""
    passed = turn.exit_code == 0
    state = STATES.get(turn.verdict, "success" if passed else "error")
    body = {
        "state": state,
        "context": f"quilate/{turn.suite}",
        "description": description_of(turn)[:140],
        "target_url": turn.comment_url or step.settings.run_url,
    }
    api.send("POST", f"/statuses/{sha}", body, doing="set the commit status", needs="statuses: write")


def description_of(turn: Turn) -> str:
    """One plain line of at most 140 characters, from counts alone: no text of anyone's stands in a status."""
    comparison = turn.comparison
    if comparison is None:
        return "the evaluation broke, nothing was measured"
    head, points = comparison.overall.head, comparison.overall.points
    counts = f"{head.approved} of {head.graded} approved"
    if not comparison.compared or points is None:
        return f"{turn.verdict.replace('_', ' ')}: {counts}, not compared"
    return f"{turn.verdict}: {counts}, {float(points):+.1f} points"


def verdict_of(comparison: Comparison, accepted: Acceptance | None) -> str:
    """The output's word: pass, fail, inconclusive or not_compared."""
    if accepted is not None:
        return Verdict.PASS.value
    codes = {reason.code for reason in comparison.reasons}
    if not comparison.compared and codes <= {"no_baseline"}:
        return "not_compared"
    return comparison.verdict.value


def render_all(report: ReportInput, redactor: Redactor, budget_bytes: int) -> str:
    """The report as Markdown without secrets."""
    return redactor.text(render(report, budget_bytes))


def write_reports(folder: Path, body: str, source: Source, redactor: Redactor) -> Path:
    """The report's files, without secrets, and the comment as it was posted; gives the page for people."""
    paths = write_files(folder, source, FORMATS)
    for path in paths:
        redactor.file(path)
    (folder / FILES["md"]).write_text(body, encoding="utf-8")
    return folder / FILES["html"]


def _redacted(annotation: Annotation, redactor: Redactor) -> Annotation:
    message, title = redactor.text(annotation.message), redactor.text(annotation.title)
    return Annotation(annotation.level, message, title, annotation.file, annotation.line)
