"""CSV, JSON Lines and DeepEval's goldens by a mapping of columns."""

from __future__ import annotations

import pytest

from quilate.errors import UsageError
from quilate.goldens.importers.table import Fate
from quilate.goldens.importers.tabular import mapping_of, read_deepeval, read_rows, rows_of_csv


def test_columns_are_mapped_and_the_others_are_named():
    rows = rows_of_csv('pregunta;esperado;nota\n"¿Dónde; está?";consulta|responde;x\n')
    found = read_rows(
        rows, mapping_of(["pregunta=input", "esperado=expected_behavior"], list(rows[0])), category="general"
    )
    assert found.cases == [
        {
            "id": "donde-esta",
            "category": "general",
            "input": "¿Dónde; está?",
            "expected_behavior": ["consulta", "responde"],
        }
    ]
    assert [(part.what, part.fate) for part in found.parts][1] == ("column nota", Fate.NOT_TAKEN)


def test_a_row_without_input_or_with_a_broken_cell_is_told():
    rows = [{"input": ""}, {"input": "a", "expected_tool_args": "{"}]
    found = read_rows(rows, {"input": "input", "expected_tool_args": "expected_tool_args"}, category="c")
    assert [part.fate for part in found.parts] == [Fate.NOT_TAKEN, Fate.IN_PART]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [(["pregunta=inputt"], "did you mean input"), (["x"], "COLUMN=FIELD"),
     (["nope=input"], "no column"), ([], "no column is the input")],
)  # fmt: skip
def test_a_wrong_mapping_is_refused(pairs, message):
    with pytest.raises(UsageError, match=message):
        mapping_of(pairs, ["pregunta"])


def test_deepevals_goldens_in_both_spellings():
    found = read_deepeval(
        [
            {
                "input": "a",
                "expected_output": "b",
                "context": ["c"],
                "expected_tools": [{"name": "t", "input_parameters": {"x": 1}}],
            },
            {"input": "d", "expectedOutput": "e", "actual_output": "f"},
        ],
        category="c",
    )
    assert found.cases[0]["expected_tools"] == [{"name": "t", "args": {"x": 1}}]
    assert found.cases[1]["expected_output"] == "e"
    assert {part.what for part in found.parts if part.fate is Fate.NOT_TAKEN} == {"context", "actual_output"}


def test_ids_are_unique():
    found = read_rows([{"input": "a"}, {"input": "a"}, {"input": "¿?"}], {"input": "input"}, category="c")
    assert [case["id"] for case in found.cases] == ["a", "a-2", "row-3"]
