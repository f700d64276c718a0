"""Golden files into a dataset: the formats people bring, defaults, several files, and every problem in one go."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.errors import InputError
from quilate.goldens.case import Dataset, ExpectedTools, Expects, GoldenCase, Location, Signal
from quilate.goldens.load import load_dataset, with_suite_defaults
from quilate.goldens.written import as_case


def a_case(**fields):
    return {"id": "a", "category": "c", "input": "x"} | fields


def problems_in(load, *names):
    with pytest.raises(InputError) as caught:
        load(*names)
    return caught.value.problems


def test_the_tutorial_example_loads_as_it_is(data):
    dataset = load_dataset(["orders-example.json"], data)
    assert dataset.version == "2026-06-22"
    assert [case.id for case in dataset.cases] == [
        "consulta-pedido-positivo-001", "fuera-alcance-derivacion-001", "chileno-correcto-001",
    ]  # fmt: skip
    assert dataset.cases[0].expected_tool_args == {"numero": "47821"}
    assert dataset.cases[2].forbidden_phrases == ("pololo", "cachái", "po")
    assert [dataset.locations[case.id].line for case in dataset.cases] == [4, 17, 28]


def test_the_guides_locale_list_loads_as_it_stands_in_its_source(data):
    dataset = load_dataset(["locale-cases.yaml"], data)
    first = dataset.cases[0]
    assert (len(dataset.cases), dataset.version) == (9, "unversioned")
    assert (first.category, first.signal) == ("locale-context/currency", Signal.CURRENCY)
    assert first.input == "Quanto custa em média um almoço em um restaurante popular em São Paulo?"
    assert all(case.signal is not None and case.expects is None for case in dataset.cases)


def test_the_guides_ambiguity_list_says_what_each_prompt_calls_for(data):
    dataset = load_dataset(["ambiguity-cases.yaml"], data)
    by_category = {case.category: case.expects for case in dataset.cases}
    assert by_category == {
        "ambiguity/ambiguous": Expects.CLARIFICATION,
        "ambiguity/clear": Expects.DIRECT_ANSWER,
    }


@pytest.mark.parametrize("name", ["f.json", "f.yaml", "f.yml", "f.jsonl", "f.ndjson"])
def test_a_bare_list_of_cases_loads_in_every_format(name, write, load):
    cases = [a_case(), a_case(id="b")]
    write(name, cases)
    assert [case.id for case in load(name).dataset.cases] == ["a", "b"]


def test_a_default_holds_where_a_case_says_nothing_and_is_replaced_whole(write, load):
    text = """
    version: "1"
    defaults: {category: c, locale: pt-BR, tags: [x, y], max_metrics: {a: 1, b: 2}, grounded: true, critical: true}
    cases:
    - {id: a, input: x}
    - {id: b, input: y, category: d, tags: [z], max_metrics: {c: 3}, grounded: false, critical: null}
    """
    write("f.yaml", text)
    first, second = load("f.yaml").dataset.cases
    assert (first.category, first.tags, first.max_metrics, first.grounded) == ("c", ("x", "y"), {"a": 1, "b": 2}, True)
    assert (second.category, second.tags, second.max_metrics, second.grounded) == ("d", ("z",), {"c": 3}, False)
    assert (second.locale, second.critical) == ("pt-BR", False)


def test_null_says_that_a_key_is_absent(write, load):
    write("f.json", [a_case(expected_tool=None, expected_behavior=None, expected_tool_args=None, tags=None)])
    (case,) = load("f.json").dataset.cases
    assert case.expectations == {}


def test_an_empty_list_of_behaviour_equals_none_at_all(write, load):
    write("f.json", [a_case(expected_behavior=[]), a_case(id="b")])
    first, second = load("f.json").dataset.cases
    assert first.ruler_fingerprint == second.ruler_fingerprint


@pytest.mark.parametrize(
    ("case", "defaults", "expected"),
    [
        ({"type": "clear"}, {"capability": "ambiguity"}, {"category": "ambiguity/clear", "expects": "direct_answer"}),
        ({"type": "clear", "category": "mine"}, {}, {"category": "mine", "expects": "direct_answer"}),
        ({"type": "clear", "expects": "clarification"}, {}, {"category": "clear", "expects": "clarification"}),
        (
            {"type": "clear"},
            {"category": "d", "expects": "clarification"},
            {"category": "clear", "expects": "direct_answer"},
        ),
        ({}, {"category": "d", "type": "clear"}, {"category": "d", "expects": "direct_answer"}),
        ({"capability": "k"}, {"category": "d"}, {"category": "k"}),
        ({"capability": "k", "type": "other"}, {}, {"category": "k/other"}),
        ({"capability": "k", "type": "date"}, {}, {"category": "k/date", "signal": "date"}),
        ({"prompt": "p"}, {}, {"input": "p"}),
    ],
)
def test_the_guides_keys_mean(case, defaults, expected):
    assert as_case(case, defaults) == expected


def test_expected_tools_is_a_list_of_calls_or_an_object(write, load):
    write("f.json", [a_case(expected_tools=[{"name": "t"}]), a_case(id="b", expected_tools={"calls": [{"name": "t"}]})])
    first, second = load("f.json").dataset.cases
    assert isinstance(first.expected_tools, ExpectedTools)
    assert first.ruler_fingerprint == second.ruler_fingerprint


def test_a_conversation_is_an_input(write, load):
    write("f.json", [a_case(input=[{"role": "system", "content": ""}, {"role": "user", "content": "q"}])])
    assert load("f.json").dataset.cases[0].question == "q"


def test_dates_are_dates(write, load):
    write("f.yaml", "- {id: a, category: c, input: x, added: 2026-06-22, review_by: '2026-09-22'}")
    assert load("f.yaml").dataset.cases[0].added == dt.date(2026, 6, 22)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_id_category_version_and_input_are_any_text(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("any")
    (folder / "f.json").write_text(
        json.dumps({"version": text, "cases": [{"id": text, "category": text, "input": text}]})
    )
    dataset = load_dataset(["f.json"], folder)
    assert (dataset.version, dataset.cases[0].id, dataset.cases[0].input) == (text, text, text)


def test_versions_of_several_files_are_joined(write, load):
    for name, version in [("a", "2"), ("b", "1"), ("c", "2"), ("d", None)]:
        write(f"{name}.json", {"version": version, "cases": [a_case(id=name)]})
    assert load("*.json").dataset.version == "1+2+unversioned"


def test_globs_folders_and_paths_name_each_file_once_in_order(write, load):
    for name in ["g/b.yaml", "g/deep/a.json", "g/notes.txt", "h[1].json"]:
        write(name, [a_case(id=name)])
    goldens = load("h[1].json", "g/**/*.json", "g", "g/b.yaml")
    assert [case.id for case in goldens.dataset.cases] == ["h[1].json", "g/deep/a.json", "g/b.yaml"]


def test_every_pattern_that_names_no_file_is_told(write, load):
    write("a.json", [a_case()])
    assert [problem.file for problem in problems_in(load, "a.json", "b.json", "c/*.yaml", "\0")] == [
        "b.json",
        "c/*.yaml",
        "U+0000",
    ]


def test_a_folder_without_a_golden_file_is_told_as_one(tmp_path, load):
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "notes.txt").write_text("x")
    (problem,) = problems_in(load, "g")
    assert (problem.file, problem.found) == ("g", "found a folder without a golden file")
    assert ".yaml, .yml, .json" in problem.mend


def test_a_file_is_named_as_it_was_given(write, tmp_path, monkeypatch):
    write("sub/a.json", [a_case(id="")])
    monkeypatch.chdir(tmp_path)
    for patterns, base in [(["a.json"], "sub"), (["sub/a.json"], "."), ([str(tmp_path / "sub" / "a.json")], ".")]:
        with pytest.raises(InputError) as caught:
            load_dataset(patterns, Path(base))
        assert caught.value.problems[0].file == "sub/a.json"


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ("cases: []", 1, "found no case"),
        ("[]", 1, "found no case"),
        ("version: '1'", 1, "found nothing; add cases"),
        ("version: '1'\ncases:", 2, "found nothing (null); write a list"),
        ("version: '1'\ncases: {}", 2, "an empty object; write a list"),
        ("5", 1, "found number 5; write an object with cases"),
        ("# nothing\n", 1, "found nothing (null)"),
        ("cases: []\ncasess: []", 2, "did you mean cases?"),
        ("locale: pt-BR\ncases: []", 1, "as defaults: {locale: …}"),
        ("version: 2\ncases: []", 1, "found number 2; write text"),
        ("defaults: []\ncases: []", 1, "defaults: found an empty list; write an object"),
        ("defaults: {id: x}\ncases: []", 1, "defaults.id: found an unknown key"),
    ],
)
def test_a_file_that_is_no_dataset_says_what_to_write(content, line, says, write, load):
    write("f.yaml", content)
    problems = problems_in(load, "f.yaml")
    assert [problem.line for problem in problems if says in str(problem)] == [line]


@pytest.mark.parametrize(
    ("fields", "key", "says"),
    [
        ({"expected_tool": 5}, "expected_tool", 'found number 5; write text, in quotes if that is meant: "5"'),
        ({"expected_tool": True}, "expected_tool", 'found true; write text, in quotes if that is meant: "true"'),
        ({"expectd_tool": "t"}, "expectd_tool", "did you mean expected_tool?"),
        ({"promt": None}, "promt", "did you mean prompt?"),
        ({"promt": "t"}, "promt", "did you mean prompt?"),
        ({"input": 5}, "input", "found number 5; write text, or a list of messages"),
        ({"input": []}, "input", "found an empty list; write at least one item"),
        ({"input": ""}, "input", "found empty text"),
        ({"input": [{"role": "boss", "content": "x"}]},
         "input[0].role", 'found text "boss"; write one of system, user, assistant, tool'),
        ({"input": [{"role": "user"}]}, "input[0].content", "found nothing; add content"),
        ({"input": [{"role": "user", "content": "x", "nam": "y"}]}, "input[0].nam", "did you mean name?"),
        ({"expected_output": 5}, "expected_output", "found number 5; write text, or {exact: TEXT}"),
        ({"expected_output": {"exact": 5}}, "expected_output.exact", "found number 5; write text"),
        ({"expected_output": {"exat": "x"}}, "expected_output.exat", "did you mean exact?"),
        ({"expected_tools": "t"}, "expected_tools", 'found text "t"; write a list of calls, or an object with calls'),
        ({"expected_tools": [{"nam": "t"}]}, "expected_tools[0].nam", "did you mean name?"),
        ({"expected_tools": [{}]}, "expected_tools[0]", "found neither name nor any_of; give exactly one of them"),
        ({"expected_tools": {"calls": [{"name": "t", "args": []}]}},
         "expected_tools.calls[0].args", "found an empty list; write an object"),
        ({"expected_tools": {"order": "anny", "calls": []}}, "expected_tools.order", "did you mean any?"),
        ({"expected_tools": [{"name": "t", "times": {"min": 2, "max": 1}}]},
         "expected_tools[0].times.max", "found max 1 below min 2"),
        ({"expected_tools": [{"name": "t", "args": {"a": [{"regex": "("}]}}]},
         "expected_tools[0].args.a[0].regex", "not a regular expression"),
        ({"expected_tools": {"calls": [{"name": "t", "args": {"a": {"any_of": 5}}}]}},
         "expected_tools.calls[0].args.a.any_of", "write a list"),
        ({"expected_tool_args": {}}, "expected_tool_args", "found arguments of no tool; add expected_tool"),
        ({"expected_behavior": "x"}, "expected_behavior", 'found text "x"; write a list'),
        ({"expected_behavior": ["x", ""]}, "expected_behavior[1]", "at least one character"),
        ({"forbidden_phrases": ["/[/"]}, "forbidden_phrases[0]", "unterminated character set"),
        ({"required_phrases": ["ok", "/(/"]}, "required_phrases[1]", "missing ) at position 1"),
        ({"max_latency_ms": 0}, "max_latency_ms", "found number 0; write a number above 0"),
        ({"max_latency_ms": 10**400}, "max_latency_ms", "write a number that is not too large"),
        ({"max_latency_ms": "5"}, "max_latency_ms", 'found text "5"; write a number'),
        ({"max_metrics": {"m": True}}, "max_metrics.m", "found true; write a number"),
        ({"dimension": "registre"}, "dimension", "did you mean register?"),
        ({"grounded": "True"}, "grounded", 'found text "True"; write true or false'),
        ({"added": "2026-02-30"}, "added", "write a date such as 2026-06-22"),
        ({"added": "047"}, "added", "write a date such as 2026-06-22"),
        ({"added": 20260622}, "added", "write a date such as 2026-06-22"),
        ({"quarantine": {"owner": "o", "reason": "r"}}, "quarantine.until", "found nothing; add until"),
        ({"time_sensitive": {"as_of": "June"}}, "time_sensitive.as_of", "write a date"),
        ({"capability": 4}, "capability", "found number 4; write text"),
        ({"prompt": "y"}, "prompt", "found a prompt beside input"),
        ({"tags": ["\u202e" * 500, 5]}, "tags[1]", "found number 5"),
        ({"id": "\x1b[31m", "dimension": "\u202e" + "x" * 500}, "dimension", "U+202Exxx"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_once_with_its_key_what_was_found_and_what_to_write(fields, key, says, write, load):
    write("f.json", [a_case(**fields)])
    (problem,) = problems_in(load, "f.json")
    assert problem.key == f"[0].{key}"
    assert says in f"{problem.found}; {problem.mend}"
    assert str(problem).isprintable()
    assert len(str(problem)) < 1200


def test_rules_and_patterns_are_told_beside_wrong_values_of_the_same_case(write, load):
    calls = [
        {"name": "t", "any_of": ["u"], "nmae": 1},
        {"name": "t", "times": {"min": 3, "max": 1, "often": True}},
        {"args": {"a": {"regex": "["}}, "extra_args": "maybe"},
        {"name": "t", "args": {"a": {"regex": "("}}, "extra_args": 5},
    ]
    case = a_case(expected_tools=calls, required_phrases=[3, "/[/"], expected_tool_args={"a": 1}, critical="very")
    write("f.json", {"cases": [case]})
    assert {problem.key.removeprefix("cases[0].") for problem in problems_in(load, "f.json")} == {
        "expected_tools[0]", "expected_tools[0].nmae", "expected_tools[1].times.max", "expected_tools[1].times.often",
        "expected_tools[2]", "expected_tools[2].args.a.regex", "expected_tools[2].extra_args",
        "expected_tools[3].args.a.regex", "expected_tools[3].extra_args", "required_phrases[0]", "required_phrases[1]",
        "expected_tool_args", "critical",
    }  # fmt: skip


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "/[/", "exact", "2026-02-30"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "any_of", "args", "times", "min", "max", "regex", "calls"]), inner)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(sorted(GoldenCase.model_fields)), _ANYTHING))
def test_whatever_a_case_holds_it_loads_or_each_problem_has_its_line(tmp_path_factory, fields):
    folder = tmp_path_factory.mktemp("any")
    (folder / "f.json").write_text(json.dumps({"cases": [a_case(**fields)]}))
    assert all(problem.line == 1 and problem.found and problem.mend for problem in problems_or_none(folder))


def problems_or_none(folder):
    try:
        load_dataset(["f.json"], folder)
    except InputError as error:
        return error.problems
    return ()


def test_a_wrong_prompt_is_named_by_the_key_that_was_written(write, load):
    write("f.yaml", "- id: a\n  capability: k\n  prompt: 5\n")
    (problem,) = problems_in(load, "f.yaml")
    assert (problem.line, problem.key) == (3, "[0].prompt")


def test_a_missing_key_is_told_at_its_case(write, load):
    write("f.yaml", "cases:\n- id: a\n- category: c\n")
    assert [(problem.line, problem.key, problem.case_id) for problem in problems_in(load, "f.yaml")] == [
        (2, "cases[0].category", "a"), (2, "cases[0].input", "a"), (3, "cases[1].id", None),
        (3, "cases[1].input", None),
    ]  # fmt: skip


def test_the_problems_of_all_files_are_told_in_order(write, load):
    write("a.yaml", "cases:\n- {id: a, category: c, input: 5}\n- 7\n- {id: b, category: 1, input: x}\n")
    write("b.yaml", "a: [")
    write("c.json", [a_case(id="")])
    found = [(problem.file.rsplit("/", 1)[-1], problem.line) for problem in problems_in(load, "*.yaml", "c.json")]
    assert found == [("a.yaml", 2), ("a.yaml", 3), ("a.yaml", 4), ("b.yaml", 2), ("c.json", 1)]


def test_a_wrong_default_is_told_once_where_it_stands(write, load):
    write(
        "f.yaml",
        "defaults:\n  tags: no\n  forbidden_phrases: ['/(/']\n"
        "cases:\n- {id: a, category: c, input: x}\n- {id: b, category: c, input: y}\n",
    )
    assert [(problem.line, problem.key) for problem in problems_in(load, "f.yaml")] == [
        (2, "defaults.tags"), (3, "defaults.forbidden_phrases[0]"),
    ]  # fmt: skip


def test_a_duplicate_id_names_both_places(write, load):
    write("a.yaml", "cases:\n- {id: x, category: c, input: q}\n")
    write("b.yaml", "cases:\n- {id: x, category: c, input: r}\n")
    (problem,) = problems_in(load, "a.yaml", "b.yaml")
    assert (problem.file.endswith("b.yaml"), problem.line, problem.key) == (True, 2, "cases[0].id")
    assert "a.yaml:2" in problem.found


def test_a_duplicate_of_a_case_that_is_wrong_itself_is_told_too(write, load):
    write("f.json", [a_case(tags=5), a_case()])
    assert [problem.key for problem in problems_in(load, "f.json")] == ["[0].tags", "[1].id"]


def test_a_suites_limit_and_groundedness_become_part_of_the_definition(write, load):
    write("f.json", [a_case(), a_case(id="b", max_latency_ms=10, grounded=False)])
    before = load("f.json").dataset
    dataset = with_suite_defaults(before, max_latency_ms=5000, grounded=True)
    first, second = dataset.cases
    assert (first.max_latency_ms, first.grounded) == (5000, True)
    assert (second.max_latency_ms, second.grounded) == (10, False)
    assert first.ruler_fingerprint != before.cases[0].ruler_fingerprint
    assert second.ruler_fingerprint == before.cases[1].ruler_fingerprint
    assert dataset.locations == before.locations


def test_what_a_case_remembers_of_itself_does_not_keep_a_suite_from_completing_it():
    case = GoldenCase(id="a", category="c", input="hi", forbidden_phrases=("no",))
    assert case.expectations == {"forbidden_phrases": ["no"]}
    assert case.input_fingerprint
    dataset = Dataset(version="1", cases=(case,), locations={"a": Location(file="g.yaml", line=1)})
    (completed,) = with_suite_defaults(dataset, max_latency_ms=100).cases
    assert completed.max_latency_ms == 100
    assert completed.expectations["max_latency_ms"] == 100
