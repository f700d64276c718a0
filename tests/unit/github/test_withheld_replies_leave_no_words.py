"""A run file without replies holds nothing of them, in whichever language a reason could be told."""

from __future__ import annotations

import asyncio

from tests.factories import a_grade_line, a_reply_line, a_run_file

from quilate.agents.agent import Reply, ToolCall
from quilate.checks.code import CodeChecks
from quilate.github.private import without_replies
from quilate.goldens.case import GoldenCase
from quilate.grading import grade_trial
from quilate.report.messages import Translator
from quilate.report.retold import criterion_in
from quilate.runs.reader import RunReader


def test_the_parts_of_a_reason_go_with_the_reply(tmp_path):
    case = GoldenCase(
        id="uno", category="pedidos", input="¿Qué?", expected_tool="ver", expected_tool_args={"n": 1},
        forbidden_phrases=("secreto",),
    )  # fmt: skip
    reply = Reply(output="es secreto 90210", tool_calls=(ToolCall(name="ver", args={"n": "90210"}),))
    trial = asyncio.run(grade_trial(case, reply, [CodeChecks()]))
    line = a_grade_line(case, trial.grade).model_copy(update={"criteria": trial.criteria, "trials": (trial,)})
    asked = a_reply_line(case).model_copy(update={"reply": reply})
    whole = a_run_file(tmp_path / "run.jsonl", [line], replies=[asked])
    bare = without_replies(whole, tmp_path / "bare.jsonl")

    assert b"90210" in whole.read_bytes()
    assert b"90210" not in bare.read_bytes()
    with RunReader(bare) as run:
        found = {each.id: criterion_in(each, Translator("es")) for each in run.grade_line("uno").criteria}
    assert {each.reason for each in found.values()} == {"no se guarda: las respuestas se reservan"}
    assert found["forbidden_phrases"].text == 'no dice "secreto"'
