"""The Action's image, built from the Dockerfile and started as GitHub's runner starts it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.github_fake.server import FakeGitHub

ROOT = Path(__file__).parents[3]
RUNNER = 1001
"""GitHub's hosted runners work as this user; the workspace and the command files are its own."""


@dataclass(frozen=True)
class Engine:
    """What starts containers here, and the environment it needs."""

    command: str
    env: Mapping[str, str]
    image: str

    def run(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.command, "run", "--rm", *arguments],
            env=self.env, capture_output=True, text=True, errors="replace", timeout=120, **options,
        )  # fmt: skip


@pytest.fixture(scope="session")
def engine() -> Engine:
    """The image, built once; skipped with the reason where it cannot be."""
    built = subprocess.run(
        [ROOT / "scripts/image"], capture_output=True, text=True, env=os.environ | {"PYTHON": sys.executable}
    )
    if built.returncode == 3:
        pytest.skip(built.stderr.strip())
    assert built.returncode == 0, built.stderr
    name = built.stdout.split()[-1]
    docker = shutil.which("docker")
    if docker and subprocess.run([docker, "info"], capture_output=True).returncode == 0:
        return Engine(docker, os.environ, name)
    lines = subprocess.run([ROOT / "scripts/image", "--environment"], check=True, capture_output=True, text=True).stdout
    words = [word for word in lines.replace("'", "").split() if "=" in word]
    return Engine("podman", os.environ | dict(word.split("=", 1) for word in words), name)


@dataclass(frozen=True)
class Ended:
    code: int
    log: str
    outputs: dict[str, str]
    summary: str


@dataclass
class Runner:
    """A job on a runner: a workspace that the runner's user owns, the files it mounts, the variables it sets."""

    engine: Engine
    folder: Path
    github: FakeGitHub
    env: dict[str, str] = field(default_factory=dict)
    mounts: tuple[str, ...] = ()
    owner: int = RUNNER
    steps: int = 0

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Files of the checkout."""
        for name, content in files.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self) -> str:
        """The workspace's files as the tip of main, here and on GitHub; gives the commit."""
        owned_by(0, self.workspace)
        env = os.environ | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        git = ["git", "-C", str(self.workspace), "-c", "user.name=x", "-c", "user.email=x@example.com"]
        for arguments in (["init", "-q", "-b", "main"], ["add", "-A", "."], ["commit", "-q", "-m", "A change"]):
            subprocess.run([*git, *arguments], check=True, env=env)
        sha = subprocess.run(
            [*git, "rev-parse", "HEAD"], check=True, env=env, capture_output=True, text=True
        ).stdout.strip()
        self.github.repository.push_git(self.workspace, sha, "main")
        return sha

    def step(self, event: str, payload: dict[str, Any], sha: str, **permissions: str) -> Ended:
        """One step with the action, as `docker run` of GitHub's runner has it (actions/runner, StepHost)."""
        self.steps += 1
        made = self.folder / f"step-{self.steps}"
        for name in ("file_commands", "workflow", "home", "runner_temp"):
            (made / name).mkdir(parents=True)
        (made / "workflow" / "event.json").write_text(json.dumps(payload))
        for name in ("output", "summary", "env", "path", "state"):
            (made / "file_commands" / name).touch()
        (made / "runner_temp" / "git-credentials.config").write_text("AUTHORIZATION: basic c2VjcmV0")
        owned_by(self.owner, self.workspace, made)
        for path in (made / "file_commands").iterdir():
            path.chmod(0o666)  # as nektos/act makes them; GitHub's own runner leaves 0644
        token = self.github.token(**permissions)
        inside = {
            "GITHUB_ACTIONS": "true", "HOME": "/github/home", "GITHUB_WORKSPACE": "/github/workspace", "CI": "true",
            "GITHUB_EVENT_PATH": "/github/workflow/event.json", "GITHUB_OUTPUT": "/github/file_commands/output",
            "GITHUB_STEP_SUMMARY": "/github/file_commands/summary", "GITHUB_ENV": "/github/file_commands/env",
            "GITHUB_PATH": "/github/file_commands/path", "GITHUB_STATE": "/github/file_commands/state",
            "GITHUB_REPOSITORY": self.github.repository.full_name, "GITHUB_EVENT_NAME": event, "GITHUB_SHA": sha,
            "GITHUB_REF": "refs/heads/main", "GITHUB_RUN_ID": str(100 + self.steps), "GITHUB_API_URL": self.github.url,
            "GITHUB_GRAPHQL_URL": f"{self.github.url}/graphql", "INPUT_TOKEN": token, "INPUT_CONFIG": "quilate.yml",
            "ACTIONS_RUNTIME_TOKEN": "runtime-secret", **self.env,
        }  # fmt: skip
        folders = {name: made / name for name in ("file_commands", "workflow", "home", "runner_temp")}
        done = self.engine.run(
            "--network", "host", "--workdir", "/github/workspace",
            *flags("--env", inside), *flags("--volume", {str(self.workspace): "/github/workspace"}, ":"),
            *flags("--volume", {str(path): f"/github/{name}" for name, path in folders.items()}, ":"),
            *self.mounts, self.engine.image,
        )  # fmt: skip
        outputs = dict(line.split("=", 1) for line in (made / "file_commands/output").read_text().splitlines())
        summary = (made / "file_commands/summary").read_text()
        return Ended(done.returncode, done.stdout + done.stderr, outputs, summary)

    def push(self, sha: str) -> Ended:
        """A push to main, with what the templates' recording job may do."""
        payload = {
            "ref": "refs/heads/main", "deleted": False, "after": sha,
            "repository": {"full_name": self.github.repository.full_name, "default_branch": "main"},
        }  # fmt: skip
        return self.step("push", payload, sha, contents="write")

    def run(self, *arguments: str, network: str = "host") -> Ended:
        """A command of the image in the workspace."""
        owned_by(self.owner, self.workspace)
        done = self.engine.run(
            "--network", network, "--workdir", "/github/workspace", "--volume", f"{self.workspace}:/github/workspace",
            self.engine.image, *arguments,
        )  # fmt: skip
        return Ended(done.returncode, done.stdout + done.stderr, {}, "")


def flags(flag: str, values: Mapping[str, str], sign: str = "=") -> Iterator[str]:
    for name, value in values.items():
        yield from (flag, f"{name}{sign}{value}")


def owned_by(user: int, *folders: Path) -> None:
    """Gives these to a user, what steps wrote aside."""
    for folder in folders:
        for path in (folder, *folder.rglob("*")):
            if ".quilate" not in path.parts:
                os.chown(path, user, user, follow_symlinks=False)


@pytest.fixture
def runner(engine: Engine, tmp_path: Path) -> Iterator[Runner]:
    (tmp_path / "workspace").mkdir()
    with FakeGitHub() as github:
        yield Runner(engine, tmp_path, github)
    assert github.violations == []
