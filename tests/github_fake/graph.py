"""GitHub's GraphQL API: the published schema, executed by graphql-core over the fake's state."""

from __future__ import annotations

import functools
import gzip
from typing import Any

from graphql import GraphQLError, GraphQLSchema, build_schema, graphql_sync
from tests.github_fake.contract import DATA
from tests.github_fake.state import Comment, Repository, Token


@functools.cache
def schema() -> GraphQLSchema:
    """Parsed once a process: 380 KB of types."""
    return build_schema(gzip.decompress((DATA / "schema.graphql.gz").read_bytes()).decode(), assume_valid=True)


def execute(repository: Repository, token: Token, query: str, variables: dict[str, Any]) -> dict[str, Any]:
    root = _Root(repository, token)
    result = graphql_sync(
        schema(), query, {"repository": root.find, "updateRefs": root.update_refs}, variable_values=variables
    )
    answer: dict[str, Any] = {"data": result.data}
    if result.errors:
        answer["errors"] = [
            {
                "message": error.message,
                "path": error.path,
                **({"type": error.extensions["type"]} if error.extensions else {}),
            }
            for error in result.errors
        ]
    return answer


def refused(kind: str, message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"type": kind})


class _Root:
    def __init__(self, repository: Repository, token: Token) -> None:
        self.repository = repository
        self.token = token

    def find(self, _info: Any, owner: str, name: str, **_: Any) -> dict[str, Any]:
        if f"{owner}/{name}" != self.repository.full_name:
            raise refused("NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'.")
        return {"id": "R_1", "pullRequest": self.pull, "issue": self.issue}

    def pull(self, _info: Any, number: int) -> dict[str, Any]:
        if not self.token.allows("pull_requests", "read") and not self.token.allows("issues", "read"):
            raise refused("FORBIDDEN", "Resource not accessible by integration")
        if number not in self.repository.pulls:
            raise refused("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
        return {
            "comments": functools.partial(self.comments, number),
            "headRefOid": self.repository.pulls[number].head_sha,
            "number": number,
        }

    def issue(self, _info: Any, number: int) -> dict[str, Any]:
        if not self.token.allows("issues", "read"):
            raise refused("FORBIDDEN", "Resource not accessible by integration")
        if number not in self.repository.issues or number in self.repository.pulls:
            raise refused("NOT_FOUND", f"Could not resolve to an Issue with the number of {number}.")
        return {"id": f"I_{number}", "comments": functools.partial(self.comments, number), "number": number}

    def comments(self, number: int, _info: Any, first: int = 0, after: str | None = None, **_: Any) -> dict[str, Any]:
        if not 1 <= first <= 100:
            raise refused("ARGUMENT_LIMIT", "`first` on the `comments` connection must be from 1 to 100")
        every = [comment for comment in self.repository.comments if comment.issue == number]
        start = int(after) if after else 0
        page = every[start : start + first]
        return {
            "nodes": [self.shown(comment) for comment in page],
            "totalCount": len(every),
            "pageInfo": {"hasNextPage": start + first < len(every), "endCursor": str(start + len(page))},
        }

    def shown(self, comment: Comment) -> dict[str, Any]:
        return {
            "__typename": "IssueComment",
            "id": f"IC_{comment.id}",
            "fullDatabaseId": str(comment.id),
            "viewerDidAuthor": comment.login == self.token.login,
            "body": comment.body,
            "url": f"https://example.com/{self.repository.full_name}/pull/{comment.issue}#issuecomment-{comment.id}",
            "createdAt": comment.created_at,
            "isMinimized": False,
        }

    def update_refs(self, _info: Any, input: dict[str, Any]) -> dict[str, Any]:  # noqa: A002 - GitHub's name
        if not self.token.allows("contents", "write"):
            raise refused("FORBIDDEN", "Resource not accessible by integration")
        for update in input["refUpdates"]:
            current = self.repository.refs.get(update["name"])
            before = update.get("beforeOid")
            if before is not None and current != before:
                raise refused("UNPROCESSABLE", f"{update['name']}: expected {before}, found {current}")
            new = update["afterOid"]
            if not update["force"] and current and current not in self.repository.objects.ancestors(new):
                raise refused("UNPROCESSABLE", f"{update['name']}: not a fast forward")
        for update in input["refUpdates"]:
            self.repository.refs[update["name"]] = update["afterOid"]
        return {"clientMutationId": None}
