"""Whether a dataset still lives: what a quarterly review should look at. Pure: cases and past runs in, findings out."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from quilate.goldens.case import GoldenCase
from quilate.goldens.lint import Finding
from quilate.goldens.load import Goldens
from quilate.goldens.similar import normal, without_accents
from quilate.grades import Grade
from quilate.shown import visible

ENOUGH_RUNS = 5
"""Baselines from which "never" and "always" say something."""
QUARTER = dt.timedelta(days=92)
SAME_INTENT = 75
"""The least similarity (rapidfuzz's `token_sort_ratio`, 0 to 100) of two inputs of a category that mean the same."""
_NAMED = 8
_MOST_PAIRED = 1500


@dataclass(frozen=True, slots=True)
class Range:
    """How many cases of a kind a dataset for an agent wants, and the words its category is known by."""

    kind: str
    least: int
    most: int
    words: tuple[str, ...]


RANGES = (
    Range("valid requests", 5, 10, ("consulta", "valid", "status", "pedido", "faq", "orders")),
    Range("out of scope", 3, 5, ("fuera", "fora", "out-of-scope", "outofscope", "escopo", "alcance")),
    Range("prompt injection", 3, 5, ("injection", "inyeccion", "injecao", "jailbreak")),
    Range("register", 2, 3, ("registro", "register", "tono", "tom", "linguistic")),
    Range("user errors", 3, 5, ("error", "erro", "typo", "usuario-erra")),
    Range("edge cases of the business", 5, 10, ("extremo", "borde", "edge", "limite", "corner")),
)
"""The typical categories of an agent's eval suite with their sizes, as the seed format's guide has them."""


@dataclass(frozen=True, slots=True)
class PastRun:
    """A stored run: the dataset's version, when it was (ISO 8601), and its cases' grades."""

    version: str
    at: str
    grades: Mapping[str, Grade]


@dataclass(frozen=True, slots=True)
class VersionRate:
    """A version of the dataset: its runs, and the counts of the newest of them."""

    version: str
    runs: int
    last: str
    approved: int
    graded: int

    def __str__(self) -> str:
        rate = f"{float(Fraction(self.approved, self.graded) * 100):.1f} %" if self.graded else "nothing graded"
        return (
            f"{visible(self.version)}: {self.approved} of {self.graded} ({rate}) on {self.last[:10]}, {self.runs} runs"
        )


def review(goldens: Goldens, runs: Sequence[PastRun], today: dt.date) -> list[Finding]:
    """What to look at, most urgent kinds first. `runs` are oldest first."""
    looked = _Review(goldens, runs, today)
    return [
        *looked.due(), *looked.always_failing(), *looked.never_graded(), *looked.never_failing(), *looked.ranges(),
        *looked.without_incident(), *looked.same_intents(), *looked.nobodys(),
    ]  # fmt: skip


def versions(runs: Iterable[PastRun]) -> tuple[VersionRate, ...]:
    """The dataset's versions in the order they came, each with the pass rate of its newest run."""
    by_version: dict[str, list[PastRun]] = defaultdict(list)
    for run in runs:
        by_version[run.version].append(run)
    found = []
    for version, rows in by_version.items():
        newest = max(rows, key=lambda run: run.at)
        graded = [grade for grade in newest.grades.values() if grade.graded]
        found.append(VersionRate(version, len(rows), newest.at, graded.count(Grade.PASS), len(graded)))
    return tuple(found)


class _Review:
    """One look at a dataset."""

    def __init__(self, goldens: Goldens, runs: Sequence[PastRun], today: dt.date) -> None:
        self.goldens, self.runs, self.today = goldens, runs, today
        self.cases = goldens.dataset.cases
        self.by_category: dict[str, list[GoldenCase]] = defaultdict(list)
        for case in self.cases:
            self.by_category[case.category].append(case)

    def of(self, case: GoldenCase, code: str, found: str, mend: str, *, whole: bool = False) -> Finding:
        """A finding at a case's place; `whole`: about more than that case."""
        place = self.goldens.dataset.locations[case.id]
        return Finding(code, place.file, place.line, found, mend, None if whole else case.id)

    def due(self) -> Iterator[Finding]:
        for case in self.cases:
            if case.review_by is not None and case.review_by <= self.today:
                yield self.of(
                    case, "review-due", f"review_by {case.review_by.isoformat()}", "look at it and set the next date"
                )

    def _outcomes(self) -> Iterator[tuple[GoldenCase, list[Grade]]]:
        """Cases with their grades, where there are enough of them."""
        for case in self.cases:
            grades = [run.grades[case.id] for run in self.runs if case.id in run.grades]
            graded = [grade for grade in grades if grade.graded]
            if len(graded) >= ENOUGH_RUNS:
                yield case, graded

    def always_failing(self) -> Iterator[Finding]:
        for case, grades in self._outcomes():
            if Grade.PASS not in grades:
                found = f"never approved in {len(grades)} baselines"
                yield self.of(case, "always-failing", found, "mend the agent, or the case where it asks too much")

    def never_graded(self) -> Iterator[Finding]:
        """A case that no run measured guards nothing, and no rate shows it."""
        runs = {case.id: [run for run in self.runs if case.id in run.grades] for case in self.cases}
        blind = [
            case
            for case in self.cases
            if len(runs[case.id]) >= ENOUGH_RUNS
            and all(run.grades[case.id] is Grade.NOT_JUDGED for run in runs[case.id])
        ]
        if blind:
            found = f"{_cases(blind)} graded by nobody in {ENOUGH_RUNS} baselines or more: {_names(blind)}"
            mend = "give the suite a judge, or the case tools or phrases that code can check"
            yield self.of(blind[0], "never-graded", found, mend, whole=True)

    def never_failing(self) -> Iterator[Finding]:
        easy = [case for case, grades in self._outcomes() if set(grades) == {Grade.PASS} and not case.critical]
        if easy:
            found = f"{_cases(easy)} never failed in {ENOUGH_RUNS} baselines or more: {_names(easy)}"
            mend = "keep what guards something; make room for cases that can still fail"
            yield self.of(easy[0], "never-failing", found, mend, whole=True)

    def ranges(self) -> Iterator[Finding]:
        sizes = {wanted.kind: 0 for wanted in RANGES}
        first: dict[str, GoldenCase] = {}
        for category, cases in self.by_category.items():
            kind = kind_of(category)
            if kind is not None:
                sizes[kind.kind] += len(cases)
                first.setdefault(kind.kind, cases[0])
        for wanted in RANGES:
            size = sizes[wanted.kind]
            if not wanted.least <= size <= wanted.most:
                at = first.get(wanted.kind) or self.cases[0]
                found = f"{size} cases of {wanted.kind}, where {wanted.least} to {wanted.most} are usual"
                mend = "add some" if size < wanted.least else "see whether some test the same"
                yield self.of(at, "out-of-balance", found, mend, whole=True)

    def without_incident(self) -> Iterator[Finding]:
        for category, cases in self.by_category.items():
            recent = any(is_incident(case) and case.added and case.added >= self.today - QUARTER for case in cases)
            if not recent:
                found = f'no incident was added to category "{visible(category)}" in the last quarter'
                mend = "see what production showed; `quilate case add` makes it a case"
                yield self.of(cases[0], "no-recent-incident", found, mend, whole=True)

    def same_intents(self) -> Iterator[Finding]:
        from rapidfuzz import fuzz

        for cases in self.by_category.values():
            if len(cases) > _MOST_PAIRED:
                continue  # every pair would take minutes; the lint of nearly the same inputs looks at all
            texts = [" ".join(normal(case.question))[:2000] for case in cases]
            for (one, case), (other, later) in combinations(enumerate(cases), 2):
                if texts[one] and (score := fuzz.token_sort_ratio(texts[one], texts[other], score_cutoff=SAME_INTENT)):
                    found = f'asks much the same as "{visible(case.id)}" (similarity {round(score)} of 100)'
                    yield self.of(later, "same-intent", found, "keep one, or give both the same template")

    def nobodys(self) -> Iterator[Finding]:
        for field, mend in (("owner", "say who answers for them"), ("source", "say where they come from")):
            without = [case for case in self.cases if getattr(case, field) is None]
            if without:
                found = f"{_cases(without)} of {len(self.cases)} without {field}: {_names(without)}"
                yield self.of(without[0], f"no-{field}", found, f"{mend} (defaults: may say it for a file)", whole=True)


def is_incident(case: GoldenCase) -> bool:
    """Whether a case comes from an incident."""
    return "incident" in case.tags or "/issues/" in (case.source or "")


def kind_of(category: str) -> Range | None:
    """The kind of cases that a category's name says it is."""
    name = without_accents(category).casefold().replace("_", "-").replace(" ", "-")
    matching = [wanted for wanted in RANGES if any(word in name for word in wanted.words)]
    return matching[-1] if matching else None


def _cases(cases: Sequence[GoldenCase]) -> str:
    return "1 case" if len(cases) == 1 else f"{len(cases)} cases"


def _names(cases: Sequence[GoldenCase]) -> str:
    names = ", ".join(visible(case.id, 40) for case in cases[:_NAMED])
    return names if len(cases) <= _NAMED else f"{names}, …"
