"""What chance alone could explain of a difference."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from quilate.compare import stats
from quilate.compare.comparison import Noise, PassK, Power
from quilate.compare.delta import Side, Standing

TOO_FEW = 10
"""Below this many pairs neither an interval nor a p-value is shown, and no label is given."""
SMALL = 20
"""Below this many cases one case is worth more than 5 points."""
POWER_UNTIL = 200
"""Up to this many cases it is told what the suite can detect; larger suites need not be told."""
ASSUMED_FLIPS = 0.15
"""The share of cases taken to flip between two runs, where fewer were seen (docs/comparison.md)."""
MAX_PASS_K = 8


@dataclass
class Evidence:
    """Gathers the common cases of one table line."""

    averaged: bool
    broke: int = 0
    fixed: int = 0
    differences: array[float] = field(default_factory=lambda: array("d"))
    clusters: array[int] = field(default_factory=lambda: array("l"))
    templates: dict[str, int] = field(default_factory=dict)
    repeated: bool = False
    """Some cases share a template, and are not independent."""
    variance: Fraction = Fraction(0)
    told: int = 0
    """Cases whose trials tell of noise."""

    def add(self, case: Standing) -> None:
        """A common case."""
        assert case.base_side is not None
        head, base = Side.of(case.head), case.base_side
        self.broke += case.broke
        self.fixed += case.fixed
        self.differences.append(float(head.share(averaged=self.averaged) - base.share(averaged=self.averaged)))
        # As base defines it: a template that the change sets takes effect after merge, else two of them for all cases
        # would leave no evidence of anything.
        self.clusters.append(self._cluster(case.base.template))
        if self.averaged:
            variance = stats.noise_variance(base.trials, head.trials)
            if variance is not None:
                self.variance += variance
                self.told += 1

    def noise(self) -> Noise | None:
        """The label and its figures; None where there is no pair."""
        pairs = len(self.differences)
        if not pairs:
            return None
        test = self._t_test()
        if test is not None:
            interval, worse, better = test.interval, test.p_worse, test.p_better
            method = "t_clustered" if self.repeated else "t"
        else:
            fell, rose, size = _signs(self.differences)
            interval = stats.bonett_price(pairs, fell, rose).times(size)
            worse, better = stats.mcnemar_mid_p(fell, rose), stats.mcnemar_mid_p(rose, fell)
            method = "mid_p"
        few = pairs < TOO_FEW
        return Noise(
            pairs=pairs, broke=self.broke, fixed=self.fixed, p_value=None if few else worse,
            low=None if few else 100 * interval.low, high=None if few else 100 * interval.high,
            label="too_few" if few else _label(worse, better), floor=self.floor(), method=method,
        )  # fmt: skip

    def p_worse(self, more_broke: int = 0) -> float:
        """The one-sided p of a drop, whatever the number of pairs; `more_broke` cases are taken to break as well."""
        test = self._t_test(more_broke)
        if test is not None:
            return test.p_worse
        fell, rose, _ = _signs(self.differences)
        return stats.mcnemar_mid_p(fell + more_broke, rose)

    def floor(self) -> float | None:
        """± points this line moves with nothing changed; None where no trials tell."""
        if not self.told:
            return None
        return 100 * stats.noise_floor(float(self.variance) * len(self.differences) / self.told, len(self.differences))

    def flips(self) -> float:
        """The share of cases that flipped."""
        return (self.broke + self.fixed) / len(self.differences) if self.differences else 0.0

    def _t_test(self, more_broke: int = 0) -> stats.PairedT | None:
        """None where the cases are single askings, or all differ alike, of which a t test can say nothing."""
        if not (self.averaged or self.repeated):
            return None
        differences = [*self.differences, *[-1.0] * more_broke]
        clusters = [*self.clusters, *(-1 - at for at in range(len(self.clusters), len(differences)))]
        test = stats.paired_t(differences, clusters)
        return test if test is not None and test.error > 0 else None

    def _cluster(self, template: str | None) -> int:
        if template is None:
            return -1 - len(self.clusters)  # a cluster of its own
        known = template in self.templates
        self.repeated |= known
        return self.templates.setdefault(template, len(self.templates))


def _signs(differences: Iterable[float]) -> tuple[int, int, float]:
    """How many cases fell and rose, and by how much at most: of single askings the broken, the fixed, and 1.

    Where every case fell by a third, no majority flipped, and yet nothing about it is chance: the sign test says so.
    """
    fell = rose = 0
    size = 0.0
    for difference in differences:
        fell += difference < 0
        rose += difference > 0
        size = max(size, abs(difference))
    return fell, rose, size or 1.0


@dataclass
class Reliability:
    """Gathers pass^k of both sides: counts of (approved, graded) instead of cases."""

    sides: tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]] = field(default_factory=lambda: ({}, {}))

    def add(self, side: int, approved: int, graded: int) -> None:
        """A common case of side 0 (base) or 1 (head)."""
        counts = self.sides[side]
        counts[approved, graded] = counts.get((approved, graded), 0) + 1

    def lines(self) -> tuple[PassK, ...]:
        """One line a k, up to the most trials any case has; none where no case has two."""
        most = max((graded for counts in self.sides for _, graded in counts), default=0)
        if most < 2:
            return ()
        return tuple(PassK(k, self._mean(0, k), self._mean(1, k)) for k in range(1, min(most, MAX_PASS_K) + 1))

    def _mean(self, side: int, k: int) -> Fraction | None:
        total, cases = Fraction(0), 0
        for (approved, graded), count in self.sides[side].items():
            if graded >= k:
                total += count * Fraction(math.comb(approved, k), math.comb(graded, k))
                cases += count
        return total / cases if cases else None


def power(cases: int, seen_flips: float, max_drop: Fraction, *, evidence: bool, drop_points: int = 10) -> Power | None:
    """What a suite of `cases` can detect; None for no case and for suites large enough not to be told.

    `evidence` says whether the gate asks for evidence beside the drop, and so which of the two chances the sentence
    gives.
    """
    if not 0 < cases <= POWER_UNTIL:
        return None
    drop = drop_points / 100
    flips = max(seen_flips, ASSUMED_FLIPS, drop)
    chance = stats.chance_noticed(cases, drop, flips, max_drop)
    each = Fraction(100, cases)
    needed = stats.cases_needed(drop, flips)
    noticed = chance.evidence if evidence else chance.limit
    told = "" if evidence else f", and told from noise {_how_often(chance.evidence)}"
    text = (
        f"{cases} {'case' if cases == 1 else 'cases'}: one case is {float(each):.3g} points; a true drop of "
        f"{drop_points} points is noticed {_how_often(noticed)}{told}; {needed} cases would tell it from noise "
        "four times in five"
    )
    return Power(cases, each, drop_points, flips, chance.limit, chance.evidence, needed, text)


def _how_often(chance: float) -> str:
    if chance < 0.005:
        return "practically never"
    if chance < 0.4:
        return f"about one time in {round(1 / chance)}"
    return f"about {min(9, round(10 * chance))} times in 10" if chance < 0.975 else "practically always"


def _label(worse: float, better: float) -> str:
    if worse < stats.ALPHA:
        return "degraded"
    return "improved" if better < stats.ALPHA else "inconclusive"
