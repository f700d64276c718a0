"""Tries to get at what is not an agent's; says what it got. Run in the container, as the agent."""

import ctypes
import json
import os
import socket
import subprocess
from pathlib import Path


def attempt(act):
    try:
        return act()
    except OSError as error:
        return type(error).__name__


def read(path):
    return attempt(lambda: Path(path).read_text(errors="replace"))


def append(path, text):
    return attempt(lambda: bool(Path(path).open("a").write(text)))


def tokens():
    found = [str(path) for path in Path("/proc").glob("[0-9]*/environ") if "INPUT_TOKEN=" in read(path)]
    return [path for path in found if path != f"/proc/{os.getpid()}/environ"]


def readable():
    found = [str(path) for path in Path("/github").glob("*/*") if path.parent.name != "workspace"]
    return [path for path in found if read(path) not in ("PermissionError", "IsADirectoryError")]


def docker():
    client = socket.socket(socket.AF_UNIX)
    client.connect("/var/run/docker.sock")
    return "connected"


def attached():
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.ptrace(0x4206, 1, 0, 0) == 0  # PTRACE_SEIZE: attaches, and stops nothing


def lending():
    command = ["find", "/", "-xdev", "-perm", "/6000", "-type", "f"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


seen = {
    "uid": os.getuid(),
    "groups": os.getgroups(),
    "own": sorted(os.environ),
    "tokens": tokens(),
    "memory": read("/proc/1/mem")[:20],
    "maps": read("/proc/1/maps"),
    "ptrace": attached(),
    "kill": attempt(lambda: os.kill(1, 0)),
    "files": readable(),
    "event": read("/github/workflow/event.json"),
    "output": append("/github/file_commands/output", "verdict=pass\n"),
    "env": append("/github/file_commands/env", "LD_PRELOAD=x\n"),
    "path": append("/github/file_commands/path", "/tmp\n"),
    "credentials": read("/github/runner_temp/git-credentials.config"),
    "git": read(".git/config"),
    "docker": attempt(docker),
    "goldens": append("goldens.yaml", "#"),
    "run": append(".quilate/run.jsonl", "{}"),
    "code": append("/opt/quilate/pyvenv.cfg", "#"),
    "setuid": lending(),
    "fds": sorted(int(fd.name) for fd in Path("/proc/self/fd").iterdir()),
}
print(json.dumps({"output": "seen " + json.dumps(seen)}))
