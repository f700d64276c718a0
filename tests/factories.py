"""Small factories that tests share: name what matters, get a sensible rest. Only add to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quilate.agents.agent import Fault, FaultKind, Reply
from quilate.config import Gate
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, ErrorKind, Grade, TrialGrade
from quilate.grading import case_ruler, summarise
from quilate.runs.record import Conditions, DatasetInfo, Footer, GradeLine, Header, ReplyLine
from quilate.runs.writer import RunWriter


def a_case(case_id: str = "case-1", **fields: Any) -> GoldenCase:
    """A golden case; without expectations given it expects the tool `lookup`."""
    fields.setdefault("category", "orders")
    fields.setdefault("input", f"question of {case_id}")
    if not fields.keys() & {
        "expected_tool",
        "expected_behavior",
        "required_phrases",
        "max_latency_ms",
        "expected_tools",
    }:
        fields["expected_tool"] = "lookup"
    return GoldenCase(id=case_id, **fields)


def a_header(**fields: Any) -> Header:
    """A run's header; `trials`, `cases`, `selection`, `version`, `policy` (a dict) are taken apart for you."""
    dataset = DatasetInfo(
        version=fields.pop("version", "1"), fingerprint="0" * 32, cases=fields.pop("cases", 1),
        selection=fields.pop("selection", None),
    )  # fmt: skip
    policy = fields.pop("policy", {})
    conditions = Conditions(
        trials=fields.pop("trials", 1), started_at=fields.pop("started_at", "2026-01-02T03:04:05Z"),
        max_latency_ms=fields.pop("max_latency_ms", 5000),
    )  # fmt: skip
    defaults: dict[str, Any] = {
        "suite": "orders", "commit": None, "tool_version": "0.1.0", "ruler": "1" * 32, "agent": {"kind": "replay"},
        "agent_fingerprint": "2" * 32,
    }  # fmt: skip
    gate = policy if isinstance(policy, Gate) else Gate(**policy)
    return Header(dataset=dataset, policy=gate, conditions=conditions, **(defaults | fields))


def a_criterion(grade: Grade, criterion_id: str = "expected_tool", **fields: Any) -> CriterionGrade:
    """A criterion's grade; an error has a kind."""
    if grade is Grade.ERROR:
        fields.setdefault("error", ErrorKind.INFRASTRUCTURE)
    return CriterionGrade(id=criterion_id, grade=grade, reason=fields.pop("reason", f"it is {grade}"), **fields)


def a_grade_line(case: GoldenCase, grades: Grade | Sequence[Grade], **fields: Any) -> GradeLine:
    """A grade line with one criterion a trial; `criterion` names it (default `expected_tool`)."""
    each = [grades] if isinstance(grades, Grade) else list(grades)
    criterion, kwargs = fields.pop("criterion", "expected_tool"), fields.pop("criterion_fields", {})
    trials = tuple(
        TrialGrade(trial=trial, grade=grade, criteria=(a_criterion(grade, criterion, **kwargs),))
        for trial, grade in enumerate(each)
    )
    grade, criteria = summarise(trials)
    ruler = fields.pop("ruler", None) or case_ruler(case, judge=fields.pop("judge", None))
    return GradeLine(
        case_id=case.id, category=case.category, grade=grade, criteria=criteria, trials=trials, definition=case,
        input_fingerprint=case.input_fingerprint, ruler=ruler, **fields,
    )  # fmt: skip


def a_reply_line(case: GoldenCase, trial: int = 0, fault: FaultKind | None = None, **reply: Any) -> ReplyLine:
    """A reply line; `reply` are fields of the reply."""
    if fault is not None:
        reply["fault"] = Fault(kind=fault, message=f"{fault} fault")
    return ReplyLine(
        case_id=case.id, trial=trial, input_fingerprint=case.input_fingerprint, prompt=case.messages,
        reply=Reply(**({"output": f"answer to {case.id}"} | reply)), asked_at="2026-01-02T03:04:05Z",
    )  # fmt: skip


def a_footer(**fields: Any) -> Footer:
    """A footer of a complete run."""
    return Footer(**({"ended": "complete", "counts": {}, "replies": 0, "seconds": 1.0} | fields))


def a_run_file(
    path: Path,
    lines: Sequence[GradeLine],
    *,
    replies: Sequence[ReplyLine] | None = None,
    complete: bool = True,
    **header: Any,
) -> Path:
    """A run file of grade lines, each with a reply a trial unless `replies` are given."""
    header.setdefault("cases", len({line.case_id for line in lines}))
    asked = [a_reply_line(line.definition, trial.trial) for line in lines for trial in line.trials]
    with RunWriter(path, a_header(**header)) as run:
        for reply in asked if replies is None else replies:
            run.reply(reply)
        for line in lines:
            run.grade(line)
        if complete:
            run.footer(a_footer(replies=len(asked)))
    return path
