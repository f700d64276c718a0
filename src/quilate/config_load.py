"""quilate.yml into a configuration, with every problem told in one go."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from quilate.agents.written import unusable
from quilate.config import Config
from quilate.documents import Document, read_document
from quilate.errors import InputError, Problem
from quilate.goldens.case import Dataset
from quilate.goldens.files import NamedIn
from quilate.goldens.load import Goldens, load_goldens, with_suite_defaults
from quilate.problems import problems_of
from quilate.shown import shown

DEFAULT_CONFIG = "quilate.yml"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration and where it was read; paths in it are relative to `base_dir`, its folder."""

    config: Config
    path: Path
    base_dir: Path
    document: Document

    def resolve(self, path: str) -> Path:
        """A path of the configuration, as the program opens it."""
        return self.base_dir / path

    def goldens(self) -> Goldens:
        """The golden cases as they are written, with their files. Raises `InputError`."""
        return load_goldens(self.config.goldens, self.base_dir, named_in=NamedIn(self.document, "goldens"))

    def dataset(self) -> Dataset:
        """The golden cases as this suite asks and grades them, its defaults applied. Raises `InputError`."""
        return self.completed(self.goldens().dataset)

    def completed(self, dataset: Dataset) -> Dataset:
        """A dataset with this suite's defaults applied."""
        return with_suite_defaults(dataset, max_latency_ms=self.config.max_latency_ms, grounded=self.config.grounded)


def load_config(path: str | os.PathLike[str] = DEFAULT_CONFIG) -> ConfigFile:
    """The configuration in a file (YAML, or JSON by its ending). Raises `InputError` with every problem."""
    return _as_config(path, _read(path))


@dataclass(frozen=True, slots=True)
class Loaded:
    """What could be read of a suite's files, and everything that is wrong with them.

    `file` is None where the configuration has a problem, `goldens` where they have one or are not named.
    """

    file: ConfigFile | None
    goldens: Goldens | None
    problems: tuple[Problem, ...]


def load_suite(path: str | os.PathLike[str] = DEFAULT_CONFIG, *, goldens: bool = True) -> Loaded:
    """A configuration with its golden files (`goldens=False`: alone): one's problems do not hide the other's."""
    problems: list[Problem] = []
    file, cases = None, None
    try:
        document = _read(path)
    except InputError as error:
        return Loaded(None, None, error.problems)
    try:
        file = _as_config(path, document)
        problems += [document.problem(each.place, each.found, each.mend) for each in unusable(file.config)]
    except InputError as error:
        problems += error.problems
    named = _named_goldens(document.value) if goldens else {}
    if named:
        where = NamedIn(document, "goldens", list(named))
        try:
            cases = load_goldens(list(named.values()), Path(path).parent, named_in=where)
        except InputError as error:
            problems += error.problems
    return Loaded(file, cases, tuple(problems))


def _read(path: str | os.PathLike[str]) -> Document:
    if not os.path.lexists(path):
        raise InputError([Problem(os.fspath(path), None, "", "found no file there", _instead_of(Path(path)))])
    document = read_document(path)
    if not isinstance(document.value, dict):
        mend = "write an object with suite, goldens and agent"
        raise InputError([document.problem((), shown(document.value), mend)])
    return document


def _instead_of(path: Path) -> str:
    """What to do where there is no such file: it may have another ending, or stand in a folder above."""
    for ending in (".yaml", ".yml", ".json"):
        other = path.with_suffix(ending)
        if path.suffix and other.exists():
            return f"there is {other}: rename it, or give it with --config {other}"
    if path.name == os.fspath(path):
        with suppress(OSError):  # the folder we are in may be gone
            above = [each / path for each in Path.cwd().parents if (each / path).is_file()]
            if above:
                return f"there is one above: give it with --config {os.path.relpath(above[0])}"
    return "correct the path, or write a first one with `quilate init`"


def _as_config(path: str | os.PathLike[str], document: Document) -> ConfigFile:
    written = document.value
    try:
        config = Config.model_validate_json(
            json.dumps({key: value for key, value in written.items() if key != "$schema"})
        )
    except ValidationError as error:
        problems = problems_of(error, document, Config, written=written)
        raise InputError(sorted(problems, key=lambda problem: problem.line or 0)) from None
    return ConfigFile(config, Path(path), Path(path).parent, document)


def _named_goldens(written: dict[str, Any]) -> dict[int, str]:
    """The patterns that can be used, by their place in the list, whatever else is wrong with the configuration."""
    named = written.get("goldens")
    patterns = named if isinstance(named, list) else [named]
    return {index: each for index, each in enumerate(patterns) if isinstance(each, str) and each}
