"""What is checked out, read from git's own files: the image holds no git."""

from __future__ import annotations

import re
from pathlib import Path

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def head_commit(workspace: Path) -> str | None:
    """The commit that is checked out in `workspace`; None where there is no checkout or it cannot be read."""
    git = workspace / ".git"
    try:
        if git.is_file():  # a worktree's or submodule's pointer
            git = workspace / git.read_text("utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text("utf-8").strip()
        if not head.startswith("ref:"):
            return head if _COMMIT.fullmatch(head) else None
        return _of_ref(git, head.removeprefix("ref:").strip())
    except (OSError, ValueError):
        return None


def _of_ref(git: Path, ref: str) -> str | None:
    loose = git / ref
    if loose.is_file():
        found = loose.read_text("utf-8").strip()
        return found if _COMMIT.fullmatch(found) else None
    packed = git / "packed-refs"
    if packed.is_file():
        for line in packed.read_text("utf-8").splitlines():
            commit, _, name = line.partition(" ")
            if name == ref and _COMMIT.fullmatch(commit):
                return commit
    return None
