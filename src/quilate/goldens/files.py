"""Which files a suite's `goldens:` names."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quilate.documents import FORMATS, Document
from quilate.errors import InputError, Problem
from quilate.shown import visible


@dataclass(frozen=True, slots=True)
class NamedIn:
    """Where the patterns themselves are written, so that a pattern that matches nothing is told on its line."""

    document: Document
    key: str

    def problem(self, index: int, found: str, mend: str) -> Problem:
        """A problem with one of the patterns."""
        return self.document.problem((self.key, index), found, mend)


def find_files(patterns: Sequence[str], base_dir: Path, *, named_in: NamedIn | None = None) -> tuple[str, ...]:
    """The files that paths, globs (`**` too) and folders name, each once, in the order given, a glob's by name.

    A folder stands for every file in it whose ending says a format. Paths are as given, joined to `base_dir`.
    Raises `InputError` for every pattern that names no file.
    """
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for index, pattern in enumerate(patterns):
        matches = _matches(pattern, base_dir)
        if not matches:
            what = f"{visible(pattern)}, which names no file"
            mend = f"correct the path (it is relative to {visible(_shown_dir(base_dir))}), or add the file"
            problems.append(
                named_in.problem(index, what, mend)
                if named_in
                else Problem(visible(pattern, 400), None, "", "found no file there", mend)
            )
        for match in matches:
            found.setdefault(os.path.realpath(match), _readable_path(match))
    if problems:
        raise InputError(problems)
    return tuple(found.values())


def _matches(pattern: str, base_dir: Path) -> list[str]:
    if "\0" in pattern:
        return []
    path = Path(os.path.normpath(base_dir / pattern))
    if path.is_dir():
        return [name for name in _glob("**/*", path) if Path(name).suffix.lower() in FORMATS]
    return [os.fspath(path)] if path.exists() else _glob(pattern, base_dir)


def _glob(pattern: str, folder: Path) -> list[str]:
    """The files that match, by name. A shell's rules: `*` takes no hidden file; a pattern may be absolute."""
    names = glob.glob(pattern, root_dir=folder, recursive=True)  # noqa: PTH207 - Path.glob has neither
    return sorted(os.path.normpath(folder / name) for name in names if not (folder / name).is_dir())


def _readable_path(path: str) -> str:
    """An absolute path inside the working directory is shown relative to it; others as they are."""
    if Path(path).is_absolute():
        relative = os.path.relpath(path)
        if not relative.startswith(os.pardir):
            path = relative
    return Path(path).as_posix()


def _shown_dir(base_dir: Path) -> str:
    shown = _readable_path(os.fspath(base_dir))
    return "the current folder" if shown == "." else shown
