"""The evidence package: exact prompts, raw replies byte for byte, rubric, scores, metrics, and what the run proves.

Pure: a run's lines in, files as names and bytes out. Everything comes from the run file and the pairs beside it, so
that packing the same run twice gives the same bytes.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from quilate.checks.rubric import RubricText, ambiguity_rubric, freshness_rubric, signal_rubric
from quilate.compare.behaviour import BehaviourMetrics, as_data, behaviour
from quilate.goldens.case import GoldenCase, Message
from quilate.goldens.neutrality import instructed_cases
from quilate.grades import CriterionGrade, Grade
from quilate.judge.pairs import Pairs
from quilate.report import side_by_side
from quilate.report.conditions import CaseRecord, Proof, Run, prove
from quilate.report.escape import cell, code_span
from quilate.runs.record import GradeLine

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class PackedFile:
    """One file of a package."""

    name: str
    content: bytes


def safe_name(case_id: str, position: int) -> str:
    """A file name for a case: its position keeps names apart whatever the ids are, a few letters make it readable."""
    plain = unicodedata.normalize("NFKD", case_id).encode("ascii", "ignore").decode().lower()
    return f"{position:05d}-{re.sub(r'[^a-z0-9]+', '-', plain).strip('-')[:60].strip('-') or 'case'}"


@dataclass(frozen=True, slots=True)
class PackedPairs:
    """The pairs of a run's replies, and the bytes of the file they stand in."""

    pairs: Pairs
    content: bytes


def package(run: Run, pairs: PackedPairs | None = None) -> Iterator[PackedFile]:
    """The files of a run's package but the manifest, in their order; cases are read one at a time.

    `pairs` are those that belong to the run, where its replies were judged side by side.
    """
    proof = prove(run)
    metrics = behaviour(run.grade_lines(), instructed_cases(_definitions(run), run.header.conditions.system_prompt))
    rubric: dict[str, Any] = {}
    scores: list[str] = []
    rows: list[str] = []
    for position, record in enumerate(run.cases(), start=1):
        name = safe_name(record.grade_line.case_id, position)
        files = _case_files(name, record)
        yield from files
        rubric[record.grade_line.case_id] = rubric_of(record.grade_line.definition)
        scores.append(_line(_score(record.grade_line, name)))
        rows.append(_row(record))
    yield PackedFile("scores.jsonl", "".join(scores).encode("utf-8", "surrogatepass"))
    yield PackedFile("rubric.json", _json({"schema": SCHEMA, "cases": rubric}))
    yield PackedFile("metrics.json", _json({"schema": SCHEMA, **_counts(run), **as_data(metrics)}))
    yield PackedFile("conditions.json", _json(_conditions(run, proof)))
    if pairs is not None:
        yield PackedFile("pairs.jsonl", pairs.content)
        yield PackedFile("PAIRS.md", side_by_side.markdown(pairs.pairs).encode("utf-8", "replace"))
    page = "".join([*_page(run, proof, metrics, rows), *(_pairs_words(pairs.pairs) if pairs else ())])
    yield PackedFile("EVIDENCE.md", page.encode("utf-8", "replace"))


def _definitions(run: Run) -> Iterator[GoldenCase]:
    return (line.definition for line in run.grade_lines())


def _case_files(name: str, record: CaseRecord) -> Iterator[PackedFile]:
    first = True
    for trial, line in sorted(record.reply_lines.items()):
        if first:
            yield PackedFile(f"prompts/{name}.{_prompt_kind(line.prompt)}", _prompt(line.prompt))
            first = False
        yield PackedFile(f"replies/{name}.trial{trial}.txt", line.reply.output.encode("utf-8", "surrogatepass"))
        yield PackedFile(
            f"replies/{name}.trial{trial}.json",
            _json(line.model_dump(mode="json", exclude={"reply": {"fault": {"said"}}})),
        )


def _prompt_kind(messages: Sequence[Message]) -> str:
    return "txt" if len(messages) == 1 and messages[0].role == "user" else "json"


def _prompt(messages: Sequence[Message]) -> bytes:
    """A single message of the user's as it is, anything else as its list of messages."""
    if _prompt_kind(messages) == "txt":
        return messages[0].content.encode("utf-8", "surrogatepass")
    return _json([message.model_dump(mode="json", exclude_none=True) for message in messages])


def rubric_of(case: GoldenCase) -> dict[str, Any]:
    """Everything a reply to `case` was graded by: its expectations, and the rubric's text where there is one."""
    rubrics: list[RubricText] = []
    if case.signal:
        rubrics.append(signal_rubric(case.signal))
    if case.expects:
        rubrics.append(ambiguity_rubric(case.expects))
    if case.time_sensitive and case.time_sensitive.reference:
        as_of = case.time_sensitive.as_of
        rubrics.append(freshness_rubric(case.time_sensitive.reference, as_of.isoformat() if as_of else None, None))
    return {"expectations": case.expectations, "rubric": [one.as_data() for one in rubrics]}


def _score(line: GradeLine, name: str) -> dict[str, Any]:
    return {
        "case_id": line.case_id,
        "category": line.category,
        "files": name,
        "grade": line.grade.value,
        "criteria": [_told(criterion) for criterion in line.criteria],
        "trials": [{"trial": one.trial, "grade": one.grade.value} for one in line.trials],
    }


def _told(criterion: CriterionGrade) -> dict[str, Any]:
    """A criterion's grade in English: a package is read in one language, whoever asked for it."""
    return criterion.model_dump(
        mode="json", exclude_none=True, exclude={"said": True, "evidence": {"__all__": {"said"}}}
    )


def _counts(run: Run) -> dict[str, Any]:
    counts = dict.fromkeys((grade.value for grade in Grade), 0)
    for line in run.grade_lines():
        counts[line.grade.value] += 1
    graded = counts["pass"] + counts["partial"] + counts["fail"]
    return {"counts": counts, "approved": counts["pass"], "graded": graded}


def _conditions(run: Run, proof: Proof) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "header": run.header.model_dump(mode="json"),
        "footer": run.footer.model_dump(mode="json") if run.footer else None,
        "fresh_single_turn_without_instruction": proof.holds,
        "broken_by": list(proof.broken),
    }


def _page(run: Run, proof: Proof, metrics: BehaviourMetrics, rows: Iterable[str]) -> Iterator[str]:
    header, counts = run.header, _counts(run)
    judge = code_span(json.dumps(header.judge, ensure_ascii=False, sort_keys=True), 600) if header.judge else "none"
    agent = json.dumps(header.agent, ensure_ascii=False, sort_keys=True)
    yield f"# Evidence: {code_span(header.suite)}\n\n"
    yield f"- date of the test: {code_span(header.conditions.started_at or 'not recorded')}\n"
    yield f"- agent: {code_span(agent, 1200)}\n- judge: {judge}\n"
    yield f"- commit: {code_span(header.commit or 'not recorded')}, quilate {code_span(header.tool_version)}\n"
    version, mark = code_span(header.dataset.version), code_span(header.dataset.fingerprint)
    yield f"- dataset: version {version}, fingerprint {mark}\n"
    yield f"- approved: {counts['approved']} of {counts['graded']} graded cases; "
    yield ", ".join(f"{grade} {count}" for grade, count in counts["counts"].items()) + "\n\n"
    yield "## Conditions\n\n" + proof.note() + "\n"
    yield from _metrics_words(metrics)
    yield "## Evidence\n\n| case | prompt | grade | what the reply shows |\n| --- | --- | --- | --- |\n"
    yield from rows
    yield (
        "\nExact prompts stand in `prompts/`, raw replies byte for byte in `replies/`, the rubric in `rubric.json`, "
        "every criterion's grade with its quotations in `scores.jsonl`, checksums in `manifest.json`.\n"
    )


def _pairs_words(pairs: Pairs) -> Iterator[str]:
    yield "\n## Side by side\n\n"
    yield "".join(f"- {sentence}\n" for sentence in side_by_side.summary(pairs))
    yield "\n" + "\n".join(side_by_side.table(pairs)) + "\n" if pairs.pairs else ""
    yield "\nEvery pair with its rulings and both answers of the judge stands in `PAIRS.md`, whole in `pairs.jsonl`.\n"


def _metrics_words(metrics: BehaviourMetrics) -> Iterator[str]:
    if metrics.ambiguity is not None:
        found = metrics.ambiguity
        yield "\n## Ambiguity\n\n"
        yield f"- clarification rate: {found.clarification.words('no ambiguous cases')}\n"
        yield f"- wrong-guess rate: {found.wrong_guess.words('no ambiguous cases')}\n"
        yield f"- false-clarification rate: {found.false_clarification.words('no clear cases')}\n"
        if found.ungraded:
            yield f"- without a grade: {', '.join(code_span(case) for case in found.ungraded)}\n"
    if metrics.locale is not None:
        yield "\n## Locale\n\n"
        for signal, case in metrics.locale.strong.items():
            yield f"- {signal.value}: {'no visible strong pass' if case is None else code_span(case)}\n"
        state = "holds" if metrics.locale.holds else "does not hold"
        yield f"- the practical condition {state}\n"
    yield "\n"


def _row(record: CaseRecord) -> str:
    line = record.grade_line
    return (
        f"| {cell(line.case_id)} | {cell(line.definition.question, 240)} | {line.grade.value} "
        f"| {cell(shows(line.criteria), 400)} |\n"
    )


def shows(criteria: Sequence[CriterionGrade]) -> str:
    """What a reply shows, on one line: the worst criteria's reasons first, with who judged and the first quotations.

    What is necessary and was met (answering, latency, the language) says nothing of what the case is for.
    """
    order = {Grade.FAIL: 0, Grade.PARTIAL: 1, Grade.ERROR: 2, Grade.PASS: 3, Grade.NOT_JUDGED: 4}
    met = [one for one in criteria if one.necessary and one.grade is Grade.PASS]
    told = sorted((one for one in criteria if one not in met), key=lambda one: order[one.grade]) or met
    parts = []
    for one in told[:3]:
        lost = bool(one.evidence) and all(each.start is None for each in one.evidence)
        quotes = [" ".join(each.quote.split()) for each in one.evidence[:3]]
        quoted = "".join(f" “{quote}”" for quote in quotes if quote not in one.reason)
        missing = " (not found in the reply)" if lost else ""
        parts.append(f"{one.id} {one.grade.value} by {one.graded_by.value}: {one.reason}{quoted}{missing}")
    return "; ".join(parts)


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
    return text.encode("utf-8", "surrogatepass")


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"
