"""The JSON Schema says what the loader does: what loads is valid, and what is valid loads."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from quilate.config_load import load_config
from quilate.documents import read_document
from quilate.errors import InputError
from quilate.goldens.case import GoldenCase
from quilate.goldens.load import load_dataset
from quilate.goldens.schema import config_schema, golden_schema, run_schema, schema_of

GOLDEN = Draft202012Validator(golden_schema())
CONFIG = Draft202012Validator(config_schema())

VALUES = st.sampled_from(
    [None, True, 0, 1, -1, 1.5, "", "x", "pt-BR", "2026-06-22", "047", "clear", "date", "clarification", "register",
     [], ["x"], [""], [1], {}, {"exact": "x"}, {"x": 1}, [{"name": "t"}], [{"any_of": ["a"]}], [{}],
     [{"name": "t", "any_of": ["a"]}],
     {"calls": [{"name": "t", "args": {"a": None}}]}, {"calls": []}, {"order": "exact"},
     [{"role": "user", "content": ""}],
     {"owner": "o", "reason": "r", "until": "2026-01-01"}, {"as_of": "2026-01-01"}]
)  # fmt: skip
KEYS = st.sampled_from([*GoldenCase.model_fields, "capability", "type", "prompt", "other"])
CASES = st.builds(
    lambda base, more: base | more,
    st.sampled_from(
        [{"id": "a", "category": "c", "input": "x"}, {"id": "a", "capability": "k", "type": "clear", "prompt": "x"}, {}]
    ),
    st.dictionaries(KEYS, VALUES, max_size=3),
)


def loads(folder, content):
    (folder / "f.json").write_text(json.dumps(content))
    try:
        load_dataset(["f.json"], folder)
    except InputError:
        return False
    return True


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("schema")


@pytest.mark.parametrize("name", ["orders-example.json", "locale-cases.yaml", "ambiguity-cases.yaml"])
def test_the_example_sets_are_valid(name, data):
    GOLDEN.validate(read_document(data / name).value)


@settings(max_examples=400)
@given(case=CASES)
def test_schema_and_loader_agree_on_a_case(case, folder):
    assert GOLDEN.is_valid([case]) == loads(folder, [case])


@settings(max_examples=150)
@given(case=CASES, defaults=st.dictionaries(KEYS, VALUES, max_size=2))
def test_what_loads_with_defaults_is_valid(case, defaults, folder):
    content = {"version": "1", "defaults": defaults, "cases": [case]}
    if loads(folder, content):
        GOLDEN.validate(content)


@pytest.mark.parametrize(
    "content",
    [
        {"cases": [{"id": "a", "category": "c", "input": "x", "expectd": 1}]},
        {"cases": [{"id": "a", "category": "c", "input": "x", "prompt": "y"}]},
        {"cases": [{"id": "a", "input": "x"}]},
        {"cases": [{"id": "a", "category": "c", "input": "x", "expected_tool_args": {}}]},
        {"casess": []},
        {"version": 1, "cases": []},
        {"defaults": {"id": "x"}, "cases": []},
        "x",
    ],
)
def test_a_wrong_file_is_invalid(content, folder):
    assert not GOLDEN.is_valid(content)
    assert not loads(folder, content)


def test_a_file_without_its_category_is_valid_where_the_defaults_have_it(folder):
    content = {"defaults": {"category": "c"}, "cases": [{"id": "a", "input": "x"}]}
    assert GOLDEN.is_valid(content)
    assert loads(folder, content)


CONFIGS = [
    ({}, True),
    ({"suite": "a--b"}, False), ({"suite": "-a"}, False), ({"suite": "Orders"}, False), ({"suite": ""}, False),
    ({"goldens": []}, False), ({"goldens": "x"}, False),
    ({"agent": {}}, False), ({"agent": {"command": ["x"], "replay": "y"}}, False),
    ({"agent": {"replay": ["x", "y"]}}, True),
    ({"agent": {"replay": "x", "setup": ["y"]}}, False), ({"agent": {"command": []}}, False),
    ({"agent": {"http": {"url": "http://localhost"}}}, True), ({"agent": {"http": {}}}, False),
    ({"gate": {"confirm_flips": 3}}, False), ({"gate": {"confirm_flips": 4}}, True),
    ({"gate": {"max_drop": 101}}, False),
    ({"judge": {"provider": "labels", "labels": "l.jsonl"}}, True), ({"judge": {"provider": "labels"}}, False),
    ({"judge": {"provider": "anthropic"}}, False), ({"judge": {"provider": "anthropic", "model": "m"}}, True),
    ({"retriever": {}}, False), ({"retriever": {"command": ["x"]}}, True), ({"trials": 0}, False),
    ({"trials": 1.5}, False),
    ({"other": 1}, False), ({"$schema": "x"}, True), ({"max_latency_ms": "5"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("change", "valid"), CONFIGS)
def test_schema_and_loader_agree_on_a_configuration(change, valid, tmp_path):
    content = {"suite": "orders", "goldens": ["g.yaml"], "agent": {"command": ["x"]}} | change
    (tmp_path / "quilate.json").write_text(json.dumps(content))
    try:
        load_config(tmp_path / "quilate.json")
        loaded = True
    except InputError:
        loaded = False
    assert (CONFIG.is_valid(content), loaded) == (valid, valid)


@pytest.mark.parametrize("name", ["config", "golden", "run"])
def test_a_schema_is_a_schema(name):
    schema = schema_of(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["title"]


@pytest.mark.parametrize("name", ["config", "golden"])
def test_every_key_that_people_write_is_described(name):
    schema = schema_of(name)
    objects = [schema, *schema["$defs"].values()]
    bare = [
        (each.get("title"), key)
        for each in objects
        for key, field in each.get("properties", {}).items()
        if "description" not in field
    ]
    assert bare == []


def test_a_run_schema_knows_every_kind_of_line():
    definitions = run_schema()["$defs"].values()
    kinds = {each.get("properties", {}).get("kind", {}).get("const") for each in definitions}
    assert kinds >= {"header", "reply", "grade", "footer"}
