"""`judge:` of quilate.yml: who grades what code cannot."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, JsonValue

from quilate.config_agent import Seconds
from quilate.file_model import Broken, FileModel, RuledModel, Text
from quilate.problems import refusal
from quilate.shown import shown

Usd = Annotated[Decimal, Field(ge=0)]


class JudgePrice(FileModel):
    """USD per million tokens, for a model that the shipped price list does not know."""

    input: Usd
    """USD per million input tokens."""
    output: Usd
    """USD per million output tokens."""


Provider = Literal["anthropic", "openai", "openai-responses", "labels"]
_PROVIDERS = get_args(Provider)


class JudgeConfig(RuledModel):
    """Who grades the criteria that code cannot."""

    provider: Provider
    """Whose interface the judge speaks; labels: verdicts that people wrote."""
    model: Text | None = None
    """The judge's model."""
    base_url: Text | None = None
    """The server's address; the provider's own when absent."""
    api_key_env: Text | None = None
    """The environment variable that holds the key."""
    labels: Text | None = None
    """For provider labels: JSON Lines of verdicts that people wrote."""
    votes: Annotated[int, Field(ge=1, le=15)] = 1
    """How often each criterion is judged; the majority decides."""
    timeout_s: Seconds = 60
    """The time limit of one judgement, in seconds."""
    concurrency: Annotated[int, Field(ge=1, le=200)] = 4
    """How many judgements are asked for at once."""
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    """How often a failed judgement is tried again."""
    max_usd: Annotated[Decimal, Field(gt=0)] | None = None
    """The most that judging a run may cost, in US dollars."""
    max_tokens: Annotated[int, Field(gt=0)] = 4096
    """The longest answer of the judge, in tokens."""
    prompts: Text | None = None
    """A folder with prompts of the repository's own, by the names of the shipped ones."""
    cache: Text | None = None
    """A folder in which verdicts are kept."""
    side_by_side: Literal["off", "changed", "all"] = "changed"
    """Which pairs of replies the judge compares."""
    calibration: Text | None = None
    """The record of the judge's last calibration (`quilate calibrate` writes it), which comments then tell."""
    extra: dict[str, JsonValue] = {}
    """Sent as further keys of each request, at every depth; null takes a key away."""
    price: JudgePrice | None = None
    """What the model costs, where the shipped price list does not know it."""
    non_evidence_tools: tuple[Text, ...] = ()
    """Tools (globs) whose outputs are no evidence of anything: a scratchpad, a clock."""

    @classmethod
    def broken(cls, given: Mapping[str, Any]) -> Broken:
        """Votes that have a majority, and what its provider needs."""
        votes, provider = given.get("votes"), given.get("provider")
        if isinstance(votes, int) and votes % 2 == 0:
            yield refusal(shown(votes), "write an odd number, so that a majority exists", "votes")
        needed = "labels" if provider == "labels" else "model"
        if provider in _PROVIDERS and needed not in given:
            yield refusal("nothing", f"add {needed}, which provider: {provider} needs", needed)
