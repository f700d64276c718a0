"""One case whole, as plain text: what `quilate run --case ID -v` shows. Nothing in it is obeyed by a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import JsonValue

from quilate.agents.agent import Reply
from quilate.grades import CriterionGrade, Grade, GradedBy
from quilate.report import asides, figures, visible
from quilate.report.cases import told_beside_reason
from quilate.report.html.assets import cost
from quilate.report.input import CaseRecord, ReportInput
from quilate.report.messages import Translator
from quilate.report.pair_text import pair_fields
from quilate.report.retold import criterion_in, spoken
from quilate.report.story import failures_of, record_of, rerun_command
from quilate.report.terminal import Paint, columns, plain

_TEXT_BYTES = 20_000
_LABEL = 12
_COLOURS = {Grade.PASS: "green", Grade.FAIL: "red", Grade.PARTIAL: "yellow", Grade.ERROR: "magenta"}


def whole_case(case_id: str, report: ReportInput, paint: Paint = plain) -> str:
    """Everything a run holds of a case: asked, criteria, every trial with its calls and times, the base's reply.

    Raises KeyError where head has no grade of it.
    """
    t = Translator(report.language)
    record = report.head.case(case_id)
    line = record.grade_line
    word = asides.grade_word(line.grade, t).upper()
    place = f" ({_line(f'{line.location.file}:{line.location.line}')})" if line.location else ""
    title = f"{paint(word, fg=_COLOURS.get(line.grade), bold=True)} {_line(case_id)}{place} · {_line(line.category)}"
    return "\n".join([title, *_told(record, report, t, paint)]) + "\n"


def _told(record: CaseRecord, report: ReportInput, t: Translator, paint: Paint) -> Iterator[str]:
    line = record.grade_line
    for message in line.definition.messages:
        yield from _field(t.t("asked") if message.role == "user" else _line(message.role), message.content)
    several = len(line.trials) > 1
    if not several:
        yield from _criteria(line.criteria, _output(record, line.trials[0].trial if line.trials else 0), t, paint)
    for trial in line.trials:
        reply = record.replies.get(trial.trial)
        if several:
            said = asides.grade_word(trial.grade, t)
            yield ""
            yield f"  {t.t('trial {n}', n=trial.trial + 1)}: {paint(said, fg=_COLOURS.get(trial.grade))}"
            yield from _criteria(trial.criteria, reply.output if reply else "", t, paint)
        if reply is not None:
            yield from _reply(reply, t)
    yield from _base(record, report, t)
    for pair in report.pairs.pairs if report.pairs else ():
        if pair.case_id == line.case_id:
            yield ""
            for label, text in pair_fields(pair, t):
                yield from _field(label, text)
    command = rerun_command(line.case_id, report.provenance.config)
    if command:
        yield from _field(t.t("again"), command)


def _output(record: CaseRecord, trial: int) -> str:
    reply = record.replies.get(trial)
    return reply.output if reply else ""


def _criteria(criteria: tuple[CriterionGrade, ...], output: str, t: Translator, paint: Paint) -> Iterator[str]:
    passed = [each for each in criteria if each.grade is Grade.PASS]
    waiting = [each for each in criteria if each.grade is Grade.NOT_JUDGED]
    for each in (*failures_of(criteria), *waiting, *passed):
        word = asides.grade_word(each.grade, t)
        by = {GradedBy.JUDGE: f" ({t.t('by the judge')})", GradedBy.PERSON: f" ({t.t('by a person')})"}
        words = criterion_in(each, t)
        text = f"{words.text or words.id}: {words.reason}{by.get(each.graded_by, '')}"
        first, *rest = _field(word, text)
        yield first.replace(word, paint(word, fg=_COLOURS.get(each.grade)), 1)
        yield from rest
        expected, found = told_beside_reason(each, output, words) if each.grade is not Grade.PASS else (None, None)
        for label, value in ((t.t("expected"), expected), (t.t("found"), found)):
            yield from _field(label, value) if value else ()
        for evidence in each.evidence[:10]:
            away = "" if evidence.start is not None else f" ({t.t('not in the reply')})"
            yield from _field(t.t("quoted"), f"“{evidence.quote}”{away}")
        if each.detail and each.graded_by is not GradedBy.CODE:
            yield from _field(t.t("details"), _json(dict(each.detail)))


def _reply(reply: Reply, t: Translator) -> Iterator[str]:
    for call in reply.tool_calls:
        arguments = "" if call.args is None else _json(call.args)
        yield from _field(t.t("called"), f"{call.name} {arguments}")
        if call.error is not None:
            yield from _field(t.t("failed"), call.error)
        if call.output is not None:
            yield from _field(t.t("returned"), call.output if isinstance(call.output, str) else _json(call.output))
    for fragment in reply.fragments or ():
        source = ", ".join(part for part in (fragment.source, fragment.id) if part)
        yield from _field(t.t("found by search"), f"[{source}] {fragment.text}" if source else fragment.text)
    if reply.fault is not None:
        yield from _field(t.t("no reply"), spoken(reply.fault.why, t))
    else:
        yield from _field(t.t("replied"), reply.output or str(t.t("nothing")))
    numbers = list(_numbers(reply, t))
    if numbers:
        yield from _field("", " · ".join(numbers))


def _numbers(reply: Reply, t: Translator) -> Iterator[str]:
    if reply.duration_ms is not None:
        yield figures.milliseconds(reply.duration_ms, t)
    if reply.startup_ms is not None:
        yield t.t("{time} to start", time=figures.milliseconds(reply.startup_ms, t))
    if reply.cost_usd is not None:
        yield cost(reply.cost_usd, t)
    if reply.usage is not None:
        yield t.t("{inputs} + {outputs} tokens", inputs=reply.usage.input_tokens, outputs=reply.usage.output_tokens)
    if reply.model is not None:
        yield reply.model
    if reply.attempts > 1:
        yield t.t("answered at attempt {n}", n=reply.attempts)
    yield from (f"{name} {value:g}" for name, value in reply.metrics.items())


def _base(record: CaseRecord, report: ReportInput, t: Translator) -> Iterator[str]:
    case_id = record.grade_line.case_id
    names = {new: old for old, new in report.comparison.renamed.items()}
    before = record_of(names.get(case_id, case_id), report.base)
    if before is None:
        return
    yield ""
    yield f"  {t.t('before')}: {asides.grade_word(before.grade_line.grade, t)}"
    reply = before.replies.get(min(before.replies)) if before.replies else None
    if reply is not None:
        yield from _reply(reply, t)


def _field(label: str, text: str) -> list[str]:
    """A label and its text; further lines of the text stand under the first."""
    first, *rest = visible.lines(visible.cut(text, _TEXT_BYTES)).split("\n")
    indent = " " * (_LABEL + 2)
    return [f"  {label}{' ' * max(1, _LABEL - columns(label))}{first}", *(f"{indent}{each}" for each in rest)]


def _line(text: str) -> str:
    return visible.line(visible.cut(text, 400))


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
