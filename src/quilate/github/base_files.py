"""A suite as it stands at a commit, read over the API: what stage 2 grades a fork's replies by. No checkout."""

from __future__ import annotations

import base64
import fnmatch
import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from quilate.config import Config
from quilate.errors import QuilateError
from quilate.github.api import Api

MOST_FILES = 500
MAX_FILE_BYTES = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The regular files of one commit: path → blob and size."""

    api: Api
    commit: str
    files: dict[str, tuple[str, int]]

    def matching(self, patterns: Iterable[str], below: str = "") -> list[str]:
        """Paths that a pattern, a path or a folder names, relative to the folder `below`. Wider rather than narrower:
        what is not needed does no harm."""
        wanted = [posixpath.normpath(str(PurePosixPath(below) / pattern)) for pattern in patterns]
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
            target.write_bytes(self._content(path))

    def _content(self, path: str) -> bytes:
        blob, size = self.files[path]
        if size > MAX_FILE_BYTES:
            message = f"{path} has {size} bytes; stage 2 reads files of at most {MAX_FILE_BYTES}"
            raise QuilateError(message)
        if size > 1024 * 1024:  # the contents API gives no content beyond 1 MB
            found = self.api.get(f"/git/blobs/{blob}", doing=f"read {path} of the base")
        else:
            found = self.api.get(f"/contents/{quote(path)}", {"ref": self.commit}, doing=f"read {path} of the base")
        return base64.b64decode(found["content"])


def snapshot(api: Api, commit: str) -> Snapshot:
    """The files of a commit, links and submodules left out, as paths that stay below where they are written."""
    found = api.get(f"/git/trees/{commit}", {"recursive": "1"}, doing=f"list the files of {commit[:7]}")
    if found["truncated"]:
        message = (
            f"the repository has too many files to list {commit[:7]} in one answer; stage 2 cannot read its goldens"
        )
        raise QuilateError(message)
    rows = [row for row in found["tree"] if row["type"] == "blob" and str(row["mode"]).startswith("100")]
    safe = [row for row in rows if not {"..", ".", "", ".git"} & set(row["path"].split("/"))]
    return Snapshot(api, commit, {row["path"]: (row["sha"], int(row.get("size", 0))) for row in safe})


def needed(config: Config) -> list[str]:
    """What a configuration names beside itself: goldens, locale packs, prompts, labels, the judge's calibration."""
    judge = config.judge
    return [
        *config.goldens,
        *config.locales,
        *(one for one in (judge and judge.labels, judge and judge.prompts, judge and judge.calibration) if one),
    ]
