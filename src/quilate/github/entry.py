"""From a process's environment to the action's step: the real clients, the real clock, the real standard output."""

from __future__ import annotations

import datetime as dt
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from quilate.action import action
from quilate.agents.process import RunAs
from quilate.errors import UsageError
from quilate.github.api import Api
from quilate.github.commands import Annotation, Console
from quilate.github.sealing import hand_over, private_paths, sealed, written_folders
from quilate.github.settings import from_environ
from quilate.github.turn import Step
from quilate.redaction import Redactor, secret_values

AGENT_USER = "QUILATE_AGENT_USER"
"""Set in the image: the user as whom the agent runs, who can read neither our environment nor the runner's files."""


def run(environ: Mapping[str, str], write: Callable[[str], object] | None = None) -> int:
    """The action for this environment; gives the exit code. Raises `UsageError` for settings that cannot be used.

    `write` takes what goes to the log (default: standard output).
    """
    settings = from_environ(environ)
    os.chdir(settings.workspace)
    payload = read_event(settings.event_path)
    api = Api(settings.token, settings.repository, api_url=settings.api_url, graphql_url=settings.graphql_url)
    step = Step(
        settings=settings,
        api=api,
        environ={name: value for name, value in environ.items() if not name.startswith("INPUT_")},
        console=Console(write or _to_stdout, commands=settings.on_runner),
        redactor=Redactor(secret_values(environ, settings.token)),
        today=dt.datetime.now(dt.UTC).date(),
        run_as=agent_user(environ.get(AGENT_USER, "")),
    )
    return action(step, payload) if step.run_as is None else contained(step, payload, step.run_as)


def contained(step: Step, payload: dict[str, Any], agent: RunAs) -> int:
    """The action where the agent is another user: what is ours is shut to it, and what was written is the owner's."""
    settings = step.settings
    with sealed(private_paths(step.environ, settings.workspace), agent) as left_open:
        if left_open:
            message = f"the agent's user can reach what it should not: {', '.join(left_open)}. See docs/container.md"
            step.console.annotate([Annotation("warning", message, "quilate")])
        try:
            return action(step, payload)
        finally:
            hand_over(written_folders(settings.workspace, settings.output, settings.config), settings.workspace)


def read_event(path: Path) -> dict[str, Any]:
    """The event's payload; raises `UsageError` where the file is none."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        message = f"GITHUB_EVENT_PATH: {path} holds no event ({error}); the runner writes it"
        raise UsageError(message) from error
    if not isinstance(found, dict):
        message = f"GITHUB_EVENT_PATH: {path} holds no object; the runner writes one"
        raise UsageError(message)
    return found


def agent_user(name: str) -> RunAs | None:
    """The user of that name; None where none is named (outside the container) or this process may not change users."""
    if not name or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd

    try:
        found = pwd.getpwnam(name)
    except KeyError as error:
        message = f"{AGENT_USER}: there is no user {name!r} here"
        raise UsageError(message) from error
    return RunAs(found.pw_uid, found.pw_gid, found.pw_dir)


def _to_stdout(text: str) -> None:
    """To standard output at once, whatever its encoding: the runner reads UTF-8."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
