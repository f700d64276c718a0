"""What was graded by another ruler, written beside a run and read back with nothing trusted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories import a_criterion, a_header

from quilate.compare.overlay import CaseGrades, Overlay
from quilate.github import regraded
from quilate.grades import Grade, TrialGrade
from quilate.saying import say

BASE, HEAD = a_header(commit="a" * 40), a_header(commit="b" * 40)


def graded(*grades):
    return CaseGrades.of(
        [TrialGrade(trial=n, grade=grade, criteria=(a_criterion(grade),)) for n, grade in enumerate(grades)]
    )


def an_overlay():
    overlay = Overlay()
    overlay.base_by_head["a"] = graded(Grade.PASS, Grade.FAIL, Grade.PASS)
    overlay.head_by_base["a"] = graded(Grade.ERROR)
    overlay.why["b\n\ud800"] = say("the base's record holds {n} replies", n=3)
    overlay.why["c"] = "a judge's own words"
    return overlay


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "regraded.jsonl"
    regraded.write(path, an_overlay(), BASE, HEAD)
    return path


def test_it_is_read_back_as_it_was_sentences_with_their_parts(written):
    found = regraded.read(written, BASE, HEAD)
    assert found == an_overlay()
    assert found.why["b\n\ud800"].data == an_overlay().why["b\n\ud800"].data
    assert type(found.why["c"]) is str


def test_that_of_other_runs_is_none(written):
    assert regraded.read(written, HEAD, BASE) is None
    assert regraded.read(written, a_header(commit="c" * 40), HEAD) is None


def test_one_that_is_not_there_is_none(tmp_path):
    assert regraded.read(tmp_path / "regraded.jsonl", BASE, HEAD) is None


@pytest.mark.parametrize("cut", [1, 2, 4, 5])
def test_one_that_was_cut_off_is_none(written, cut):
    lines = written.read_bytes().splitlines(keepends=True)
    written.write_bytes(b"".join(lines[:-cut]))
    assert regraded.read(written, BASE, HEAD) is None


@pytest.mark.parametrize(
    "line", [{"kind": "base_by_head", "case_id": "a", "trials": []}, {"kind": "regraded_end"}, {"kind": "x"}, [], 3]
)
def test_one_with_a_line_that_says_nothing_is_none(written, line):
    first, *rest = written.read_text().splitlines(keepends=True)
    written.write_text("".join([first, json.dumps(line) + "\n", *rest]))
    assert regraded.read(written, BASE, HEAD) is None


def test_one_that_is_nested_without_end_is_none(written):
    written.write_bytes(b"[" * 100_000)
    assert regraded.read(written, BASE, HEAD) is None


@given(garbage=st.binary(max_size=200))
def test_garbage_is_none(garbage, tmp_path_factory):
    path = tmp_path_factory.mktemp("garbage") / "regraded.jsonl"
    path.write_bytes(garbage)
    assert regraded.read(path, BASE, HEAD) is None
