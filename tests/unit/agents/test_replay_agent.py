from __future__ import annotations

import asyncio
import json

import pytest

from quilate.agents.agent import FaultKind
from quilate.agents.open import open_agent
from quilate.asking import ask_all, started
from quilate.config import AgentConfig
from quilate.errors import InputError
from quilate.goldens.case import GoldenCase


def _write(folder, text, name="replies.jsonl"):
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())


def _line(case_id, **fields):
    return json.dumps({"case_id": case_id, "output": "x", **fields})


def _replay(folder, *ids, files="replies.jsonl", known=None, **asking):
    warnings = []
    config = AgentConfig.model_validate_json(json.dumps({"replay": files}))
    agent = open_agent(config, base_dir=folder, environ={}, case_ids=known, warn=warnings.append)
    answered = []
    cases = [GoldenCase(id=case_id, category="a", input="q") for case_id in ids]

    async def go():
        async with started(agent) as ready:
            await ask_all(ready, cases, answered.append, **asking)

    asyncio.run(go())
    return {(each.case.id, each.trial): each.reply for each in answered}, warnings


def test_a_recorded_reply_is_given_back_without_a_time_of_ours(tmp_path):
    _write(tmp_path, _line("a", output="va", tool_calls=[{"name": "t", "args": {}, "output": 1}]) + "\n" + _line("b"))
    replies, _ = _replay(tmp_path, "a", "b")
    assert replies["a", 0].output == "va"
    assert replies["a", 0].tool_calls[0].output == 1
    assert replies["a", 0].duration_ms is None


def test_repeated_lines_are_trials_whatever_the_configuration_says(tmp_path):
    _write(tmp_path, "\n".join([_line("a", output="1"), _line("b"), _line("a", output="2")]))
    replies, _ = _replay(tmp_path, "a", "b", trials=3)
    assert {key: reply.output for key, reply in replies.items()} == {("a", 0): "1", ("a", 1): "2", ("b", 0): "x"}


def test_several_files_are_one_replay(tmp_path):
    _write(tmp_path, _line("a", output="1"))
    (tmp_path / "more").mkdir()
    _write(tmp_path, _line("a", output="2") + "\r\n\r\n", "more/second.jsonl")
    replies, _ = _replay(tmp_path, "a", files=["replies.jsonl", "more/second.jsonl"])
    assert [reply.output for reply in replies.values()] == ["1", "2"]


def test_a_case_without_a_line_is_a_crash(tmp_path):
    _write(tmp_path, _line("a"))
    replies, _ = _replay(tmp_path, "a", "b")
    fault = replies["b", 0].fault
    assert fault is not None
    assert fault.kind is FaultKind.AGENT
    assert "no reply for this case" in fault.message


def test_recorded_errors_are_faults_of_their_kind(tmp_path):
    outage = {"kind": "infrastructure", "message": "429"}
    _write(
        tmp_path, json.dumps({"case_id": "a", "error": "boom"}) + "\n" + json.dumps({"case_id": "b", "error": outage})
    )
    replies, _ = _replay(tmp_path, "a", "b")
    assert [reply.fault.kind for reply in replies.values()] == [FaultKind.AGENT, FaultKind.INFRASTRUCTURE]


def test_a_reply_of_a_wrong_type_is_a_crash_of_its_case_alone(tmp_path):
    _write(tmp_path, _line("a", output=5) + "\n" + _line("b"))
    replies, _ = _replay(tmp_path, "a", "b")
    assert replies["a", 0].fault is not None
    assert "output is the number 5" in replies["a", 0].fault.message
    assert replies["b", 0].fault is None


def test_a_reply_for_no_case_is_warned_of_with_the_nearest(tmp_path):
    _write(tmp_path, "\n".join([_line("tool-01"), _line("tool_02"), *[_line(f"zz{n}") for n in range(9)]]))
    _, warnings = _replay(tmp_path, "tool-01", known={"tool-01", "tool-02"})
    assert "'tool_02', which is no case of the dataset; is it 'tool-02'?" in warnings[0]
    assert len(warnings) == 6
    assert "5 more" in warnings[-1]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"{broken", "not JSON"),
        (b"[1]", "the line is no object"),
        (b'{"output": "x"}', "no case_id"),
        (b'{"case_id": 7, "output": "x"}', "case_id is no text"),
        (b'{"case_id": "", "output": "x"}', "case_id is no text"),
        (b'{"case_id": "b", "output": "\xff"}', "not UTF-8"),
        (b'{"a":' * 100_000, "nested"),
        (b'{"case_id": "b", "output": "\\ud800"}', "surrogate"),
        (b'{"case_id": "b", "output": "' + b"x" * 10_100_000 + b'"}', "10 MB"),
    ],
)
def test_a_line_that_cannot_be_read_names_its_place(tmp_path, line, found):
    _write(tmp_path, _line("a").encode() + b"\n\n" + line)
    with pytest.raises(InputError) as raised:
        _replay(tmp_path, "a")
    problem = raised.value.problems[0]
    assert (problem.file, problem.line) == (str(tmp_path / "replies.jsonl"), 3)
    assert found in problem.found


def test_all_bad_lines_are_told_in_one_go(tmp_path):
    _write(tmp_path, "x\n" + _line("a") + "\ny\n")
    with pytest.raises(InputError) as raised:
        _replay(tmp_path, "a", files=["replies.jsonl", "missing.jsonl"])
    assert [(problem.line, problem.file.rsplit("/", 1)[1]) for problem in raised.value.problems] == [
        (1, "replies.jsonl"), (3, "replies.jsonl"), (None, "missing.jsonl"),
    ]  # fmt: skip


def test_a_byte_order_mark_is_no_content(tmp_path):
    _write(tmp_path, b"\xef\xbb\xbf" + _line("a").encode())
    replies, _ = _replay(tmp_path, "a")
    assert replies["a", 0].output == "x"
