"""Small decisions of the GitHub side: ancestors, histories, outputs, exit codes, markers."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.github import annotating, comment, history
from quilate.github.api import Commit, next_page
from quilate.github.commands import Annotation
from quilate.github.comment import identity_of, supersedes
from quilate.github.data_branch import depth_of
from quilate.github.history import History, Point
from quilate.github.lookup import first_parents
from quilate.github.turn import number, worst
from quilate.report.escape import marker
from quilate.report.input import RunIdentity


def point(commit, run_id=1, *, recorded=True):
    return Point(
        commit=commit, at="", event="push", run_id=run_id, dataset_version="1", cases=1, approved=1, graded=1, errors=0,
        not_judged=0, tool_version="0", dataset="d", ruler="r", agent_fingerprint="a", recorded=recorded,
    )  # fmt: skip


def of(*commits, branch="main"):
    return History(suite="s", branch=branch, points=tuple(point(one, number) for number, one in enumerate(commits)))


def test_first_parents_leave_merged_branches_aside():
    listed = [Commit("m", ("b", "side")), Commit("side", ("a",)), Commit("b", ("a",)), Commit("a", ())]
    assert list(first_parents(listed, "m", 50)) == ["m", "b", "a"]


def test_a_parent_that_is_listed_before_its_child_is_reached_is_remembered():
    listed = [Commit("a", ()), Commit("c", ("b",)), Commit("b", ("a",))]
    assert list(first_parents(listed, "c", 50)) == ["c", "b", "a"]


def test_no_more_than_the_furthest_is_walked():
    listed = [Commit(str(n), (str(n + 1),)) for n in range(100)]
    assert list(first_parents(listed, "0", 3)) == ["0", "1", "2", "3"]


def test_a_reruns_point_replaces_its_first_attempts():
    made = of("a").with_point(point("a", 0))
    assert len(made.points) == 1


def test_the_newest_of_each_branch_are_kept():
    histories = {"main": of("a", "b", "c"), "release": of("a", branch="release")}
    assert history.expired(histories, keep=1) == {"b"}


def test_a_point_that_recorded_nothing_keeps_no_record():
    watched = of("a").with_point(point("b", 9, recorded=False))
    assert watched.newest_records(5) == ("a",)


@given(st.text(min_size=1), st.text(min_size=1))
def test_two_branches_never_share_a_history_file(one, other):
    assert (history.slug(one) == history.slug(other)) == (one == other)


@given(st.text(min_size=1))
def test_a_branchs_file_name_is_one_plain_name(branch):
    name = history.slug(branch)
    assert "/" not in name
    assert not name.startswith(".")


@pytest.mark.parametrize("data", [None, b"", b"{", b"[]", b'{"suite": "other", "branch": "main"}', b"\xff"])
def test_a_history_that_cannot_be_read_begins_anew(data):
    assert history.parse(data, "s", "main") == History(suite="s", branch="main")


@pytest.mark.parametrize(
    ("message", "depth"), [("x\n\nQuilate-Depth: 17\n", 17), ("by hand", 0), ("Quilate-Depth: -1", 0)]
)
def test_the_data_branchs_depth_is_its_newest_commits_word(message, depth):
    assert depth_of(message) == depth


@pytest.mark.parametrize(("codes", "code"), [([0, 0], 0), ([0, 3], 3), ([3, 2], 2), ([2, 1, 3], 1), ([], 0)])
def test_the_worst_exit_code_of_several_suites(codes, code):
    assert worst(codes) == code


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(92), "92"), (Fraction(200, 3), "66.6667"), (Fraction(-5), "-5"), (Fraction(0), "0"), (None, "")],
)
def test_numbers_of_outputs(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("header", "page"),
    [
        (
            '<https://x.example/a?page=2>; rel="next", <https://x.example/a?page=9>; rel="last"',
            "https://x.example/a?page=2",
        ),
        ('<https://x.example/a?page=1>; rel="prev"', None),
        ("", None),
    ],
)
def test_the_next_page(header, page):
    assert next_page(header) == page


HEAD, OTHER = "a" * 40, "b" * 40


def test_a_marker_is_read_back_on_the_first_line_alone():
    line = marker("orders", 7, 2, HEAD)
    assert identity_of(f"{line}\n## x", "orders") == RunIdentity(7, 2, HEAD)
    assert identity_of(f"{line}\n## x", "order") is None
    assert identity_of(f"x\n{line}", "orders") is None


@given(st.text(max_size=200))
def test_any_text_is_a_marker_or_none(text):
    assert comment.identity_of(text, "orders") is None


@pytest.mark.parametrize(
    ("other", "mine", "head_now", "newer"),
    [
        (RunIdentity(8, 1, HEAD), RunIdentity(7, 2, HEAD), HEAD, True),
        (RunIdentity(7, 2, HEAD), RunIdentity(7, 1, HEAD), HEAD, True),
        (RunIdentity(7, 1, HEAD), RunIdentity(7, 1, HEAD), HEAD, False),
        (RunIdentity(7, 1, HEAD), RunIdentity(8, 1, OTHER), HEAD, True),
        (RunIdentity(9, 1, OTHER), RunIdentity(8, 1, HEAD), HEAD, False),
        (RunIdentity(7, 1, OTHER), RunIdentity(8, 1, "c" * 40), HEAD, False),
    ],
)
def test_which_run_has_the_newer_word(other, mine, head_now, newer):
    assert supersedes(other, mine, head_now) is newer


def test_a_steps_annotations_stay_within_githubs_ten_of_a_level_and_say_how_many_more():
    at_lines = [Annotation("error", f"case {n}", "x", "goldens.yaml", n) for n in range(15)]
    elsewhere = [Annotation("error", "no place", "x")] * 3
    shown = annotating.of_step([*elsewhere, *at_lines, Annotation("warning", "w", "x")])
    assert [one.level for one in shown] == ["error"] * 10 + ["warning"]
    assert [one.file for one in shown[:9]] == ["goldens.yaml"] * 9
    assert shown[9].message.startswith("9 more")
