"""The embedded example's agent: believable before, believably worse after."""

import ast
import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.agents.agent import Reply
from quilate.checks.code import CodeChecks
from quilate.demo import agent as module
from quilate.demo import agent_command, goldens_file
from quilate.demo.agent import Agent, Shop
from quilate.goldens.load import load_dataset
from quilate.grades import Grade
from quilate.grading import grade_trial

HERE = Path(module.__file__).parent


def agent(prompt):
    shop = Shop(json.loads((HERE / "shop.json").read_text("utf-8")))
    return Agent(json.loads((HERE / "prompts" / f"{prompt}.json").read_text("utf-8")), shop)


def ask(prompt, text):
    return agent(prompt).answer([{"role": "user", "content": text}])


@pytest.fixture(scope="module")
def grades():
    cases = load_dataset([goldens_file().name], goldens_file().parent).cases

    def of(prompt):
        answered = agent(prompt)
        result = {}
        for case in cases:
            reply = Reply.model_validate(answered.answer([m.model_dump() for m in case.messages]), strict=False)
            result[case.id] = asyncio.run(grade_trial(case, reply, [CodeChecks()])).grade
        return result

    return {prompt: of(prompt) for prompt in ("v1", "v2")}


def test_the_first_version_approves_nearly_everything(grades):
    assert [case for case, grade in grades["v1"].items() if grade is not Grade.PASS] == [
        "error-numero-con-letra-003", "borde-retiro-pasado-010",
    ]  # fmt: skip


def test_the_second_breaks_an_argument_and_the_register_and_mends_one_case(grades):
    broke = {case for case in grades["v1"] if grades["v1"][case] is Grade.PASS and grades["v2"][case] is not Grade.PASS}
    fixed = {case for case in grades["v1"] if grades["v1"][case] is not Grade.PASS and grades["v2"][case] is Grade.PASS}
    assert broke == {
        "consulta-pedido-cero-inicial-003", "consulta-retiro-agendar-006", "borde-retiro-manana-004",
        "chileno-correcto-001", "registro-modismos-002", "registro-garabato-003",
    }  # fmt: skip
    assert fixed == {"error-numero-con-letra-003"}


def test_every_case_is_graded_by_code(grades):
    assert all(grade.graded for of_prompt in grades.values() for grade in of_prompt.values())


def test_it_knows_no_case_and_needs_nothing_but_the_standard_library():
    source = (HERE / "agent.py").read_text("utf-8")
    ids = [case.id for case in load_dataset([goldens_file().name], goldens_file().parent).cases]
    assert not any(case_id in source for case_id in ids)
    imported = {
        (node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else name.name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported <= set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("¿y el pedido 48100?", "18 de junio"),
        ("pedido 12345", "no encuentro"),
        ("quiero retirar el 00945 pasado mañana", "24 de junio"),
        ("retiro del 52640 el 31 de febrero", "¿Para qué fecha"),
        ("¿tienen sandalias?", "$19.990"),
        ("hola", "¿Qué necesita?"),
    ],
)
def test_it_reacts_to_what_is_written(text, said):
    assert said in ask("v1", text)["output"]


@pytest.mark.parametrize("prompt", ["v1", "v2"])
@given(text=st.text())
def test_it_answers_any_text(prompt, text):
    assert ask(prompt, text)["output"]


def test_it_serves_lines_with_the_case_named():
    lines = [
        {"case_id": "a", "input": "pedido 47821"},
        {"case_id": "b", "trial": 1, "input": [{"role": "user", "content": "¿po?"}]},
    ]
    done = subprocess.run(
        agent_command("v2"),
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(answer["case_id"], answer.get("trial")) for answer in answers] == [("a", None), ("b", 1)]
    assert answers[0]["tool_calls"][0]["args"] == {"numero": "47821"}
