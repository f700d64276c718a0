"""Git's objects as git makes them: content-addressed by SHA-1, so that ids are the same as in a real checkout."""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@dataclass(frozen=True)
class Commit:
    tree: str
    parents: tuple[str, ...]
    message: str
    seconds: int


@dataclass(frozen=True)
class Entry:
    mode: str
    kind: str
    sha: str


@dataclass
class Objects:
    """What a repository holds. `clock` gives each commit a later second, so that order by date is order by making."""

    blobs: dict[str, bytes] = field(default_factory=dict)
    trees: dict[str, dict[str, Entry]] = field(default_factory=lambda: {EMPTY_TREE: {}})
    commits: dict[str, Commit] = field(default_factory=dict)
    clock: int = 1_760_000_000

    def add_blob(self, data: bytes) -> str:
        sha = _hash("blob", data)
        self.blobs[sha] = data
        return sha

    def add_tree(self, entries: dict[str, Entry]) -> str:
        def key(item: tuple[str, Entry]) -> bytes:
            return (item[0] + ("/" if item[1].kind == "tree" else "")).encode()

        data = b"".join(
            f"{entry.mode.lstrip('0')} {name}".encode() + b"\0" + bytes.fromhex(entry.sha)
            for name, entry in sorted(entries.items(), key=key)
        )
        sha = _hash("tree", data)
        self.trees[sha] = dict(sorted(entries.items(), key=key))
        return sha

    def add_commit(self, tree: str, parents: tuple[str, ...], message: str) -> str:
        self.clock += 1
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        person = f"x <x@example.com> {self.clock} +0000"
        data = "\n".join([*lines, f"author {person}", f"committer {person}", "", message]).encode()
        sha = _hash("commit", data)
        self.commits[sha] = Commit(tree, parents, message, self.clock)
        return sha

    def files(self, tree: str, prefix: str = "") -> dict[str, str]:
        """Every file below a tree: path → blob."""
        found: dict[str, str] = {}
        for name, entry in self.trees[tree].items():
            path = prefix + name
            if entry.kind == "tree":
                found.update(self.files(entry.sha, path + "/"))
            else:
                found[path] = entry.sha
        return found

    def tree_of(self, files: dict[str, str]) -> str:
        """A tree with its subtrees from path → blob."""
        here: dict[str, Entry] = {}
        below: dict[str, dict[str, str]] = {}
        for path, sha in files.items():
            name, slash, rest = path.partition("/")
            if slash:
                below.setdefault(name, {})[rest] = sha
            else:
                here[name] = Entry("100644", "blob", sha)
        for name, inner in below.items():
            here[name] = Entry("040000", "tree", self.tree_of(inner))
        return self.add_tree(here)

    def ancestors(self, sha: str) -> list[str]:
        """`sha` and everything before it, newest first, as GitHub lists commits."""
        seen: set[str] = set()
        todo = [sha]
        while todo:
            one = todo.pop()
            if one not in seen and one in self.commits:
                seen.add(one)
                todo.extend(self.commits[one].parents)
        return sorted(seen, key=lambda one: (-self.commits[one].seconds, one))

    def merge_base(self, one: str, other: str) -> str | None:
        mine = set(self.ancestors(one))
        return next((sha for sha in self.ancestors(other) if sha in mine), None)

    def import_git(self, folder: Path, revision: str) -> str:
        """Takes a commit of a real checkout, with everything it needs; gives its id."""
        sha = _git(folder, "rev-parse", revision).decode().strip()
        for line in _git(folder, "rev-list", "--objects", "--no-object-names", sha).decode().split():
            if line in self.blobs or line in self.trees or line in self.commits:
                continue
            kind = _git(folder, "cat-file", "-t", line).decode().strip()
            if kind == "blob":
                self.blobs[line] = _git(folder, "cat-file", "blob", line)
            elif kind == "tree":
                self.trees[line] = dict(
                    _entry(row) for row in _git(folder, "ls-tree", "-z", line).decode().split("\0") if row
                )
            else:
                self.commits[line] = _commit(_git(folder, "cat-file", "commit", line).decode())
        return sha


def _git(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True).stdout


def _entry(row: str) -> tuple[str, Entry]:
    left, _, name = row.partition("\t")
    mode, kind, sha = left.split()
    return name, Entry(mode, kind, sha)


def _commit(text: str) -> Commit:
    head, _, message = text.partition("\n\n")
    tree, parents, seconds = "", [], 0
    for line in head.splitlines():
        word, _, rest = line.partition(" ")
        if word == "tree":
            tree = rest
        elif word == "parent":
            parents.append(rest)
        elif word == "committer":
            seconds = int(rest.split()[-2])
    return Commit(tree, tuple(parents), message, seconds)


def _hash(kind: str, data: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()
