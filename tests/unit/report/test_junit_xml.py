"""`junit.xml`: the shape that test views read, and XML whatever a reply holds."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.factories import a_case, a_grade_line, a_reply_line, a_run_file

from quilate.goldens.case import Location
from quilate.grades import ErrorKind, Grade
from quilate.report import junit
from quilate.runs.reader import RunReader

ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "file"},
    "properties": set(),
    "property": {"name", "value"},
    "testcase": {"name", "classname", "time"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message", "type"},
}
"""What the schema of Jenkins' xUnit plugin lets an element have, of what is written here."""
CHILDREN = {
    "testsuites": {"testsuite"}, "testsuite": {"properties", "testcase"}, "properties": {"property"},
    "testcase": {"failure", "error", "skipped"},
}  # fmt: skip


def written(path: Path) -> ET.Element:
    out = io.BytesIO()
    with RunReader(path) as run:
        junit.write(run, out)
    return ET.fromstring(out.getvalue())


@pytest.fixture
def mixed(tmp_path: Path) -> ET.Element:
    """A run with a case of every grade, in two categories."""
    grades = [Grade.PASS, Grade.FAIL, Grade.PARTIAL, Grade.ERROR, Grade.NOT_JUDGED]
    lines = [
        a_grade_line(
            a_case(f"case-{grade}", category="one" if number < 3 else "two"),
            grade,
            location=Location(file="goldens/a.yaml", line=number + 1),
            criterion_fields={"reason": f"it is {grade}", "expected": "x", "found": "y"}
            | ({"error": ErrorKind.JUDGE} if grade is Grade.ERROR else {}),
        )
        for number, grade in enumerate(grades)
    ]
    replies = [a_reply_line(line.definition, duration_ms=1500.0) for line in lines]
    return written(a_run_file(tmp_path / "run.jsonl", lines, replies=replies))


def test_elements_and_attributes_are_those_of_the_schema(mixed):
    for element in mixed.iter():
        assert set(element.attrib) <= ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())


def test_a_category_is_a_suite_and_the_counts_add_up(mixed):
    suites = {suite.get("name"): suite for suite in mixed}
    assert set(suites) == {"one", "two"}
    assert [suites["one"].get(key) for key in ("tests", "failures", "errors", "skipped")] == ["3", "2", "0", "0"]
    assert [suites["two"].get(key) for key in ("tests", "failures", "errors", "skipped")] == ["2", "0", "1", "1"]
    assert [mixed.get(key) for key in ("tests", "failures", "errors", "time")] == ["5", "2", "1", "7.500"]
    assert suites["one"].get("file") == "goldens/a.yaml"


@pytest.mark.parametrize(
    ("case_id", "element", "kind"),
    [
        ("case-fail", "failure", "fail"),
        ("case-partial", "failure", "partial"),
        ("case-error", "error", "judge"),
        ("case-not_judged", "skipped", None),
    ],
)
def test_each_grade_has_its_element(mixed, case_id, element, kind):
    case = mixed.find(f".//testcase[@name='{case_id}']")
    assert case is not None
    assert [child.tag for child in case] == [element]
    assert case[0].get("type") == kind


def test_what_passed_has_no_element(mixed):
    case = mixed.find(".//testcase[@name='case-pass']")
    assert case is not None
    assert len(case) == 0
    assert case.get("time") == "1.500"
    assert case.get("classname") == "orders.one"


def test_a_failure_says_where_it_stands_what_was_expected_and_found(mixed):
    failure = mixed.find(".//testcase[@name='case-fail']/failure")
    assert failure is not None
    assert failure.get("message") == "it is fail"
    lines = (failure.text or "").split("\n")
    assert lines[0] == "goldens/a.yaml:2"
    assert "  expected: x" in lines
    assert "  found: y" in lines


@pytest.mark.parametrize(
    "text", ["\x00\x08\x1b", "\ufffe\uffff", "]]><script>", "a\u202eb", "&amp;\"'<>", "x" * 100_000]
)
def test_any_text_gives_well_formed_xml(tmp_path, text):
    line = a_grade_line(
        a_case(text, category=text), Grade.FAIL, criterion_fields={"reason": text, "found": text, "expected": text}
    )
    found = written(a_run_file(tmp_path / "run.jsonl", [line], replies=[a_reply_line(line.definition, output=text)]))
    assert found.find(".//failure") is not None
    assert len(ET.tostring(found)) < 120_000
