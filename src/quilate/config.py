"""quilate.yml as typed values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from quilate.config_agent import AgentConfig, ChatAgent, HttpAgent, RetrieverConfig
from quilate.config_judge import JudgeConfig
from quilate.file_model import Broken, FileModel, RuledModel, Text
from quilate.problems import refusal
from quilate.shown import shown

__all__ = [
    "AgentConfig", "BaselineConfig", "ChatAgent", "Config", "Gate", "HttpAgent", "JudgeConfig", "RetrieverConfig",
]  # fmt: skip

_SUITE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def _suite_name(value: str) -> str:
    """A suite's name stands in an HTML comment of the pull request, which `--` could end."""
    if not _SUITE.fullmatch(value):
        mend = "write small letters a-z, digits, and single hyphens between them, such as orders-es"
        raise refusal(shown(value), mend)
    return value


Suite = Annotated[
    str,
    Field(max_length=63, json_schema_extra={"pattern": f"^{_SUITE.pattern}$", "minLength": 1}),
    AfterValidator(_suite_name),
]
Percent = Annotated[float, Field(ge=0, le=100)]


class Gate(RuledModel):
    """The policy: when a comparison fails."""

    max_drop: Percent = 5
    """Points that the pass rate may fall; more than this fails, exactly this passes."""
    scope: Literal["overall", "category"] = "overall"
    """overall: the overall rate is gated; category: that, and every category by the same limit."""
    rule: Literal["drop", "drop_and_evidence"] = "drop"
    """drop_and_evidence: a drop must also be significant, else it is a warning."""
    min_pass_rate: Percent | None = None
    """A floor for the pass rate, in percent; none when absent."""
    max_error_rate: Percent = 10
    """Percent of the asked cases that may be in error; above it a comparison is inconclusive."""
    min_common: Percent = 80
    """Percent of the base's graded cases that must be common; below it a comparison is inconclusive."""
    edited_cases: Literal["warn", "fail"] = "warn"
    """What passes only by edited expectations, and removed cases that passed: warn or fail."""
    confirm_flips: Annotated[int, Field(ge=0, le=20)] = 0
    """How many more times a newly failing case is asked; even, the majority of all decides."""
    on_missing_baseline: Literal["pass", "fail"] = "pass"
    """What the check comes to when there is nothing to compare with."""

    @classmethod
    def broken(cls, given: Mapping[str, Any]) -> Broken:
        """Askings that have a majority."""
        confirm_flips = given.get("confirm_flips")
        if isinstance(confirm_flips, int) and confirm_flips % 2:
            mend = "write an even number: with the first asking it makes an odd one, so that a majority exists"
            yield refusal(shown(confirm_flips), mend, "confirm_flips")


class BaselineConfig(FileModel):
    """Where baselines are stored."""

    store: Literal["branch", "directory"] = "branch"
    """Where baselines are: on a branch of the repository, or in a directory."""
    branch: Text = "quilate-data"
    """The branch, for store: branch."""
    directory: Text = ".quilate/baselines"
    """The directory, for store: directory."""
    store_replies: bool = True
    """Whether replies are stored too; without them, edited cases cannot be compared."""
    keep: Annotated[int, Field(ge=1)] = 200
    """How many baselines are kept."""


class Config(FileModel):
    """quilate.yml."""

    suite: Suite
    """The suite's name: one comment and one baseline for each suite."""
    goldens: Annotated[tuple[Text, ...], Field(min_length=1)]
    """The golden files: paths, folders and globs, relative to this file."""
    agent: AgentConfig
    """How the changed agent is asked."""
    judge: JudgeConfig | None = None
    """Who grades what code cannot; without one, such criteria are not judged."""
    retriever: RetrieverConfig | None = None
    """The same search the agent uses, asked again for groundedness."""
    grounded: bool = False
    """Groundedness for every case of the suite."""
    max_latency_ms: Annotated[float, Field(gt=0)] = 5000
    """A reply must be faster than this, in milliseconds, where a case sets no limit of its own."""
    trials: Annotated[int, Field(ge=1, le=100)] = 1
    """How often each case is asked."""
    gate: Gate = Gate()
    """When a comparison fails."""
    baseline: BaselineConfig = BaselineConfig()
    """Where baselines are stored."""
    locales: tuple[Text, ...] = ()
    """Locale packs of the repository's own."""
    report_language: Literal["en", "es", "pt-BR"] = "en"
    """The language of comments and reports."""
    report_url: Text | None = None
    """Where the full report can be read; linked from the comment."""
    accept_label: Text = "quilate: accept drop"
    """The label by which a maintainer accepts a drop."""

    def dump(self) -> dict[str, Any]:
        """The configuration as plain JSON, without what was not written."""
        return self.model_dump(mode="json", exclude_defaults=True)
