"""Golden files into a dataset: everything validated, every problem told in one go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quilate.documents import Document, read_document
from quilate.errors import InputError, Problem
from quilate.goldens.case import Dataset, GoldenCase, Location
from quilate.goldens.files import NamedIn, find_files
from quilate.goldens.validate import default_problems, validate_case
from quilate.goldens.written import CASE_KEYS, DEFAULT_KEYS, FILE_KEYS, as_case
from quilate.problems import unknown_key
from quilate.shown import Path as KeyPath
from quilate.shown import shown, visible

UNVERSIONED = "unversioned"


@dataclass(frozen=True, slots=True)
class GoldenFile:
    """What one golden file holds beside its cases: lints look at it."""

    file: str
    version: str | None
    cases: int
    line_of_cases: int
    default_category: str | None = None
    line_of_default_category: int | None = None


@dataclass(frozen=True, slots=True)
class Goldens:
    """A dataset, and the files it came from."""

    dataset: Dataset
    files: tuple[GoldenFile, ...]


def load_dataset(patterns: Sequence[str], base_dir: Path, *, named_in: NamedIn | None = None) -> Dataset:
    """The dataset in the files that paths, globs and folders name; see `load_goldens`."""
    return load_goldens(patterns, base_dir, named_in=named_in).dataset


def load_goldens(patterns: Sequence[str], base_dir: Path, *, named_in: NamedIn | None = None) -> Goldens:
    """The dataset in the files that paths, globs and folders name, relative to `base_dir`, with its files.

    Raises `InputError` with every problem of every file; a dataset without a case is one.
    """
    found = find_files(patterns, base_dir, named_in=named_in)
    reader = _Reader()
    reader.problems += found.problems
    for file in found.files:
        reader.read(file)
    return reader.goldens()


def with_suite_defaults(dataset: Dataset, *, max_latency_ms: float | None = None, grounded: bool = False) -> Dataset:
    """The dataset as a suite's configuration completes it: its latency limit and groundedness where a case has none.

    These are part of a case's definition and ruler: a run that stores it says by what limit it was graded.
    A case that says `grounded: false` itself stays so.
    """
    cases = tuple(_completed(case, max_latency_ms, grounded) for case in dataset.cases)
    return Dataset(version=dataset.version, cases=cases, locations=dataset.locations)


def _completed(case: GoldenCase, max_latency_ms: float | None, grounded: bool) -> GoldenCase:
    update: dict[str, Any] = {}
    if case.max_latency_ms is None and max_latency_ms is not None:
        update["max_latency_ms"] = max_latency_ms
    if grounded and "grounded" not in case.model_fields_set:
        update["grounded"] = True
    # Not dict(case): that has what a case remembers of itself, such as fingerprints, once somebody has asked for them.
    fields = {name: getattr(case, name) for name in GoldenCase.model_fields}
    return GoldenCase.model_validate(fields | update) if update else case


class _Reader:
    """Collects cases and problems over all files."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.cases: list[GoldenCase] = []
        self.locations: dict[str, Location] = {}
        self.files: list[GoldenFile] = []
        self.names: list[str] = []

    def goldens(self) -> Goldens:
        if not self.cases and not self.problems:
            first = self.files[0]
            self.problems.append(
                Problem(visible(first.file, 400), first.line_of_cases, "cases", "found no case", "add at least one")
            )
        if self.problems:
            order = {visible(file, 400): position for position, file in enumerate(self.names, start=1)}
            raise InputError(sorted(self.problems, key=lambda each: (order.get(each.file, 0), each.line or 0)))
        versions = sorted({file.version or UNVERSIONED for file in self.files})
        dataset = Dataset(version="+".join(versions), cases=tuple(self.cases), locations=self.locations)
        return Goldens(dataset, tuple(self.files))

    def read(self, file: str) -> None:
        self.names.append(file)
        try:
            document = read_document(file)
        except InputError as error:
            self.problems.extend(error.problems)
            return
        content = document.value
        if isinstance(content, list):
            self._cases(document, content, (), {})
            self.files.append(GoldenFile(file, None, len(content), 1))
        elif isinstance(content, dict):
            self._file(document, content)
        else:
            self._refuse(document, (), content, "write an object with cases, or a list of cases")

    def _file(self, document: Document, content: dict[str, Any]) -> None:
        for key in content:
            if key not in FILE_KEYS:
                self.problems.append(_unknown_file_key(document, key))
        version, defaults, cases = content.get("version"), content.get("defaults"), content.get("cases")
        if version is not None and (not isinstance(version, str) or not version):
            number = isinstance(version, int | float) and not isinstance(version, bool)
            example = f'"{version}"' if number else '"2026-06-22"'
            self._refuse(document, ("version",), version, f"write text, such as {example}")
            version = None
        if defaults is not None and not isinstance(defaults, dict):
            self._refuse(document, ("defaults",), defaults, "write an object")
            defaults = None
        defaults = defaults or {}
        usable = self._defaults(document, defaults)
        if isinstance(cases, list):
            self._cases(document, cases, ("cases",), usable)
        elif "cases" not in content:
            self.problems.append(document.problem(("cases",), "nothing", "add cases, a list"))
        else:
            self._refuse(document, ("cases",), cases, "write a list of cases")
        category = as_case({}, usable).get("category")
        key = "category" if "category" in usable else "capability" if "capability" in usable else "type"
        self.files.append(
            GoldenFile(
                file=document.file,
                version=version,
                cases=len(cases) if isinstance(cases, list) else 0,
                line_of_cases=document.line_of(("cases",)),
                default_category=category if isinstance(category, str) else None,
                line_of_default_category=None if category is None else document.line_of(("defaults", key)),
            )
        )

    def _defaults(self, document: Document, defaults: dict[str, Any]) -> dict[str, Any]:
        """The defaults that can be applied; what is wrong with the others is told once, where it stands."""
        at: KeyPath = ("defaults",)
        known = {key: value for key, value in defaults.items() if key in DEFAULT_KEYS}
        self.problems.extend(unknown_key(document, (*at, key), DEFAULT_KEYS) for key in defaults if key not in known)
        unusable, problems = default_problems(document, at, known)
        self.problems.extend(problems)
        return {key: value for key, value in known.items() if key not in unusable}

    def _cases(self, document: Document, cases: Iterable[Any], at: KeyPath, defaults: dict[str, Any]) -> None:
        for index, written in enumerate(cases):
            place = (*at, index)
            if not isinstance(written, dict):
                self._refuse(document, place, written, "write a case: an object with id, category and input")
                continue
            self._case(document, written, place, defaults)

    def _case(self, document: Document, written: dict[str, Any], place: KeyPath, defaults: dict[str, Any]) -> None:
        case, problems = validate_case(document, place, written, defaults)
        self.problems.extend(problems)
        case_id = written.get("id")
        first_of_its_id = not (isinstance(case_id, str) and case_id) or self._note_id(document, place, case_id)
        if case is not None and first_of_its_id:
            self.cases.append(case)

    def _note_id(self, document: Document, place: KeyPath, case_id: str) -> bool:
        first = self.locations.get(case_id)
        if first is None:
            self.locations[case_id] = Location(file=document.file, line=document.line_of(place))
            return True
        where = f"{visible(first.file, 400)}:{first.line}"
        found = f'id "{visible(case_id)}" a second time (first at {where})'
        self.problems.append(document.problem((*place, "id"), found, "give each case an id of its own", case_id))
        return False

    def _refuse(self, document: Document, path: KeyPath, value: Any, mend: str) -> None:
        self.problems.append(document.problem(path, shown(value), mend))


def _unknown_file_key(document: Document, key: str) -> Problem:
    if key in CASE_KEYS:
        mend = f"write it in each case, or as defaults: {{{key}: …}} for all of them"
        return document.problem((key,), "a key of a case", mend)
    return unknown_key(document, (key,), FILE_KEYS)
