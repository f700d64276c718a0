"""From `retriever:` in quilate.yml to a search that can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from quilate.agents.process import RunAs
from quilate.config import RetrieverConfig
from quilate.errors import UsageError
from quilate.retrieval.search import Retriever


def open_retriever(
    config: RetrieverConfig | None, *, base_dir: Path, environ: Mapping[str, str], run_as: RunAs | None = None
) -> Retriever | None:
    """The configured search, nothing started yet; None where none is configured. Raises `UsageError`."""
    if config is None:
        return None
    if (config.http is None) == (config.command is None):
        message = "retriever: give exactly one of http, command"
        raise UsageError(message)
    if config.http is not None:
        from quilate.retrieval.http import HttpRetriever

        return HttpRetriever(config.http, config, environ)
    from quilate.retrieval.command import CommandRetriever

    assert config.command is not None
    return CommandRetriever(config.command, config, environ, base_dir, run_as=run_as)
