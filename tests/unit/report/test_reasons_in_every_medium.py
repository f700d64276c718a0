"""Comment, terminal, page and whole case say what code said in the report's language, and escape it like any text."""

from __future__ import annotations

import asyncio

import pytest
from tests.factories import a_run_file
from tests.html_factories import page
from tests.report_factories import comparison, record, report, run

from quilate.agents.agent import Fault, FaultKind, Reply, ToolCall
from quilate.checks.code import CodeChecks
from quilate.compare.comparison import Quarantined
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, ErrorKind, Grade, Verdict
from quilate.grading import grade_trial
from quilate.report import asides
from quilate.report.case_text import whole_case
from quilate.report.comment import render
from quilate.report.guard import Allowed, problems
from quilate.report.medium import PlainMedium
from quilate.report.messages import Translator
from quilate.report.terminal import render as rendered_text
from quilate.report.voice import Voice
from quilate.saying import say

FORBIDDEN = ("wanted", {"n": "{calls} `@everyone` <b>*x*</b> %s ](https://example.com)"})
CASE = GoldenCase(id="order-status-001", category="order-status", input="¿Qué?", forbidden_tools=("wanted",))


def broken(language: str, reply: Reply):
    trial = asyncio.run(grade_trial(CASE, reply, [CodeChecks()]))
    return report(run(record(grade=Grade.FAIL, reply=reply, criteria=trial.criteria)), language=language)


def called(name: str, args: dict[str, str]) -> Reply:
    return Reply(output="listo", tool_calls=(ToolCall(name=name, args=args),))


MEDIA = {"comment": render, "terminal": rendered_text, "whole case": lambda told: whole_case(CASE.id, told)}
TOLD = {
    "en": "a forbidden tool was called: wanted(",
    "es": "se llamó a una herramienta prohibida: wanted(",
    "pt-BR": "uma ferramenta proibida foi chamada: wanted(",
}


@pytest.mark.parametrize("language", TOLD)
@pytest.mark.parametrize("medium", MEDIA)
def test_a_reason_is_told_in_the_language(medium, language):
    text = " ".join(MEDIA[medium](broken(language, called("wanted", {"n": "1"}))).split())
    assert TOLD[language] in text
    assert not any(other in text for tongue, other in TOLD.items() if tongue != language)


@pytest.mark.parametrize("language", TOLD)
def test_a_hostile_argument_stays_code_in_a_translated_reason(language):
    text = render(broken(language, called(*FORBIDDEN)))
    assert problems(text, Allowed.of(["https://github.com"])) == []
    assert "{calls}" in text


@pytest.mark.parametrize("language", TOLD)
def test_the_page_tells_it_in_the_language(tmp_path, language):
    from quilate.runs.record import GradeLine, ReplyLine  # the page is made of run files

    reply = called("wanted", {"n": "<script>{calls}"})
    trial = asyncio.run(grade_trial(CASE, reply, [CodeChecks()]))
    line = GradeLine(
        case_id=CASE.id, category=CASE.category, grade=trial.grade, criteria=trial.criteria, trials=(trial,),
        definition=CASE, input_fingerprint=CASE.input_fingerprint, ruler="1" * 32,
    )  # fmt: skip
    asked = ReplyLine(
        case_id=CASE.id, trial=0, input_fingerprint=CASE.input_fingerprint, prompt=CASE.messages, reply=reply,
        asked_at="2026-01-02T03:04:05Z",
    )  # fmt: skip
    found = page(None, a_run_file(tmp_path / "run.jsonl", [line], replies=[asked]), language)
    assert TOLD[language] in found
    assert "<script>{calls}" not in found


def test_a_crash_is_told_in_the_language_with_the_systems_own_words():
    fault = Fault.of(FaultKind.AGENT, say("the agent {how}", how=say("exited with {code}", code="1: KeyError: 'x'")))
    text = render(broken("es", Reply(fault=fault)))
    assert "el agente se cayó: el agente terminó con código 1: KeyError: 'x'" in text.replace("&#x27;", "'")
    assert "exited" not in text


def erred(why: str) -> CriterionGrade:
    return CriterionGrade.of(id="grounded", grade=Grade.ERROR, reason=why, error=ErrorKind.INFRASTRUCTURE)


def test_errors_are_grouped_and_told_in_the_language():
    why = say("the judge gave no answer: {why}", why=say("no answer within {seconds} s", seconds=30.0))
    head = run(record("c", grade=Grade.ERROR, criteria=(erred(why),)))
    errors = {"c": f"infrastructure: {why}"}
    told = report(head, comparison=comparison(errors=errors, verdict=Verdict.INCONCLUSIVE), language="pt-BR")
    said = asides.errors(told, Voice(Translator("pt-BR"), PlainMedium()), 5)
    assert said == ["1 com erro, infraestrutura: o juiz não respondeu: sem resposta em 30 s: c."]


def test_why_a_case_stands_outside_is_told_in_the_language():
    outside = {"c": say("the base's record holds no replies to grade again")}
    held = Quarantined(
        "d",
        "ana",
        "está en obras",
        "2026-07-01",
        True,
        say("this change sets it; it takes effect after merge"),
        None,
        None,
    )
    told = report(comparison=comparison(outside=outside, quarantine=(held,)), language="es")
    said = [text for _, text in asides.lists(told, Voice(Translator("es"), PlainMedium()), 5)]
    assert any("el registro de la base no tiene respuestas que calificar de nuevo" in each for each in said)
    assert any("rige después de integrarlo (ana: está en obras)" in each for each in said)
