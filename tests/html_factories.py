"""Whole reports for tests of the page: two run files, compared and rendered as `quilate report` does."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from tests.factories import a_case, a_grade_line, a_reply_line, a_run_file

from quilate.agents.agent import Fragment, ToolCall, Usage
from quilate.cli.report import read
from quilate.goldens.case import GoldenCase, Location
from quilate.grades import Evidence, Grade, GradedBy
from quilate.report.html import write
from quilate.runs.record import GradeLine, ReplyLine

PASS, FAIL = Grade.PASS, Grade.FAIL


def page(base: Path | None, head: Path, language: str = "en", **report: Any) -> str:
    """The page of two run files; `report` replaces fields of the report's data.

    Made in a thread of its own: a test that drives a browser has an event loop, and comparing starts one.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_page, base, head, language, report).result()


def _page(base: Path | None, head: Path, language: str, report: dict[str, Any]) -> str:
    out = BytesIO()
    with ExitStack() as opened:
        source = read(str(head), str(base) if base else None, language, opened)  # type: ignore[arg-type]
        write(out, replace(source.report, **report), source.head, source.base)
    return out.getvalue().decode()


def runs(
    folder: Path,
    cases: Sequence[tuple[GoldenCase, Grade, dict[str, Any], Grade, dict[str, Any]]],
    criteria: dict[str, dict[str, Any]] | None = None,
) -> tuple[Path, Path]:
    """Base's and head's run files of (case, base's grade, base's reply, head's grade, head's reply).

    `criteria` are fields of head's criterion, by case id.
    """
    fields = criteria or {}
    paths = []
    for name in ("base", "head"):
        lines: list[GradeLine] = []
        replies: list[ReplyLine] = []
        for number, (case, base_grade, base_reply, head_grade, head_reply) in enumerate(cases):
            grade, reply = (base_grade, base_reply) if name == "base" else (head_grade, head_reply)
            lines.append(
                a_grade_line(
                    case, grade, location=Location(file="goldens/orders.yaml", line=10 * number + 3),
                    criterion_fields=fields.get(case.id, {}) if name == "head" else {},
                )
            )  # fmt: skip
            replies.append(a_reply_line(case, **reply))
        paths.append(a_run_file(folder / f"{name}.jsonl", lines, replies=replies))
    return paths[0], paths[1]


def a_story(folder: Path) -> tuple[Path, Path]:
    """Twelve cases: three broke (a number for a text, a forbidden phrase, a judge's verdict), one was fixed."""
    number = a_case("order-status-001", category="order-status", input="Where is my order 47821?", tags=("smoke",))
    phrase = a_case("register-001", category="register", input="¿Tienen oferta?", tags=("smoke", "tone"))
    judged = a_case("returns-001", category="returns", input="I want to return it.", expected_behavior=("is polite",))
    fixed = a_case("order-status-002", category="order-status", input="And 47822?")
    calm = [a_case(f"calm-{n}", category=("order-status", "returns")[n % 2], critical=n == 0) for n in range(8)]
    call = ToolCall(name="get_order", args={"number": "47821", "with": {"items": True}}, output={"status": "sent"})
    wrong = ToolCall(name="get_order", args={"number": 47821, "with": {"items": True}}, output=None, error="no order")
    usage = Usage(input_tokens=120, output_tokens=30)
    phrases = "Ya po, sí, tenemos zapatillas a $49.990."
    return runs(
        folder,
        [
            (number, PASS, {"output": "Your order 47821 is on its way.", "tool_calls": (call,), "duration_ms": 420.0},
             FAIL, {"output": "I cannot find your order 47821.", "tool_calls": (wrong,), "duration_ms": 515.0,
                    "usage": usage, "cost_usd": "0.0021", "model": "example-model"}),
            (phrase, PASS, {"output": "Sí, tenemos zapatillas a $49.990.", "duration_ms": 300.0},
             FAIL, {"output": phrases, "duration_ms": 300.0}),
            (judged, PASS, {"output": "Of course. A colleague will help you.", "duration_ms": 700.0},
             FAIL, {"output": "No.", "duration_ms": 90.0,
                    "fragments": (Fragment(text="Returns: 30 days.", source="faq.md", score=0.91),)}),
            (fixed, FAIL, {"output": "No idea.", "duration_ms": 300.0},
             PASS, {"output": "Your order 47822 was delivered.", "duration_ms": 300.0}),
            *((case, PASS, {"duration_ms": 250.0 + 50 * n}, PASS, {"duration_ms": 260.0 + 55 * n})
              for n, case in enumerate(calm)),
        ],
        {
            "order-status-001": {
                "reason": 'get_order.number: expected "47821" (text), found 47821 (number)', "text": "calls get_order",
            },
            "register-001": {
                "reason": 'forbidden phrase "po"', "text": 'does not say "po"',
                "evidence": (Evidence(quote="po", start=3, end=5, note="po"),),
            },
            "returns-001": {
                "reason": "the reply is curt", "text": "is polite", "graded_by": GradedBy.JUDGE,
                "evidence": (Evidence(quote="No.", start=0, end=3), Evidence(quote="Go away.")),
            },
        },
    )  # fmt: skip
