"""A case is added to a golden file and nothing else of the file changes."""

from __future__ import annotations

import difflib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.documents import parse_document
from quilate.errors import UsageError
from quilate.goldens.append import append_cases, new_file, with_cases
from quilate.goldens.load import load_dataset

CASE = {
    "id": "incident-17",
    "category": "consulta-pedido",
    "input": "¿Dónde está mi pedido: 47821? # de verdad",
    "expected_tool": "consultarPedido",
    "expected_tool_args": {"numero": "47821"},
    "expected_behavior": ["consulta el pedido", "no promete: nada"],
    "forbidden_phrases": ["no", "sin falta"],
    "critical": True,
}
COMMENTED = """# The shop's golden cases
version: '2026-06-22'   # the day of the review

cases:
    # --- orders ---
    -   id: one
        category:   orders          # by hand
        input: "Where is my order?"
        forbidden_phrases: [sorry,   'afraid so']

    -   id: two
        category: orders
        input: >
          A long question
          over two lines
        expected_behavior:
            - answers      # at all
        # the last word of case two

# the end of the file
"""
STYLES = {
    "comments and hand formatting": COMMENTED,
    "dashes at the margin": "version: x\ncases:\n- id: a\n  category: b\n  input: c\n",
    "a flow item a line": "cases:\n  - {id: a, category: b, input: c}\n  - {id: d, category: b, input: e}\n",
    "a bare list": "- id: a\n  category: b\n  input: |\n    c\n    d\n\n- id: e\n  category: b\n  input: f\n",
    "cases before version": "cases:\n  - id: a\n    category: b\n    input: c\n# what it is\nversion: y\n",
    "line ends of Windows": "version: x\r\ncases:\r\n  - id: a\r\n    category: b\r\n    input: c\r\n",
    "a last line without its end": "cases:\n  - id: a\n    category: b\n    input: c",
    "a block text at the end": "cases:\n  - id: a\n    category: b\n    input: |\n      c\n\n      d\n\n\n",
}


@pytest.mark.parametrize("style", STYLES)
def test_the_difference_is_only_added_lines(style):
    before = STYLES[style]
    after = with_cases(before, [CASE], kind="yaml", file="g.yaml")
    changed = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-?"]
    assert changed
    assert all(line.startswith("+ ") for line in changed)
    cases = parse_document(after, file="g.yaml", kind="yaml").value
    assert (cases if isinstance(cases, list) else cases["cases"])[-1] == CASE


def test_it_is_written_as_the_file_is():
    after = with_cases(COMMENTED, [CASE], kind="yaml", file="g.yaml")
    assert "\n\n    -   id: incident-17\n        category: consulta-pedido\n" in after
    assert after.endswith("# the end of the file\n")


def test_json_keeps_its_text_and_gains_an_item():
    before = '{\n  "version": "1",\n  "cases": [\n    {"id": "a", "category": "b", "input": "c"}\n  ]\n}\n'
    after = with_cases(before, [CASE], kind="json", file="g.json")
    assert json.loads(after)["cases"][-1] == CASE
    assert after.startswith(before[: before.index("\n  ]")])


@pytest.mark.parametrize(
    "before", ['{"cases": []}', '{"version": "1", "cases": [\n  ]}\n', '[{"id": "a", "category": "b", "input": "c"}]']
)
def test_json_in_other_forms(before):
    after = json.loads(with_cases(before, [CASE, CASE | {"id": "x"}], kind="json", file="g.json"))
    cases = after if isinstance(after, list) else after["cases"]
    assert cases[-2:] == [CASE, CASE | {"id": "x"}]


def test_json_lines_gain_a_line():
    before = '{"id": "a", "category": "b", "input": "c"}'
    after = with_cases(before, [CASE], kind="jsonl", file="g.jsonl")
    assert after.startswith(before + "\n")
    assert json.loads(after.splitlines()[-1]) == CASE


def test_flow_lists_and_empty_lists():
    for before in ("version: x\ncases: []\n", "cases: [{id: a, category: b, input: c}]\n"):
        after = with_cases(before, [CASE], kind="yaml", file="g.yaml")
        assert parse_document(after, file="g.yaml", kind="yaml").value["cases"][-1] == CASE


def test_a_file_without_cases_is_refused_and_stays(tmp_path):
    path = tmp_path / "g.yaml"
    path.write_text("version: x\n")
    with pytest.raises(UsageError, match="cases"):
        append_cases(path, [CASE], version="1")
    assert path.read_text() == "version: x\n"


def test_a_new_file_is_a_valid_dataset(tmp_path):
    path = tmp_path / "incidents" / "g.yaml"
    append_cases(path, [CASE], version="2026-05-12")
    append_cases(path, [CASE | {"id": "other"}], version="2026-05-12")
    dataset = load_dataset([str(path)], tmp_path)
    assert [case.id for case in dataset.cases] == ["incident-17", "other"]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)


@given(st.dictionaries(st.sampled_from(["id", "category", "input"]), TEXTS, min_size=3), st.lists(TEXTS, max_size=3))
def test_any_text_is_read_back_as_it_was(case, phrases):
    written = new_file([case | {"forbidden_phrases": phrases, "expected_tool_args": {"a": phrases}}], version="no")
    found = parse_document(written, file="g.yaml", kind="yaml").value
    assert found["version"] == "no"
    assert found["cases"] == [case | {"forbidden_phrases": phrases, "expected_tool_args": {"a": phrases}}]


def test_who_adds_while_another_writes_waits_and_both_cases_are_there(tmp_path):
    path = tmp_path / "orders.yaml"
    path.write_text("cases: []\n", "utf-8")
    lock = tmp_path / "orders.yaml.new"
    lock.touch()

    with ThreadPoolExecutor() as pool:
        adding = pool.submit(append_cases, path, [CASE], version="1")
        path.write_text(new_file([CASE | {"id": "another", "input": "hola"}], version="1"), "utf-8")
        lock.unlink()
        adding.result()

    assert [case.id for case in load_dataset([str(path)], tmp_path).cases] == ["another", CASE["id"]]


def test_many_that_add_at_once_lose_nothing(tmp_path):
    path = tmp_path / "orders.yaml"
    cases = [CASE | {"id": f"case-{number}"} for number in range(12)]

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda case: append_cases(path, [case], version="1"), cases))

    assert {case["id"] for case in parse_document(path.read_text("utf-8"), file="f", kind="yaml").value["cases"]} == {
        case["id"] for case in cases
    }
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_added_to_is_left_alone_and_nothing_stays_beside_it(tmp_path):
    path = tmp_path / "orders.yaml"
    path.write_text("cases:\n", "utf-8")
    with pytest.raises(UsageError, match="found no list of cases"):
        append_cases(path, [CASE], version="1")
    assert [each.name for each in tmp_path.iterdir()] == ["orders.yaml"]
    assert path.read_text("utf-8") == "cases:\n"


def test_a_link_to_a_golden_file_stays_a_link(tmp_path):
    path, link = tmp_path / "orders.yaml", tmp_path / "link.yaml"
    path.write_text("cases: []\n", "utf-8")
    link.symlink_to(path)
    append_cases(link, [CASE], version="1")
    assert link.is_symlink()
    assert CASE["id"] in path.read_text("utf-8")
