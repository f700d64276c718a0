"""Which cases stand beside which, what counts in a rate, and what is only listed."""

from fractions import Fraction

from tests.factories import a_case, a_grade_line, a_reply_line

from quilate.grades import Grade

PASS, FAIL, PARTIAL, ERROR, NOT_JUDGED = Grade.PASS, Grade.FAIL, Grade.PARTIAL, Grade.ERROR, Grade.NOT_JUDGED


def lines(grades, **fields):
    """Grade lines of cases c00, c01, … with these grades."""
    return [a_grade_line(a_case(f"c{at:02}", **fields), grade) for at, grade in enumerate(grades)]


def test_counts_and_points_are_exact(compared):
    found = compared(lines([PASS] * 3), lines([PASS, PASS, FAIL]))
    assert (found.overall.base.approved, found.overall.head.approved, found.overall.head.graded) == (3, 2, 3)
    assert found.overall.points == Fraction(-100, 3)
    assert found.broke == ("c02",)


def test_both_sides_have_the_same_graded_and_errors_stand_on_their_own(compared):
    found = compared(lines([PASS, PASS, ERROR, NOT_JUDGED, PASS]), lines([PASS, ERROR, PASS, PASS, NOT_JUDGED]))
    assert (found.overall.base.graded, found.overall.head.graded) == (1, 1)
    assert (found.overall.base.errors, found.overall.head.errors) == (1, 1)
    assert (found.overall.base.not_judged, found.overall.head.not_judged) == (1, 1)
    assert list(found.errors) == ["c01"]
    assert found.not_judged == ("c04",)
    assert found.base_errors == ("c02",)


def test_categories_are_heads(compared):
    old, new = a_case("moved", category="old"), a_case("moved", category="new")
    found = compared([a_grade_line(old, PASS)], [a_grade_line(new, FAIL)])
    assert list(found.categories) == ["new"]
    assert found.categories["new"].points == -100


def test_partial_is_not_approved_and_counted_apart(compared):
    found = compared(lines([PASS, PARTIAL]), lines([PARTIAL, PARTIAL]))
    assert (found.overall.head.approved, found.overall.head.graded, found.overall.head.partial) == (0, 2, 2)
    assert found.broke == ("c00",)
    assert found.partial == ("c00", "c01")


def test_added_and_removed_are_outside_and_removed_that_passed_are_named(compared):
    base = lines([PASS, PASS, FAIL])
    head = [base[0], a_grade_line(a_case("new"), FAIL)]
    found = compared(base, head, base_header={"policy": {"min_common": 0}})
    assert (found.added, found.removed, found.removed_passing) == (("new",), ("c01", "c02"), ("c01",))
    assert found.overall.head.graded == 1


def test_another_input_under_the_same_id_is_another_question(compared):
    found = compared([a_grade_line(a_case("c", input="one"), PASS)], [a_grade_line(a_case("c", input="two"), FAIL)])
    assert found.edited == ("c",)
    assert found.outside == {"c": "it asks something else now"}
    assert found.reworded_passing == ("c",)
    assert found.broke == ()
    assert (found.added, found.removed) == ((), ())


def test_a_renamed_case_is_compared(compared):
    base = [a_grade_line(a_case("old", input="same"), PASS)]
    head = [a_grade_line(a_case("new", input="same"), FAIL)]
    found = compared(base, head)
    assert found.renamed == {"old": "new"}
    assert found.broke == ("new",)
    assert (found.added, found.removed) == ((), ())


def test_ids_that_moved_by_one_are_renames(compared):
    base = [a_grade_line(a_case(f"c{n}", input=f"q{n}"), PASS) for n in range(5)]
    head = [a_grade_line(a_case(f"c{n}", input=f"q{n - 1}"), PASS) for n in range(6)]
    found = compared(base, head)
    assert found.renamed == {f"c{n}": f"c{n + 1}" for n in range(5)}
    assert (found.added, found.removed, found.edited) == (("c0",), (), ())


def test_an_ambiguous_rename_is_no_rename(compared):
    base = [a_grade_line(a_case(name, input="same"), PASS) for name in ("a", "b")]
    head = [a_grade_line(a_case("c", input="same"), PASS)]
    found = compared(base, head)
    assert (found.added, found.removed, found.renamed) == (("c",), ("a", "b"), {})


def test_an_edited_ruler_stays_outside_until_graded_again(compared):
    base = [a_grade_line(a_case("c", expected_tool="lookup"), PASS)]
    head = [a_grade_line(a_case("c", expected_tool="search"), PASS)]
    found = compared(base, head)
    assert found.edited == ("c",)
    assert found.outside == {"c": "its ruler was edited, and it was not graded again"}
    assert found.overall.head.graded == 0


def test_a_selection_removes_nothing(compared):
    base = lines([PASS] * 4)
    found = compared(base, base[:1], head_header={"cases": 4, "selection": "case c00"})
    assert (found.removed, found.removed_by_selection) == ((), 3)
    assert found.verdict == "inconclusive"


def test_a_flip_by_latency_alone_is_marked(compared):
    case = a_case("slow")
    found = compared([a_grade_line(case, PASS)], [a_grade_line(case, FAIL, criterion="max_latency_ms")])
    assert found.latency_only == ("slow",)


def test_trials_are_averaged_per_case(compared):
    case, other = a_case("a"), a_case("b")
    base = [a_grade_line(case, [PASS, PASS, PASS, FAIL]), a_grade_line(other, [PASS] * 4)]
    head = [a_grade_line(case, [PASS, PASS]), a_grade_line(other, [FAIL, PASS])]
    found = compared(base, head, base_header={"trials": 4}, head_header={"trials": 2})
    assert found.overall.base.rate == Fraction(7, 8) * 100
    assert found.overall.points == Fraction(3, 4) * 100 - Fraction(7, 8) * 100
    assert (found.overall.base.approved_trials, found.overall.base.graded_trials) == (7, 8)
    assert (found.overall.head.approved_trials, found.overall.head.graded_trials) == (3, 4)
    assert found.flaky == ("b",)


def test_p95_and_its_change_cover_the_cases_both_sides_timed(compared, runs):
    from tests.unit.compare.conftest import TODAY

    from quilate.compare.compare import compare
    from quilate.compare.summary import RunSummary

    cases = [a_case(f"c{n:02}") for n in range(20)]
    graded = [a_grade_line(case, PASS) for case in cases]
    base = runs(graded, replies=[a_reply_line(case, duration_ms=100.0 + at) for at, case in enumerate(cases)])
    slow = [a_reply_line(case, duration_ms=200.0 + at) for at, case in enumerate(cases)]
    extra = a_case("new")
    head = runs([*graded, a_grade_line(extra, PASS)], replies=[*slow, a_reply_line(extra, duration_ms=9999.0)])
    found = compare(RunSummary.of(base), RunSummary.of(head), today=TODAY)
    assert (found.latency.base_p95_ms, found.latency.head_p95_ms, found.latency.change_ms) == (118.0, 218.0, 100.0)


def test_without_a_baseline_heads_own_counts_stand_alone(compared):
    found = compared(None, lines([PASS, FAIL, ERROR]), head_header={"policy": {"max_error_rate": 50}})
    assert not found.compared
    assert (found.overall.head.approved, found.overall.head.graded, found.overall.head.errors) == (1, 2, 1)
    assert found.overall.points is None
    assert (found.verdict, found.exit_code) == ("inconclusive", 0)
