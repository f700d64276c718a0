"""Git's objects and refs over the API: how a branch is written without a checkout, a clone or git itself."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from quilate.github.api import Api
from quilate.github.errors import ConflictError, NotFoundError

READ, WRITE = "contents: read", "contents: write"

OVERTAKEN = ("fast forward", "fast-forward", "already exists", "does not exist")
"""What GitHub says of a ref that another writer has moved, made or removed meanwhile."""

_REPLACE = """
mutation($repository: ID!, $name: GitRefname!, $before: GitObjectID!, $after: GitObjectID!) {
  updateRefs(input: {
    repositoryId: $repository, refUpdates: [{name: $name, beforeOid: $before, afterOid: $after, force: true}]
  }) { clientMutationId }
}
"""


@dataclass(frozen=True, slots=True)
class Tip:
    """The commit a branch points at."""

    sha: str
    tree: str
    message: str


@dataclass(frozen=True, slots=True)
class GitData:
    """Reading and writing a branch's objects."""

    api: Api

    def tip(self, branch: str) -> Tip | None:
        """The newest commit of a branch; None where there is no such branch yet."""
        try:
            ref = self.api.get(f"/git/ref/heads/{quote(branch)}", doing=f"read the branch {branch}")
        except NotFoundError:
            return None
        sha = ref["object"]["sha"]
        found = self.api.get(f"/git/commits/{sha}", doing=f"read commit {sha[:7]} of {branch}")
        return Tip(sha, found["tree"]["sha"], found["message"])

    def files(self, tree: str, below: str) -> dict[str, str]:
        """Path → blob of every file of a tree below the folder `below`."""
        found = self.api.get(f"/git/trees/{tree}", {"recursive": "1"}, doing="list the stored records")
        if found["truncated"]:
            return self._walked(tree, below.split("/"))
        rows = {row["path"]: row["sha"] for row in found["tree"] if row["type"] == "blob"}
        return {path: sha for path, sha in rows.items() if path.startswith(below + "/")}

    def _walked(self, tree: str, parts: list[str]) -> dict[str, str]:
        """A tree too large for one answer is walked down to the folder, and that one listed."""
        for part in parts:
            rows = self.api.get(f"/git/trees/{tree}", doing="list the stored records")["tree"]
            inner = next((row["sha"] for row in rows if row["path"] == part and row["type"] == "tree"), None)
            if inner is None:
                return {}
            tree = inner
        rows = self.api.get(f"/git/trees/{tree}", {"recursive": "1"}, doing="list the stored records")["tree"]
        prefix = "/".join(parts)
        return {f"{prefix}/{row['path']}": row["sha"] for row in rows if row["type"] == "blob"}

    def blob(self, sha: str) -> bytes:
        """A blob's bytes."""
        found = self.api.get(f"/git/blobs/{sha}", doing="read a stored record")
        return base64.b64decode(found["content"])

    def add_blob(self, data: bytes) -> str:
        """Stores bytes; repeating it gives the same blob."""
        body = {"content": base64.b64encode(data).decode("ascii"), "encoding": "base64"}
        sha: str = self._write("/git/blobs", body)["sha"]
        return sha

    def add_tree(self, base: str | None, changes: Mapping[str, str | None]) -> str:
        """A tree like `base` with path → blob put in, and path → None taken out."""
        rows = [{"path": path, "mode": "100644", "type": "blob", "sha": sha} for path, sha in changes.items()]
        body = {"tree": rows, **({"base_tree": base} if base else {})}
        sha: str = self._write("/git/trees", body)["sha"]
        return sha

    def add_commit(self, tree: str, parent: str | None, message: str) -> str:
        """A commit without author or committer of ours: GitHub then signs it as the token's."""
        body = {"tree": tree, "parents": [parent] if parent else [], "message": message}
        sha: str = self._write("/git/commits", body)["sha"]
        return sha

    def advance(self, branch: str, before: str | None, after: str) -> bool:
        """Points a branch at `after`, a child of `before`, or makes the branch; False where another was faster."""
        try:
            if before is None:
                self._write("/git/refs", {"ref": f"refs/heads/{branch}", "sha": after})
            else:
                self._write(f"/git/refs/heads/{quote(branch)}", {"sha": after, "force": False}, verb="PATCH")
        except ConflictError as error:
            if error.status == 422 and not any(words in str(error).lower() for words in OVERTAKEN):
                message = (
                    f"{error}; trying again changes nothing: let the workflow's token write {branch} in the "
                    f"repository's rules for branches"
                )
                raise ConflictError(message, status=error.status) from error
            return False
        return True

    def replace(self, branch: str, before: str, after: str) -> bool:
        """Points a branch at a commit that does not descend from `before`; False where it stood elsewhere meanwhile.

        By GraphQL, since REST's forced update asks nothing about what it overwrites.
        """
        repository = self.api.get("", doing="read the repository", needs="metadata: read")["node_id"]
        values = {"repository": repository, "name": f"refs/heads/{branch}", "before": before, "after": after}
        try:
            self.api.graphql(_REPLACE, values, doing=f"shorten the history of {branch}", needs=WRITE)
        except ConflictError:
            return False
        return True

    def _write(self, path: str, body: Mapping[str, object], verb: str = "POST") -> dict[str, str]:
        found: dict[str, str] = self.api.send(verb, path, body, doing="write the data branch", needs=WRITE)
        return found
