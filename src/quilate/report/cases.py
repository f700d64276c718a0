"""Broken cases in Markdown: folded with everything a reviewer needs, or a line each."""

from __future__ import annotations

import re

from quilate.goldens.case import Location
from quilate.grades import CriterionGrade
from quilate.report import escape, visible
from quilate.report.answers import answers
from quilate.report.escape import Inert
from quilate.report.input import ReportInput
from quilate.report.ladder import Rung
from quilate.report.messages import Translator
from quilate.report.retold import criterion_in
from quilate.report.story import Story, fair_selection, record_of, rerun_command, tell
from quilate.report.voice import Voice

TITLE_BYTES = 120
_NONE_OF = re.compile("none of:? ")
_COMPARES = re.compile(r"\bexpected .*\bfound ", re.DOTALL)


def told_cases(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    """The section on what broke or, where nothing was compared, on what is not approved; nothing where that is none."""
    return _broken(report, voice, rung) if report.comparison.compared else _not_approved(report, voice, rung)


def _not_approved(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    """A line each, in a fold: which change each of them stems from is not known."""
    erred = set(report.comparison.errors)  # told by their names beside the table
    ids = [case_id for case_id in report.not_approved if case_id not in erred]
    shown = ids[: rung.names]
    if not shown:
        return []
    t = voice.t
    lines = [_line(tell(case_id, report.head, None), report, voice, rung) for case_id in shown]
    if len(shown) < len(ids):
        lines.append(Inert("\n" + t.t("Showing {shown} of {all} cases.", shown=len(shown), all=len(ids))))
    summary = t.tn("{n} case is not approved", "{n} cases are not approved", len(ids))
    return [Inert(f"<details><summary>{summary}</summary>\n\n" + "\n".join(lines) + "\n\n</details>")]


def _broken(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    broke = report.comparison.broke
    if not broke:
        return []
    t = voice.t
    blocks = [Inert("### " + t.tn("{n} case broke", "{n} cases broke", len(broke)))]
    category_of = {case_id: _category(report, case_id) for case_id in broke} if _limited(rung) else {}
    opened = _chosen(broke, category_of, rung.opened)
    rest = [case_id for case_id in broke if case_id not in set(opened)]
    listed = _chosen(rest, category_of, rung.listed)
    blocks += [_fold(story_of(case_id, report), report, voice, rung) for case_id in opened]
    if listed:
        lines = [_line(tell(case_id, report.head, None), report, voice, rung) for case_id in listed]
        blocks.append(Inert("\n".join(lines)))
    told = len(opened) + len(listed)
    if told < len(broke):
        blocks.append(t.t("Showing {shown} of {all} cases that broke.", shown=told, all=len(broke)))
    return blocks


def story_of(case_id: str, report: ReportInput) -> Story:
    """The story of one of head's cases, with base's side under the id it has there."""
    renamed = report.comparison.renamed
    base_id = next((old for old, new in renamed.items() if new == case_id), None)
    return tell(case_id, report.head, report.base, base_id)


def _limited(rung: Rung) -> bool:
    return bool(rung.opened) or bool(rung.listed)


def _category(report: ReportInput, case_id: str) -> str:
    record = record_of(case_id, report.head)
    return record.grade_line.category if record else ""


def _chosen(ids: tuple[str, ...] | list[str], category_of: dict[str, str], per_category: int | None) -> list[str]:
    if per_category is None:
        return list(ids)
    return fair_selection(ids, category_of, per_category) if per_category else []


def _line(story: Story, report: ReportInput, voice: Voice, rung: Rung) -> Inert:
    said = story.why(voice.t)
    why = f" — {escape.code_span(said, rung.reason_bytes)}" if said else ""
    return Inert(f"- {escape.code_span(story.case_id, 120)}{_tags(story, report, voice.t)}{why}")


def _tags(story: Story, report: ReportInput, t: Translator) -> Inert:
    tags = []
    if story.case_id in report.comparison.critical:
        tags.append(t.t("critical"))
    if story.case_id in report.comparison.latency_only:
        tags.append(t.t("by latency alone"))
    return Inert(f" ({', '.join(tags)})" if tags else "")


def _fold(story: Story, report: ReportInput, voice: Voice, rung: Rung) -> Inert:
    said = story.why(voice.t)
    why = f" — {escape.summary_code(said, TITLE_BYTES)}" if said else ""
    summary = f"<details><summary>{escape.summary_code(story.case_id)}{_tags(story, report, voice.t)}{why}</summary>"
    blocks = [summary, *_told(story, report, voice, rung), "</details>"]
    return Inert("\n\n".join(block.rstrip("\n") for block in blocks))


def _told(story: Story, report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    t = voice.t
    blocks = [t.t("**Asked** {question}", question=escape.code_span(story.question, rung.reason_bytes * 2))]
    for place, criterion in enumerate(story.failures[:5]):
        blocks += _failure(criterion, story, t, rung, in_title=place == 0)
    if len(story.failures) > 5:
        blocks.append(t.t("Showing {shown} of {all} failed criteria.", shown=5, all=len(story.failures)))
    trials = _trials(story, t)
    if trials:
        blocks.append(trials)
    blocks += answers(story, t, rung)
    return [*blocks, *_where(story, report, t)]


def _failure(criterion: CriterionGrade, story: Story, t: Translator, rung: Rung, *, in_title: bool) -> list[Inert]:
    """What failed and why; what the fold's title or the reply already says is not said again."""
    words = criterion_in(criterion, t)
    expected, found = told_beside_reason(criterion, story.head.output if story.head else "", words)
    criterion = words
    named = escape.code_span(criterion.text or criterion.id, 160)
    if in_title and _fits_title(criterion.reason):
        blocks = [t.t("**Failed** {criterion}", criterion=named)]
    else:
        reason = escape.code_span(criterion.reason, rung.reason_bytes)
        blocks = [t.t("**Failed** {criterion}: {reason}", criterion=named, reason=reason)]
    if expected:
        blocks.append(t.t("**Expected** {expected}", expected=escape.code_span(expected, rung.reason_bytes)))
    if found:
        blocks.append(t.t("**Found** {found}", found=escape.code_span(found, rung.reason_bytes)))
    for evidence in criterion.evidence[:2]:
        quoted = escape.code_span(evidence.quote, rung.reason_bytes)
        if evidence.start is None:
            blocks.append(t.t("Quoted, but not in the reply: {quote}", quote=quoted))
        elif evidence.quote.casefold() not in criterion.reason.casefold():
            blocks.append(t.t("Seen in {quote}", quote=quoted))
    return blocks


def _fits_title(reason: str) -> bool:
    return visible.cut(reason, TITLE_BYTES) == reason


def told_beside_reason(criterion: CriterionGrade, output: str, words: CriterionGrade) -> tuple[str | None, str | None]:
    """What was expected and what was found, as `words` say it, each only where it adds to what is told anyway.

    What is told is reason, title and reply. `criterion` is as the run file holds it: in English it is decided; `words`
    is the same in the reader's language.
    """
    if _COMPARES.search(criterion.reason):  # the reason compares the two by itself, at the place where they differ
        return None, None
    said = (criterion.reason.casefold(), (criterion.text or "").casefold())
    expected, found = criterion.expected, criterion.found
    if expected and any(_NONE_OF.sub("", expected.casefold()) in each for each in said):
        expected = None
    if found and (any(found.casefold() in each for each in said) or _quoted(found) == output):
        found = None
    return expected and words.expected, found and words.found


def _quoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _trials(story: Story, t: Translator) -> Inert | None:
    if not story.head or story.head.trials < 2:
        return None
    said = t.t("Approved in {head} of {trials} trials", head=story.head.approved_trials, trials=story.head.trials)
    if story.base and story.base.trials:
        before = t.t("{base} of {trials} before", base=story.base.approved_trials, trials=story.base.trials)
        return Inert(f"{said}, {before}.")
    return Inert(f"{said}.")


def _where(story: Story, report: ReportInput, t: Translator) -> list[Inert]:
    parts: list[Inert] = []
    if story.location is not None:
        place = escape.code_span(f"{story.location.file}:{story.location.line}", 200)
        url = golden_url(story.location, report)
        parts.append(t.t("Golden: {place}", place=escape.link(place, url) if url else place))
    command = rerun_command(story.case_id, report.provenance.config)
    if command:
        parts.append(t.t("run it: {command}", command=escape.code_span(command, 500)))
    return [Inert(" · ".join(parts))] if parts else []


def golden_url(location: Location | None, report: ReportInput) -> str | None:
    """Where a golden case stands on the server, at the tested commit; None where that is not known."""
    site, identity = report.provenance.site, report.provenance.identity
    if location is None or not (site.server_url and site.repository and identity):
        return None
    return escape.line_url(site.server_url, site.repository, identity.head_sha, location.file, location.line)
