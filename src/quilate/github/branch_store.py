"""The data branch as a `BaselineStore`: records come to files, and a saved run to the history of its base branch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quilate.errors import QuilateError, UsageError
from quilate.github.data_branch import BadRecordError, DataBranch, Saved
from quilate.github.history import Origin, point_of
from quilate.runs.reader import RunReader
from quilate.runs.resume import usable
from quilate.runs.store import Found, HistoryPoint, Skipped


@dataclass(frozen=True, slots=True)
class BranchStore:
    """`folder` is where records that were read are put; `origin` says whose run is saved."""

    data: DataBranch
    folder: Path
    origin: Origin

    def load(self, commit: str) -> Path | None:
        """See `BaselineStore`."""
        data = self.data.raw(commit)
        return None if data is None else self._put(commit, data)

    def nearest(self, commits: Sequence[str]) -> Found | None:
        """See `BaselineStore`; every record is verified."""
        stored = self.data.commits()
        skipped: list[Skipped] = []
        for distance, commit in enumerate(commits):
            if commit not in stored:
                continue
            try:
                path = self._put(commit, self.data.load(commit))
            except BadRecordError as error:
                skipped.append(Skipped(commit, distance, str(error)))
                continue
            return Found(path, commit, distance, tuple(skipped))
        return None

    def save(self, run: Path, commit: str | None = None) -> bool:
        """See `BaselineStore`."""
        with RunReader(run) as reader:
            name = commit or reader.header.commit
            if name is None:
                message = f"{run} is of no commit; a data branch keeps records by commit"
                raise UsageError(message)
            why = usable(reader)
            if why is not None:
                message = f"{run} may not become a baseline: {why.text}"
                raise QuilateError(message)
            point = point_of(reader, name, self.origin, recorded=True)
        return self.data.save(run, point, self.origin.branch) is Saved.STORED

    def note(self, run: Path, commit: str, verdict: str) -> None:
        """Adds a run that records nothing to the history."""
        with RunReader(run) as reader:
            point = point_of(reader, commit, self.origin, recorded=False, verdict=verdict)
        self.data.note(point, self.origin.branch)

    def history(self) -> tuple[HistoryPoint, ...]:
        """See `BaselineStore`."""
        return tuple(point.stored() for point in self.data.history(self.origin.branch).points)

    def list(self) -> tuple[str, ...]:
        """See `BaselineStore`."""
        there = self.data.commits()
        points = self.data.history(self.origin.branch).points
        newest = dict.fromkeys(point.commit for point in reversed(points) if point.commit in there)
        return (*newest, *sorted(there - newest.keys()))

    def _put(self, commit: str, data: bytes) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{commit}.jsonl.gz"
        path.write_bytes(data)
        return path
