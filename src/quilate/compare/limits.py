"""The two limits a rate is held to: how far it may drop, and the floor it may not fall below."""

from __future__ import annotations

from fractions import Fraction

from quilate.compare.comparison import Tally
from quilate.compare.facts import Facts, Line
from quilate.compare.words import number_text, of_cases, points_text
from quilate.config import Gate
from quilate.reasons import Reason, ReasonValue
from quilate.runs.resume import exact


def drop(line: Line, policy: Gate) -> Reason | None:
    """Why the line fell too far; None where it did not."""
    points, limit = line.delta.points, exact(policy.max_drop)
    if points is None or -points <= limit:  # exactly the limit passes
        return None
    text = (
        f"{line.name} fell {points_text(points, limit)} points "
        f"({of_cases(line.delta.base)} to {of_cases(line.delta.head)}), more than {number_text(limit)}"
    )
    values: dict[str, ReasonValue] = {"category": line.category, "points": points, "limit": limit}
    if line.by_base:
        values["by_base"] = 1
    return Reason("drop", values, text)


def below_floor(facts: Facts) -> list[Reason]:
    """Why the overall rate is below the policy's floor; empty where it is not, or there is none."""
    floor, head = facts.policy.min_pass_rate, facts.overall.delta.head
    if floor is None or head.rate is None or head.rate >= exact(floor):
        return []
    limit = exact(floor)
    text = f"overall pass rate is {rate_text(head, limit)} % ({of_cases(head)}), below {number_text(limit)} %"
    return [Reason("min_pass_rate", {"rate": head.rate, "limit": limit}, text)]


def rate_text(tally: Tally, limit: Fraction) -> str:
    """A rate in percent, never so rounded that it reads as the `limit`."""
    assert tally.rate is not None
    return points_text(tally.rate, limit)
