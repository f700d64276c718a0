"""What of `agent:` and `retriever:` can be seen to be wrong without starting or asking anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quilate.config import Config, HttpAgent
from quilate.errors import UnusableError
from quilate.shown import Path


def unusable(config: Config) -> Iterator[UnusableError]:
    """Every template, path and address of a configuration that nothing can be made of, each with its place."""
    agent, retriever = config.agent, config.retriever
    if agent.http is not None:
        yield from _templates(_templated(agent.http), ("agent", "http"))
        yield from _paths(agent.http.reply)
        yield from _address(agent.http.url)
    if agent.chat is not None:
        written = {"metadata": agent.chat.metadata, "on_behalf_of": agent.chat.on_behalf_of}
        yield from _templates(written, ("agent", "chat"))
    if retriever is not None and retriever.http is not None:
        yield from _templates(_templated(retriever.http), ("retriever", "http"))


def _templated(http: HttpAgent) -> dict[str, Any]:
    return {"url": http.url, "headers": http.headers, "body": http.body}


def _templates(value: Any, at: Path) -> Iterator[UnusableError]:
    if isinstance(value, str):
        from quilate.agents.templates import compile_text

        try:
            compile_text(value, at, keep_type=True)
        except UnusableError as error:
            yield error
    elif isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _templates(inner, (*at, step))


def _paths(reply: Mapping[str, str]) -> Iterator[UnusableError]:
    for field, path in reply.items():
        from quilate.agents.shapes import compile_mapping

        try:
            compile_mapping({field: path})
        except UnusableError as error:
            yield error


def _address(url: str) -> Iterator[UnusableError]:
    if "{" in url:  # what a template comes to is known once the variables are
        return
    from quilate.agents.http import no_address, origin_of

    if origin_of(url) is None:
        yield no_address(url)
