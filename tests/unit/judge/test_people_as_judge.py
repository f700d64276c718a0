"""Labels: verdicts that people wrote, for this very reply."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.judge_factories import a_judged_case, a_reply, graded, suite_config

from quilate.errors import InputError
from quilate.grades import Grade, GradedBy
from quilate.judge.build import identify
from quilate.judge.identity import reply_sha256
from quilate.judge.labels import LabelsGrader, read_labels

CASE = a_judged_case("es formal", "deriva")


def a_label(**fields: Any) -> dict[str, Any]:
    return {
        "kind": "label", "case_id": "c-1", "reply_sha256": reply_sha256(a_reply()), "criterion": "es formal",
        "grade": "pass", "rater": "r-1", "at": "2026-01-02T03:04:05Z", **fields,
    }  # fmt: skip


def written(folder: Path, *labels: dict[str, Any]) -> Path:
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(label) + "\n" for label in labels))
    return path


def by_people(folder: Path, *labels: dict[str, Any], **reply: Any) -> dict[str, Any]:
    return graded(LabelsGrader(read_labels(written(folder, *labels))), CASE, a_reply(**reply))


def test_a_label_grades_its_criterion_and_names_the_person(tmp_path: Path) -> None:
    found = by_people(tmp_path, a_label(grade="fail"))
    assert (found["expected_behavior[0]"].grade, found["expected_behavior[0]"].graded_by) == (
        Grade.FAIL,
        GradedBy.PERSON,
    )
    assert found["expected_behavior[0]"].reason == "r-1 says fail"


def test_what_nobody_labelled_is_not_judged(tmp_path: Path) -> None:
    found = by_people(tmp_path, a_label())["expected_behavior[1]"]
    assert (found.grade, found.reason) == (Grade.NOT_JUDGED, "no label for this reply")


def test_a_label_for_another_reply_grades_nothing(tmp_path: Path) -> None:
    found = by_people(tmp_path, a_label(), output="Otra cosa.")
    assert {g.grade for g in found.values()} == {Grade.NOT_JUDGED}


def test_time_and_cost_do_not_make_another_reply(tmp_path: Path) -> None:
    assert by_people(tmp_path, a_label(), duration_ms=9.0)["expected_behavior[0]"].grade is Grade.PASS


def test_a_label_may_name_the_criterion_by_its_id(tmp_path: Path) -> None:
    found = by_people(tmp_path, a_label(criterion="expected_behavior[1]", grade="partial"))
    assert found["expected_behavior[1]"].grade is Grade.PARTIAL


def test_the_majority_of_raters_decides_and_each_ones_last_word_counts(tmp_path: Path) -> None:
    said = (("r-1", "pass"), ("r-1", "fail"), ("r-2", "fail"), ("r-3", "pass"))
    labels = [a_label(rater=rater, grade=grade) for rater, grade in said]
    found = by_people(tmp_path, *labels)["expected_behavior[0]"]
    assert (found.grade, found.detail["votes"]) == (Grade.FAIL, {"fail": 2, "pass": 1})
    assert found.reason == "r-1, r-2 say fail (2 of 3 raters)"


def test_raters_who_disagree_evenly_decide_nothing(tmp_path: Path) -> None:
    found = by_people(tmp_path, a_label(), a_label(rater="r-2", grade="fail"))["expected_behavior[0]"]
    assert (found.grade, found.reason) == (Grade.NOT_JUDGED, "the raters disagree: 1 pass, 1 fail")


@pytest.mark.parametrize("broken", [{"grade": "good"}, {"reply_sha256": "abc"}, {"rater": None}])
def test_a_label_that_is_none_is_refused_with_its_line(tmp_path: Path, broken: dict[str, Any]) -> None:
    path = written(tmp_path, a_label(), a_label(**broken))
    with pytest.raises(InputError) as refused:
        read_labels(path)
    assert [problem.line for problem in refused.value.problems] == [2]


def test_other_kinds_of_lines_are_passed_over(tmp_path: Path) -> None:
    assert len(read_labels(written(tmp_path, {"kind": "pair", "x": 1}, a_label()))) == 1


def test_another_mind_is_another_ruler(tmp_path: Path) -> None:
    config = suite_config({"provider": "labels", "labels": "labels.jsonl"})
    written(tmp_path, a_label())
    before = identify(config, base_dir=tmp_path)
    written(tmp_path, a_label(grade="fail"))
    assert identify(config, base_dir=tmp_path) != before
