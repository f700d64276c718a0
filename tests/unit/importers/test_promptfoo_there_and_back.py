"""A golden file to promptfoo and back: what is lost on the way is told, and nothing becomes something else."""

from __future__ import annotations

import json

from quilate.goldens.exporters.promptfoo import as_promptfoo
from quilate.goldens.importers.promptfoo import read_promptfoo
from quilate.goldens.load import load_dataset

CASES = [
    {
        "id": "talk", "category": "orders", "expected_behavior": ["looks it up"], "owner": "orders",
        "source": "https://example.com/issues/7", "critical": True, "tags": ["incident"],
        "input": [
            {"role": "system", "content": "s"}, {"role": "user", "content": "hola"},
            {"role": "assistant", "content": "chao"}, {"role": "user", "content": "¿y?"},
        ],
    },
    {
        "id": "calls", "category": "orders", "input": "¿dónde está {{mi}} pedido?",
        "expected_tools": {"order": "exact", "extra_calls": "forbid", "calls": [{"name": "get_order"}]},
    },
]  # fmt: skip


def _there(tmp_path):
    (tmp_path / "g.json").write_text(json.dumps({"version": "1", "cases": CASES}), "utf-8")
    return as_promptfoo(load_dataset(["g.json"], tmp_path).cases)


def test_a_conversation_comes_back_as_one_and_with_who_answers_for_it(tmp_path):
    written, _ = _there(tmp_path)
    case = read_promptfoo(written, tmp_path, name="imported", input_variable=None).cases[0]
    assert case["input"] == CASES[0]["input"]
    assert {name: case[name] for name in ("owner", "tags", "source")} == {
        name: CASES[0][name] for name in ("owner", "tags", "source")
    }


def test_what_promptfoo_cannot_hold_is_told(tmp_path):
    _, account = _there(tmp_path)
    told = "\n".join(account.summary())
    assert "without critical" in told
    assert "without order of expected_tools, extra_calls of expected_tools" in told
