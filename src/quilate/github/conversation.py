"""A pull request's conversation: comments, labels and people, in the project's verbs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from quilate.github.api import PAGE, Api
from quilate.github.errors import NotFoundError
from quilate.github.event import Pull, pull_of

READ, WRITE = "pull-requests: read", "pull-requests: write"

_QUERY = """
query($owner: String!, $name: String!, $number: Int!, $first: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    %s(number: $number) {
      %s
      comments(first: $first, after: $after) {
        nodes { fullDatabaseId viewerDidAuthor body url }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
"""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment; `ours` is GitHub's word on whether the token's own bot wrote it, not the text's."""

    id: int
    ours: bool
    body: str
    url: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """Who set a label; `at` is GitHub's time, as text that sorts by time."""

    login: str
    at: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """One pull request's."""

    api: Api
    number: int
    needs: str = WRITE
    """The permission that lets the token speak here."""

    def pull(self) -> Pull:
        """The pull request as it is now."""
        found = self.api.get(f"/pulls/{self.number}", doing=f"read pull request {self.number}", needs=READ)
        return pull_of(found, self.api.repository)

    def state(self) -> str:
        """`open` or `closed`."""
        found = self.api.get(f"/pulls/{self.number}", doing=f"read pull request {self.number}", needs=READ)
        return str(found["state"])

    def comments(self) -> tuple[str, list[Comment]]:
        """The head commit as it is now, and every comment, oldest first, all pages.

        GraphQL, because an installation token may not ask REST who it is.
        """
        found, head = self._spoken("pullRequest", "headRefOid")
        return head, found

    def _spoken(self, where: str, also: str) -> tuple[list[Comment], str]:
        """Every comment of a pull request or an issue, and one more of its fields."""
        owner, name = self.api.repository.split("/")
        values: dict[str, Any] = {"owner": owner, "name": name, "number": self.number, "first": PAGE, "after": None}
        query = _QUERY % (where, also)
        found: list[Comment] = []
        while True:
            data = self.api.graphql(query, values, doing="list the comments", needs=self.needs)
            talk = data["repository"][where]
            found += [
                Comment(int(node["fullDatabaseId"]), bool(node["viewerDidAuthor"]), node["body"], node["url"])
                for node in talk["comments"]["nodes"]
                if node
            ]
            page = talk["comments"]["pageInfo"]
            if not page["hasNextPage"]:
                return found, str(talk[also])
            values["after"] = page["endCursor"]

    def say(self, body: str) -> str:
        """A new comment's address. Never repeated blindly: an answer of 5xx may hide a comment that was made."""
        path = f"/issues/{self.number}/comments"
        found = self.api.send("POST", path, {"body": body}, doing="comment", needs=self.needs, repeatable=False)
        return str(found["html_url"])

    def edit(self, comment: int, body: str) -> None:
        """Replaces one of our comments."""
        path = f"/issues/comments/{comment}"
        self.api.send("PATCH", path, {"body": body}, doing="update the comment", needs=self.needs)

    def delete(self, comment: int) -> None:
        """Removes one of our comments; one already gone is fine."""
        try:
            self.api.send("DELETE", f"/issues/comments/{comment}", doing="fold a duplicate comment", needs=self.needs)
        except NotFoundError:
            return

    def labels(self) -> set[str]:
        """The labels the pull request has now."""
        path = f"/issues/{self.number}/labels"
        return {str(row["name"]) for row in self.api.pages(path, doing="list the labels", needs=READ)}

    def label(self, name: str) -> str | None:
        """The label of that name as it stands on the pull request, or None. Like GitHub's, names ignore case."""
        return next((one for one in sorted(self.labels()) if same_label(one, name)), None)

    def remove_label(self, name: str) -> None:
        """Takes a label off; one that is not there is fine."""
        try:
            path = f"/issues/{self.number}/labels/{quote(name, safe='')}"
            self.api.send("DELETE", path, doing=f"remove the label {name}", needs=WRITE)
        except NotFoundError:
            return

    def labelled(self, name: str) -> Labelled | None:
        """Who set a label last and when, by the events of the conversation."""
        last: Labelled | None = None
        for event in self._events():
            if event["event"] == "labeled" and same_label(str((event.get("label") or {}).get("name")), name):
                last = Labelled(str((event.get("actor") or {}).get("login")), str(event["created_at"]))
        return last

    def _events(self) -> Iterator[dict[str, Any]]:
        return self.api.pages(f"/issues/{self.number}/events", doing="list the events", needs=READ)


def same_label(one: str, other: str) -> bool:
    """Whether two names are one label: a repository has no two that differ in case only."""
    return one.casefold() == other.casefold()


def may_write(api: Api, login: str) -> bool:
    """Whether a person has write permission or more in the repository, GitHub asked now."""
    if login.endswith("[bot]"):
        return False  # a workflow of anyone's could set a label as the bot
    try:
        path = f"/collaborators/{quote(login, safe='')}/permission"
        found = api.get(path, doing=f"read the permission of {login}", needs="metadata: read")
    except NotFoundError:
        return False
    return found["permission"] in ("admin", "write")


def pulls_of_head(api: Api, head_repository: str, branch: str, sha: str) -> list[Pull]:
    """The open pull requests from a branch whose head is exactly this commit."""
    owner = head_repository.split("/")[0]
    query = {"state": "open", "head": f"{owner}:{branch}"}
    rows = api.pages("/pulls", query, doing="list pull requests", needs=READ)
    pulls = [pull_of(row, api.repository) for row in rows]
    return [
        pull for pull in pulls if (pull.head_repository, pull.head_ref, pull.head_sha) == (head_repository, branch, sha)
    ]
