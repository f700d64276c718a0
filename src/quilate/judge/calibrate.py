"""How a judge agrees with people, and whether it should gate: verdicts beside labels, counted. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from quilate.grades import Grade
from quilate.judge.calibrate_stats import Kappa, cohens_kappa, observed
from quilate.judge.labels import Label

MIN_LABELS = 30
MIN_MINORITY = 10
"""Kappa is shown from so many labels on, with so many in the rarer class (approved, or not)."""
MIN_KAPPA = 0.4
MIN_BAD_RECALL = 0.5
"""A judge below either should not gate. Both limits are ours: people agree with each other at kappa 0.4 to 0.6."""

GRADES = (Grade.PASS, Grade.PARTIAL, Grade.FAIL)
OVERALL = "overall"
_INDEX = re.compile(r"\[\d+\]$")


class Advice(StrEnum):
    """What the figures say about letting the judge gate."""

    MAY_GATE = "may_gate"
    SHOULD_NOT_GATE = "should_not_gate"
    TOO_FEW_LABELS = "too_few_labels"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Verdicts of a judge (or a second person) against people's, as counts by pair of grades (people's first)."""

    counts: Mapping[tuple[Grade, Grade], int]

    @property
    def labels(self) -> int:
        """How many verdicts stand beside a label."""
        return sum(self.counts.values())

    def of(self, *, bad: bool, judged_bad: bool) -> int:
        """How many that people call bad, or good, were judged bad, or good. Bad is everything but `pass`."""
        return sum(
            count
            for (person, judge), count in self.counts.items()
            if (person is not Grade.PASS) is bad and (judge is not Grade.PASS) is judged_bad
        )

    @property
    def agreed(self) -> int:
        """How often both approve or both do not."""
        return observed(self._approval)[0]

    @property
    def bad(self) -> int:
        """How many people do not approve: the prevalence of what a judge is there to find."""
        return self.of(bad=True, judged_bad=True) + self.of(bad=True, judged_bad=False)

    @property
    def bad_found(self) -> int:
        """How many of them the judge does not approve either: its recall on the bad class, as a count."""
        return self.of(bad=True, judged_bad=True)

    @property
    def false_alarms(self) -> int:
        """How many that people approve the judge does not."""
        return self.of(bad=False, judged_bad=True)

    @property
    def enough(self) -> bool:
        """Whether there are labels enough for kappa to mean something."""
        return self.labels >= MIN_LABELS and min(self.bad, self.labels - self.bad) >= MIN_MINORITY

    @property
    def kappa(self) -> Kappa | None:
        """Cohen's kappa of approval; None below the minimum sample, or where it is not defined."""
        return cohens_kappa(self._approval) if self.enough else None

    @property
    def advice(self) -> Advice:
        """Whether this judge should gate, as far as these labels tell."""
        kappa = self.kappa
        if not self.enough or kappa is None:
            return Advice.TOO_FEW_LABELS
        too_weak = kappa.value < MIN_KAPPA or self.bad_found < MIN_BAD_RECALL * self.bad
        return Advice.SHOULD_NOT_GATE if too_weak else Advice.MAY_GATE

    @property
    def _approval(self) -> list[list[int]]:
        return [[self.of(bad=bad, judged_bad=judged) for judged in (False, True)] for bad in (False, True)]


def agreement(verdicts: Iterable[tuple[Grade, Grade]]) -> Agreement:
    """The agreement of pairs of grades, people's first."""
    return Agreement(dict(Counter(verdicts)))


@dataclass(frozen=True, slots=True)
class Item:
    """One criterion of one reply, as a label names it. `criterion` is the criterion's id."""

    case_id: str
    reply_sha256: str
    criterion: str


@dataclass(frozen=True, slots=True)
class JudgedReplies:
    """What a run holds for labels to stand beside."""

    verdicts: Mapping[Item, Grade]
    """What the judge said, errors and `not_judged` included."""
    ids: Mapping[tuple[str, str], Mapping[str, str]]
    """(case id, reply) → a criterion's id or text → its id: for every reply of the run."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Labels that count nowhere, and why."""

    other_replies: int = 0
    """Of replies the run does not hold."""
    other_criteria: int = 0
    """Of criteria the reply does not have."""
    without_verdict: int = 0
    """The judge gave no verdict (an error, or nothing to judge by)."""
    split: int = 0
    """Items on which people are evenly divided."""


@dataclass(frozen=True, slots=True)
class Between:
    """How two people agree with each other."""

    raters: tuple[str, str]
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Calibration:
    """The whole: by criterion and overall, what was left out, and how people agree among themselves."""

    overall: Agreement
    criteria: Mapping[str, Agreement]
    left_out: LeftOut
    people: tuple[Between, ...]
    raters: int


def family(criterion: str) -> str:
    """The criterion's id without its place in a list: `expected_behavior[3]` is of `expected_behavior`."""
    return _INDEX.sub("", criterion)


def calibrate(labels: Sequence[Label], judged: JudgedReplies) -> Calibration:
    """Puts labels beside a judge's verdicts on the same replies.

    Each rater's last label counts, and the majority of raters decides; where they are evenly divided, the item counts
    only between people.
    """
    items, left = _by_item(labels, judged)
    verdicts: list[tuple[str, Grade, Grade]] = []
    split = without = 0
    for item, by_rater in items.items():
        said = _majority(by_rater.values())
        judge = judged.verdicts.get(item)
        if said is None:
            split += 1
        elif judge is None or not judge.graded:
            without += 1
        else:
            verdicts.append((family(item.criterion), said, judge))
    families = sorted({name for name, _, _ in verdicts})
    return Calibration(
        overall=agreement((person, judge) for _, person, judge in verdicts),
        criteria={
            name: agreement((person, judge) for each, person, judge in verdicts if each == name) for name in families
        },
        left_out=LeftOut(left.other_replies, left.other_criteria, without, split),
        people=tuple(_between(items)),
        raters=len({rater for by_rater in items.values() for rater in by_rater}),
    )


def _by_item(labels: Sequence[Label], judged: JudgedReplies) -> tuple[dict[Item, dict[str, Grade]], LeftOut]:
    items: dict[Item, dict[str, Grade]] = defaultdict(dict)
    other_replies = other_criteria = 0
    for label in labels:
        ids = judged.ids.get((label.case_id, label.reply_sha256))
        criterion = None if ids is None else ids.get(label.criterion)
        if ids is None:
            other_replies += 1
        elif criterion is None:
            other_criteria += 1
        else:
            items[Item(label.case_id, label.reply_sha256, criterion)][label.rater] = Grade(label.grade)
    return items, LeftOut(other_replies, other_criteria)


def _majority(grades: Iterable[Grade]) -> Grade | None:
    count = Counter(grades)
    grade, times = count.most_common(1)[0]
    return grade if 2 * times > count.total() else None


def _between(items: Mapping[Item, Mapping[str, Grade]]) -> Iterator[Between]:
    raters = sorted({rater for by_rater in items.values() for rater in by_rater})
    for one, other in combinations(raters, 2):
        both = [(each[one], each[other]) for each in items.values() if one in each and other in each]
        if both:
            yield Between((one, other), agreement(both))
