import itertools
import math
import random
from fractions import Fraction

import pytest
from scipy import special
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from quilate.compare import stats
from quilate.compare.stats import Trials

TABLES = list(itertools.product(range(50), range(50)))


def close(found, wanted):
    return found == pytest.approx(wanted, abs=1e-9, rel=1e-9)


def test_mid_p_is_the_binomial_tail_less_half_of_the_observed():
    for broke, fixed in TABLES:
        m = broke + fixed
        wanted = 1.0
        if m:
            wanted = scipy_stats.binom.sf(broke - 1, m, 0.5) - scipy_stats.binom.pmf(broke, m, 0.5) / 2
        assert close(stats.mcnemar_mid_p(broke, fixed), wanted), (broke, fixed)


def test_exact_mcnemar_is_that_of_statsmodels():
    for broke, fixed in TABLES:
        wanted = 1.0 if broke + fixed == 0 else mcnemar([[0, broke], [fixed, 0]], exact=True).pvalue
        assert close(stats.mcnemar_exact(broke, fixed), wanted), (broke, fixed)


@pytest.mark.parametrize(
    ("broke", "fixed"), [(600, 500), (500, 600), (50_100, 49_900), (2000, 0), (0, 2000), (700, 700)]
)
def test_large_tables_agree_too(broke, fixed):
    m = broke + fixed
    wanted = scipy_stats.binom.sf(broke - 1, m, 0.5) - scipy_stats.binom.pmf(broke, m, 0.5) / 2
    assert close(stats.mcnemar_mid_p(broke, fixed), wanted)
    assert close(stats.mcnemar_exact(broke, fixed), scipy_stats.binomtest(broke, m, 0.5).pvalue)


def test_bonett_price_is_that_of_an_independent_implementation():
    for n, (broke, fixed) in itertools.product((1, 2, 3, 10, 37, 50, 200), itertools.product(range(14), range(14))):
        if broke + fixed > n:
            continue
        # Laplace-adjusted table of four cells, then the Wald interval of the difference of its margins.
        total = n + 2
        table = [[0.0, (broke + 1) / total], [(fixed + 1) / total, 0.0]]
        difference = table[1][0] - table[0][1]
        variance = (sum(map(sum, table)) - difference**2) / total
        half = scipy_stats.norm.ppf(0.975) * math.sqrt(variance)
        found = stats.bonett_price(n, broke, fixed)
        assert close(found.low, max(-1, difference - half))
        assert close(found.high, min(1, difference + half))


def test_wilson_is_that_of_statsmodels():
    for n in range(1, 80):
        for passes in range(n + 1):
            low, high = proportion_confint(passes, n, method="wilson")
            found = stats.wilson(passes, n)
            assert close(found.low, low)
            assert close(found.high, high)


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 9, 19, 49, 99, 999, 99_999])
@pytest.mark.parametrize("probability", [0.55, 0.75, 0.9, 0.95, 0.975, 0.995])
def test_t_quantiles_are_those_of_scipy(freedom, probability):
    assert close(stats.t_quantile(probability, freedom), scipy_stats.t.ppf(probability, freedom))


def test_the_incomplete_beta_function_is_that_of_scipy():
    draw = random.Random(1)
    for _ in range(2000):
        a, b, x = draw.uniform(0.1, 200), draw.uniform(0.1, 200), draw.random()
        assert close(stats.incomplete_beta(a, b, x), special.betainc(a, b, x))


def test_the_t_test_is_that_of_scipy():
    draw = random.Random(2)
    for _ in range(300):
        n = draw.randint(2, 60)
        head = [draw.randint(0, 4) / 4 for _ in range(n)]
        base = [draw.randint(0, 4) / 4 for _ in range(n)]
        differences = [one - other for one, other in zip(head, base, strict=True)]
        found = stats.paired_t(differences)
        if len(set(differences)) == 1:
            assert found.error == 0
            continue
        wanted = scipy_stats.ttest_rel(head, base, alternative="less")
        interval = scipy_stats.ttest_rel(head, base).confidence_interval(0.95)
        assert close(found.p_worse, wanted.pvalue)
        assert close(found.p_better, 1 - wanted.pvalue)
        assert close(found.interval.low, max(-1, interval.low))
        assert close(found.interval.high, min(1, interval.high))


def test_clusters_of_one_change_nothing_and_copies_of_a_case_add_no_evidence():
    differences = [-1.0, 0.0, 0.0, -0.5, 0.25]
    alone = stats.paired_t(differences)
    assert stats.paired_t(differences, [0, 1, 2, 3, 4]) == alone
    thrice = stats.paired_t(differences * 3, [0, 1, 2, 3, 4] * 3)
    assert thrice.freedom == alone.freedom
    assert thrice.error == pytest.approx(alone.error)


@pytest.mark.parametrize("differences", [[], [-1.0]])
def test_one_case_gives_no_t_test(differences):
    assert stats.paired_t(differences) is None


def test_flip_rate_is_the_share_of_disagreeing_pairs():
    for k in range(2, 8):
        for c in range(k + 1):
            trials = [True] * c + [False] * (k - c)
            pairs = list(itertools.combinations(trials, 2))
            assert stats.flip_rate(c, k) == Fraction(sum(one != other for one, other in pairs), len(pairs))


def test_one_trial_says_nothing_of_flips():
    assert stats.flip_rate(1, 1) is None
    assert stats.noise_variance(Trials(1, 1), Trials(0, 1)) is None


def test_the_noise_floor_is_the_hand_formula():
    sides = [Trials(1, 2), Trials(2, 2), Trials(0, 2), Trials(1, 2)]
    total = sum((stats.noise_variance(side, side) for side in sides), Fraction(0))
    flips = [1, 0, 0, 1]  # 2·1·1 / (2·1) = 1 where one of two passed
    assert close(stats.noise_floor(float(total), 4), 1.959963984540054 * math.sqrt(sum(flips) / 2) / 4)


def test_pass_hat_k_counts_the_draws_that_are_all_approved():
    cases = [Trials(3, 4), Trials(4, 4), Trials(1, 4)]
    for k in range(1, 5):
        wanted = []
        for case in cases:
            trials = [True] * case.approved + [False] * (case.graded - case.approved)
            draws = list(itertools.combinations(trials, k))
            wanted.append(Fraction(sum(all(draw) for draw in draws), len(draws)))
        assert stats.pass_hat_k(cases, k) == sum(wanted) / 3
    assert stats.pass_hat_k(cases, 5) is None


@pytest.mark.parametrize(
    ("flips", "drop", "wanted"),
    [(0.10, 0.05, 246), (0.10, 0.10, 60), (0.15, 0.05, 369), (0.15, 0.15, 40), (0.30, 0.05, 740), (0.30, 0.10, 184)],
)
def test_cases_needed(flips, drop, wanted):
    assert abs(stats.cases_needed(drop, flips) - wanted) <= 1


def test_the_chance_to_notice_a_drop_is_that_of_a_simulation():
    draw = random.Random(3)
    n, drop, flips = 20, 0.10, 0.15
    noticed = evidence = 0
    rounds = 20_000
    for _ in range(rounds):
        marks = draw.choices([-1, 1, 0], [(flips + drop) / 2, (flips - drop) / 2, 1 - flips], k=n)
        broke, fixed = marks.count(-1), marks.count(1)
        if 100 * (broke - fixed) > 5 * n:
            noticed += 1
            evidence += stats.mcnemar_mid_p(broke, fixed) < 0.05
    found = stats.chance_noticed(n, drop, flips, Fraction(5))
    assert found.limit == pytest.approx(noticed / rounds, abs=0.015)
    assert found.evidence == pytest.approx(evidence / rounds, abs=0.015)


def test_holm_is_that_of_statsmodels():
    draw = random.Random(4)
    for _ in range(200):
        values = {str(at): draw.random() ** 3 for at in range(draw.randint(1, 9))}
        wanted = multipletests(list(values.values()), method="holm")[1]
        assert [stats.holm(values)[name] for name in values] == pytest.approx(list(wanted))


@pytest.mark.parametrize(
    ("values", "wanted"),
    [([], None), ([7.0], 7.0), (list(range(1, 21)), 19), (list(range(1, 101)), 95), ([1, 2, 3], 3)],
)
def test_p95_is_the_nearest_rank(values, wanted):
    assert stats.nearest_rank(values, 95) == wanted
