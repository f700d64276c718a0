"""Which files a suite's `goldens:` names."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quilate.documents import FORMATS, Document
from quilate.errors import Problem
from quilate.shown import visible


@dataclass(frozen=True, slots=True)
class NamedIn:
    """Where the patterns themselves are written, so that a pattern that matches nothing is told on its line."""

    document: Document
    key: str
    indexes: Sequence[int] | None = None
    """Where in the list each pattern stands, if not one after the other."""

    def problem(self, index: int, found: str, mend: str) -> Problem:
        """A problem with one of the patterns."""
        place = index if self.indexes is None else self.indexes[index]
        return self.document.problem((self.key, place), found, mend)


@dataclass(frozen=True, slots=True)
class Found:
    """The files that patterns name, and a problem for each pattern that names none."""

    files: tuple[str, ...]
    problems: tuple[Problem, ...]


def find_files(patterns: Sequence[str], base_dir: Path, *, named_in: NamedIn | None = None) -> Found:
    """The files that paths, globs (`**` too) and folders name, each once, in the order given, a glob's by name.

    A folder stands for every file in it whose ending says a format. Paths are as given, joined to `base_dir`.
    """
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for index, pattern in enumerate(patterns):
        matches = _matches(pattern, base_dir)
        if not matches:
            what, mend = _nothing_there(pattern, base_dir)
            problems.append(
                named_in.problem(index, f"{visible(pattern)}, which names {what}", mend)
                if named_in
                else Problem(visible(pattern, 400), None, "", f"found {what}", mend)
            )
        for match in matches:
            found.setdefault(os.path.realpath(match), readable_path(match))
    return Found(tuple(found.values()), tuple(problems))


def _nothing_there(pattern: str, base_dir: Path) -> tuple[str, str]:
    """What a pattern without a match names, and what to write or do instead."""
    path = base_dir / pattern
    if "\0" not in pattern and path.is_dir():
        if not os.access(path, os.R_OK | os.X_OK):
            return "a folder that cannot be read", "make it readable"
        return "a folder without a golden file", f"add one, its name ending in one of {', '.join(FORMATS)}"
    where = visible(_shown_dir(base_dir))
    return "no file", f"correct the path (it is relative to {where}), or add the file"


def _matches(pattern: str, base_dir: Path) -> list[str]:
    if "\0" in pattern:
        return []
    path = Path(os.path.normpath(base_dir / pattern))
    if path.is_dir():
        return [name for name in _glob("**/*", path) if Path(name).suffix.lower() in FORMATS]
    return [os.fspath(path)] if _may_exist(path) else _glob(pattern, base_dir)


def _may_exist(path: Path) -> bool:
    """Whether a file is there, or cannot be seen to be there, which reading it will tell."""
    try:
        return path.exists()
    except OSError:
        return True


def _glob(pattern: str, folder: Path) -> list[str]:
    """The files that match, by name. A shell's rules: `*` takes no hidden file; a pattern may be absolute."""
    names = glob.glob(pattern, root_dir=folder, recursive=True)  # noqa: PTH207 - Path.glob has neither
    return sorted(os.path.normpath(folder / name) for name in names if not (folder / name).is_dir())


def readable_path(path: str | os.PathLike[str]) -> str:
    """A path as messages show it: relative to the working directory where it lies inside; others as they are."""
    path = os.fspath(path)
    if Path(path).is_absolute():
        relative = os.path.relpath(path)
        if not relative.startswith(os.pardir):
            path = relative
    return Path(path).as_posix()


def _shown_dir(base_dir: Path) -> str:
    shown = readable_path(os.fspath(base_dir))
    return "the current folder" if shown == "." else shown
