"""Reports for tests: a comparison of two runs in memory, every part of which may be overridden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from quilate.agents.agent import Reply, ToolCall
from quilate.compare.comparison import Comparison, Delta, Latency, Noise, Reason, Tally
from quilate.config import Gate
from quilate.goldens.case import GoldenCase, Location
from quilate.grades import CriterionGrade, Grade, TrialGrade, Verdict
from quilate.report.input import BaseCommit, JudgeUse, Provenance, ReportInput, RunIdentity, Site
from quilate.runs.record import GradeLine

SITE = Site(
    server_url="https://github.com",
    repository="example/shop",
    run_url="https://github.com/example/shop/actions/runs/7421",
)


@dataclass(frozen=True)
class Record:
    grade_line: GradeLine
    replies: Mapping[int, Reply]


@dataclass(frozen=True)
class Run:
    """A run in memory, by case id."""

    records: Mapping[str, Record] = field(default_factory=dict)

    def case(self, case_id: str) -> Record:
        return self.records[case_id]


def criterion(**values: Any) -> CriterionGrade:
    return CriterionGrade(
        **{"id": "expected_tool_args", "grade": Grade.FAIL, "reason": "expected x, found y", **values}
    )


def record(
    case_id: str = "order-status-001",
    *,
    grade: Grade = Grade.PASS,
    category: str = "order-status",
    asked: str = "¿En qué estado está mi pedido 47821?",
    output: str = "Tu pedido 47821 está en camino.",
    calls: tuple[ToolCall, ...] = (),
    criteria: tuple[CriterionGrade, ...] = (),
    trials: tuple[Grade, ...] = (),
    file: str | None = "goldens/orders.es-CL.yaml",
    line: int = 12,
    reply: Reply | None = None,
    **definition: Any,
) -> Record:
    case = GoldenCase(id=case_id, category=category, input=asked, **definition)
    shown = trials or (grade,)
    return Record(
        GradeLine(
            case_id=case_id, category=category, grade=grade, criteria=criteria,
            trials=tuple(TrialGrade(trial=n, grade=each, criteria=criteria) for n, each in enumerate(shown)),
            definition=case, location=Location(file=file, line=line) if file else None,
            input_fingerprint=case.input_fingerprint, ruler=case.ruler_fingerprint,
        ),
        {n: reply or Reply(output=output, tool_calls=calls) for n in range(len(shown))},
    )  # fmt: skip


def run(*records: Record) -> Run:
    return Run({each.grade_line.case_id: each for each in records})


def delta(base: int, head: int, graded: int, **values: Any) -> Delta:
    errors = values.pop("errors", 0)
    noise = values.pop("noise", None)
    return Delta(Tally(base, graded), Tally(head, graded, errors=errors, **values), noise)


def noise(label: str = "inconclusive", **values: Any) -> Noise:
    return Noise(
        **{"pairs": 50, "broke": 5, "fixed": 1, "p_value": 0.09, "low": -19.0, "high": 4.0, "label": label, **values}
    )


def reason(code: str = "drop", text: str = "overall pass rate fell 8.0 points", **values: Any) -> Reason:
    return Reason(code, values, text)


def comparison(**values: Any) -> Comparison:
    return Comparison(
        **{
            "suite": "orders", "verdict": Verdict.FAIL, "exit_code": 1, "reasons": (reason(),), "compared": True,
            "policy": Gate(), "overall": delta(46, 42, 50), "categories": {"order-status": delta(10, 7, 10)},
            "broke": ("order-status-001",), "latency": Latency(1800, 2100), **values,
        }
    )  # fmt: skip


def provenance(**values: Any) -> Provenance:
    return Provenance(
        **{
            "tool_version": "0.1.0", "dataset_version": "2026-06-22", "cases": 50, "trials": 1,
            "base": BaseCommit("a81d03e"), "site": SITE, "identity": RunIdentity(7421, 1, "3f9c2ab"), "seconds": 48.0,
            "judge": JudgeUse("claude-haiku-5-5", 141, 9, "0.004"), **values,
        }
    )  # fmt: skip


def report(head: Run | None = None, base: Run | None = None, **values: Any) -> ReportInput:
    broken = (criterion(reason='numero: expected "47821" (text), found 47821 (number)'),)
    return ReportInput(
        **{
            "comparison": comparison(), "provenance": provenance(),
            "head": head or run(record(grade=Grade.FAIL, output="No encuentro ese pedido.", criteria=broken)),
            "base": base or run(record()), **values,
        }
    )  # fmt: skip
