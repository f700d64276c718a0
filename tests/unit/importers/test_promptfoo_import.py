"""promptfoo configurations: what has an equivalent is taken, everything else is accounted for."""

from __future__ import annotations

import pytest

from quilate.checks.phrases import Phrase, Sought
from quilate.errors import UsageError
from quilate.goldens.append import new_file
from quilate.goldens.importers.promptfoo import read_promptfoo
from quilate.goldens.importers.table import Fate
from quilate.goldens.load import load_dataset


def _imported(tmp_path, *assertions, prompts="{{question}}", variables=None, **config):
    test = {"vars": variables or {"question": "Where is my order?"}, "assert": list(assertions)}
    return read_promptfoo({"prompts": [prompts], "tests": [test], **config}, tmp_path, name="shop")


TAKEN = [
    ({"type": "contains", "value": "a.b"}, {"required_phrases": [r"/(?-i:a\.b)/"]}),
    ({"type": "icontains", "value": "Hola"}, {"required_phrases": ["/Hola/"]}),
    ({"type": "contains-any", "value": ["a", "b"]}, {"required_phrases": ["/(?-i:a|b)/"]}),
    ({"type": "icontains-all", "value": ["a", "b"]}, {"required_phrases": ["/a/", "/b/"]}),
    ({"type": "not-icontains", "value": "sorry"}, {"forbidden_phrases": ["/sorry/"]}),
    ({"type": "regex", "value": r"\d{5}"}, {"required_phrases": [r"/(?-i:\d{5})/"]}),
    ({"type": "not-regex", "value": "x+"}, {"forbidden_phrases": ["/(?-i:x+)/"]}),
    ({"type": "starts-with", "value": "Yes"}, {"required_phrases": [r"/(?-i:\AYes)/"]}),
    ({"type": "equals", "value": "42"}, {"expected_output": {"exact": "42"}}),
    (
        {"type": "llm-rubric", "value": "is polite\n to {{question}}"},
        {"expected_behavior": ["is polite to Where is my order?"]},
    ),
    ({"type": "factuality", "value": "It is here."}, {"expected_output": "It is here."}),
    ({"type": "latency", "threshold": 2000}, {"max_latency_ms": 2000}),
    ({"type": "trajectory:tool-used", "value": "get_order"}, {"expected_tools": [{"name": "get_order"}]}),
]


@pytest.mark.parametrize(
    ("assertion", "fields"), TAKEN, ids=lambda value: value.get("type", "") if isinstance(value, dict) else ""
)
def test_an_assertion_with_an_equivalent_is_taken(tmp_path, assertion, fields):
    found = _imported(tmp_path, assertion)
    (case,) = found.cases
    assert {name: case[name] for name in fields} == fields
    assert [part.fate for part in found.parts if part.what == assertion["type"]] == [Fate.TAKEN]


@pytest.mark.parametrize(
    "assertion",
    [{"type": "javascript", "value": "true"}, {"type": "python", "value": "file://x.py"}, {"type": "made-up"},
     {"type": "contains", "value": {"a": 1}},
     {"type": "is-json"}, {"type": "llm-rubric", "value": "{% if x %}a{% endif %}"}, {"value": "no type"}, "no object"],
)  # fmt: skip
def test_what_has_none_is_listed_with_the_reason(tmp_path, assertion):
    found = _imported(tmp_path, assertion)
    listed = [part for part in found.parts if part.what != "test"]
    assert [part.fate for part in listed] == [Fate.NOT_TAKEN]
    assert listed[0].why


@pytest.mark.parametrize(
    ("assertion", "reply", "holds"),
    [({"type": "contains", "value": "Order"}, "my Order", True),
     ({"type": "contains", "value": "Order"}, "my order", False),
     ({"type": "icontains", "value": "cat"}, "a CATEGORY", True),
     ({"type": "contains-any", "value": ["x", "y"]}, "y", True),
     ({"type": "starts-with", "value": "Yes"}, "Oh Yes", False), ({"type": "regex", "value": "^a$"}, "b", False)],
)  # fmt: skip
def test_phrases_hold_where_promptfoos_assertion_holds(tmp_path, assertion, reply, holds):
    (case,) = _imported(tmp_path, assertion).cases
    hits = list(Phrase(case["required_phrases"][0]).hits(Sought(reply)))
    assert bool(hits) is holds


def test_the_prompt_is_put_together_with_variables_and_a_conversation_stays_one(tmp_path):
    (case,) = _imported(tmp_path, prompts="Translate: {{question}}").cases
    assert case["input"] == "Translate: Where is my order?"
    chat = '[{"role": "system", "content": "Be kind"}, {"role": "user", "content": "{{question}}"}]'
    (case,) = _imported(tmp_path, prompts=chat).cases
    assert case["input"][1] == {"role": "user", "content": "Where is my order?"}
    assert case["id"] == "where-is-my-order"


def test_lists_of_values_become_a_case_each(tmp_path):
    found = _imported(tmp_path, variables={"question": ["a?", "b?"]})
    assert [case["input"] for case in found.cases] == ["a?", "b?"]
    assert len({case["id"] for case in found.cases}) == 2


def test_default_assertions_are_every_tests(tmp_path):
    found = _imported(tmp_path, defaultTest={"assert": [{"type": "not-contains", "value": "AI"}]})
    assert found.cases[0]["forbidden_phrases"] == ["/(?-i:AI)/"]


def test_tests_in_a_csv_are_read_and_files_outside_are_not(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (tmp_path / "secret.csv").write_text("question\nno\n")
    (folder / "tests.csv").write_text('question,__expected\n"Hi, you",icontains:hello\n')
    found = read_promptfoo({"prompts": ["{{question}}"], "tests": "file://tests.csv"}, folder, name="x")
    assert found.cases[0]["required_phrases"] == ["/hello/"]
    for path in ("file://../secret.csv", f"file://{tmp_path}/secret.csv", "file://gen.py"):
        found = read_promptfoo({"prompts": ["{{question}}"], "tests": path}, folder, name="x")
        assert found.cases == []
        assert found.parts[0].fate is Fate.NOT_TAKEN


def test_red_team_and_further_prompts_are_named(tmp_path):
    config = {
        "prompts": ["a {{question}}", "b {{question}}"],
        "redteam": {"plugins": []},
        "tests": [{"vars": {"question": "q"}}],
    }
    config["redteam"] = {"plugins": ["x"]}
    found = read_promptfoo(config, tmp_path, name="x")
    assert {part.what for part in found.parts if part.fate is Fate.NOT_TAKEN} == {"redteam", "1 further prompts"}
    assert found.summary()[-1].startswith("1 cases; ")


def test_what_is_imported_is_a_valid_golden_file(tmp_path):
    found = _imported(tmp_path, *(assertion for assertion, _ in TAKEN))
    (tmp_path / "g.yaml").write_text(new_file(found.cases, version="1"), encoding="utf-8")
    assert len(load_dataset(["g.yaml"], tmp_path).cases) == 1


def test_something_else_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no promptfoo configuration"):
        read_promptfoo(["a"], tmp_path, name="x.yaml")
