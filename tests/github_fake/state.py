"""What the fake GitHub remembers of one repository."""

from __future__ import annotations

import io
import itertools
import re
import threading
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.github_fake.objects import Objects

BOT = "github-actions[bot]"
LEVELS = {"none": 0, "read": 1, "write": 2, "admin": 3}


@dataclass
class Token:
    """An installation token of a job: what the workflow declared, and `metadata: read`."""

    value: str
    permissions: dict[str, str]
    login: str = BOT

    def allows(self, name: str, level: str) -> bool:
        return name == "metadata" or LEVELS[self.permissions.get(name, "none")] >= LEVELS[level]


@dataclass
class Comment:
    id: int
    issue: int
    login: str
    body: str
    created_at: str
    edits: int = 0


@dataclass
class Pull:
    number: int
    head_sha: str
    head_ref: str
    base_ref: str
    base_sha: str
    head_repository: str | None
    state: str = "open"
    merge_commit: str | None = None
    title: str = "A change"
    body: str = ""


@dataclass
class Issue:
    number: int
    login: str
    title: str
    body: str
    locked: bool = False
    labels: list[str] = field(default_factory=list)
    state: str = "open"


@dataclass
class Run:
    id: int
    head_sha: str
    event: str = "pull_request"
    attempt: int = 1
    created_at: str = "2026-01-02T03:04:05Z"
    name: str = "evals"
    head_branch: str = "main"
    head_repository: str | None = None
    """None: this repository."""


@dataclass
class Artifact:
    id: int
    run_id: int
    name: str
    data: bytes
    expired: bool = False


@dataclass
class Failure:
    """One way to fail, for requests that match. `after`: the write takes effect first; `cut`: the answer breaks off."""

    method: str
    path: str
    status: int = 500
    times: int = 1
    message: str = "Server Error"
    headers: dict[str, str] = field(default_factory=dict)
    after: bool = False
    cut: bool = False
    delay_s: float = 0.0

    def matches(self, method: str, path: str) -> bool:
        return self.times > 0 and self.method == method and re.search(self.path, path) is not None


@dataclass
class Repository:
    """`owner/name` with its git data, conversations, runs and people."""

    full_name: str = "octo/shop"
    default_branch: str = "main"
    objects: Objects = field(default_factory=Objects)
    refs: dict[str, str] = field(default_factory=dict)
    comments: list[Comment] = field(default_factory=list)
    issues: dict[int, Issue] = field(default_factory=dict)
    pulls: dict[int, Pull] = field(default_factory=dict)
    runs: dict[int, Run] = field(default_factory=dict)
    artifacts: dict[int, Artifact] = field(default_factory=dict)
    statuses: list[dict[str, Any]] = field(default_factory=list)
    people: dict[str, str] = field(default_factory=dict)
    """login → permission (admin, write, read, none)."""
    label_events: list[dict[str, Any]] = field(default_factory=list)
    repository_labels: set[str] = field(default_factory=set)
    may_create_pulls: bool = False
    """The setting "Allow GitHub Actions to create and approve pull requests"; off by default."""
    most_listed: int = 100_000
    """Entries of a recursive listing of a tree; GitHub cuts a longer one off and says so."""
    lock: threading.RLock = field(default_factory=threading.RLock)
    _ids: Any = field(default_factory=lambda: itertools.count(5_000_000_001))
    ticks: int = 0
    in_one_second: bool = False
    """The clock stands: all that happens has the time of what happened last, as GitHub's times end in seconds."""

    def new_id(self) -> int:
        return next(self._ids)

    def now(self) -> str:
        self.ticks += not self.in_one_second
        hours, seconds = divmod(self.ticks, 3600)
        return f"2026-02-{1 + hours // 24:02d}T{hours % 24:02d}:{seconds // 60:02d}:{seconds % 60:02d}Z"

    # --- what a test says has happened -------------------------------------------------------------------------

    def commit_files(
        self, files: dict[str, str | bytes], *parents: str, message: str = "A commit", branch: str | None = None
    ) -> str:
        """A commit whose tree is exactly `files`; moves `branch` when one is named."""
        blobs = {
            path: self.objects.add_blob(data.encode() if isinstance(data, str) else data)
            for path, data in files.items()
        }
        sha = self.objects.add_commit(self.objects.tree_of(blobs), parents, message)
        if branch:
            self.refs[f"refs/heads/{branch}"] = sha
        return sha

    def push_git(self, folder: Path, revision: str, branch: str | None = None) -> str:
        sha = self.objects.import_git(folder, revision)
        if branch:
            self.refs[f"refs/heads/{branch}"] = sha
        return sha

    def open_pull(
        self, number: int, head_sha: str, *, base_ref: str = "main", head_ref: str = "topic", fork: str | None = ""
    ) -> Pull:
        """`fork`: "" the repository's own branch, a name that fork's, None a fork since deleted."""
        head_repository = self.full_name if fork == "" else fork
        base = self.refs.get(f"refs/heads/{base_ref}", head_sha)
        pull = Pull(number, head_sha, head_ref, base_ref, base, head_repository)
        self.pulls[number] = pull
        self.issues.setdefault(number, Issue(number, "someone", "A change", ""))
        return pull

    def say(self, number: int, login: str, body: str) -> Comment:
        comment = Comment(self.new_id(), number, login, body, self.now())
        self.comments.append(comment)
        return comment

    def label(self, number: int, name: str, login: str) -> None:
        self.issues[number].labels.append(name)
        self.label_events.append({"event": "labeled", "issue": number, "label": name, "login": login, "at": self.now()})

    def add_run(self, run_id: int, head_sha: str, **values: Any) -> Run:
        self.runs[run_id] = Run(run_id, head_sha, created_at=self.now(), **values)
        return self.runs[run_id]

    def add_artifact(self, run_id: int, name: str, files: dict[str, bytes] | bytes) -> Artifact:
        """An artifact of a run: files to be zipped, or the bytes of a zip as they are."""
        if isinstance(files, dict):
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
                for path, data in files.items():
                    archive.writestr(path, data)
            files = buffer.getvalue()
        artifact = Artifact(self.new_id(), run_id, name, files)
        self.artifacts[artifact.id] = artifact
        return artifact

    def files_of(self, branch: str) -> dict[str, bytes]:
        """Every file at the tip of a branch; nothing where there is no branch."""
        sha = self.refs.get(f"refs/heads/{branch}")
        if sha is None:
            return {}
        found = self.objects.files(self.objects.commits[sha].tree)
        return {path: self.objects.blobs[blob] for path, blob in found.items()}

    def comments_by(self, login: str, number: int) -> list[Comment]:
        return [comment for comment in self.comments if comment.login == login and comment.issue == number]
