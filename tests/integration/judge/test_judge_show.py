"""`quilate judge --show` prints what the judge is then sent, to the letter."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.factories import a_case, a_header, a_reply_line
from tests.integration.judge.conftest import Answer, Loopback
from tests.judge_factories import a_reply
from tests.wire_factories import SPEAKERS

from quilate.cli import main
from quilate.config_load import load_config
from quilate.judge.build import build_judge

GOLDENS = {
    "version": "1",
    "cases": [
        {"id": "tono", "category": "registro", "input": "Hola", "expected_behavior": ["mantiene tono formal"]},
        {"id": "fundada", "category": "datos", "input": "¿Horario?", "grounded": True},
        {"id": "codigo", "category": "datos", "input": "¿Pedido?", "expected_tool": "consultarPedido"},
    ],
}


def a_suite(folder: Path, **config: object) -> Path:
    (folder / "goldens.json").write_text(json.dumps(GOLDENS))
    written = {"suite": "s", "goldens": ["goldens.json"], "agent": {"replay": "r.jsonl"}, **config}
    path = folder / "quilate.yml"
    path.write_text(json.dumps(written))
    return path


def show(config: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ["judge", "--config", str(config), "--show", *args])


JUDGE = {"provider": "openai", "model": "gpt-6-luna"}


def test_what_is_shown_is_what_is_sent(tmp_path: Path, loopback: Loopback) -> None:
    loopback.answers(Answer(SPEAKERS[1].says("x")))
    config = a_suite(tmp_path, judge={**JUDGE, "base_url": loopback.url + "/v1"})
    shown = show(config, "tono", "--format", "json")
    assert shown.exit_code == 0, shown.output
    assert loopback.asked == []
    file = load_config(config)

    async def judge_it() -> None:
        async with build_judge(file.config, base_dir=tmp_path, environ={"OPENAI_API_KEY": "k"}) as judge:
            reply = a_reply("(the reply of the agent stands here)")
            await judge.grade(file.dataset().cases[0], reply, 0)

    asyncio.run(judge_it())
    assert json.loads(shown.output) == loopback.asked[0].body


def test_the_text_shows_criteria_and_schema(tmp_path: Path) -> None:
    output = show(a_suite(tmp_path, judge=JUDGE), "tono").output
    assert output.startswith("POST https://api.openai.com/v1/chat/completions\n")
    assert "mantiene tono formal" in output
    assert '"additionalProperties": false' in output


def test_the_reply_may_come_from_a_run(tmp_path: Path) -> None:
    from quilate.runs.writer import record_lines

    line = a_reply_line(a_case("tono"), output="Buenos días, señora.")
    run = record_lines(tmp_path / "run.jsonl", a_header(), [line])
    assert "Buenos días, señora." in show(a_suite(tmp_path, judge=JUDGE), "tono", "--run", str(run)).output


def test_a_grounded_case_shows_its_evidence(tmp_path: Path) -> None:
    (tmp_path / "search.py").write_text("print('[\"Abrimos a las 9.\"]')")
    config = a_suite(tmp_path, judge=JUDGE, retriever={"command": [sys.executable, "search.py"]})
    output = show(config, "fundada").output
    assert "evidence: found" in output
    assert "Abrimos a las 9." in output


def test_people_are_shown_what_a_label_names(tmp_path: Path) -> None:
    (tmp_path / "l.jsonl").write_text('{"kind": "other"}\n')
    output = show(a_suite(tmp_path, judge={"provider": "labels", "labels": "l.jsonl"}), "tono").output
    assert '"criterion": "expected_behavior[0]"' in output


@pytest.mark.parametrize(
    ("config", "case_id", "said"),
    [
        ({}, "tono", "no judge is configured"),
        ({"judge": JUDGE}, "tomo", "did you mean 'tono'?"),
        ({"judge": JUDGE}, "codigo", "no criterion for a judge"),
    ],
)
def test_what_cannot_be_shown_is_said(tmp_path: Path, config: dict[str, object], case_id: str, said: str) -> None:
    result = show(a_suite(tmp_path, **config), case_id)
    assert result.exit_code == 2
    assert said in result.output
