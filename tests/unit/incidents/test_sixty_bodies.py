"""Sixty incident bodies that were written before the reader: each becomes the right case, or is asked back rightly."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from quilate.goldens.incidents.reading import read_body

DATA = Path(__file__).parent / "data"
BODIES = [
    pytest.param(row, id=f"{language}: {row['name']}")
    for language in ("es", "pt", "en")
    for row in yaml.safe_load((DATA / f"bodies.{language}.yaml").read_text("utf-8"))
]


def test_there_are_sixty():
    assert len(BODIES) == 60


@pytest.mark.parametrize("row", BODIES)
def test_a_body_becomes_its_case_or_is_asked_back(row):
    reading = read_body(row["body"])
    asked = {question.key.value for question in reading.questions}
    if "ask" in row:
        assert asked == set(row["ask"])
    else:
        assert asked == set()
        assert reading.case == row["case"]


@pytest.mark.parametrize("row", BODIES)
def test_line_ends_of_windows_change_nothing(row):
    plain, windows = read_body(row["body"]), read_body(row["body"].replace("\n", "\r\n"))
    assert plain == windows
