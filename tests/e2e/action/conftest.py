"""A shop with an agent, its golden cases and its workflow, run as GitHub runs it: `quilate action` as a process."""

from __future__ import annotations

import copy
import gzip
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.github_fake.declared import permissions
from tests.github_fake.server import FakeGitHub

from quilate.errors import QuilateError
from quilate.github import entry

DATA = Path(__file__).parents[2] / "contract" / "data"
BOT = "github-actions[bot]"
CASES = 20
CONFIG = """suite: orders
goldens: [goldens.yaml]
agent: {replay: replies.jsonl}
"""
RECORD = permissions("workflow.yml", "record")
COMPARE = permissions("workflow.yml", "compare")
STAGE_2 = permissions("publish.yml", "publish")
FORK = "mallory/shop"
READ_ONLY = {"contents": "read", "pull_requests": "read", "actions": "read"}
"""What a fork's run may do, whatever its workflow declares."""


@dataclass(frozen=True)
class Result:
    """What a step left behind."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str
    folder: Path

    def run_file(self, name: str = "run.jsonl") -> bytes:
        return (self.folder / ".quilate" / name).read_bytes()


@dataclass
class Shop:
    """A repository on disk, the same on the fake GitHub, and the runs of its workflows."""

    fake: FakeGitHub
    folder: Path
    scratch: Path
    webhooks: dict[str, list[dict[str, Any]]]
    next_run: int = 100
    env: dict[str, str] = field(default_factory=dict)

    def git(self, *arguments: str) -> str:
        env = {
            **os.environ, "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@example.com", "GIT_COMMITTER_NAME": "x",
            "GIT_COMMITTER_EMAIL": "x@example.com", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
        }  # fmt: skip
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments], check=True, capture_output=True, text=True, env=env
        )
        return done.stdout.strip()

    def write(self, **files: str) -> None:
        for name, text in files.items():
            path = self.folder / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def commit(self, files: dict[str, str], message: str = "A change") -> str:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "-A", ".", ":!.quilate")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def main(self, files: dict[str, str] | None = None) -> str:
        """A commit on main, here and there."""
        self.git("checkout", "-q", "-B", "main", *(["main"] if self.fake.repository.refs else []))
        sha = self.commit(files or {})
        self.fake.repository.push_git(self.folder, sha, "main")
        return sha

    def topic(
        self, files: dict[str, str], *, number: int = 1, onto: str = "main", fork: str | None = ""
    ) -> tuple[str, str]:
        """A commit on the pull request's branch (made from `onto` the first time), and its merge with main."""
        branch = f"topic-{number}"
        exists = branch in self.git("branch", "--list", branch)
        self.git("checkout", "-q", *([branch] if exists else ["-b", branch, onto]))
        head = self.commit(files)
        self.git("checkout", "-q", "--detach", "main")
        self.git("merge", "-q", "--no-ff", "-m", f"Merge {head} into main", head)
        merge = self.git("rev-parse", "HEAD")
        self.fake.repository.push_git(self.folder, merge)
        pull = self.fake.repository.pulls.get(number)
        if pull is None:
            self.fake.repository.open_pull(number, head, head_ref=branch, fork=fork)
        else:
            pull.head_sha = head
        return head, merge

    def payload(self, name: str, action: str | None, **overrides: Any) -> dict[str, Any]:
        payload = copy.deepcopy(
            next(one for one in self.webhooks[name] if action is None or one.get("action") == action)
        )
        payload["repository"].update(full_name=self.fake.repository.full_name, default_branch="main")
        for path, value in overrides.items():
            target = payload
            *parents, last = path.split("__")
            for key in parents:
                target = target[key]
            target[last] = value
        return payload

    def pull_payload(self, action: str, head: str, number: int = 1, **overrides: Any) -> dict[str, Any]:
        pull = self.fake.repository.pulls[number]
        owner = pull.head_repository
        return self.payload(
            "pull_request", action,
            **{
                "pull_request__number": number, "pull_request__state": "open", "pull_request__head__sha": head,
                "pull_request__head__ref": pull.head_ref, "pull_request__base__ref": "main",
                "pull_request__head__repo": {"full_name": owner} if owner else None, **overrides,
            },
        )  # fmt: skip

    def record(self, sha: str, **options: Any) -> Result:
        """The push job."""
        self.git("checkout", "-q", "--detach", sha)
        payload = self.payload("push", None, ref="refs/heads/main", deleted=False, after=sha)
        return self.step("push", payload, sha, **{"permissions": RECORD, "ref": "refs/heads/main", **options})

    def compare(self, head: str, merge: str, *, action: str = "synchronize", number: int = 1, **options: Any) -> Result:
        """The pull request's job."""
        self.git("checkout", "-q", "--detach", options.pop("checkout", merge))
        overrides = options.pop("overrides", {})
        payload = self.pull_payload(action, head, number, **overrides)
        defaults = {"permissions": COMPARE, "ref": f"refs/pull/{number}/merge"}
        return self.step("pull_request", payload, merge, head=head, **{**defaults, **options})

    def publish(
        self, head: str, *, run: int = 700, conclusion: str = "failure", overrides: dict[str, Any] | None = None,
        env: dict[str, str] | None = None, **options: Any,
    ) -> Result:  # fmt: skip
        """Stage 2 of a fork's run, in a folder without a checkout."""
        main = self.git("rev-parse", "main")
        empty = self.scratch / f"empty-{self.next_run}"
        empty.mkdir()
        payload = self.payload(
            "workflow_run", "completed",
            **{
                "workflow_run__event": "pull_request", "workflow_run__conclusion": conclusion,
                "workflow_run__id": run, "workflow_run__run_attempt": 1, "workflow_run__head_sha": head,
                "workflow_run__head_branch": "topic-1", "workflow_run__head_repository": {"full_name": FORK},
                **(overrides or {}),
            },
        )  # fmt: skip
        result = self.step(
            "workflow_run", payload, main, ref="refs/heads/main", cwd=empty, upload=False,
            env={"GITHUB_WORKSPACE": str(empty), **(env or {})}, **{"permissions": STAGE_2, **options},
        )  # fmt: skip
        assert {path.name for path in empty.iterdir()} <= {".quilate"}
        return result

    def step(
        self, event: str, payload: dict[str, Any], sha: str, *, permissions: dict[str, str], ref: str,
        head: str | None = None, run: int | None = None, attempt: int = 1, env: dict[str, str] | None = None,
        upload: bool = True, cwd: Path | None = None, process: bool = False,
    ) -> Result:  # fmt: skip
        """One step of a job, as the runner starts it; afterwards its output folder is uploaded as an artifact."""
        if run is None:
            self.next_run += 1
            run = self.next_run
        files = self.scratch / f"step-{run}-{attempt}"
        files.mkdir()
        (files / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        for name in ("output", "summary"):
            (files / name).touch()
        environ = {
            "PATH": os.environ["PATH"], "HOME": str(files), "LANG": "C.UTF-8", "GITHUB_ACTIONS": "true",
            "GITHUB_REPOSITORY": self.fake.repository.full_name, "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(files / "event.json"), "GITHUB_SHA": sha, "GITHUB_REF": ref,
            "GITHUB_RUN_ID": str(run), "GITHUB_RUN_ATTEMPT": str(attempt), "GITHUB_WORKSPACE": str(self.folder),
            "GITHUB_OUTPUT": str(files / "output"),
            "GITHUB_STEP_SUMMARY": str(files / "summary"), "GITHUB_API_URL": self.fake.url,
            "GITHUB_GRAPHQL_URL": f"{self.fake.url}/graphql", "GITHUB_SERVER_URL": "https://ghe.example.com",
            "INPUT_TOKEN": self.fake.token(**permissions), "INPUT_COMMENT": "true", "INPUT_CONFIG": "",
            **self.env, **(env or {}),
        }  # fmt: skip
        if run not in self.fake.repository.runs:
            source = payload["pull_request"]["head"] if event == "pull_request" else {}
            self.fake.repository.add_run(
                run, head or sha, event=event, head_branch=source.get("ref", ref.removeprefix("refs/heads/")),
                head_repository=(source.get("repo") or {}).get("full_name"),
            )  # fmt: skip
        started = self.as_process if process else self.in_process
        code, log = started(environ, cwd or self.folder)
        outputs = dict(line.split("=", 1) for line in (files / "output").read_text("utf-8").splitlines())
        folder = self.folder / ".quilate"
        kept = files / "kept"
        if folder.is_dir():
            kept.mkdir()
            folder.rename(kept / ".quilate")
            if upload:
                found = {
                    str(path.relative_to(kept / ".quilate")): path.read_bytes()
                    for path in (kept / ".quilate").rglob("*")
                    if path.is_file()
                }
                self.fake.repository.add_artifact(run, f"quilate-{attempt}", found)
        return Result(code, log, outputs, (files / "summary").read_text("utf-8"), kept)

    def as_process(self, environ: dict[str, str], cwd: Path) -> tuple[int, str]:
        """As the container starts it."""
        command = [sys.executable, "-m", "quilate", "action"]
        done = subprocess.run(command, env=environ, cwd=cwd, capture_output=True, timeout=120)
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")

    def in_process(self, environ: dict[str, str], cwd: Path) -> tuple[int, str]:
        """The same without a new interpreter, where the test is about what the step decides."""
        said: list[str] = []
        before = Path.cwd()
        try:
            return entry.run(environ, said.append), "".join(said)
        except QuilateError as error:
            return error.exit_code, f"{''.join(said)}error: {error}\n"
        finally:
            os.chdir(before)

    def comments(self, number: int = 1) -> list[str]:
        return [one.body for one in self.fake.repository.comments_by(BOT, number)]


def goldens(count: int = CASES) -> str:
    rows = []
    for n in range(1, count + 1):
        category = "status" if n % 2 else "returns"
        case = f"id: order-{n:02d}, category: {category}, input: 'Question {n}', required_phrases: ['answer {n}']"
        rows.append(f"  - {{{case}}}\n")
    return f"version: '1'\ncases:\n{''.join(rows)}"


def replies(*broken: int, count: int = CASES, errors: tuple[int, ...] = ()) -> str:
    """The agent's replies; those of `broken` are wrong, those of `errors` an outage."""
    rows = []
    for n in range(1, count + 1):
        row: dict[str, Any] = {
            "case_id": f"order-{n:02d}",
            "output": f"The answer {n}." if n not in broken else "No idea.",
            "duration_ms": 10,
        }
        if n in errors:
            row = {
                "case_id": f"order-{n:02d}",
                "error": {"kind": "infrastructure", "message": "the provider answered 503"},
            }
        rows.append(json.dumps(row))
    return "\n".join(rows) + "\n"


@pytest.fixture(scope="session")
def webhooks() -> dict[str, list[dict[str, Any]]]:
    return json.loads(gzip.decompress((DATA / "webhooks.json.gz").read_bytes()))


@pytest.fixture
def shop(tmp_path: Path, webhooks: dict[str, Any]) -> Iterator[Shop]:
    folder = tmp_path / "shop"
    folder.mkdir()
    with FakeGitHub() as fake:
        made = Shop(fake, folder, tmp_path, webhooks)
        made.git("init", "-q", "-b", "main")
        yield made
    assert fake.violations == []


@pytest.fixture
def opened(shop: Shop) -> Shop:
    """A shop whose main has all twenty cases right and recorded."""
    sha = shop.main(
        {"quilate.yml": CONFIG, "goldens.yaml": goldens(), "replies.jsonl": replies(), ".gitignore": ".quilate\n"}
    )
    result = shop.record(sha)
    assert result.code == 0, result.log
    return shop


@pytest.fixture
def reply_lines() -> Callable[..., str]:
    return replies


@pytest.fixture
def golden_lines() -> Callable[..., str]:
    return goldens


def commands(log: str) -> list[str]:
    """What the runner would execute of a log: commands outside stopped stretches, old and new syntax."""
    found, stopped = [], None
    for line in log.splitlines():
        text = line.strip()
        if stopped:
            if text == f"::{stopped}::":
                stopped = None
            continue
        stop = re.fullmatch(r"::stop-commands::(.+)", text)
        if stop:
            stopped = stop[1]
        elif re.match(r"::[a-zA-Z-]+", text) or "##[" in line:
            found.append(text)
    return found


@pytest.fixture
def executed() -> Callable[[str], list[str]]:
    return commands
