"""Why runs are none to compare by: cut off, not to be measured by, of two suites, under rules that are not known."""

from __future__ import annotations

from quilate.compare.base_rules import BaseRules
from quilate.compare.summary import RunSummary
from quilate.reasons import Reason


def unusable(base: RunSummary, head: RunSummary, rules: BaseRules) -> tuple[Reason, ...]:
    """Why the two cannot be compared, or no verdict be told; none where one can."""
    reasons = list(incomplete(head))
    if base.unusable is not None:
        text = f"the base cannot be measured by: {base.unusable.text}"
        values = {"code": base.unusable.code, "why": base.unusable.text, **base.unusable.values}
        reasons.append(Reason("base_unusable", values, text))
    if base.header.suite not in (head.header.suite, rules.suite):
        suites = (base.header.suite, head.header.suite)
        text = f"these are runs of two suites, {suites[0]} and {suites[1]}"
        reasons.append(Reason("other_suite", {"suites": suites}, text))
    return (*reasons, *rules.reasons())


def incomplete(head: RunSummary) -> tuple[Reason, ...]:
    """Why the run itself is none to judge by."""
    return () if head.complete else (Reason("head_incomplete", {}, "this run is incomplete: it did not end in order"),)
