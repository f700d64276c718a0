"""`max_metrics`: numbers the agent reports must not exceed their limits. Necessary, never sufficient."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from quilate.agents.agent import Reply
from quilate.checks.criterion import graded
from quilate.grades import CriterionGrade
from quilate.saying import listed, say


def reported_metrics(reply: Reply) -> dict[str, float]:
    """The reply's `metrics`, and by their own names its tokens and its cost where it reports them there."""
    numbers: dict[str, float] = {}
    if reply.usage is not None:
        numbers.update({name: float(count) for name, count in reply.usage.model_dump().items()})
    if reply.cost_usd is not None:
        with suppress(ValueError):  # an agent's own text; what is no number is not reported
            numbers["cost_usd"] = float(reply.cost_usd)
    return numbers | reply.metrics


def grade_metrics(limits: Mapping[str, float], reply: Reply) -> list[CriterionGrade]:
    """One criterion a limit: at most that much. A metric that is not reported fails: nothing shows the limit kept."""
    reported = reported_metrics(reply)
    return [_grade(name, limit, reported) for name, limit in limits.items()]


def _grade(name: str, limit: float, reported: Mapping[str, float]) -> CriterionGrade:
    value = reported.get(name)
    found: str
    expected = say("at most {limit}", limit=float(limit))
    if value is None:
        others = listed(sorted(reported)) if reported else say("none at all")
        reason = say(
            "{name} was not reported (reported: {others}), expected {expected}",
            name=name, others=others, expected=expected,
        )  # fmt: skip
        found = say("not reported")
    else:
        found = f"{value:.12g}"
        reason = (
            say("{name} is {found}", name=name, found=value)
            if value <= limit
            else say("{name} is {found}, expected {expected}", name=name, found=value, expected=expected)
        )
    return graded(
        f"max_metrics.{name}", value is not None and value <= limit, reason,
        text=say("{name} is {expected}", name=name, expected=expected), expected=expected, found=found, necessary=True,
    )  # fmt: skip
