"""The guide's metrics as the report takes them."""

from __future__ import annotations

from typing import Literal, cast

from quilate.compare.behaviour import BehaviourMetrics, Share, rate_changes
from quilate.report.input import MetricChange, Ratio

Name = Literal["clarification", "wrong_guess", "false_clarification"]


def ambiguity_changes(base: BehaviourMetrics | None, head: BehaviourMetrics) -> tuple[MetricChange, ...]:
    """The three rates, base against head, for `report.input.Metrics.ambiguity`."""
    return tuple(
        MetricChange(cast("Name", one.name), _ratio(one.base) if one.base else None, _ratio(one.head))
        for one in rate_changes(base, head)
    )


def locale_signals(head: BehaviourMetrics) -> dict[str, str | None]:
    """Signal → the case of its visible strong pass, or None, for `report.input.Metrics.locale_signals`."""
    return {signal.value: case for signal, case in head.locale.strong.items()} if head.locale else {}


def _ratio(share: Share) -> Ratio:
    return Ratio(share.count, share.total)
