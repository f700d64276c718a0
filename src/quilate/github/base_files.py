"""A suite as it stands at a commit, read over the API: what stage 2 grades a fork's replies by. No checkout."""

from __future__ import annotations

import base64
import fnmatch
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from quilate.config import Config
from quilate.errors import QuilateError
from quilate.github.api import Api
from quilate.github.errors import NotFoundError

MOST_FILES = 500
MOST_LISTINGS = 200
"""Folders listed one by one where a repository is too large for one answer."""
MAX_FILE_BYTES = 20 * 1024 * 1024
MOST_INLINE_BYTES = 1024 * 1024
"""The contents API gives no content beyond 1 MB."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The regular files of one commit: path → blob and size.

    Where GitHub does not list them all at once, `root` is the commit's tree, and `files` holds what was looked for.
    """

    api: Api
    commit: str
    files: dict[str, tuple[str, int]]
    root: str | None = None
    _listings: dict[tuple[str, bool], Mapping[str, Any]] = field(default_factory=dict)

    def matching(self, patterns: Iterable[str], below: str = "") -> list[str]:
        """Paths that a pattern, a path or a folder names, relative to the folder `below`. Wider rather than narrower:
        what is not needed does no harm."""
        wanted = [posixpath.normpath(str(PurePosixPath(below) / pattern)) for pattern in patterns]
        if self.root is not None:
            for one in wanted:
                self._look(self.root, "", one.split("/"))
        return [
            path
            for path in self.files
            if any(
                path == one
                or path.startswith(one.rstrip("/") + "/")
                or fnmatch.fnmatchcase(path, one.replace("**/", "*"))
                for one in wanted
            )
        ]

    def _look(self, tree: str, prefix: str, parts: list[str]) -> None:
        """Lists no more folders than a pattern's parts lead into."""
        first, rest = parts[0], parts[1:]
        if first == "**":
            self._list_below(tree, prefix)
            return
        for row in self._listing(tree, recursive=False)["tree"]:
            if not fnmatch.fnmatchcase(row["path"], first):
                continue
            if row["type"] != "tree":
                self._take(row, prefix)
            elif rest:
                self._look(row["sha"], f"{prefix}{row['path']}/", rest)
            else:
                self._list_below(row["sha"], f"{prefix}{row['path']}/")

    def _list_below(self, tree: str, prefix: str) -> None:
        """Everything in a folder: in one answer, or folder by folder."""
        found = self._listing(tree, recursive=True)
        if not found["truncated"]:
            for row in found["tree"]:
                self._take(row, prefix)
            return
        for row in self._listing(tree, recursive=False)["tree"]:
            self._take(row, prefix)
            if row["type"] == "tree":
                self._list_below(row["sha"], f"{prefix}{row['path']}/")

    def _listing(self, tree: str, *, recursive: bool) -> Mapping[str, Any]:
        known = self._listings.get((tree, recursive))
        if known is not None:
            return known
        if len(self._listings) >= MOST_LISTINGS:
            message = (
                f"the repository has too many files to list {self.commit[:7]} in one answer, and its configuration "
                f"leads into more than {MOST_LISTINGS} folders; name the folders of the golden files without `**`"
            )
            raise QuilateError(message)
        found = _listed(self.api, tree, self.commit, recursive=recursive)
        self._listings[tree, recursive] = found
        return found

    def _take(self, row: Mapping[str, Any], prefix: str) -> None:
        self.files.update(_regular([{**row, "path": prefix + row["path"]}]))

    def fetch(self, paths: Iterable[str], into: Path) -> None:
        """Writes files below `into`, under their own paths."""
        chosen = list(dict.fromkeys(paths))
        if len(chosen) > MOST_FILES:
            message = f"the base's configuration names {len(chosen)} files; stage 2 reads at most {MOST_FILES}"
            raise QuilateError(message)
        for path in chosen:
            target = into / path
            if target.exists():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.content(path))

    def content(self, path: str) -> bytes:
        """A file's bytes. Raises `QuilateError` for one that is too large."""
        blob, size = self.files[path]
        if size > MAX_FILE_BYTES:
            message = f"{path} has {size} bytes; stage 2 reads files of at most {MAX_FILE_BYTES}"
            raise QuilateError(message)
        found = None if size > MOST_INLINE_BYTES else _contents(self.api, self.commit, path)
        if found is None:
            found = self.api.get(f"/git/blobs/{blob}", doing=f"read {path} of the base")
        return base64.b64decode(found["content"])


def content_at(api: Api, commit: str, path: str) -> bytes | None:
    """A file's bytes as it stands at a commit, in one request; None where there is no such file."""
    found = _contents(api, commit, path)
    if found is None:
        return None
    if int(found["size"]) > MOST_INLINE_BYTES:
        message = f"{path} of {commit[:7]} has {found['size']} bytes; at most {MOST_INLINE_BYTES} are read"
        raise QuilateError(message)
    return base64.b64decode(found["content"])


def _contents(api: Api, commit: str, path: str) -> Mapping[str, Any] | None:
    try:
        found = api.get(f"/contents/{quote(path)}", {"ref": commit}, doing=f"read {path} of the base")
    except NotFoundError:
        return None
    return found if isinstance(found, Mapping) and found.get("type") == "file" else None


def snapshot(api: Api, commit: str) -> Snapshot:
    """The files of a commit, links and submodules left out, as paths that stay below where they are written."""
    found = _listed(api, commit, commit, recursive=True)
    if found["truncated"]:
        return Snapshot(api, commit, {}, root=str(found["sha"]))
    return Snapshot(api, commit, _regular(found["tree"]))


def _listed(api: Api, tree: str, commit: str, *, recursive: bool) -> Mapping[str, Any]:
    query = {"recursive": "1"} if recursive else {}
    found: Mapping[str, Any] = api.get(f"/git/trees/{tree}", query, doing=f"list the files of {commit[:7]}")
    return found


def _regular(rows: Iterable[Mapping[str, Any]]) -> dict[str, tuple[str, int]]:
    return {
        row["path"]: (row["sha"], int(row.get("size", 0)))
        for row in rows
        if row["type"] == "blob"
        and str(row["mode"]).startswith("100")
        and not {"..", ".", "", ".git"} & set(row["path"].split("/"))
    }


def needed(config: Config) -> list[str]:
    """What a configuration names beside itself: goldens, locale packs, prompts, labels, the judge's calibration."""
    judge = config.judge
    return [
        *config.goldens,
        *config.locales,
        *(one for one in (judge and judge.labels, judge and judge.prompts, judge and judge.calibration) if one),
    ]
