"""A suite, loaded and validated: the configuration, its dataset, and what of it is asked this time."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from quilate.config import Config
from quilate.errors import InputError, UsageError, nearest
from quilate.goldens.case import Dataset, GoldenCase


@dataclass(frozen=True, slots=True)
class Suite:
    """What a run needs to know before anything is asked. Paths in `config` are relative to `base_dir`."""

    config: Config
    base_dir: Path
    dataset: Dataset


@dataclass(frozen=True, slots=True)
class Selection:
    """What narrows a run: case ids (globs), categories, tags. A case must match one of each kind given."""

    cases: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def describe(self) -> str | None:
        """The selection in words for the run's header; None when it narrows nothing."""
        parts = [
            f"{name} {', '.join(values)}"
            for name, values in (("case", self.cases), ("category", self.categories), ("tag", self.tags))
            if values
        ]
        return "; ".join(parts) or None

    def of(self, dataset: Dataset) -> tuple[GoldenCase, ...]:
        """The selected cases in file order.

        Raises `UsageError` when something selects nothing: a run of no case measures nothing.
        """
        for name, wanted, known in (
            ("case", self.cases, [case.id for case in dataset.cases]),
            ("category", self.categories, [case.category for case in dataset.cases]),
            ("tag", self.tags, [tag for case in dataset.cases for tag in case.tags]),
        ):
            for pattern in wanted:
                if not _matches(known, (pattern,)):
                    raise UsageError(_selects_nothing(name, pattern, sorted(set(known))))
        chosen = tuple(case for case in dataset.cases if self._takes(case))
        if not chosen:
            message = f"no case is in {self.describe()} at once; widen one of them"
            raise UsageError(message)
        return chosen

    def _takes(self, case: GoldenCase) -> bool:
        return all(
            not wanted or _matches(values, wanted)
            for wanted, values in (
                (self.cases, (case.id,)),
                (self.categories, (case.category,)),
                (self.tags, case.tags),
            )
        )


def _matches(values: Iterable[str], patterns: tuple[str, ...]) -> bool:
    return any(value == pattern or fnmatch.fnmatchcase(value, pattern) for value in values for pattern in patterns)


def _selects_nothing(name: str, pattern: str, known: list[str]) -> str:
    guess = nearest(pattern, known)
    mend = f"did you mean {guess!r}?" if guess else f"there are: {', '.join(known[:10]) or 'none'}"
    return f"--{name} {pattern!r} selects no case; {mend}"


def open_suite(config_path: Path) -> Suite:
    """The suite of a quilate.yml. Raises `InputError` with every problem of the configuration and the golden files."""
    from quilate.config_load import load_suite

    loaded = load_suite(config_path)
    if loaded.problems or loaded.file is None or loaded.goldens is None:
        raise InputError(loaded.problems)
    dataset = loaded.file.completed(loaded.goldens.dataset)
    return Suite(config=loaded.file.config, base_dir=loaded.file.base_dir, dataset=dataset)
