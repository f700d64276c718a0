"""One case whole, in a terminal: everything that was asked, called, answered, graded and paid."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report_factories import comparison, criterion, record, report, run

from quilate.agents.agent import Fault, FaultKind, Fragment, Reply, ToolCall, Usage
from quilate.grades import Evidence, Grade, GradedBy
from quilate.report.case_text import whole_case

CALL = ToolCall(name="ver", args={"n": 47821}, output={"estado": "en camino"})
JUDGED = criterion(
    id="behavior-0", text="is polite", reason="it is curt", graded_by=GradedBy.JUDGE, detail={"votes": {"fail": 3}},
    evidence=(Evidence(quote="No.", start=0, end=3), Evidence(quote="Go away.")),
)  # fmt: skip
AGAIN = "answered at attempt 2"
GIVEN = criterion(id="answered", grade=Grade.PASS, reason="the agent answered", necessary=True)


def told(reply: Reply, **values) -> str:
    head = run(record(grade=Grade.FAIL, reply=reply, criteria=(GIVEN, JUDGED), **values))
    return whole_case("order-status-001", report(head))


def test_everything_about_one_case_is_said():
    reply = Reply(
        output="No.\nNada.", tool_calls=(CALL,), fragments=(Fragment(text="30 days.", source="faq.md"),), attempts=2,
        duration_ms=420.0, startup_ms=80.0, cost_usd="0.0021", usage=Usage(input_tokens=120, output_tokens=30),
        model="example-model", metrics={"wer": 0.12},
    )  # fmt: skip
    assert told(reply).split("\n") == [
        "FAIL order-status-001 (goldens/orders.es-CL.yaml:12) · order-status",
        "  asked       ¿En qué estado está mi pedido 47821?",
        "  fail        is polite: it is curt (by the judge)",
        "  quoted      “No.”",
        "  quoted      “Go away.” (not in the reply)",
        '  details     {"votes": {"fail": 3}}',
        "  pass        answered: the agent answered",
        '  called      ver {"n": 47821}',
        '  returned    {"estado": "en camino"}',
        "  found by search [faq.md] 30 days.",
        "  replied     No.",
        "              Nada.",
        f"              420 ms · 80 ms to start · $0.002 · 120 + 30 tokens · example-model · {AGAIN} · wer 0.12",
        "",
        "  before: pass",
        "  replied     Tu pedido 47821 está en camino.",
        "  again       quilate run --case order-status-001 -v",
        "",
    ]


def test_every_trial_is_told():
    text = told(Reply(output="No."), trials=(Grade.FAIL, Grade.PASS, Grade.FAIL))
    assert re.findall(r"trial \d: \w+", text) == ["trial 1: fail", "trial 2: pass", "trial 3: fail"]


def test_a_crash_is_no_reply():
    assert "  no reply    exit code 1" in told(Reply(fault=Fault(kind=FaultKind.AGENT, message="exit code 1")))


def test_a_case_that_passes_is_told_too():
    text = whole_case("order-status-001", report(run(record()), comparison=comparison(broke=())))
    assert text.startswith("PASS order-status-001")


def test_it_speaks_the_readers_language():
    head = run(record(grade=Grade.FAIL, criteria=(JUDGED,)))
    assert "respondió" in whole_case("order-status-001", replace(report(head), language="es"))


@settings(deadline=None)
@given(st.text(max_size=60))
def test_nothing_in_a_case_reaches_the_terminal_as_it_is(text):
    call = ToolCall(name=text, args={text: text}, output=text, error=text)
    broken = criterion(text=text, reason=text, expected=text, found=text, evidence=(Evidence(quote=text),))
    head = run(record("a", grade=Grade.FAIL, output=text, asked=text or "x", calls=(call,), criteria=(broken,)))
    said = whole_case("a", report(head, comparison=comparison(broke=("a",))))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", said)
