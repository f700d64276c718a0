"""GitHub's REST endpoints over the fake's state: each a template of the description, a permission and a handler."""

from __future__ import annotations

import base64
import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.github_fake.contract import filled
from tests.github_fake.state import Comment, Issue, Pull, Repository, Run, Token


@dataclass
class Call:
    """One request, taken apart."""

    repository: Repository
    token: Token
    base_url: str
    values: dict[str, str]
    query: dict[str, str]
    body: dict[str, Any]
    links: dict[str, str] = field(default_factory=dict)
    accept: str = ""

    @property
    def url(self) -> str:
        return f"{self.base_url}/repos/{self.repository.full_name}"


class Refused(Exception):  # noqa: N818 - an answer, no failure
    """An answer of 4xx."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


Handler = Callable[[Call], tuple[int, Any]]


@dataclass(frozen=True)
class Route:
    method: str
    template: str
    needs: tuple[tuple[str, str], ...]
    handler: Handler
    pattern: re.Pattern[str]


ROUTES: list[Route] = []
SLASHES = ("path", "ref", "branch", "basehead", "name")


def route(method: str, template: str, *needs: tuple[str, str]) -> Callable[[Handler], Handler]:
    """Registers a handler; any one of `needs` is enough, as on GitHub for a pull request's conversation."""

    def register(handler: Handler) -> Handler:
        def group(found: re.Match[str]) -> str:
            return f"(?P<{found[1]}>{'.+' if found[1] in SLASHES else '[^/]+'})"

        full = "/repos/{owner}/{repo}" + template
        ROUTES.append(Route(method, full, needs, handler, re.compile(re.sub(r"\{(\w+)\}", group, full))))
        return handler

    return register


READ, WRITE = ("contents", "read"), ("contents", "write")
TALK_READ = (("pull_requests", "read"), ("issues", "read"))
TALK_WRITE = (("pull_requests", "write"), ("issues", "write"))
ACTIONS = ("actions", "read")


def paged(call: Call, items: list[Any]) -> list[Any]:
    size = min(int(call.query.get("per_page", 30)), 100)
    page = int(call.query.get("page", 1))
    if page * size < len(items):
        call.links["next"] = str(page + 1)
    return items[(page - 1) * size : page * size]


def user(login: str) -> dict[str, Any]:
    kind = "Bot" if login.endswith("[bot]") else "User"
    return filled("simple-user", login=login, id=1 + sum(login.encode()), type=kind)


def time_of(seconds: int) -> str:
    return dt.datetime.fromtimestamp(seconds, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def known_commit(call: Call, name: str) -> str:
    for full in (name, call.repository.refs.get(f"refs/heads/{name}"), call.repository.refs.get(name)):
        if full in call.repository.objects.commits:
            return full
    raise Refused(404, f"No commit found for SHA: {name}")


# --- the repository and its commits ------------------------------------------------------------------------------


@route("GET", "", ("metadata", "read"))
def repository(call: Call) -> tuple[int, Any]:
    owner, name = call.repository.full_name.split("/")
    return 200, filled(
        "full-repository", name=name, full_name=call.repository.full_name, node_id="R_1",
        default_branch=call.repository.default_branch, owner=user(owner), url=call.url,
    )  # fmt: skip


def shown_commit(call: Call, sha: str) -> dict[str, Any]:
    commit = call.repository.objects.commits[sha]
    person = {"name": "x", "email": "x@example.com", "date": time_of(commit.seconds)}
    parents = [
        {"sha": parent, "url": f"{call.url}/commits/{parent}", "html_url": "https://example.com"}
        for parent in commit.parents
    ]
    inner = {"message": commit.message, "tree": {"sha": commit.tree, "url": f"{call.url}/git/trees/{commit.tree}"}}
    return filled(
        "commit",
        sha=sha,
        url=f"{call.url}/commits/{sha}",
        parents=parents,
        commit={**inner, "author": person, "committer": person},
    )


@route("GET", "/commits/{ref}", READ)
def one_commit(call: Call) -> tuple[int, Any]:
    sha = call.values["ref"]
    if sha not in call.repository.objects.commits and re.fullmatch("[0-9a-f]{40}", sha):
        raise Refused(422, f"No commit found for SHA: {sha}")
    return 200, shown_commit(call, known_commit(call, sha))


@route("GET", "/commits", READ)
def commits(call: Call) -> tuple[int, Any]:
    start = known_commit(call, call.query.get("sha", call.repository.default_branch))
    return 200, [shown_commit(call, sha) for sha in paged(call, call.repository.objects.ancestors(start))]


@route("GET", "/compare/{basehead}", READ)
def compare(call: Call) -> tuple[int, Any]:
    base, _, head = call.values["basehead"].partition("...")
    base, head = known_commit(call, base.rpartition(":")[2]), known_commit(call, head.rpartition(":")[2])
    objects = call.repository.objects
    common = objects.merge_base(base, head)
    if common is None:
        raise Refused(404, f"No common ancestor between {base} and {head}.")
    ahead = [sha for sha in objects.ancestors(head) if sha not in set(objects.ancestors(base))]
    behind = [sha for sha in objects.ancestors(base) if sha not in set(objects.ancestors(head))]
    status = "diverged" if ahead and behind else "ahead" if ahead else "behind" if behind else "identical"
    return 200, filled(
        "commit-comparison", base_commit=shown_commit(call, base), merge_base_commit=shown_commit(call, common),
        status=status, ahead_by=len(ahead), behind_by=len(behind), total_commits=len(ahead),
        commits=[shown_commit(call, sha) for sha in paged(call, ahead[::-1])],
    )  # fmt: skip


@route("GET", "/contents/{path}", READ)
def contents(call: Call) -> tuple[int, Any]:
    sha = known_commit(call, call.query.get("ref", call.repository.default_branch))
    files = call.repository.objects.files(call.repository.objects.commits[sha].tree)
    path = call.values["path"].strip("/")
    if path not in files:
        raise Refused(404, "Not Found")
    data = call.repository.objects.blobs[files[path]]
    links = {"self": f"{call.url}/contents/{path}", "git": None, "html": None}
    return 200, {
        "type": "file", "encoding": "base64", "size": len(data), "name": path.rpartition("/")[2], "path": path,
        "content": base64.encodebytes(data).decode(), "sha": files[path], "url": f"{call.url}/contents/{path}",
        "git_url": None, "html_url": None, "download_url": None, "_links": links,
    }  # fmt: skip


@route("GET", "/branches/{branch}", READ)
def branch(call: Call) -> tuple[int, Any]:
    sha = call.repository.refs.get(f"refs/heads/{call.values['branch']}")
    if sha is None:
        raise Refused(404, "Branch not found")
    return 200, filled("branch-with-protection", name=call.values["branch"], commit=shown_commit(call, sha))


# --- git data ----------------------------------------------------------------------------------------------------


def shown_ref(call: Call, ref: str) -> dict[str, Any]:
    sha = call.repository.refs[ref]
    return filled("git-ref", ref=ref, object={"type": "commit", "sha": sha, "url": f"{call.url}/git/commits/{sha}"})


@route("GET", "/git/ref/{ref}", READ)
def get_ref(call: Call) -> tuple[int, Any]:
    if f"refs/{call.values['ref']}" not in call.repository.refs:
        raise Refused(404, "Not Found")
    return 200, shown_ref(call, f"refs/{call.values['ref']}")


@route("POST", "/git/refs", WRITE)
def create_ref(call: Call) -> tuple[int, Any]:
    ref, sha = call.body["ref"], call.body["sha"]
    if ref in call.repository.refs:
        raise Refused(422, "Reference already exists")
    if sha not in call.repository.objects.commits:
        raise Refused(422, "Object does not exist")
    call.repository.refs[ref] = sha
    return 201, shown_ref(call, ref)


@route("PATCH", "/git/refs/{ref}", WRITE)
def update_ref(call: Call) -> tuple[int, Any]:
    ref, sha = f"refs/{call.values['ref']}", call.body["sha"]
    if ref not in call.repository.refs:
        raise Refused(422, "Reference does not exist")
    if sha not in call.repository.objects.commits:
        raise Refused(422, "Object does not exist")
    if not call.body.get("force") and call.repository.refs[ref] not in call.repository.objects.ancestors(sha):
        raise Refused(422, "Update is not a fast forward")
    call.repository.refs[ref] = sha
    return 200, shown_ref(call, ref)


@route("POST", "/git/blobs", WRITE)
def create_blob(call: Call) -> tuple[int, Any]:
    content = call.body["content"]
    data = base64.b64decode(content) if call.body.get("encoding") == "base64" else content.encode()
    sha = call.repository.objects.add_blob(data)
    return 201, filled("short-blob", sha=sha, url=f"{call.url}/git/blobs/{sha}")


@route("GET", "/git/blobs/{file_sha}", READ)
def get_blob(call: Call) -> tuple[int, Any]:
    sha = call.values["file_sha"]
    if sha not in call.repository.objects.blobs:
        raise Refused(404, "Not Found")
    data = call.repository.objects.blobs[sha]
    return 200, filled("blob", sha=sha, size=len(data), encoding="base64", content=base64.encodebytes(data).decode())


def shown_tree(call: Call, sha: str, *, recursive: bool) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []

    def walk(tree: str, prefix: str) -> None:
        for name, entry in call.repository.objects.trees[tree].items():
            row = {
                "path": prefix + name,
                "mode": entry.mode,
                "type": entry.kind,
                "sha": entry.sha,
                "url": f"{call.url}/git/{entry.kind}s/{entry.sha}",
            }
            if entry.kind == "blob":
                row["size"] = len(call.repository.objects.blobs[entry.sha])
            rows.append(row)
            if recursive and entry.kind == "tree":
                walk(entry.sha, f"{prefix}{name}/")

    walk(sha, "")
    most = call.repository.most_listed if recursive else len(rows)
    return {
        "sha": sha, "url": f"{call.url}/git/trees/{sha}", "tree": rows[:most], "truncated": len(rows) > most
    }  # fmt: skip


@route("GET", "/git/trees/{tree_sha}", READ)
def get_tree(call: Call) -> tuple[int, Any]:
    sha = call.values["tree_sha"]
    objects = call.repository.objects
    if sha in objects.commits:
        sha = objects.commits[sha].tree
    if sha not in objects.trees:
        raise Refused(404, "Not Found")
    return 200, shown_tree(call, sha, recursive="recursive" in call.query)


@route("POST", "/git/trees", WRITE)
def create_tree(call: Call) -> tuple[int, Any]:
    objects = call.repository.objects
    base = call.body.get("base_tree")
    if base is not None and base not in objects.trees:
        raise Refused(422, "base_tree is not a tree oid")
    files = objects.files(base) if base else {}
    for row in call.body["tree"]:
        path = row["path"]
        if path.startswith("/") or "//" in path or ".." in path.split("/"):
            raise Refused(422, "tree.path contains a malformed path component")
        if "content" in row:
            files[path] = objects.add_blob(row["content"].encode())
        elif row.get("sha") is None:
            if path not in files:
                raise Refused(422, "GitRPC::BadObjectState")
            del files[path]
        elif row["type"] == "tree":
            files.update(objects.files(row["sha"], path + "/"))
        else:
            if row["sha"] not in objects.blobs:
                raise Refused(422, f"tree.sha {row['sha']} is not a valid blob")
            files[path] = row["sha"]
    sha = objects.tree_of(files)
    return 201, shown_tree(call, sha, recursive=False)


def shown_git_commit(call: Call, sha: str) -> dict[str, Any]:
    commit = call.repository.objects.commits[sha]
    person = {"name": "x", "email": "x@example.com", "date": time_of(commit.seconds)}
    parents = [
        {"sha": parent, "url": f"{call.url}/git/commits/{parent}", "html_url": "https://example.com"}
        for parent in commit.parents
    ]
    return filled(
        "git-commit", sha=sha, message=commit.message, parents=parents, author=person, committer=person,
        tree={"sha": commit.tree, "url": f"{call.url}/git/trees/{commit.tree}"},
    )  # fmt: skip


@route("GET", "/git/commits/{commit_sha}", READ)
def get_git_commit(call: Call) -> tuple[int, Any]:
    if call.values["commit_sha"] not in call.repository.objects.commits:
        raise Refused(404, "Not Found")
    return 200, shown_git_commit(call, call.values["commit_sha"])


@route("POST", "/git/commits", WRITE)
def create_git_commit(call: Call) -> tuple[int, Any]:
    objects = call.repository.objects
    tree, parents = call.body["tree"], tuple(call.body.get("parents", ()))
    if tree not in objects.trees or any(parent not in objects.commits for parent in parents):
        raise Refused(422, "Tree SHA does not exist")
    return 201, shown_git_commit(call, objects.add_commit(tree, parents, call.body["message"]))


# --- conversations -----------------------------------------------------------------------------------------------


def issue_of(call: Call) -> Issue:
    number = int(call.values["issue_number"])
    if number not in call.repository.issues:
        raise Refused(404, "Not Found")
    return call.repository.issues[number]


def shown_comment(call: Call, comment: Comment) -> dict[str, Any]:
    return filled(
        "issue-comment", id=comment.id, body=comment.body, user=user(comment.login), created_at=comment.created_at,
        updated_at=comment.created_at, author_association="NONE",
        html_url=f"https://example.com/{call.repository.full_name}/pull/{comment.issue}#issuecomment-{comment.id}",
        url=f"{call.url}/issues/comments/{comment.id}", issue_url=f"{call.url}/issues/{comment.issue}",
    )  # fmt: skip


@route("GET", "/issues/{issue_number}/comments", *TALK_READ)
def list_comments(call: Call) -> tuple[int, Any]:
    issue = issue_of(call)
    found = [comment for comment in call.repository.comments if comment.issue == issue.number]
    return 200, [shown_comment(call, comment) for comment in paged(call, found)]


@route("POST", "/issues/{issue_number}/comments", *TALK_WRITE)
def create_comment(call: Call) -> tuple[int, Any]:
    issue = issue_of(call)
    if issue.locked:
        raise Refused(403, "Unable to create comment because issue is locked.")
    if len(call.body["body"]) > 65536:
        raise Refused(422, "Validation Failed: Body is too long (maximum is 65536 characters)")
    return 201, shown_comment(call, call.repository.say(issue.number, call.token.login, call.body["body"]))


def comment_of(call: Call) -> Comment:
    for comment in call.repository.comments:
        if comment.id == int(call.values["comment_id"]):
            return comment
    raise Refused(404, "Not Found")


@route("PATCH", "/issues/comments/{comment_id}", *TALK_WRITE)
def edit_comment(call: Call) -> tuple[int, Any]:
    comment = comment_of(call)
    if comment.login != call.token.login:
        raise Refused(403, "Resource not accessible by integration")
    if call.repository.issues[comment.issue].locked:
        raise Refused(403, "Unable to update comment because issue is locked.")
    if len(call.body["body"]) > 65536:
        raise Refused(422, "Validation Failed: Body is too long (maximum is 65536 characters)")
    comment.body = call.body["body"]
    comment.edits += 1
    return 200, shown_comment(call, comment)


@route("DELETE", "/issues/comments/{comment_id}", *TALK_WRITE)
def delete_comment(call: Call) -> tuple[int, Any]:
    comment = comment_of(call)
    if comment.login != call.token.login:
        raise Refused(403, "Resource not accessible by integration")
    call.repository.comments.remove(comment)
    return 204, None


def shown_issue(call: Call, issue: Issue) -> dict[str, Any]:
    return filled(
        "issue", number=issue.number, title=issue.title, body=issue.body, user=user(issue.login), locked=issue.locked,
        state=issue.state, labels=[filled("label", name=name) for name in issue.labels],
        html_url=f"https://example.com/{call.repository.full_name}/issues/{issue.number}",
        created_at="2026-01-02T03:04:05Z", updated_at="2026-01-02T03:04:05Z",
    )  # fmt: skip


@route("GET", "/issues/{issue_number}", *TALK_READ)
def get_issue(call: Call) -> tuple[int, Any]:
    return 200, shown_issue(call, issue_of(call))


@route("GET", "/issues/{issue_number}/labels", *TALK_READ)
def labels_of_issue(call: Call) -> tuple[int, Any]:
    return 200, [filled("label", name=name) for name in paged(call, issue_of(call).labels)]


@route("POST", "/issues/{issue_number}/labels", *TALK_WRITE)
def add_labels(call: Call) -> tuple[int, Any]:
    issue = issue_of(call)
    for name in call.body["labels"]:
        if name not in issue.labels:
            call.repository.label(issue.number, name, call.token.login)
    return 200, [filled("label", name=name) for name in issue.labels]


@route("DELETE", "/issues/{issue_number}/labels/{name}", *TALK_WRITE)
def remove_label(call: Call) -> tuple[int, Any]:
    issue = issue_of(call)
    if call.values["name"] not in issue.labels:
        raise Refused(404, "Label does not exist")
    issue.labels.remove(call.values["name"])
    return 200, [filled("label", name=name) for name in issue.labels]


@route("GET", "/issues/{issue_number}/events", *TALK_READ)
def issue_events(call: Call) -> tuple[int, Any]:
    number = issue_of(call).number
    rows = [
        filled(
            "labeled-issue-event", event=row["event"], actor=user(row["login"]), created_at=row["at"],
            label={"name": row["label"], "color": "ffffff"}, id=position, performed_via_github_app=None,
        )
        for position, row in enumerate(call.repository.label_events, 1)
        if row["issue"] == number
    ]  # fmt: skip
    return 200, paged(call, rows)


@route("GET", "/collaborators/{username}/permission", ("metadata", "read"))
def permission(call: Call) -> tuple[int, Any]:
    login = call.values["username"]
    level = call.repository.people.get(login, "read")
    return 200, {"permission": level, "role_name": level, "user": filled("nullable-collaborator", login=login)}


# --- pull requests -----------------------------------------------------------------------------------------------


def shown_pull(call: Call, pull: Pull, schema: str = "pull-request-simple") -> dict[str, Any]:
    def side(ref: str, sha: str, full_name: str | None) -> dict[str, Any]:
        if full_name is None:
            return {"label": f"unknown:{ref}", "ref": ref, "sha": sha, "user": user("ghost"), "repo": None}
        owner, name = full_name.split("/")
        repo = filled(
            "repository", full_name=full_name, name=name, owner=user(owner), fork=full_name != call.repository.full_name
        )
        return {"label": f"{owner}:{ref}", "ref": ref, "sha": sha, "user": user(owner), "repo": repo}

    labels = [
        filled(
            "label",
            name=name,
            id=1,
            node_id="L",
            url="https://example.com/l",
            color="ffffff",
            default=False,
            description="",
        )
        for name in call.repository.issues[pull.number].labels
    ]
    return filled(
        schema, number=pull.number, state=pull.state, title=pull.title, body=pull.body,
        user=user("someone"), labels=labels,
        head=side(pull.head_ref, pull.head_sha, pull.head_repository),
        base=side(pull.base_ref, pull.base_sha, call.repository.full_name), merge_commit_sha=pull.merge_commit,
        merged_at="2026-01-02T03:04:05Z" if pull.state == "closed" and pull.merge_commit else None,
        html_url=f"https://example.com/{call.repository.full_name}/pull/{pull.number}",
        url=f"{call.url}/pulls/{pull.number}",
        author_association="NONE", locked=call.repository.issues[pull.number].locked,
    )  # fmt: skip


@route("GET", "/pulls/{pull_number}", ("pull_requests", "read"))
def get_pull(call: Call) -> tuple[int, Any]:
    number = int(call.values["pull_number"])
    if number not in call.repository.pulls:
        raise Refused(404, "Not Found")
    return 200, shown_pull(call, call.repository.pulls[number], "pull-request")


@route("GET", "/commits/{commit_sha}/pulls", ("pull_requests", "read"))
def pulls_of_commit(call: Call) -> tuple[int, Any]:
    known_commit(call, call.values["commit_sha"])
    found = [pull for pull in call.repository.pulls.values() if pull.merge_commit == call.values["commit_sha"]]
    return 200, [shown_pull(call, pull) for pull in paged(call, found)]


@route("GET", "/pulls", ("pull_requests", "read"))
def list_pulls(call: Call) -> tuple[int, Any]:
    head, state = call.query.get("head"), call.query.get("state", "open")
    found = [
        pull
        for pull in call.repository.pulls.values()
        if state in ("all", pull.state)
        and (head is None or (pull.head_repository and f"{pull.head_repository.split('/')[0]}:{pull.head_ref}" == head))
    ]
    return 200, [shown_pull(call, pull) for pull in paged(call, found)]


@route("POST", "/pulls", ("pull_requests", "write"))
def create_pull(call: Call) -> tuple[int, Any]:
    if not call.repository.may_create_pulls:
        raise Refused(403, "GitHub Actions is not permitted to create or approve pull requests.")
    head = call.body["head"]
    sha = call.repository.refs.get(f"refs/heads/{head}")
    if sha is None:
        raise Refused(422, "Validation Failed")
    number = 1 + max(call.repository.issues, default=0)
    pull = call.repository.open_pull(number, sha, base_ref=call.body["base"], head_ref=head)
    pull.title, pull.body = call.body["title"], call.body.get("body", "")
    return 201, shown_pull(call, pull, "pull-request")


@route("PATCH", "/pulls/{pull_number}", ("pull_requests", "write"))
def edit_pull(call: Call) -> tuple[int, Any]:
    number = int(call.values["pull_number"])
    if number not in call.repository.pulls:
        raise Refused(404, "Not Found")
    pull = call.repository.pulls[number]
    pull.title, pull.body = call.body.get("title", pull.title), call.body.get("body", pull.body)
    return 200, shown_pull(call, pull, "pull-request")


@route("POST", "/statuses/{sha}", ("statuses", "write"))
def create_status(call: Call) -> tuple[int, Any]:
    known_commit(call, call.values["sha"])
    if len(call.body.get("description") or "") > 140:
        raise Refused(422, "Validation Failed: description is too long (maximum is 140 characters)")
    call.repository.statuses.append({"sha": call.values["sha"], **call.body})
    return 201, filled(
        "status", state=call.body["state"], context=call.body["context"], description=call.body.get("description")
    )


# --- runs and artifacts ------------------------------------------------------------------------------------------


def shown_run(call: Call, run: Run) -> dict[str, Any]:
    return filled(
        "workflow-run", id=run.id, head_sha=run.head_sha, event=run.event, run_attempt=run.attempt, name=run.name,
        created_at=run.created_at, updated_at=run.created_at, url=f"{call.url}/actions/runs/{run.id}",
        status="completed",
        repository=filled("minimal-repository", full_name=call.repository.full_name),
        head_branch=run.head_branch, pull_requests=[],
        head_repository=filled("minimal-repository", full_name=run.head_repository or call.repository.full_name),
    )  # fmt: skip


@route("GET", "/actions/runs", ACTIONS)
def list_runs(call: Call) -> tuple[int, Any]:
    found = [
        run
        for run in sorted(call.repository.runs.values(), key=lambda run: -run.id)
        if call.query.get("head_sha") in (None, run.head_sha)
        and call.query.get("event") in (None, run.event)
        and call.query.get("branch") in (None, run.head_branch)
    ]
    return 200, {"total_count": len(found), "workflow_runs": [shown_run(call, run) for run in paged(call, found)]}


@route("GET", "/actions/runs/{run_id}", ACTIONS)
def get_run(call: Call) -> tuple[int, Any]:
    run = call.repository.runs.get(int(call.values["run_id"]))
    if run is None:
        raise Refused(404, "Not Found")
    return 200, shown_run(call, run)


@route("GET", "/actions/runs/{run_id}/artifacts", ACTIONS)
def list_artifacts(call: Call) -> tuple[int, Any]:
    run_id = int(call.values["run_id"])
    found = [one for one in call.repository.artifacts.values() if one.run_id == run_id]
    rows = [
        filled(
            "artifact", id=one.id, name=one.name, size_in_bytes=len(one.data), expired=one.expired,
            created_at="2026-01-02T03:04:05Z", updated_at="2026-01-02T03:04:05Z", expires_at="2026-03-02T03:04:05Z",
            archive_download_url=f"{call.url}/actions/artifacts/{one.id}/zip", workflow_run={"id": run_id},
        )
        for one in sorted(found, key=lambda one: -one.id)
    ]  # fmt: skip
    return 200, {"total_count": len(found), "artifacts": paged(call, rows)}


@route("GET", "/actions/artifacts/{artifact_id}/{archive_format}", ACTIONS)
def download_artifact(call: Call) -> tuple[int, Any]:
    artifact = call.repository.artifacts.get(int(call.values["artifact_id"]))
    if artifact is None:
        raise Refused(404, "Not Found")
    if artifact.expired:
        raise Refused(410, "Artifact has expired")
    call.links["location"] = f"{call.base_url}/_storage/{artifact.id}"
    return 302, None


__all__ = ["ROUTES", "Call", "Refused", "Route"]
