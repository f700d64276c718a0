"""What stands at a golden case's line on a pull request is said in the report's language."""

from __future__ import annotations

import pytest
from tests.factories import a_case, a_grade_line, a_run_file
from tests.report_factories import comparison

from quilate.github.annotating import of_comparison
from quilate.grades import CriterionGrade, ErrorKind, Grade
from quilate.runs.reader import RunReader
from quilate.saying import say


def annotated(tmp_path, broke: int, errors: int, language: str):
    failed = CriterionGrade.of(
        id="required_phrases", grade=Grade.FAIL, reason=say("does not say {phrases}", phrases='"x"')
    )
    why = say("no answer within {seconds} s", seconds=30.0)
    erred = CriterionGrade.of(id="grounded", grade=Grade.ERROR, reason=why, error=ErrorKind.JUDGE)
    lines = [(f"b{n}", Grade.FAIL, failed) for n in range(broke)] + [
        (f"e{n}", Grade.ERROR, erred) for n in range(errors)
    ]
    written = [
        line.model_copy(
            update={"criteria": (each,), "trials": (line.trials[0].model_copy(update={"criteria": (each,)}),)}
        )
        for case_id, grade, each in lines
        if (line := a_grade_line(a_case(case_id), grade))
    ]
    found = comparison(
        broke=tuple(f"b{n}" for n in range(broke)), errors={f"e{n}": f"judge: {why}" for n in range(errors)}
    )
    with RunReader(a_run_file(tmp_path / "run.jsonl", written)) as run:
        return of_comparison(found, run, language)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", [("b0 broke", 'required_phrases: does not say "x"'),
                ("e0 could not be graded", "judge: no answer within 30 s")]),
        ("es", [("b0 dejó de aprobar", 'required_phrases: no dice "x"'),
                ("e0 no se pudo calificar", "juez: sin respuesta en 30 s")]),
        ("pt-BR", [("b0 deixou de ser aprovado", 'required_phrases: não diz "x"'),
                   ("e0 não pôde ser avaliado", "juiz: sem resposta em 30 s")]),
    ],
)  # fmt: skip
def test_title_and_reason(tmp_path, language, said):
    assert [(each.title, each.message) for each in annotated(tmp_path, 1, 1, language)] == said


def test_what_all_say_alike_is_said_once(tmp_path):
    (broke, erred) = annotated(tmp_path, 3, 4, "es")
    assert broke.message == '3 casos que dejaron de aprobar, todos por lo mismo: required_phrases: no dice "x"'
    assert erred.message == "4 casos con error, todos por lo mismo: juez: sin respuesta en 30 s"
