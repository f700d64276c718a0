"""What a reader must be told that decided nothing: a changed policy, judge or mark, a limit below the noise."""

from __future__ import annotations

from collections.abc import Iterator

from quilate.compare.collect import Collected
from quilate.compare.comparison import Noise
from quilate.compare.words import cases, number_text
from quilate.config import Gate
from quilate.reasons import Reason
from quilate.runs.resume import exact


def notices(
    noise: Noise | None,
    collected: Collected,
    policy: Gate,
    changes: dict[str, tuple[str, str]],
    *,
    judge_changed: bool,
    limits_ms: tuple[float, float],
) -> Iterator[Reason]:
    """The warnings of a comparison beside those of its gate; `limits_ms` are base's and head's default limits."""
    yield from told_of(changes)
    if limits_ms[0] != limits_ms[1]:
        old, new = (number_text(limit) for limit in limits_ms)
        text = (
            f"this change sets the default max_latency_ms from {old} to {new}; cases that state none are graded "
            "by the new one on both sides"
        )
        yield Reason("latency_limit_changed", {"base_ms": limits_ms[0], "head_ms": limits_ms[1]}, text)
    if judge_changed:
        yield Reason("judge_changed", {}, "this change changes the judge")
    if collected.no_longer_critical:
        ids = tuple(collected.no_longer_critical)
        verb = "is" if len(ids) == 1 else "are"
        text = cases(len(ids), f"{verb} critical in base and no longer after this change")
        yield Reason("no_longer_critical", {"cases": ids}, text)
    if collected.otherwise_ruled and not judge_changed:
        ids = tuple(collected.otherwise_ruled)
        verb = "is" if len(ids) == 1 else "are"
        text = cases(len(ids), f"{verb} graded by other rules than in base, though not edited: {_RULES}")
        yield Reason("rules_changed", {"cases": ids}, text)
    if collected.unchecked_edits:
        ids = tuple(collected.unchecked_edits)
        text = cases(len(ids), "approved here and edited could not be graded by what base expects")
        yield Reason("edit_unchecked", {"cases": ids}, text)
    if collected.now_not_judged:
        ids = tuple(collected.now_not_judged)
        text = cases(len(ids), "approved in base had nothing to be graded by here")
        yield Reason("now_not_judged", {"cases": ids}, text)
    limit = exact(policy.max_drop)
    if noise is not None and noise.floor is not None and noise.floor > limit:
        text = (
            f"with nothing changed this suite moves about ±{noise.floor:.1f} points, more than the limit of "
            f"{number_text(limit)}: at this size the limit alone cannot be trusted"
        )
        yield Reason("noise_above_limit", {"floor": noise.floor, "limit": limit}, text)


_RULES = "a locale pack, the search that is asked again, or quilate itself"


def told_of(changes: dict[str, tuple[str, str]]) -> Iterator[Reason]:
    """A warning for every setting of base's that the change may not choose for itself, and sets otherwise."""
    for key, (old, new) in changes.items():
        text = f"this change sets {key} to {new}; the base's {old} gates it, the new value takes effect after merge"
        yield Reason("policy_changed", {"key": key, "base": old, "head": new}, text)


def policy_changes(of_base: Gate, of_head: Gate) -> dict[str, tuple[str, str]]:
    """Keys of the policy that head sets otherwise → base's and head's value, as people write them."""
    old, new = of_base.model_dump(mode="json"), of_head.model_dump(mode="json")
    return {key: (_text(old[key]), _text(new[key])) for key in old if old[key] != new[key]}


def _text(value: object) -> str:
    if value is None:
        return "off"
    return number_text(value) if isinstance(value, int | float) else str(value)
