"""Broken cases in Markdown: folded with everything a reviewer needs, or a line each."""

from __future__ import annotations

from quilate.goldens.case import Location
from quilate.grades import CriterionGrade
from quilate.report import escape
from quilate.report.escape import Inert
from quilate.report.input import ReportInput
from quilate.report.ladder import Rung
from quilate.report.messages import Translator
from quilate.report.story import Side, Story, fair_selection, record_of, rerun_command, tell
from quilate.report.voice import Voice


def broken_cases(report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    """The section on what broke, as blocks; nothing where nothing broke."""
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
    why = f" — {escape.code_span(story.why, rung.reason_bytes)}" if story.why else ""
    return Inert(f"- {escape.code_span(story.case_id, 120)}{_tags(story, report, voice.t)}{why}")


def _tags(story: Story, report: ReportInput, t: Translator) -> Inert:
    tags = []
    if story.case_id in report.comparison.critical:
        tags.append(t.t("critical"))
    if story.case_id in report.comparison.latency_only:
        tags.append(t.t("by latency alone"))
    return Inert(f" ({', '.join(tags)})" if tags else "")


def _fold(story: Story, report: ReportInput, voice: Voice, rung: Rung) -> Inert:
    why = f" — {escape.summary_code(story.why, 160)}" if story.why else ""
    summary = f"<details><summary>{escape.summary_code(story.case_id)}{_tags(story, report, voice.t)}{why}</summary>"
    blocks = [summary, *_told(story, report, voice, rung), "</details>"]
    return Inert("\n\n".join(block.rstrip("\n") for block in blocks))


def _told(story: Story, report: ReportInput, voice: Voice, rung: Rung) -> list[Inert]:
    t = voice.t
    blocks = [t.t("**Asked** {question}", question=escape.code_span(story.question, rung.reason_bytes * 2))]
    for criterion in story.failures[:5]:
        blocks += _failure(criterion, t, rung)
    if len(story.failures) > 5:
        blocks.append(t.t("Showing {shown} of {all} failed criteria.", shown=5, all=len(story.failures)))
    trials = _trials(story, t)
    if trials:
        blocks.append(trials)
    if story.head and story.base and story.head.calls != story.base.calls:
        blocks += [
            _calls(t.t("**Base called**"), story.base, t, rung),
            _calls(t.t("**Now calls**"), story.head, t, rung),
        ]
    if story.base:
        blocks.append(_reply(t.t("**Base replied**"), story.base, t, rung))
    if story.head:
        blocks.append(_reply(t.t("**Now replies**"), story.head, t, rung))
    return [*blocks, *_where(story, report, t)]


def _failure(criterion: CriterionGrade, t: Translator, rung: Rung) -> list[Inert]:
    blocks = [
        t.t(
            "**Failed** {criterion}: {reason}",
            criterion=escape.code_span(criterion.text or criterion.id, 160),
            reason=escape.code_span(criterion.reason, rung.reason_bytes),
        )
    ]
    if adds_to_reason(criterion):
        expected = escape.code_span(criterion.expected or "", rung.reason_bytes)
        found = escape.code_span(criterion.found or "", rung.reason_bytes)
        blocks += [t.t("**Expected** {expected}", expected=expected), t.t("**Found** {found}", found=found)]
    for evidence in criterion.evidence[:2]:
        quoted = escape.code_span(evidence.quote, rung.reason_bytes)
        if evidence.start is None:
            blocks.append(t.t("Quoted, but not in the reply: {quote}", quote=quoted))
        elif evidence.quote not in criterion.reason:
            blocks.append(t.t("Seen in {quote}", quote=quoted))
    return blocks


def adds_to_reason(criterion: CriterionGrade) -> bool:
    """Whether expected and found say more than the reason, which mostly has them already."""
    expected, found = criterion.expected, criterion.found
    return bool(expected and found) and not (str(expected) in criterion.reason and str(found) in criterion.reason)


def _trials(story: Story, t: Translator) -> Inert | None:
    if not story.head or story.head.trials < 2:
        return None
    said = t.t("Approved in {head} of {trials} trials", head=story.head.approved_trials, trials=story.head.trials)
    if story.base and story.base.trials:
        before = t.t("{base} of {trials} before", base=story.base.approved_trials, trials=story.base.trials)
        return Inert(f"{said}, {before}.")
    return Inert(f"{said}.")


def _calls(label: Inert, side: Side, t: Translator, rung: Rung) -> Inert:
    if not side.calls:
        return Inert(f"{label} {t.t('no tool')}")
    shown = ", ".join(escape.code_span(call, rung.reason_bytes) for call in side.calls[:6])
    if len(side.calls) > 6:
        return Inert(
            f"{label} {t.t('{names} (showing {shown} of {all})', names=Inert(shown), shown=6, all=len(side.calls))}"
        )
    return Inert(f"{label} {shown}")


def _reply(label: Inert, side: Side, t: Translator, rung: Rung) -> Inert:
    """A reply of one line wraps in a code span; one of several keeps its lines in a fenced block."""
    if side.fault is not None:
        return Inert(f"{label} {t.t('nothing')}: {escape.code_span(side.fault, rung.reason_bytes)}")
    text = side.output.strip("\r\n")
    if not text:
        return Inert(f"{label} {t.t('nothing')}")
    if "\n" not in text and "\r" not in text:
        return Inert(f"{label} {escape.code_span(text, rung.reply_bytes)}")
    return Inert(f"{label}\n\n{escape.fenced(text, rung.reply_bytes)}")


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
