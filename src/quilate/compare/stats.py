"""Closed forms for small paired samples. Formulas, sources and reading aids: docs/comparison.md.

Rates and differences here are shares (0 to 1, -1 to 1); points are made where they are shown.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

ALPHA = 0.05
Z_TWO_SIDED = 1.959963984540054
"""The normal quantile of 0.975."""
Z_ONE_SIDED = 1.6448536269514722
Z_POWER = 0.8416212335729143
"""The normal quantiles of 0.95 and of 0.8."""
_EXACT_UNTIL = 1000


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval, both ends included."""

    low: float
    high: float

    def times(self, size: float) -> Interval:
        """The same interval in another unit; `size` is positive."""
        return Interval(self.low * size, self.high * size)


def mcnemar_mid_p(broke: int, fixed: int) -> float:
    """One-sided mid-p McNemar: the chance of at least so many broken among the cases that flipped, were it a coin.

    Half of the observed outcome's own probability is taken off (Fagerland, Lydersen and Laake 2013,
    doi:10.1186/1471-2288-13-91). 1 where nothing flipped.
    """
    flipped = broke + fixed
    if flipped == 0:
        return 1.0
    if flipped <= _EXACT_UNTIL:
        tail = sum(math.comb(flipped, i) for i in range(broke, flipped + 1))
        return float(Fraction(2 * tail - math.comb(flipped, broke), 2 ** (flipped + 1)))
    here = math.exp(_log_comb(flipped, broke) - flipped * math.log(2))
    return _binomial_tail(broke, flipped) - here / 2


def mcnemar_exact(broke: int, fixed: int) -> float:
    """Two-sided exact McNemar (the binomial test of a half). 1 where nothing flipped."""
    flipped, fewer = broke + fixed, min(broke, fixed)
    if flipped == 0:
        return 1.0
    if flipped <= _EXACT_UNTIL:
        tail = sum(math.comb(flipped, i) for i in range(fewer + 1))
        return float(min(Fraction(1), Fraction(2 * tail, 2**flipped)))
    return min(1.0, 2 * (1 - _binomial_tail(fewer + 1, flipped)))


def bonett_price(pairs: int, broke: int, fixed: int, z: float = Z_TWO_SIDED) -> Interval:
    """The adjusted Wald interval of a paired difference of shares, head less base (Bonett and Price 2012).

    Its centre is shrunk towards 0; show the raw difference as the point. `pairs` at least 1.
    """
    down, up = (broke + 1) / (pairs + 2), (fixed + 1) / (pairs + 2)
    centre = up - down
    half = z * math.sqrt((down + up - centre**2) / (pairs + 2))
    return Interval(max(-1.0, centre - half), min(1.0, centre + half))


def wilson(passes: float, total: int, z: float = Z_TWO_SIDED) -> Interval:
    """The score interval of one share (Wilson 1927). `total` at least 1; `passes` may be a sum of shares."""
    share, weight = passes / total, z * z / total
    half = z * math.sqrt(share * (1 - share) / total + weight / (4 * total))
    low, high = ((share + weight / 2 + sign * half) / (1 + weight) for sign in (-1, 1))
    return Interval(0.0 if passes == 0 else low, 1.0 if passes == total else high)


@dataclass(frozen=True, slots=True)
class PairedT:
    """A t test on per-case differences, clustered where cases are not independent.

    `p_worse` and `p_better` are one-sided; `error` is the standard error, 0 where all clusters differ alike (the
    interval and the p-values then say nothing).
    """

    mean: float
    error: float
    freedom: int
    interval: Interval
    p_worse: float
    p_better: float


def paired_t(differences: Sequence[float], clusters: Sequence[int] | None = None) -> PairedT | None:
    """The t interval and test of a mean difference; `clusters` gives each case's cluster (default: its own).

    Standard error over C clusters: sqrt(C/(C-1) · Σ_g (Σ_{i in g} (d_i - d̄))²) / n, t with C - 1 degrees of freedom
    (Miller 2024, arXiv:2411.00640). None where there are fewer than two clusters.
    """
    n = len(differences)
    sums: dict[int, float] = defaultdict(float)
    mean = math.fsum(differences) / n if n else 0.0
    for at, difference in enumerate(differences):
        sums[at if clusters is None else clusters[at]] += difference - mean
    count = len(sums)
    if count < 2:
        return None
    spread = math.fsum(total**2 for total in sums.values())
    error = math.sqrt(count / (count - 1) * spread) / n
    if error < 1e-12:  # rounding alone
        return PairedT(mean, 0.0, count - 1, Interval(mean, mean), 1.0, 1.0)
    half = t_quantile(0.975, count - 1) * error
    worse = t_cdf(mean / error, count - 1)
    return PairedT(mean, error, count - 1, Interval(max(-1.0, mean - half), min(1.0, mean + half)), worse, 1 - worse)


def t_cdf(value: float, freedom: int) -> float:
    """The distribution function of Student's t, by the regularised incomplete beta function."""
    tail = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + value * value)) / 2
    return 1 - tail if value > 0 else tail


def t_quantile(probability: float, freedom: int) -> float:
    """The value below which Student's t lies with `probability` (0.5 < p < 1), by bisection."""
    low, high = 0.0, 1.0
    while t_cdf(high, freedom) < probability:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        low, high = (middle, high) if t_cdf(middle, freedom) < probability else (low, middle)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22, Lentz's method)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    log_front = a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    tiny = 1e-300
    upper, lower = 1.0, 1 - (a + b) * x / (a + 1)
    lower = 1 / (lower if abs(lower) > tiny else tiny)
    fraction = lower
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            lower = 1 + step * lower
            upper = 1 + step / upper
            lower = 1 / (lower if abs(lower) > tiny else tiny)
            upper = upper if abs(upper) > tiny else tiny
            fraction *= lower * upper
        if abs(lower * upper - 1) < 1e-16:
            break
    return math.exp(log_front) * fraction / a


def flip_rate(approved: int, trials: int) -> Fraction | None:
    """The chance that two askings of one case disagree, estimated without bias: 2c(k-c) / (k(k-1)).

    None for fewer than two trials, from which nothing can be said.
    """
    if trials < 2:
        return None
    return Fraction(2 * approved * (trials - approved), trials * (trials - 1))


@dataclass(frozen=True, slots=True)
class Trials:
    """One side of one case: how many of its graded trials were approved."""

    approved: int
    graded: int


def noise_variance(base: Trials, head: Trials) -> Fraction | None:
    """The variance of one case's difference with nothing changed; None where neither side has two trials.

    Half a flip rate estimates p(1-p), the variance of one asking; a side with a single trial borrows the other's.
    """
    rates = [flip_rate(side.approved, side.graded) for side in (base, head)]
    known = [rate for rate in rates if rate is not None]
    if not known or not base.graded or not head.graded:
        return None
    each = [rate if rate is not None else known[0] for rate in rates]
    return each[0] / (2 * base.graded) + each[1] / (2 * head.graded)


def noise_floor(variance_sum: float, cases: int, z: float = Z_TWO_SIDED) -> float:
    """± this share moves the suite's rate with nothing changed, 95 times in 100: z · sqrt(Σ variance) / n.

    With k trials on both sides and one flip rate f a case that is z · sqrt(Σ f / k) / n.
    """
    return z * math.sqrt(variance_sum) / cases


def pass_hat_k(cases: Iterable[Trials], k: int) -> Fraction | None:
    """pass^k: the chance that k askings of a case are all approved, averaged over cases: mean of C(c,k)/C(n,k).

    Yao et al. 2024, arXiv:2406.12045. Cases with fewer than `k` graded trials are left out; None where none is left.
    """
    shares = [Fraction(math.comb(case.approved, k), math.comb(case.graded, k)) for case in cases if case.graded >= k]
    return sum(shares, Fraction(0)) / len(shares) if shares else None


def cases_needed(drop: float, flips: float) -> int:
    """How many cases notice a true drop (share) four times in five, one-sided at .05, where `flips` of cases flip.

    n = (z_.95 √D + z_.8 √(D - δ²))² / δ² (Connor 1987). `flips` is at least `drop`.
    """
    flips = max(flips, drop)
    return math.ceil((Z_ONE_SIDED * math.sqrt(flips) + Z_POWER * math.sqrt(flips - drop**2)) ** 2 / drop**2)


@dataclass(frozen=True, slots=True)
class Chance:
    """How often a true drop is noticed: by the limit alone, and by the limit with evidence beside it."""

    limit: float
    evidence: float


def chance_noticed(cases: int, drop: float, flips: float, max_drop: Fraction) -> Chance:
    """How often a suite of `cases` notices a true `drop` (share) where `flips` of cases flip; exact, O(cases²).

    The limit notices it where the observed drop is more than `max_drop` points; evidence where the one-sided mid-p is
    also below .05. `flips` is at least `drop`.
    """
    flips = max(flips, drop)
    breaks = (flips + drop) / (2 * flips)
    by_limit = by_evidence = 0.0
    for flipped in range(cases + 1):
        weight = _binomial(flipped, cases, flips)
        enough = _fewest_significant(flipped)
        for broke in range(flipped, -1, -1):
            net = 2 * broke - flipped
            if 100 * net <= max_drop * cases:
                break
            chance = weight * _binomial(broke, flipped, breaks)
            by_limit += chance
            if broke >= enough:
                by_evidence += chance
    return Chance(by_limit, by_evidence)


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """p-values adjusted for being several (Holm 1979), by the same keys."""
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = highest
    return adjusted


def nearest_rank(values: Sequence[float], percent: int) -> float | None:
    """The percentile by nearest rank: the smallest value that `percent` of all do not exceed. `values` is sorted."""
    if not values:
        return None
    return values[max(0, -(-percent * len(values) // 100) - 1)]


def _fewest_significant(flipped: int) -> int:
    """How many of `flipped` cases must have broken for a one-sided mid-p below .05; more than `flipped`: none can."""
    tail = 0
    for broke in range(flipped, -1, -1):
        here = math.comb(flipped, broke)
        tail += here
        if (2 * tail - here) / 2 ** (flipped + 1) >= ALPHA:
            return broke + 1
    return flipped + 1


def _binomial(hits: int, total: int, chance: float) -> float:
    if chance >= 1:
        return 1.0 if hits == total else 0.0
    if chance <= 0:
        return 1.0 if hits == 0 else 0.0
    return math.exp(_log_comb(total, hits) + hits * math.log(chance) + (total - hits) * math.log1p(-chance))


def _binomial_tail(at_least: int, total: int) -> float:
    """P(X >= at_least) for a fair coin tossed `total` times."""
    return incomplete_beta(at_least, total - at_least + 1, 0.5) if at_least > 0 else 1.0


def _log_comb(total: int, chosen: int) -> float:
    return math.lgamma(total + 1) - math.lgamma(chosen + 1) - math.lgamma(total - chosen + 1)
