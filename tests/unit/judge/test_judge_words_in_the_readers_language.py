"""What is said about a judge, and not by it, is told in the report's language."""

from __future__ import annotations

import asyncio

import pytest

from quilate.agents.agent import Reply
from quilate.goldens.case import GoldenCase
from quilate.grades import ErrorKind, Grade
from quilate.judge.criteria import CriterionKind, SemanticCriterion
from quilate.judge.groundedness import Evidence, without_evidence
from quilate.judge.identity import reply_sha256
from quilate.judge.labels import Label, LabelsGrader
from quilate.judge.marking import located, unmarked
from quilate.judge.pairs import PairResult
from quilate.judge.questions import Form, answer_schema, numbered, read_answer
from quilate.judge.side_by_side import unjudged
from quilate.judge.side_by_side_sheet import TwoReplies
from quilate.report.messages import Translator
from quilate.report.retold import criterion_in, spoken
from quilate.retrieval.search import Search, SearchSource
from quilate.saying import Said, listed, say

CASE = GoldenCase(id="uno", category="pedidos", input="¿Qué?", expected_behavior=("the agent answers",))
REPLY = Reply(output="Sí.")


def reason(grade, language: str) -> str:
    return criterion_in(grade, Translator(language)).reason


@pytest.mark.parametrize(
    ("search", "left_out", "spanish", "portuguese"),
    [
        (
            Search(SearchSource.RETRIEVER), ("pagar",),
            ("sin evidencia: la búsqueda no encontró nada para esta pregunta; las herramientas que fallaron no son "
            "evidencia: pagar"),
            ("sem evidência: a busca não encontrou nada para esta pergunta; ferramentas que falharam não são "
            "evidência: pagar"),
        ),
        (
            Search(SearchSource.NONE), (),
            "sin evidencia: no hay búsqueda configurada y el agente no devolvió fragmentos",
            "sem evidência: nenhuma busca está configurada e o agente não devolveu fragmentos",
        ),
        (
            Search(SearchSource.RETRIEVER, failure=say("no answer within {seconds} s", seconds=2.5)), (),
            "sin evidencia: la búsqueda falló (sin respuesta en 2,5 s)",
            "sem evidência: a busca falhou (sem resposta em 2,5 s)",
        ),
    ],
)  # fmt: skip
def test_why_there_is_no_evidence(search, left_out, spanish, portuguese):
    grade = without_evidence(Evidence(search, (), left_out))
    assert (reason(grade, "es"), reason(grade, "pt-BR")) == (spanish, portuguese)
    assert criterion_in(grade, Translator("es")).text == "no inventa nada: la evidencia respalda cada afirmación"


def test_why_a_judge_gave_no_verdict():
    criterion = SemanticCriterion("expected_behavior[0]", "the agent answers", CriterionKind.BEHAVIOR)
    problems = listed([say("the answer is empty")], by="; ")
    grade = unmarked(
        criterion, ErrorKind.JUDGE, say("the judge's answer was unusable twice: {problems}", problems=problems)
    )
    assert reason(grade, "es") == ("la respuesta del juez no sirvió en dos intentos: la respuesta del juez está vacía")
    assert criterion_in(grade, Translator("es")).text == "the agent answers"


SCHEMA = answer_schema(numbered([(Form.GROUNDED, "", "grounded", None), (Form.MET, "", "x", None)]))
ANSWERS = [
    "", "nada", "[]", "{}", '{"c01": 5, "c02": []}', '{"c01": {"unsupported_claims": 1}, "c02": {"met": "si"}}',
    '{"c01": {"unsupported_claims": [null], "supporting_blocks": [true], "verdict": "otro"}, "c02": {"extra": 1}}',
    '{"c01": {"unsupported_claims": [], "supporting_blocks": [], "verdict": 5}, "c02": true}',
]  # fmt: skip


@pytest.mark.parametrize("language", ["es", "pt-BR"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_what_is_wrong_with_an_answer(answer, language):
    _, problems = read_answer(answer, SCHEMA)
    told = [spoken(problem, Translator(language)) for problem in problems]
    assert problems
    assert all(isinstance(problem, Said) for problem in problems)
    assert [text for text, problem in zip(told, problems, strict=True) if text == problem] == []


def label(rater: str, grade: str) -> Label:
    return Label(
        kind="label", case_id="uno", reply_sha256=reply_sha256(REPLY), criterion="expected_behavior[0]", grade=grade,
        rater=rater, at="2026-01-02",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("labels", "spanish"),
    [
        ([], "no hay etiqueta para esta respuesta"),
        ([("ana", "pass"), ("leo", "fail")], "los evaluadores no coinciden: 1 por «aprobado», 1 por «falla»"),
        ([("ana", "fail")], "ana: falla"),
        ([("ana", "pass"), ("leo", "pass"), ("paz", "fail")], "ana, leo: aprobado (2 de 3 evaluadores)"),
    ],
)
def test_what_people_voted(labels, spanish):
    grader = LabelsGrader([label(rater, grade) for rater, grade in labels])
    (grade,) = asyncio.run(grader.grade(CASE, REPLY, 0))
    assert reason(grade, "es") == spanish


def test_where_a_quotation_stands():
    grade = unmarked(SemanticCriterion("x", "x", CriterionKind.BEHAVIOR), ErrorKind.JUDGE, "x")
    grade = grade.model_copy(update={"evidence": (located("jamás", REPLY),), "grade": Grade.FAIL})
    assert criterion_in(grade, Translator("pt-BR")).evidence[0].note == "não encontrada na resposta"


def test_why_a_pair_was_not_judged():
    two = TwoReplies(case=CASE, base_id="uno", trial=0, base=REPLY, head=Reply(output="No."))
    why = say("the judge gave no answer: {why}", why=say("no answer within {seconds} s", seconds=30.0))
    pair = unjudged(two, ErrorKind.INFRASTRUCTURE, why)
    stored = PairResult.model_validate_json(pair.model_dump_json())
    assert stored.reason == "the judge gave no answer: no answer within 30 s"
    assert spoken(stored.why, Translator("es")) == "el juez no respondió: sin respuesta en 30 s"
