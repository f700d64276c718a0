"""In the container: what is the runner's and ours is shut to the agent's user while a step runs."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from quilate.agents.process import RunAs

COMMAND_FILES = (
    "GITHUB_EVENT_PATH", "GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY",
)  # fmt: skip
RUNNER_FOLDERS = ("/github/file_commands", "/github/workflow", "/github/runner_temp", "/github/home")
"""What GitHub's runner mounts into a container beside the workspace (actions/runner, `ContainerActionHandler.cs`)."""

OTHERS = stat.S_IRWXO
DOCKER_SOCKET = Path("/var/run/docker.sock")


def private_paths(environ: Mapping[str, str], workspace: Path) -> list[Path]:
    """What the agent has no business with: the event, the command files, the runner's folders, git's own folder.

    `.git` is among them since a checkout may have left the job's token in its configuration.
    """
    named = [Path(environ[name]) for name in COMMAND_FILES if environ.get(name)]
    folders = [Path(name) for name in RUNNER_FOLDERS]
    return [path for path in dict.fromkeys([*named, *folders, workspace / ".git"]) if path.exists()]


@contextmanager
def sealed(paths: Iterable[Path], agent: RunAs) -> Iterator[list[str]]:
    """Takes from everyone but owner and group what they may do with `paths`; on leaving, gives it back.

    Yields what stays open to the agent all the same, each with the reason: where the agent's user owns it, or
    where this process may not change it (its root is none on the host).
    """
    before = {path: path.stat().st_mode for path in paths}
    left = [f"{path} ({reason})" for path in before if (reason := _shut(path, agent))]
    with suppress(OSError):
        if _open_to_others(DOCKER_SOCKET.stat().st_mode):
            left.append(f"{DOCKER_SOCKET} (everyone may use it)")
    try:
        yield left
    finally:
        for path, mode in before.items():
            with suppress(OSError):
                path.chmod(stat.S_IMODE(mode))


def _shut(path: Path, agent: RunAs) -> str | None:
    found = path.stat()
    if found.st_uid == agent.uid:
        return "it belongs to the agent's user"
    try:
        path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
    except OSError as error:
        return str(error.strerror) if _open_to_others(found.st_mode) else None
    return None


def _open_to_others(mode: int) -> bool:
    return bool(mode & OTHERS)


def hand_over(folders: Iterable[Path], workspace: Path) -> None:
    """Gives what this step wrote to the workspace's owner: on a runner that is kept, root's files cannot be cleaned."""
    owner = workspace.stat()
    for folder in folders:
        for root, _, files in os.walk(folder):
            for path in (Path(root), *(Path(root) / name for name in files)):
                with suppress(OSError):
                    os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def written_folders(workspace: Path, output: Path, configs: Iterable[str]) -> list[Path]:
    """The output folder and, beside each configuration, the folder of the agent's virtual environments."""
    beside = [found.parent / ".quilate" for pattern in configs for found in workspace.glob(pattern)]
    return list(dict.fromkeys([workspace / output, *beside]))
