"""Where baselines are kept, and a directory as such a place."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Protocol

from quilate.errors import InputError, QuilateError, UsageError
from quilate.grades import Grade
from quilate.runs.lock import wait_lock
from quilate.runs.reader import RunReader
from quilate.runs.resume import usable

_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_SUITE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_RECORD = ".jsonl.gz"
LOCAL = "local"
"""Names the record of a run that knows no commit; a newer one takes its place."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A commit on the way whose record could not be used."""

    commit: str
    distance: int
    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """A usable record, how many commits back it is, and what was passed over on the way there."""

    path: Path
    commit: str
    distance: int
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """One stored run, for trends: counts, never a rounded rate."""

    record: str
    commit: str | None
    started_at: str
    dataset_version: str
    cases: int
    approved: int
    graded: int
    errors: int
    not_judged: int
    latency_p95_ms: float | None
    tool_version: str
    agent_fingerprint: str
    judge_fingerprint: str | None
    cost_usd: str | None = None
    verdict: str | None = None
    """Against its own base, where the run was compared."""
    run_id: int | None = None
    """The workflow run that made it, where one did."""
    accepted_by: str | None = None
    """Who accepted the drop that this commit brought, where one was accepted."""
    accepted_label: str | None = None


_POINT_KEYS = frozenset(each.name for each in fields(HistoryPoint))


class BaselineStore(Protocol):
    """The stored runs of one suite."""

    def load(self, commit: str) -> Path | None:
        """The run file of a commit's record, unverified; None where it has none."""
        ...

    def nearest(self, commits: Sequence[str]) -> Found | None:
        """The first of `commits` (nearest first) with a usable record; None where none has."""
        ...

    def save(self, run: Path, commit: str | None) -> bool:
        """Stores a usable run; False where the commit has a usable record already, which stays.

        Raises `QuilateError` where the run is not usable or cannot be stored.
        """
        ...

    def history(self) -> tuple[HistoryPoint, ...]:
        """Every run that was ever stored, oldest first."""
        ...

    def list(self) -> tuple[str, ...]:
        """The names of the records there are (commits, or `local`), newest first."""
        ...


class DirectoryStore:
    """Baselines in a directory: `<suite>/<commit>.jsonl.gz` (or `local`), and `<suite>/history.jsonl`.

    Records are replaced atomically; several processes may save at once. The newest `keep` records stay.
    """

    def __init__(self, directory: Path | str, suite: str, *, keep: int = 200) -> None:
        """Raises `UsageError` for a suite's name that is none."""
        if not _SUITE.fullmatch(suite):
            message = f"{suite!r} is no suite's name; write small letters, digits and single hyphens"
            raise UsageError(message)
        self.suite, self.keep = suite, keep
        self.directory = Path(directory) / suite

    def load(self, commit: str) -> Path | None:
        """See `BaselineStore`."""
        path = self._path(commit)
        return path if path.is_file() else None

    def nearest(self, commits: Sequence[str]) -> Found | None:
        """See `BaselineStore`."""
        skipped: list[Skipped] = []
        for distance, commit in enumerate(commits):
            path = self.load(commit)
            if path is None:
                continue
            why = self._why_not(path, commit)
            if why is None:
                return Found(path, commit, distance, tuple(skipped))
            skipped.append(Skipped(commit, distance, why))
        return None

    def newest(self) -> Found | None:
        """The newest usable record, for a laptop that compares with whatever was stored last."""
        skipped: list[Skipped] = []
        for distance, name in enumerate(self.list()):
            path = self._file(name)
            why = self._why_not(path, None if name == LOCAL else name)
            if why is None:
                return Found(path, name, distance, tuple(skipped))
            skipped.append(Skipped(name, distance, why))
        return None

    def save(self, run: Path, commit: str | None = None) -> bool:
        """See `BaselineStore`. Without a commit (of its own or in the run's header) it is the `local` record."""
        with RunReader(run) as reader:
            name = commit or reader.header.commit or LOCAL
            if reader.header.suite != self.suite:
                message = f"{run} is a run of suite {reader.header.suite!r}, not of {self.suite!r}"
                raise UsageError(message)
            unusable = usable(reader)
            if unusable is not None:
                message = f"{run} may not become a baseline: {unusable.text}"
                raise QuilateError(message)
            point = _point(reader, name)
        path = self._path(name)
        try:
            with self._locked():
                if name != LOCAL and path.is_file() and self._why_not(path, name) is None:
                    return False
                self._put(run, path)
                self._note(point)
                self._expire()
        except OSError as error:
            message = (
                f"{self.directory}: the baseline cannot be stored ({error.strerror}); make room or mend permissions"
            )
            raise QuilateError(message) from error
        return True

    def history(self) -> tuple[HistoryPoint, ...]:
        """See `BaselineStore`; lines that cannot be read are left out (records matter, trends less)."""
        return tuple(_points(self.directory / "history.jsonl"))

    def list(self) -> tuple[str, ...]:
        """See `BaselineStore`. What the history does not name (its file was lost) comes last."""
        there = {path.name.removesuffix(_RECORD) for path in self.directory.glob(f"*{_RECORD}")}
        named = {name for name in there if name == LOCAL or _COMMIT.fullmatch(name)}
        newest = dict.fromkeys(point.record for point in reversed(self.history()) if point.record in named)
        return (*newest, *sorted(named - newest.keys()))

    def _path(self, name: str) -> Path:
        if name != LOCAL and not _COMMIT.fullmatch(name):
            message = f"{name!r} is no commit; write 7 to 64 hexadecimal digits"
            raise UsageError(message)
        return self._file(name)

    def _file(self, name: str) -> Path:
        return self.directory / f"{name}{_RECORD}"

    def _why_not(self, path: Path, commit: str | None) -> str | None:
        """Why a record cannot be used; None: it can."""
        try:
            with RunReader(path) as run:
                unusable = usable(run)
                header = run.header
        except InputError as error:
            return str(error)
        if header.suite != self.suite:
            return f"it is of suite {header.suite!r}"
        if commit is not None and header.commit is not None and header.commit != commit:
            return f"it is of commit {header.commit[:7]}"
        return unusable.text if unusable else None

    def _put(self, run: Path, path: Path) -> None:
        handle, beside = tempfile.mkstemp(dir=self.directory, prefix=".saving-")
        try:
            with os.fdopen(handle, "wb") as file:
                with run.open("rb") as source:
                    if source.read(2) == b"\x1f\x8b":
                        source.seek(0)
                        shutil.copyfileobj(source, file)
                    else:
                        source.seek(0)
                        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
                            shutil.copyfileobj(source, packed)
                file.flush()
                os.fsync(file.fileno())
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise

    def _note(self, point: HistoryPoint) -> None:
        with (self.directory / "history.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(point), ensure_ascii=False, separators=(",", ":")) + "\n")

    def _expire(self) -> None:
        for name in self.list()[self.keep :]:
            self._file(name).unlink(missing_ok=True)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        self.directory.mkdir(parents=True, exist_ok=True)
        with (self.directory / ".lock").open("wb") as file:
            wait_lock(file.fileno())
            yield


def _point(run: RunReader, name: str) -> HistoryPoint:
    grades = [case.grade for case in run.index.summaries()]
    header, footer = run.header, run.footer
    return HistoryPoint(
        record=name, commit=None if name == LOCAL else name, started_at=header.conditions.started_at,
        dataset_version=header.dataset.version, cases=len(grades), approved=grades.count(Grade.PASS),
        graded=sum(1 for grade in grades if grade.graded), errors=grades.count(Grade.ERROR),
        not_judged=grades.count(Grade.NOT_JUDGED), latency_p95_ms=footer.latency_p95_ms if footer else None,
        tool_version=header.tool_version, agent_fingerprint=header.agent_fingerprint,
        judge_fingerprint=header.judge_fingerprint, cost_usd=footer.cost_usd if footer else None,
    )  # fmt: skip


def _points(path: Path) -> Iterator[HistoryPoint]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, AttributeError, RecursionError):
            data: Any = json.loads(line)
            point = HistoryPoint(**{key: value for key, value in data.items() if key in _POINT_KEYS})
            if isinstance(point.record, str):
                yield point
