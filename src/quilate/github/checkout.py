"""The data branch as files in a folder: a checkout or an export of it, read without GitHub."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from quilate.github import history
from quilate.github.history import History
from quilate.runs.store import HistoryPoint

_SUITE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


@dataclass(frozen=True, slots=True)
class Checkout:
    """One suite's records and the history of one base branch, as `data_branch` lays them out."""

    folder: Path
    suite: str
    branch: str

    def history(self) -> tuple[HistoryPoint, ...]:
        """Every run of the branch, oldest first; empty where there is no history or it cannot be read."""
        path = self.folder / "v1" / self.suite / "history" / f"{history.slug(self.branch)}.json"
        data = path.read_bytes() if path.is_file() else None
        return tuple(point.stored() for point in history.parse(data, self.suite, self.branch).points)

    def load(self, commit: str) -> Path | None:
        """The run file of a commit's record, unverified; None where it has none."""
        if not _COMMIT.fullmatch(commit):
            return None
        path = self.folder / "v1" / self.suite / "records" / commit[:2] / f"{commit}.jsonl.gz"
        return path if path.is_file() else None


def is_checkout(folder: Path) -> bool:
    """Whether `folder` is laid out as the data branch is."""
    return (folder / "v1").is_dir()


def suites_of(folder: Path) -> tuple[str, ...]:
    """The suites that a checkout has, by name."""
    there = (path.name for path in (folder / "v1").iterdir() if path.is_dir())
    return tuple(sorted(name for name in there if _SUITE.fullmatch(name)))


def branches_of(folder: Path, suite: str) -> tuple[str, ...]:
    """The base branches that a suite has a history of, by name; files that cannot be read are left out."""
    found = []
    for path in sorted((folder / "v1" / suite / "history").glob("*.json")):
        try:
            stored = History.model_validate_json(path.read_bytes())
        except ValueError:
            continue
        if history.slug(stored.branch) == path.stem:
            found.append(stored.branch)
    return tuple(found)
