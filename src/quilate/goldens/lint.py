"""What is allowed in golden files, and probably not meant: each finding with a code that stays the same.

A lint is a pure function from `Linted` to findings. To add one, write it and put it in `LINTS`.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from quilate.goldens.case import GoldenCase
from quilate.goldens.load import Goldens
from quilate.goldens.neutrality import instructing_prompts
from quilate.goldens.similar import near_identical, normal, without_accents
from quilate.shown import Path as KeyPath
from quilate.shown import dotted, visible


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a lint found: `found` what stands there, `mend` what to do about it."""

    code: str
    file: str
    line: int
    found: str
    mend: str
    case_id: str | None = None


@dataclass(frozen=True, slots=True)
class Linted:
    """What lints look at. `today` decides what is overdue."""

    goldens: Goldens
    today: dt.date

    @property
    def cases(self) -> tuple[GoldenCase, ...]:
        """Every case, in file order."""
        return self.goldens.dataset.cases

    def of(self, case: GoldenCase, code: str, found: str, mend: str) -> Finding:
        """A finding about one case, at its place."""
        place = self.goldens.dataset.locations[case.id]
        return Finding(code, place.file, place.line, found, mend, case.id)

    def where(self, case: GoldenCase) -> str:
        """How another case's message names this one."""
        place = self.goldens.dataset.locations[case.id]
        return f'"{visible(case.id)}" ({visible(place.file, 200)}:{place.line})'


Lint = Callable[[Linted], Iterable[Finding]]


def lint(goldens: Goldens, today: dt.date) -> list[Finding]:
    """Every finding of every lint, by file and line."""
    linted = Linted(goldens, today)
    order = {file.file: position for position, file in enumerate(goldens.files)}
    findings = [finding for each in LINTS for finding in each(linted)]
    return sorted(findings, key=lambda finding: (order.get(finding.file, 0), finding.line, finding.code))


def empty_files(linted: Linted) -> Iterator[Finding]:
    """`empty-file`: a file without a case measures nothing."""
    for file in linted.goldens.files:
        if not file.cases:
            yield Finding(
                "empty-file", file.file, file.line_of_cases, "no case in this file", "add cases, or remove it"
            )


def empty_categories(linted: Linted) -> Iterator[Finding]:
    """`empty-category`: a file's defaults name a category that no case is in."""
    used = {case.category for case in linted.cases}
    for file in linted.goldens.files:
        category = file.default_category
        if category is not None and category not in used and file.line_of_default_category is not None:
            found = f'no case in the category "{visible(category)}" that the defaults name'
            mend = "correct its name, or add a case"
            yield Finding("empty-category", file.file, file.line_of_default_category, found, mend)


def accent_twins(linted: Linted) -> Iterator[Finding]:
    """`accent-twin`: a forbidden phrase that also is written with fewer or more accents, of which only one is there.

    The twin with accents can only be known where another case forbids it.
    """
    accented: dict[str, str] = {}
    for case in linted.cases:
        for phrase in _plain_phrases(case.forbidden_phrases):
            if without_accents(phrase) != phrase:
                accented.setdefault(without_accents(phrase).casefold(), phrase)
    for case in linted.cases:
        phrases = list(_plain_phrases(case.forbidden_phrases))
        there = {phrase.casefold() for phrase in phrases}
        for phrase in phrases:
            bare = without_accents(phrase)
            twin = bare if bare != phrase else accented.get(phrase.casefold())
            if twin is not None and twin.casefold() not in there:
                found = f'"{visible(phrase)}" is forbidden and "{visible(twin)}" is not'
                yield linted.of(case, "accent-twin", found, "forbid both: people, and agents, write both")


def _plain_phrases(phrases: Iterable[str]) -> Iterator[str]:
    return (phrase for phrase in phrases if not (phrase.startswith("/") and phrase.endswith("/")))


_NOT_SUFFICIENT = ("max_latency_ms", "max_metrics", "evidence")


def nothing_to_grade(linted: Linted) -> Iterator[Finding]:
    """`nothing-to-grade`: only latency or metrics could be graded, and they never make a case pass."""
    for case in linted.cases:
        if not set(case.expectations) - set(_NOT_SUFFICIENT):
            yield linted.of(
                case, "nothing-to-grade", "nothing that a reply could pass by",
                "add an expectation: expected_tool, expected_behavior, required_phrases, expected_output …",
            )  # fmt: skip


def same_inputs(linted: Linted) -> Iterator[Finding]:
    """`duplicate-input` and `near-identical-input`: two cases that ask the same count twice.

    Near-identical are inputs that differ in accents, case, punctuation, numbers or few words. Cases that share a
    template or a family say themselves that they belong together, and are not told as near-identical.
    """
    first: dict[str, GoldenCase] = {}
    distinct: list[GoldenCase] = []
    for case in linted.cases:
        other = first.setdefault(case.input_fingerprint, case)
        if other is case:
            distinct.append(case)
        else:
            found = f"the same input as {linted.where(other)}"
            yield linted.of(case, "duplicate-input", found, "keep one of the two, with the expectations of both")
    for earlier, later in near_identical([normal(_asked(case)) for case in distinct]):
        case, other = distinct[later], distinct[earlier]
        if not _related(case, other):
            found = f"nearly the same input as {linted.where(other)}"
            mend = "ask something else, or give both the same template"
            yield linted.of(case, "near-identical-input", found, mend)


def _asked(case: GoldenCase) -> str:
    return "\n".join(message.content for message in case.messages)


def _related(case: GoldenCase, other: GoldenCase) -> bool:
    return (case.template is not None and case.template == other.template) or (
        case.family is not None and case.family == other.family
    )


def overdue(linted: Linted) -> Iterator[Finding]:
    """`review-due` and `quarantine-expired`: a date that has passed."""
    for case in linted.cases:
        if case.review_by is not None and case.review_by < linted.today:
            found = f"review_by {case.review_by}, which has passed"
            yield linted.of(case, "review-due", found, "look at the case again and set the next date")
        if case.quarantine is not None and case.quarantine.until < linted.today:
            found = f"a quarantine until {case.quarantine.until}, which has passed"
            mend = f"mend the case or end the quarantine (owner: {visible(case.quarantine.owner)})"
            yield linted.of(case, "quarantine-expired", found, mend)


_ALLOWED_CONTROLS = "\t\n\r"
_MARKS = "\u061c\u200b\u200e\u200f\u2060\ufeff"


def hidden_characters(linted: Linted) -> Iterator[Finding]:
    """`hidden-character`: a control or bidirectional character shows something else than it says."""
    for case in linted.cases:
        for path, text in _texts_in(case.model_dump(mode="json", exclude_defaults=True)):
            hidden = Counter(char for char in text if not char.isprintable() and is_hidden(char))
            if hidden:
                names = ", ".join(f"U+{ord(char):04X}" for char in list(hidden)[:4])
                found = f"{names} in {dotted(path)}"
                yield linted.of(case, "hidden-character", found, "remove it, unless the case is about it")


def _texts_in(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Every text in a JSON value, keys too, with where it stands."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts_in(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key), key
            yield from _texts_in(item, (*path, key))


def is_hidden(char: str) -> bool:
    """Controls but tab and line ends, and marks that reorder or hide text; joiners of emoji and scripts are none."""
    if char in _ALLOWED_CONTROLS:
        return False
    return ord(char) < 0xA0 or "\u2028" <= char <= "\u202e" or "\u2066" <= char <= "\u2069" or char in _MARKS


LINTS: list[Lint] = [
    empty_files,
    empty_categories,
    accent_twins,
    nothing_to_grade,
    same_inputs,
    overdue,
    hidden_characters,
    instructing_prompts,
]
