"""Baselines on a branch of their own: one record per suite and commit, a history per branch, written over the API.

Layout: `v1/<suite>/records/<ab>/<commit>.jsonl.gz` (the run file), beside it `<commit>.json` (its header, readable
without unpacking), `v1/<suite>/history/<branch>.json`.
"""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random

from quilate import __version__
from quilate.errors import InputError, QuilateError
from quilate.github import history
from quilate.github.errors import GitHubError
from quilate.github.git_data import GitData, Tip
from quilate.github.history import History, Point
from quilate.runs.reader import RunReader
from quilate.runs.resume import usable

MAX_RECORD_BYTES = 25 * 1024 * 1024
"""Of a compressed record. GitHub takes blobs up to 100 MB; a branch of such would be a burden to every clone."""

SQUASH_AFTER = 300
"""Commits of the data branch, after which its git history starts anew (the records stay, old ones' bytes go)."""

ATTEMPTS = 25
"""Each round one writer wins, so this many writers at once get through."""

_DEPTH = re.compile(r"^Quilate-Depth: (\d{1,9})$", re.MULTILINE)
_README = """# Baselines of quilate

Written by the action on pushes to base branches; read by the runs of pull requests. Each record is the run of one
commit. Nothing here is edited by hand: a record that does not fit its name is skipped. To start over, delete the
branch.
"""


class Saved(StrEnum):
    """What came of saving a record."""

    STORED = "stored"
    KEPT = "kept"
    """The commit had a usable record already; the first one stays."""


class BadRecordError(QuilateError):
    """A stored record that cannot be used; the text says why."""


@dataclass(frozen=True, slots=True)
class DataBranch:
    """The records of one suite."""

    git: GitData
    suite: str
    branch: str = "quilate-data"
    keep: int = 200
    max_record_bytes: int = MAX_RECORD_BYTES
    squash_after: int = SQUASH_AFTER
    random: Random = field(default_factory=Random)

    def commits(self) -> frozenset[str]:
        """Every commit that has a record, as the branch lists them; unverified."""
        tip = self.git.tip(self.branch)
        return frozenset(self._records(self._listed(tip)))

    def load(self, commit: str) -> bytes:
        """A commit's record (a gzip run file), verified: of that commit and suite, whole, usable, as its header says.

        Raises `BadRecordError` with the reason, `GitHubError` where it cannot be read at all.
        """
        listed = self._listed(self.git.tip(self.branch))
        data = self._read(listed, commit, "jsonl.gz")
        if data is None:
            message = f"{commit[:7]} has no record"
            raise BadRecordError(message)
        verify(data, self._read(listed, commit, "json"), commit, self.suite)
        return data

    def raw(self, commit: str) -> bytes | None:
        """A commit's record as it is stored, unverified; None where it has none."""
        return self._read(self._listed(self.git.tip(self.branch)), commit, "jsonl.gz")

    def _read(self, listed: Mapping[str, str], commit: str, suffix: str) -> bytes | None:
        blob = listed.get(self._path(commit, suffix))
        return self.git.blob(blob) if blob else None

    def save(self, run: Path, point: Point, branch: str) -> Saved:
        """Stores the usable run in file `run` as `point.commit`'s record and adds `point` to the history of `branch`.

        Raises `QuilateError` where it is too large or cannot be stored.
        """
        data = gzip.compress(run.read_bytes(), mtime=0)
        if len(data) > self.max_record_bytes:
            message = (
                f"the run of {point.commit[:7]} has {len(data)} bytes compressed; a record may have "
                f"{self.max_record_bytes}. Write `baseline: {{store_replies: false}}` in the configuration, "
                f"or shorten what the agent returns"
            )
            raise QuilateError(message)
        with RunReader.of_bytes(data, f"the run of {point.commit[:7]}") as reader:
            header = header_beside(data, reader, point, branch)
        blobs = {
            self._path(point.commit, "jsonl.gz"): self.git.add_blob(data),
            self._path(point.commit, "json"): self.git.add_blob(header),
        }
        return self._write(point, branch, blobs, f"Record {self.suite} at {point.commit[:7]} of {branch}")

    def note(self, point: Point, branch: str) -> None:
        """Adds a point to the history alone: a run that watches and records nothing."""
        self._write(point, branch, {}, f"Note {self.suite} at {point.commit[:7]} of {branch}")

    def history(self, branch: str) -> History:
        """The stored history of a branch."""
        listed = self._listed(self.git.tip(self.branch))
        return self._history(listed, branch)

    def _write(self, point: Point, branch: str, blobs: Mapping[str, str], message: str) -> Saved:
        for attempt in range(ATTEMPTS):
            tip = self.git.tip(self.branch)
            listed = self._listed(tip)
            if blobs and self._has_good_record(listed, point.commit, blobs):
                return Saved.KEPT
            changes = {**blobs, **self._changes(listed, point, branch)}
            if tip is None:
                changes["README.md"] = self.git.add_blob(_README.encode())
            if self._commit(tip, self.git.add_tree(tip.tree if tip else None, changes), message):
                return Saved.STORED
            self.git.api.sleep(pause_s(attempt, self.random) * self.git.api.patience.scale)
        text = f"the branch {self.branch} could not be written: others were faster {ATTEMPTS} times; re-run the job"
        raise QuilateError(text)

    def _has_good_record(self, listed: Mapping[str, str], commit: str, ours: Mapping[str, str]) -> bool:
        path = self._path(commit, "jsonl.gz")
        if path not in listed or listed[path] == ours[path]:
            return path in listed
        try:
            self.load(commit)
        except BadRecordError:
            return False
        return True

    def _commit(self, tip: Tip | None, tree: str, message: str) -> bool:
        depth = 1 + (depth_of(tip.message) if tip else 0)
        if tip and depth > self.squash_after and self._squashed(tip, tree, message):
            return True
        sha = self.git.add_commit(tree, tip.sha if tip else None, f"{message}\n\nQuilate-Depth: {depth}\n")
        return self.git.advance(self.branch, tip.sha if tip else None, sha)

    def _squashed(self, tip: Tip, tree: str, message: str) -> bool:
        """Whether the branch's history was begun anew. Where a rule or an old server forbids it, it just grows on."""
        dropped = f"{message}\n\nThe history before this was dropped.\n\nQuilate-Depth: 1\n"
        try:
            return self.git.replace(self.branch, tip.sha, self.git.add_commit(tree, None, dropped))
        except GitHubError:
            return False

    def _changes(self, listed: Mapping[str, str], point: Point, branch: str) -> dict[str, str | None]:
        """The history with the new point, and what is past its time taken out."""
        prefix = f"v1/{self.suite}/history/"
        path = f"{prefix}{history.slug(branch)}.json"
        histories = {name: self._parsed(listed[name]) for name in listed if name.startswith(prefix) and name != path}
        histories[path] = self._history(listed, branch).with_point(point)
        changes: dict[str, str | None] = {
            path: self.git.add_blob((histories[path].model_dump_json(indent=1, exclude_none=True) + "\n").encode())
        }
        for commit in history.expired(histories, self.keep) - {point.commit}:
            for suffix in ("jsonl.gz", "json"):
                gone = self._path(commit, suffix)
                if gone in listed:
                    changes[gone] = None
        return changes

    def _history(self, listed: Mapping[str, str], branch: str) -> History:
        blob = listed.get(f"v1/{self.suite}/history/{history.slug(branch)}.json")
        return history.parse(self.git.blob(blob) if blob else None, self.suite, branch)

    def _parsed(self, blob: str) -> History:
        try:
            return History.model_validate_json(self.git.blob(blob))
        except ValueError:
            return History(suite=self.suite, branch="")

    def _listed(self, tip: Tip | None) -> dict[str, str]:
        return self.git.files(tip.tree, f"v1/{self.suite}") if tip else {}

    def _records(self, listed: Mapping[str, str]) -> list[str]:
        pattern = re.compile(rf"v1/{re.escape(self.suite)}/records/(..)/(\1[0-9a-f]{{38,62}})\.jsonl\.gz")
        return [found[2] for found in map(pattern.fullmatch, listed) if found]

    def _path(self, commit: str, suffix: str) -> str:
        return f"v1/{self.suite}/records/{commit[:2]}/{commit}.{suffix}"


def header_beside(data: bytes, run: RunReader, point: Point, branch: str) -> bytes:
    """What stands beside a record, readable without unpacking it."""
    beside = {
        "schema": 1,
        "suite": run.header.suite,
        "commit": point.commit,
        "branch": branch,
        "run": {"id": point.run_id, "attempt": point.run_attempt, "event": point.event},
        "recorded_at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "tool_version": __version__,
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "counts": run.footer.counts if run.footer else {},
        "header": run.header.model_dump(mode="json", by_alias=True, exclude_none=True),
    }
    return (json.dumps(beside, indent=1, ensure_ascii=False) + "\n").encode()


def verify(data: bytes, beside: bytes | None, commit: str, suite: str) -> None:
    """Raises `BadRecordError` with the reason unless a record's bytes are a run of `commit` that may be measured by."""
    if beside is not None:
        try:
            stated = json.loads(beside)["sha256"]
        except (ValueError, KeyError, TypeError) as error:
            message = f"the header beside the record cannot be read ({type(error).__name__})"
            raise BadRecordError(message) from error
        if stated != hashlib.sha256(data).hexdigest():
            message = "its bytes are not those its header states"
            raise BadRecordError(message)
    try:
        with RunReader.of_bytes(data, f"the record of {commit[:7]}") as run:
            why = _unfit(run, commit, suite)
    except InputError as error:
        raise BadRecordError(str(error)) from error
    if why is not None:
        raise BadRecordError(why)


def _unfit(run: RunReader, commit: str, suite: str) -> str | None:
    found = run.header
    if found.commit != commit or found.suite != suite:
        return f"it is the run of {(found.commit or 'no commit')[:7]} for suite {found.suite}"
    why = usable(run)
    return why.text if why else None


def depth_of(message: str) -> int:
    """How many commits the data branch has, as its newest commit says; 0 where a person wrote it."""
    found = _DEPTH.search(message)
    return int(found[1]) if found else 0


def pause_s(attempt: int, random: Random) -> float:
    """Seconds before trying again to write the ref: from nothing up to 4 s, so that writers come apart."""
    return random.uniform(0, min(0.2 * 2 ** min(attempt, 6), 4.0))
