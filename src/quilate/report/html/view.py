"""Fills the view of a case's page: every untrusted text bounded, its hidden characters shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from quilate.agents.agent import Fragment, Reply
from quilate.compare.comparison import Flip
from quilate.grades import CriterionGrade, Evidence, Grade, GradedBy
from quilate.judge.pairs import PairResult
from quilate.report import visible
from quilate.report.asides import error_word
from quilate.report.cases import golden_url, told_beside_reason
from quilate.report.html.calls import lined_up
from quilate.report.html.case_view import Answer, CaseView, Criterion, Passage, Quote, Trial, Turn
from quilate.report.html.diff import Range, changes
from quilate.report.html.marked import Mark, pieces
from quilate.report.html.pair import PairView, addressed_marks, pair_view
from quilate.report.input import CaseRecord, ReportInput
from quilate.report.messages import Translator
from quilate.report.retold import criteria_in, spoken
from quilate.report.story import failures_of, record_of, rerun_command, shown_trial

MAX_FRAGMENTS = 20
MAX_CRITERIA = 60
MAX_TRIALS = 30
_FRAGMENT_BYTES = 1500
_LINE_BYTES = 500
_PARAGRAPH_BYTES = 4000


def anchor_of(case_id: str) -> str:
    """The fragment that opens the case, also the `id` of its element: it is found without a script."""
    return "case=" + quote(case_id.encode("utf-8", "surrogatepass"), safe="")


class Viewer:
    """Makes the views of one report's cases; holds what is the same for all of them."""

    def __init__(self, report: ReportInput) -> None:
        self._report = report
        self._t = Translator(report.language)
        comparison = report.comparison
        self._base_id = {new: old for old, new in comparison.renamed.items()}
        self._flips: Mapping[str, Flip] = {flip.case_id: flip for flip in comparison.flips}
        self._sets = {
            name: frozenset(getattr(comparison, name))
            for name in (
                "broke",
                "fixed",
                "added",
                "flaky",
                "latency_only",
                "edited",
                "approved_only_by_edit",
                "rescored",
            )
        }
        self._quarantine = {
            each.case_id: f"{each.owner}: {each.reason} ({spoken(each.why, self._t)})" for each in comparison.quarantine
        }
        self._pairs: dict[str, tuple[PairResult, ...]] = {}
        for pair in report.pairs.pairs if report.pairs else ():
            self._pairs[pair.case_id] = (*self._pairs.get(pair.case_id, ()), pair)

    def view(self, case_id: str) -> CaseView:
        """The view of one of head's cases. Raises KeyError where head has no grade of it."""
        record = self._report.head.case(case_id)
        old = (
            None
            if case_id in self._sets["added"]
            else record_of(self._base_id.get(case_id, case_id), self._report.base)
        )
        line, case = record.grade_line, record.grade_line.definition
        criteria = criteria_in(line.criteria, self._t)
        marks, quotes = _marks(criteria)
        head_reply, base_reply = shown_trial(record), shown_trial(old) if old else None
        difference = _difference(base_reply, head_reply)
        speaks = any(pair.addressed_to_judge for pair in self._pairs.get(case_id, ()))
        flip = self._flips.get(case_id)
        base_grade = flip.base if flip else old.grade_line.grade if old else None
        failures = failures_of(criteria)
        return CaseView(
            case_id=visible.line(case_id), anchor=anchor_of(case_id), category=visible.line(line.category),
            grade=line.grade, base_grade=base_grade, change=self.change(case_id, line.grade),
            summary=_line(failures[0].reason if failures else ""), tags=tuple(map(visible.line, case.tags)),
            critical=case.critical, flaky=case_id in self._sets["flaky"],
            latency_only=case_id in self._sets["latency_only"],
            quarantine=_optional(self._quarantine.get(case_id)), edited=case_id in self._sets["edited"],
            only_by_edit=case_id in self._sets["approved_only_by_edit"], rescored=case_id in self._sets["rescored"],
            outside=_outside(self._report.comparison.outside.get(case_id), self._t),
            turns=tuple(Turn(each.role, _paragraph(each.content)) for each in case.messages[-40:]),
            head=_answer(record, head_reply, difference.added, (*marks, *_speaking(head_reply, speaks)), self._t),
            base=_answer(old, base_reply, difference.removed, _speaking(base_reply, speaks), self._t) if old else None,
            same_reply=difference.same, rewritten=difference.rewritten, not_compared=difference.too_long,
            calls=lined_up(base_reply.tool_calls if base_reply else None, head_reply.tool_calls if head_reply else ()),
            fragments=_passages(head_reply.fragments) if head_reply and head_reply.fragments is not None else None,
            fragments_left_out=max(0, len(head_reply.fragments or ()) - MAX_FRAGMENTS) if head_reply else 0,
            criteria=_criteria(
                line.criteria, quotes, self._base_criteria(case_id, old), head_reply.output if head_reply else "",
                criteria, self._t,
            ),
            trials=_trials(record, self._t) if len(line.trials) > 1 else (), facts=_facts(record, head_reply),
            place=_line(f"{line.location.file}:{line.location.line}") if line.location else None,
            url=golden_url(line.location, self._report),
            command=rerun_command(case_id, self._report.provenance.config),
            pairs=self._pair_views(case_id, record, head_reply, base_reply),
        )  # fmt: skip

    def change(self, case_id: str, grade: Grade) -> str:
        """What became of a case against base, in one word: broke, fixed, error, added or same."""
        for word in ("broke", "fixed"):
            if case_id in self._sets[word]:
                return word
        if grade is Grade.ERROR:
            return "error"
        return "added" if case_id in self._sets["added"] else "same"

    def _pair_views(
        self, case_id: str, record: CaseRecord, head: Reply | None, base: Reply | None
    ) -> tuple[PairView, ...]:
        """`head` and `base` are the replies that the case shows above."""
        found, pairs = [], self._report.pairs
        for pair in self._pairs.get(case_id, ()):
            old = record_of(pair.base_id, self._report.base)
            theirs, ours = old.replies.get(pair.trial) if old else None, record.replies.get(pair.trial)
            above = (theirs, ours) == (base, head)
            reported = pairs is not None and pairs.header.outputs_reported
            told = pair.model_copy(update={"reason": spoken(pair.why, self._t)})
            found.append(pair_view(told, theirs, ours, above=above, reported=reported))
        return tuple(found)

    def _base_criteria(self, case_id: str, old: CaseRecord | None) -> Mapping[str, Grade]:
        """Base's grades by criterion, where both sides stand under one ruler."""
        if old is None or case_id in self._sets["edited"] or case_id in self._sets["rescored"]:
            return {}
        return {each.id: each.grade for each in old.grade_line.criteria}


@dataclass(frozen=True, slots=True)
class _Difference:
    removed: tuple[Range, ...] = ()
    added: tuple[Range, ...] = ()
    same: bool = False
    rewritten: bool = False
    too_long: bool = False


def _difference(base: Reply | None, head: Reply | None) -> _Difference:
    if base is None or head is None or base.fault or head.fault:
        return _Difference()
    if base.output == head.output:
        return _Difference(same=True)
    found = changes(base.output, head.output)
    if found is None:
        return _Difference(too_long=True)
    return _Difference(found.removed, found.added, rewritten=found.rewritten)


def _marks(criteria: Sequence[CriterionGrade]) -> tuple[tuple[Mark, ...], dict[tuple[int, int], int]]:
    """The quotations that stand in the reply, numbered in the order of their criteria."""
    marks: list[Mark] = []
    numbers: dict[tuple[int, int], int] = {}
    for place, criterion in enumerate(criteria[:MAX_CRITERIA]):
        for at, evidence in enumerate(criterion.evidence[:10]):
            if evidence.start is not None and evidence.end is not None:
                title = _line(criterion.text or criterion.id)
                marks.append(Mark(Range(evidence.start, evidence.end), len(marks) + 1, criterion.grade.value, title))
                numbers[place, at] = len(marks)
    return tuple(marks), numbers


def _criteria(
    criteria: Sequence[CriterionGrade], numbers: Mapping[tuple[int, int], int], base: Mapping[str, Grade], output: str,
    spoken_criteria: Sequence[CriterionGrade], t: Translator,
) -> tuple[Criterion, ...]:  # fmt: skip
    """`criteria` are as the run file holds them, `spoken_criteria` the same in the language of `t`."""
    found = []
    for place, each in enumerate(criteria[:MAX_CRITERIA]):
        words = spoken_criteria[place]
        quotes = tuple(_quote(evidence, numbers.get((place, at))) for at, evidence in enumerate(words.evidence[:10]))
        expected, found_there = told_beside_reason(each, output, words) if _told(each) else (None, None)
        detail = json.dumps(each.detail, ensure_ascii=False) if each.detail else None
        found.append(
            Criterion(
                title=_line(words.text or words.id), grade=each.grade, reason=_line(words.reason, 1200),
                expected=_optional(expected), found=_optional(found_there), quotes=quotes,
                graded_by=each.graded_by.value, error=error_word(each.error, t) if each.error else None,
                base=base.get(each.id), detail=_line(detail, 1200) if detail else None,
            )
        )  # fmt: skip
    order = {Grade.FAIL: 0, Grade.PARTIAL: 1, Grade.ERROR: 2, Grade.NOT_JUDGED: 3, Grade.PASS: 4}
    return tuple(sorted(found, key=lambda each: order[each.grade]))


def _told(criterion: CriterionGrade) -> bool:
    """Whether the page tells more of a criterion than that it passed: code's reasons for passing are dull."""
    return criterion.grade is not Grade.PASS or criterion.graded_by is not GradedBy.CODE


def _quote(evidence: Evidence, number: int | None) -> Quote:
    return Quote(_line(evidence.quote), _line(evidence.note or ""), number)


def _speaking(reply: Reply | None, speaks: bool) -> tuple[Mark, ...]:
    """The mark on what a reply says to the judge, where its pair was seen to speak to it."""
    return addressed_marks(reply.output) if speaks and reply else ()


def _answer(
    record: CaseRecord, reply: Reply | None, changed: Sequence[Range], marks: Sequence[Mark], t: Translator
) -> Answer:
    line = record.grade_line
    text = reply.output if reply else ""
    return Answer(
        grade=line.grade, pieces=pieces(text, changed, marks), characters=len(text),
        fault=_paragraph(spoken(reply.fault.why, t)) if reply and reply.fault else None,
        duration_ms=reply.duration_ms if reply else None, cost_usd=_optional(reply.cost_usd) if reply else None,
        model=_optional(reply.model) if reply else None,
        tokens=(reply.usage.input_tokens, reply.usage.output_tokens) if reply and reply.usage else None,
        attempts=reply.attempts if reply else 0,
        approved_trials=sum(trial.grade is Grade.PASS for trial in line.trials), trials=len(line.trials),
    )  # fmt: skip


def _trials(record: CaseRecord, t: Translator) -> tuple[Trial, ...]:
    found = []
    for trial in record.grade_line.trials[:MAX_TRIALS]:
        reply = record.replies.get(trial.trial)
        failures = failures_of(trial.criteria)
        text = (spoken(reply.fault.why, t) if reply.fault else reply.output) if reply else ""
        found.append(
            Trial(
                number=trial.trial + 1, grade=trial.grade, text=_paragraph(text),
                duration_ms=reply.duration_ms if reply else None,
                cost_usd=_optional(reply.cost_usd) if reply else None,
                reason=_line(spoken(failures[0].why, t) if failures else ""),
            )
        )  # fmt: skip
    return tuple(found)


def _passages(fragments: Sequence[Fragment]) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            visible.lines(visible.cut(each.text, _FRAGMENT_BYTES)),
            _line(" · ".join(part for part in (each.source, each.id) if part)),
            each.score,
        )
        for each in fragments[:MAX_FRAGMENTS]
    )


def _facts(record: CaseRecord, reply: Reply | None) -> tuple[tuple[str, str], ...]:
    """What else the definition and the reply say, under their names in the files."""
    case = record.grade_line.definition
    named = {
        "dimension": case.dimension, "family": case.family, "locale": case.locale, "signal": case.signal,
        "language": case.language, "expects": case.expects, "source": case.source, "owner": case.owner,
        "added": case.added, "review_by": case.review_by, "template": case.template,
    }  # fmt: skip
    facts = [(name, _line(str(value))) for name, value in named.items() if value is not None]
    metrics = list(reply.metrics.items())[:30] if reply else []
    return (*facts, *((_line(f"metrics.{name}", 120), f"{value:g}") for name, value in metrics))


def _line(text: str, most_bytes: int = _LINE_BYTES) -> str:
    return visible.line(visible.cut(text, most_bytes))


def _paragraph(text: str) -> str:
    return visible.lines(visible.cut(text, _PARAGRAPH_BYTES))


def _outside(why: str | None, t: Translator) -> str | None:
    return None if why is None else _line(spoken(why, t))


def _optional(text: str | None) -> str | None:
    return None if text is None else _line(text)
