"""Labels, intervals, floors and what a suite of a size can detect."""

import math

import pytest
from tests.factories import a_case, a_grade_line

from quilate.compare.noise import Evidence, power
from quilate.grades import Grade

PASS, FAIL = Grade.PASS, Grade.FAIL


def lines(grades, templates=None):
    return [
        a_grade_line(a_case(f"c{at:03}", template=templates[at] if templates else None), grade)
        for at, grade in enumerate(grades)
    ]


def table(both, broke, fixed, neither=0):
    base = [PASS] * both + [PASS] * broke + [FAIL] * fixed + [FAIL] * neither
    head = [PASS] * both + [FAIL] * broke + [PASS] * fixed + [FAIL] * neither
    return base, head


@pytest.mark.parametrize(
    ("both", "broke", "fixed", "label"),
    [
        (5, 4, 0, "too_few"), (6, 4, 0, "degraded"), (6, 0, 4, "improved"), (7, 3, 0, "inconclusive"),
        (39, 6, 2, "inconclusive"), (10, 0, 0, "inconclusive"),
    ],
)  # fmt: skip
def test_labels_follow_the_one_sided_mid_p_and_need_ten_pairs(compared, both, broke, fixed, label):
    base, head = table(both, broke, fixed)
    assert compared(lines(base), lines(head)).overall.noise.label == label


def test_below_ten_pairs_there_is_no_interval_and_no_p(compared):
    base, head = table(2, 1, 0)
    noise = compared(lines(base), lines(head)).overall.noise
    assert (noise.p_value, noise.low, noise.high, noise.pairs) == (None, None, None, 3)


def test_the_worked_example_of_the_statistics_page(compared):
    base, head = table(39, 6, 2, 3)
    found = compared(lines(base), lines(head))
    assert (found.overall.base.approved, found.overall.head.approved, found.overall.points) == (45, 41, -8)
    noise = found.overall.noise
    assert round(noise.p_value, 2) == 0.09
    assert (round(noise.low), round(noise.high)) == (-19, 4)


def test_categories_have_their_own(compared):
    base = [a_grade_line(a_case(f"{name}{n}", category=name), PASS) for name in "ab" for n in range(10)]
    head = [
        a_grade_line(a_case(f"{name}{n}", category=name), FAIL if name == "b" and n < 5 else PASS)
        for name in "ab"
        for n in range(10)
    ]
    categories = compared(base, head).categories
    assert (categories["a"].noise.label, categories["b"].noise.label) == ("inconclusive", "degraded")


def test_copies_of_one_template_are_one_piece_of_evidence(compared):
    base, head = table(12, 6, 0)
    alone = compared(lines(base), lines(head)).overall.noise
    same = compared(lines(base, ["x"] * 18), lines(head, ["x"] * 18)).overall.noise
    templates = [f"t{at // 6}" for at in range(18)]
    clustered = compared(lines(base, templates), lines(head, templates)).overall.noise
    assert alone.method == "mid_p"
    assert same.method == "mid_p"  # one cluster gives no t test
    assert clustered.method == "t_clustered"
    assert clustered.p_value > alone.p_value


def trials(counts, k):
    return [a_grade_line(a_case(f"c{at:03}"), [PASS] * c + [FAIL] * (k - c)) for at, c in enumerate(counts)]


def test_with_trials_the_floor_and_the_t_interval_are_those_of_a_hand_calculation(compared):
    base_counts = [2, 1, 0, 2, 2, 1, 2, 0, 1, 2]
    head_counts = [1, 1, 1, 2, 0, 1, 2, 0, 2, 2]
    two = {"trials": 2}
    noise = compared(trials(base_counts, 2), trials(head_counts, 2), base_header=two, head_header=two).overall.noise
    differences = [(new - old) / 2 for old, new in zip(base_counts, head_counts, strict=True)]
    mean = sum(differences) / 10
    error = math.sqrt(sum((one - mean) ** 2 for one in differences) / 9 / 10)
    assert noise.method == "t"
    assert noise.low == pytest.approx(100 * (mean - 2.2621571628 * error))
    assert noise.high == pytest.approx(100 * (mean + 2.2621571628 * error))
    # a case with one of two approved flips surely (f = 1), any other never; both sides average
    flips = [((old == 1) + (new == 1)) / 2 for old, new in zip(base_counts, head_counts, strict=True)]
    assert noise.floor == pytest.approx(100 * 1.959963985 * math.sqrt(sum(flips) / 2) / 10)


def test_a_noise_floor_above_the_limit_is_told(compared):
    two = {"trials": 2}
    found = compared(trials([1] * 10, 2), trials([1] * 10, 2), base_header=two, head_header=two)
    assert "noise_above_limit" in [warning.code for warning in found.warnings]


def test_one_trial_tells_no_floor(compared):
    assert compared(lines([PASS] * 10), lines([PASS] * 10)).overall.noise.floor is None


def test_trials_that_never_differ_do_not_pretend_certainty(compared):
    three = {"trials": 3}
    found = compared(trials([3] * 12, 3), trials([3] * 12, 3), base_header=three, head_header=three).overall.noise
    assert found.low < 0 < found.high
    assert found.p_value == 1


def test_pass_k_is_a_line_of_its_own(compared):
    two = {"trials": 2}
    found = compared(trials([2, 1], 2), trials([2, 0], 2), base_header=two, head_header=two)
    assert [(line.k, line.base, line.head) for line in found.pass_k] == [(1, 0.75, 0.5), (2, 0.5, 0.5)]


def test_what_twenty_cases_can_detect_is_said():
    found = power(20, 0.0, 5, evidence=False)
    assert found.points_per_case == 5
    assert found.text == (
        "20 cases: one case is 5 points; a true drop of 10 points is noticed about 6 times in 10, and told from noise "
        "about one time in 6; 91 cases would tell it from noise four times in five"
    )


def test_a_large_suite_and_an_empty_one_are_told_nothing():
    assert power(201, 0.1, 5, evidence=False) is None
    assert power(0, 0.1, 5, evidence=False) is None


def test_evidence_of_no_case_is_none():
    assert Evidence(averaged=False).noise() is None
