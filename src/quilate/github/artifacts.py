"""Run files out of artifacts. An artifact's zip is hostile: read in memory, under caps, never unpacked."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from quilate.errors import InputError, QuilateError
from quilate.github.api import Api
from quilate.github.regraded import REGRADED_FILE
from quilate.judge.pairs_file import PAIRS_FILE
from quilate.runs.reader import RunReader

PREFIX = "quilate"
"""Artifacts whose name begins so are looked into."""

RUN_FILE = "run.jsonl"
OTHERS = (PAIRS_FILE, REGRADED_FILE)
MAX_ZIP_BYTES = 50 * 1024 * 1024
MAX_RUN_BYTES = 200 * 1024 * 1024
MAX_OTHER_BYTES = 20 * 1024 * 1024
MAX_ENTRIES = 2_000
MAX_DIRECTORY_BYTES = 1024 * 1024
PIECE_BYTES = 1024 * 1024
GZIP = b"\x1f\x8b"
NEEDS = "actions: read"

PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What upload-artifact writes. Others may ask for gigabytes of memory before a byte is read (LZMA's dictionary)."""

UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)
"""What `zipfile` raises for a zip that was made to lie."""


class BadArtifactError(QuilateError):
    """An artifact that cannot be used; the text says why."""

    exit_code = 3


@dataclass(frozen=True, slots=True)
class Artifact:
    """One artifact of a run, as GitHub lists it."""

    id: int
    name: str
    size_bytes: int
    expired: bool


def of_run(api: Api, run_id: int) -> list[Artifact]:
    """Ours among a run's artifacts, the newest first (a re-run's beside the first attempt's)."""
    rows = api.pages(
        f"/actions/runs/{run_id}/artifacts", doing="list the run's artifacts", needs=NEEDS, key="artifacts"
    )
    found = [
        Artifact(int(row["id"]), str(row["name"]), int(row["size_in_bytes"]), bool(row["expired"]))
        for row in rows
        if str(row["name"]).startswith(PREFIX)
    ]
    return sorted(found, key=lambda one: -one.id)


def download(api: Api, artifact: Artifact) -> bytes:
    """The artifact's zip; raises `BadArtifactError` where it is gone or too large."""
    if artifact.expired:
        message = f"the artifact {artifact.name!r:.80} has expired"
        raise BadArtifactError(message)
    too_large = f"the artifact {artifact.name!r:.80} is larger than {MAX_ZIP_BYTES // 2**20} MiB"
    if artifact.size_bytes > MAX_ZIP_BYTES:
        raise BadArtifactError(too_large)
    try:
        path = f"/actions/artifacts/{artifact.id}/zip"
        return api.download(path, max_bytes=MAX_ZIP_BYTES, doing="read the artifact", needs=NEEDS)
    except ValueError as error:
        raise BadArtifactError(too_large) from error


@dataclass(frozen=True, slots=True)
class Left:
    """What a run left of a suite: the run file, and of the files that belong beside it those that are there, by name.

    None is believed: the run file is read as hostile, the others count only once they are found to be of it.
    """

    run: bytes
    others: Mapping[str, bytes]


def run_in(data: bytes, suite: str | None) -> bytes:
    """The run file of a suite in an artifact's zip: `run.jsonl`, or `<suite>/run.jsonl` where there are several.

    Without a suite any suite's.

    Raises `BadArtifactError`. Other names are not looked at, so no path in the zip can lead anywhere.
    """
    with _opened(data) as archive:
        name = _name_in(archive.namelist(), suite)
        if name is None:
            message = f"the artifact holds no {RUN_FILE}"
            raise BadArtifactError(message)
        return _member(archive, name, MAX_RUN_BYTES)


def other_in(data: bytes, suite: str, file: str) -> bytes | None:
    """A file that stands beside a suite's run file; None where none does. Raises `BadArtifactError`."""
    with _opened(data) as archive:
        names = archive.namelist()
        name = (_name_in(names, suite) or "").removesuffix(RUN_FILE) + file
        return _member(archive, name, MAX_OTHER_BYTES) if name in names else None


@contextmanager
def _opened(data: bytes) -> Iterator[zipfile.ZipFile]:
    _check_directory(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except UNREADABLE as error:
        message = f"the artifact is no zip that can be read ({error!s:.200})"
        raise BadArtifactError(message) from error


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """A file's content, unpacked piece by piece: of `most` bytes at most, since `zipfile` gives no more than the size
    that the zip's directory states."""
    shown, info = name.rpartition("/")[2], archive.getinfo(name)
    too_large = f"the artifact's {shown} unpacks to more than {most // 2**20} MiB"
    if info.compress_type not in PACKED:
        message = f"the artifact's {shown} is packed in a way that upload-artifact does not use"
        raise BadArtifactError(message)
    if info.file_size > most:
        raise BadArtifactError(too_large)
    pieces: list[bytes] = []
    with archive.open(name) as member:
        while piece := member.read(PIECE_BYTES):
            pieces.append(piece)
    content = b"".join(pieces)
    if content.startswith(GZIP):  # a run file may be compressed, and within an artifact that is a second bomb
        message = f"the artifact's {shown} is compressed once more"
        raise BadArtifactError(message)
    return content


def _name_in(names: list[str], suite: str | None) -> str | None:
    if suite is None:
        return next((name for name in names if re.fullmatch(rf"(?:[a-z0-9-]+/)?{re.escape(RUN_FILE)}", name)), None)
    return next((name for name in (f"{suite}/{RUN_FILE}", RUN_FILE) if name in names), None)


def newest_of_head(
    api: Api, repository: str | None, head_sha: str, suite: str, *, but_run: int | None = None,
    meant: Callable[[str | None], bool],
) -> Left | None:  # fmt: skip
    """What the newest run of a repository's commit left, or None where nothing can be read.

    `but_run` is this very run, which has left none yet. Only complete runs count, and of those the ones whose tested
    commit is `meant`: one head may stand in several pull requests. A fork may hold the commit as well; its runs have
    no secrets and say nothing here.
    """
    for run_id in _runs_of(api, repository, head_sha):
        if run_id == but_run:
            continue
        found = newest_of_run(api, run_id, suite, meant)
        if found is not None:
            return found
    return None


def newest_of_run(
    api: Api, run_id: int, suite: str, meant: Callable[[str | None], bool] = lambda _: True
) -> Left | None:
    """The newest usable run, of a tested commit that is `meant`, among a run's artifacts, or None.

    Only `GitHubError`s are raised. A file beside it that cannot be unpacked is none.
    """
    for artifact in of_run(api, run_id):
        try:
            packed = download(api, artifact)
            data = run_in(packed, suite)
            with RunReader.of_bytes(data, "the artifact") as run:
                fits = run.header.suite == suite and run.complete and meant(run.header.commit)
        except (BadArtifactError, InputError):
            continue
        if fits:
            found = {file: _readable(packed, suite, file) for file in OTHERS}
            return Left(data, {file: content for file, content in found.items() if content is not None})
    return None


def _readable(packed: bytes, suite: str, file: str) -> bytes | None:
    try:
        return other_in(packed, suite, file)
    except BadArtifactError:
        return None


@dataclass(frozen=True, slots=True)
class HeadSince:
    """Since when a branch has stood at a commit: `at` is GitHub's text that sorts by time, None where nothing tells.

    `after_another`: runs of another commit came before it.
    """

    at: str | None
    after_another: bool

    def covers(self, moment: str) -> bool:
        """Whether what happened then was surely of this commit. GitHub's times end in whole seconds: of two things in
        the same second nobody knows which was first, so that one in the second of a push may be of what stood before.
        """
        return self.at is not None and (moment > self.at or (moment == self.at and not self.after_another))

    def came_after(self, moment: str) -> bool:
        """Whether what happened then was surely of another commit; so is all where nothing tells since when."""
        return self.at is None or moment < self.at


def head_since(api: Api, repository: str, branch: str, head_sha: str) -> HeadSince:
    """Since when a pull request's branch has stood at a commit.

    The first of the branch's newest runs that are all of this commit: one that was there before, and came back after
    another, has not stood since its very first run.
    """
    query = {"branch": branch, "event": "pull_request"}
    rows = api.pages("/actions/runs", query, doing="list the branch's runs", needs=NEEDS, key="workflow_runs")
    since: str | None = None
    for row in rows:
        if ((row.get("head_repository") or {}).get("full_name"), row["head_branch"]) != (repository, branch):
            continue
        if row["head_sha"] != head_sha:
            return HeadSince(since, after_another=True)
        since = str(row["created_at"])
    return HeadSince(since, after_another=False)


def _runs_of(api: Api, repository: str | None, head_sha: str) -> Iterator[int]:
    query = {"head_sha": head_sha, "event": "pull_request"}
    rows = api.pages("/actions/runs", query, doing="list the commit's runs", needs=NEEDS, key="workflow_runs")
    return (int(row["id"]) for row in rows if (row.get("head_repository") or {}).get("full_name") == repository)


def _check_directory(data: bytes) -> None:
    """Refuses a zip with a huge directory before it is read into memory (APPNOTE 4.3.16, the end record)."""
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    if at < 0 or len(data) < at + 22:
        message = "the artifact is no zip that can be read (it has no end record)"
        raise BadArtifactError(message)
    entries, size = _counted(data, at)
    if entries > MAX_ENTRIES or size > MAX_DIRECTORY_BYTES:
        message = f"the artifact has more than {MAX_ENTRIES} files"
        raise BadArtifactError(message)


def _counted(data: bytes, at: int) -> tuple[int, int]:
    """Entries and bytes of the directory. A ZIP64 record before the end record at `at` goes before what that one says
    (4.3.14; `zipfile` reads it so), whatever small numbers stand there."""
    large = data[max(0, at - 76) : max(0, at - 20)]
    if large.startswith(b"PK\x06\x06") and data[at - 20 : at].startswith(b"PK\x06\x07"):
        return int.from_bytes(large[32:40], "little"), int.from_bytes(large[40:48], "little")
    return int.from_bytes(data[at + 10 : at + 12], "little"), int.from_bytes(data[at + 12 : at + 16], "little")
