"""From `agent:` in quilate.yml to an agent that can be asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from pydantic import JsonValue

from quilate.agents.agent import Agent
from quilate.agents.environment import allowed_environment
from quilate.agents.process import Launch, RunAs
from quilate.config import AgentConfig

_LOG = logging.getLogger(__name__)


def open_agent(
    config: AgentConfig,
    *,
    base_dir: Path,
    environ: Mapping[str, str],
    case_ids: Collection[str] | None = None,
    run_as: RunAs | None = None,
    secrets_withheld: bool = False,
    warn: Callable[[str], None] = _LOG.warning,
) -> Agent:
    """The adapter that `config` asks for, not yet entered: nothing is started, and no file is read.

    `base_dir` is the folder of quilate.yml, to which its paths are relative and in which commands run. `environ` is
    the environment of which the agent sees PATH, HOME, LANG and what `agent.env` names. `case_ids` are those of the
    whole dataset (a replay warns of others). `run_as` is the user as whom processes run. With `secrets_withheld` (a
    fork's pull request) an agent whose `env` names a variable that is not set is not asked: every case is in error.
    Raises `InputError` or `UsageError` for a configuration that cannot be used.
    """
    base_dir = base_dir.resolve()
    missing = [name for name in config.env if not environ.get(name)]
    if missing and secrets_withheld and config.kind != "replay":
        from quilate.agents.withheld import WithheldAgent

        return WithheldAgent(config.kind, missing)
    match config.kind:
        case "command":
            return _command(config, base_dir, environ, run_as)
        case "http":
            from quilate.agents.http import HttpAgentAdapter

            assert config.http is not None
            return HttpAgentAdapter(config.http, env=config.env, environ=environ, base_dir=base_dir, run_as=run_as)
        case "replay":
            from quilate.agents.replay import ReplayAgent

            assert config.replay is not None
            names = (config.replay,) if isinstance(config.replay, str) else config.replay
            return ReplayAgent([base_dir / name for name in names], case_ids=case_ids, warn=warn)
        case "chat":
            from quilate.agents.chat import ChatAgentAdapter

            assert config.chat is not None
            return ChatAgentAdapter(config.chat, environ=environ)


def _command(config: AgentConfig, base_dir: Path, environ: Mapping[str, str], run_as: RunAs | None) -> Agent:
    command = config.command
    assert command is not None
    home = run_as.home if run_as else None

    async def launch() -> Launch:
        venv = None
        if config.setup:
            from quilate.agents.setup import prepared_venv

            venv = await prepared_venv(
                config.setup, base_dir=base_dir, environ=environ, names=config.env, run_as=run_as
            )
        return Launch(command, base_dir, allowed_environment(environ, config.env, venv=venv, home=home), run_as)

    described: dict[str, JsonValue] = {"kind": "command", "command": list(command), "protocol": config.protocol}
    if config.setup:
        described["setup"] = list(config.setup)
    if config.protocol == "jsonl":
        from quilate.agents.lines import LinesAgent

        return LinesAgent(launch, described, config.concurrency)
    from quilate.agents.command import CommandAgent

    return CommandAgent(launch, described)
