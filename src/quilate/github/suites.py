"""The suites of a step: one, or a monorepo's several, each with its own place for what is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from quilate.errors import InputError, Problem, UsageError, nearest
from quilate.suite import Suite, open_suite


@dataclass(frozen=True, slots=True)
class Place:
    """A suite with where its configuration is (relative to the workspace) and where its files go."""

    config_path: str
    suite: Suite
    output: Path

    @property
    def name(self) -> str:
        """The suite's name."""
        return self.suite.config.suite

    @property
    def run_file(self) -> Path:
        """The run file that is written."""
        return self.output / "run.jsonl"


def find(patterns: Iterable[str], wanted: str | None, output: Path, root: Path = Path()) -> list[Place]:
    """The suites of the configurations that paths and globs name below `root`, in that order.

    Alone, a suite writes to `output`; of several each writes to `output/<suite>`. `wanted` picks one by name. Raises
    `InputError` with every configuration's problems, `UsageError` where nothing is found.
    """
    paths = paths_of(patterns, root)
    opened = _opened(paths, root, open_suite)
    by_name: dict[str, str] = {}
    for path, suite in opened:
        earlier = by_name.setdefault(suite.config.suite, path)
        if earlier != path:
            found = f"found the suite {suite.config.suite}, as in {earlier}"
            raise InputError([Problem(path, None, "suite", found, "give every suite a name of its own")])
    if wanted is not None:
        if wanted not in by_name:
            meant = nearest(wanted, by_name)
            hint = f"did you mean {meant}?" if meant else f"there are: {', '.join(by_name)}"
            message = f"input suite: no configuration is of the suite {wanted!r}; {hint}"
            raise UsageError(message)
        opened = [(path, suite) for path, suite in opened if suite.config.suite == wanted]
    several = len(opened) > 1
    return [Place(path, suite, output / suite.config.suite if several else output) for path, suite in opened]


def paths_of(patterns: Iterable[str], root: Path) -> list[str]:
    """The configurations that paths and globs name below `root`; raises `UsageError` where a glob names none."""
    found: dict[str, None] = {}
    for pattern in patterns:
        magic = any(letter in pattern for letter in "*?[")
        matches = sorted(path.relative_to(root).as_posix() for path in root.glob(pattern)) if magic else [pattern]
        if not matches:
            message = f"input config: {pattern!r} matches no file of the workspace; is the repository checked out?"
            raise UsageError(message)
        found.update(dict.fromkeys(matches))
    return list(found)


def _opened(paths: Iterable[str], root: Path, load: Callable[[Path], Suite]) -> list[tuple[str, Suite]]:
    opened: list[tuple[str, Suite]] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            opened.append((path, load(root / path)))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return opened
