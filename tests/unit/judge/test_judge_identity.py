"""What makes a judge another one: everything its verdicts depend on, and nothing else."""

import json

import pytest

from quilate.config import Config
from quilate.judge.build import identify

JUDGE = {"provider": "openai", "model": "m", "base_url": "https://llm.example.com/v1"}


def identity(tmp_path, **judge):
    written = {"suite": "orders", "goldens": ["g.yaml"], "agent": {"replay": "r.jsonl"}, "judge": {**JUDGE, **judge}}
    found = identify(Config.model_validate_json(json.dumps(written)), base_dir=tmp_path)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "other",
    [
        {"model": "n"}, {"base_url": "https://other.example.com/v1"}, {"base_url": "https://llm.example.com:8443/v1"},
        {"base_url": "https://llm.example.com/deployments/lenient/v1"}, {"base_url": "https://llm.example.com"},
        {"votes": 3}, {"extra": {"seed": 1}}, {"non_evidence_tools": ["think"]}, {"provider": "openai-responses"},
    ],
)  # fmt: skip
def test_another_judge(tmp_path, other):
    assert identity(tmp_path, **other).fingerprint != identity(tmp_path).fingerprint


@pytest.mark.parametrize(
    "same",
    [{"base_url": "https://llm.example.com/v1/"}, {"timeout_s": 5}, {"concurrency": 9}, {"api_key_env": "KEY"}],
)
def test_the_same_judge(tmp_path, same):
    assert identity(tmp_path, **same).fingerprint == identity(tmp_path).fingerprint


def test_no_name_or_password_of_an_address_is_recorded(tmp_path):
    described = identity(tmp_path, base_url="https://ada:s3creto@llm.example.com/a/v1?key=hush").described
    assert (described["host"], described["path"]) == ("llm.example.com", "/a/v1")
    assert "s3creto" not in str(described)
    assert "hush" not in str(described)
