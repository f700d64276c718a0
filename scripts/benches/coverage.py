"""How often the 95 % interval of the delta covers the truth, by simulation: ten scenarios, n = 10 … 100.

One trial a case: Bonett-Price; several: the t interval on per-case differences. `coverage.py [ROUNDS]`.
Exit code 1 where a scenario's coverage is below 94 %.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from quilate.compare import stats

AIM = 0.94


@dataclass(frozen=True)
class Scenario:
    """`broke` and `fixed` are true shares of cases; with several trials they are shares of cases whose own rate moves.

    A case's rate with several trials is drawn anew for each case: steady cases pass nearly always, others half of the
    time; a case that broke or was fixed moves by `shift`.
    """

    cases: int
    broke: float
    fixed: float
    trials: int = 1
    flaky: float = 0.4
    shift: float = 0.5

    @property
    def truth(self) -> float:
        return (self.fixed - self.broke) * (self.shift if self.trials > 1 else 1)


SCENARIOS = (
    Scenario(10, 0.12, 0.04),
    Scenario(20, 0.12, 0.04),
    Scenario(30, 0.12, 0.04),
    Scenario(50, 0.12, 0.04),
    Scenario(100, 0.12, 0.04),
    Scenario(20, 0.05, 0.05),
    Scenario(50, 0.30, 0.15),
    Scenario(100, 0.02, 0.02),
    Scenario(30, 0.20, 0.10, trials=3),
    Scenario(50, 0.15, 0.05, trials=5),
)


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    draw = random.Random(20260101)
    worst = 1.0
    for scenario in SCENARIOS:
        covered = sum(_covers(scenario, draw) for _ in range(rounds)) / rounds
        worst = min(worst, covered)
        kind = "Bonett-Price" if scenario.trials == 1 else f"t, {scenario.trials} trials"
        print(
            f"n={scenario.cases:<4} broke {scenario.broke:.0%}, fixed {scenario.fixed:.0%} ({kind}): "
            f"covered {covered:.1%}{'' if covered >= AIM else '  BELOW'}"
        )
    print(f"worst {worst:.1%} of {rounds} rounds each (aim: at least {AIM:.0%})")
    return 0 if worst >= AIM else 1


def _covers(scenario: Scenario, draw: random.Random) -> bool:
    if scenario.trials == 1:
        weights = [scenario.broke, scenario.fixed, 1 - scenario.broke - scenario.fixed]
        marks = draw.choices(["broke", "fixed", "same"], weights, k=scenario.cases)
        interval = stats.bonett_price(scenario.cases, marks.count("broke"), marks.count("fixed"))
    else:
        differences = list(_differences(scenario, draw))
        test = stats.paired_t(differences)
        assert test is not None
        interval = test.interval if test.error else stats.bonett_price(scenario.cases, 0, 0)
    return interval.low <= scenario.truth <= interval.high


def _differences(scenario: Scenario, draw: random.Random) -> Iterator[float]:
    for _ in range(scenario.cases):
        mark = draw.random()
        base, head = _rates(scenario, mark, draw)
        k = scenario.trials
        yield (sum(draw.random() < head for _ in range(k)) - sum(draw.random() < base for _ in range(k))) / k


def _rates(scenario: Scenario, mark: float, draw: random.Random) -> tuple[float, float]:
    if mark < scenario.broke:
        return 0.95, 0.95 - scenario.shift
    if mark < scenario.broke + scenario.fixed:
        return 0.95 - scenario.shift, 0.95
    steady = 0.5 if draw.random() < scenario.flaky else 0.97
    return steady, steady


if __name__ == "__main__":
    sys.exit(main())
