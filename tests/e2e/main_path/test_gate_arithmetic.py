"""A drop of exactly the limit passes; one case more fails. Through the command line, files in and exit code out."""

from __future__ import annotations

import pytest
from tests.suite_factories import some_cases, some_replies

TABLE = [
    (20, 0, 1, 0, "✅ orders: 19 of 20 approved, down 5.0 points, within the limit of 5"),
    (20, 0, 2, 1, "❌ orders: pass rate fell 10.0 points, the limit is 5"),
    (50, 1, 4, 1, "❌ orders: pass rate fell 6.0 points, the limit is 5"),
    (1000, 0, 50, 0, "✅ orders: 950 of 1,000 approved, down 5.0 points, within the limit of 5"),
    (1000, 0, 51, 1, "❌ orders: pass rate fell 5.1 points, the limit is 5"),
]


@pytest.mark.parametrize(
    ("count", "wrong_before", "wrong_now", "code", "headline"),
    TABLE,
    ids=["20 to 19", "20 to 18", "49 to 46 of 50", "1000 to 950", "1000 to 949"],
)
def test_the_limit(suite, count, wrong_before, wrong_now, code, headline):
    cases = some_cases(count)
    suite.config()
    suite.goldens(cases)
    suite.replies(some_replies(cases, wrong_before))
    suite.base()
    suite.replies(some_replies(cases, wrong_now))
    ran = suite.head()
    assert (ran.code, ran.headline) == (code, headline), ran.err


def test_the_points_are_in_the_table_and_the_record_is_found_in_a_directory(suite):
    cases = some_cases(50)
    suite.config()
    suite.goldens(cases)
    suite.replies(some_replies(cases, 1))
    suite.base()
    assert suite.quilate("baseline", "save", ".quilate/base/run.jsonl").code == 0
    suite.replies(some_replies(cases, 4))
    told = suite.run("--baseline", ".quilate/baselines").comment.replace("\N{NO-BREAK SPACE}", " ")
    assert "| **All** | **49/50** | **46/50** | **▼ 6.0** |" in told


def test_no_case_at_all_is_an_error_of_the_configuration(suite):
    suite.config()
    golden = suite.goldens([])
    suite.replies([])
    ran = suite.run()
    assert ran.code == 2
    assert golden.name in ran.err
    assert "Traceback" not in ran.err
