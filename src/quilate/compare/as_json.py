"""`compare --format json`: a contract, documented in docs/comparison.md and changed only with its version."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from quilate.compare.comparison import Comparison, Delta, Noise, Reason, Tally
from quilate.compare.words import exact_text

SCHEMA = 1


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON: counts beside every rate, points as decimal text."""
    return {
        "schema": SCHEMA,
        "suite": comparison.suite,
        "verdict": comparison.verdict.value,
        "exit_code": comparison.exit_code,
        "compared": comparison.compared,
        "reasons": [reason.text for reason in comparison.reasons],
        "reason_codes": [reason.code for reason in comparison.reasons],
        "warnings": [_reason(reason) for reason in comparison.warnings],
        "overall": _delta(comparison.overall),
        "categories": {name: _delta(delta) for name, delta in comparison.categories.items()},
        "cases": _cases(comparison),
        "counts": {
            "head_cases": comparison.head_cases,
            "base_graded": comparison.base_graded,
            "common": comparison.overall.head.graded if comparison.compared else 0,
            "removed_by_selection": comparison.removed_by_selection,
        },
        "trials": {"base": comparison.trials[0], "head": comparison.trials[1]},
        "ruler": None if comparison.ruler is None else _delta(comparison.ruler),
        "judge_changed": comparison.judge_changed,
        "policy": comparison.policy.model_dump(mode="json"),
        "policy_changes": {key: {"base": old, "head": new} for key, (old, new) in comparison.policy_changes.items()},
        "latency_p95_ms": {
            "base": comparison.latency.base_p95_ms,
            "head": comparison.latency.head_p95_ms,
            "change": comparison.latency.change_ms,
        },
        "pass_k": [{"k": line.k, "base": _share(line.base), "head": _share(line.head)} for line in comparison.pass_k],
        "power": _power(comparison),
    }


def _cases(comparison: Comparison) -> dict[str, Any]:
    return {
        "broke": list(comparison.broke),
        "fixed": list(comparison.fixed),
        "added": list(comparison.added),
        "removed": list(comparison.removed),
        "edited": list(comparison.edited),
        "errors": list(comparison.errors),
        "not_judged": list(comparison.not_judged),
        "partial": list(comparison.partial),
        "flaky": list(comparison.flaky),
        "latency_only": list(comparison.latency_only),
        "critical": list(comparison.critical),
        "base_errors": list(comparison.base_errors),
        "rescored": list(comparison.rescored),
        "approved_only_by_edit": list(comparison.approved_only_by_edit),
        "removed_passing": list(comparison.removed_passing),
        "reworded_passing": list(comparison.reworded_passing),
        "renamed": comparison.renamed,
        "outside": comparison.outside,
        "quarantined": list(comparison.quarantined),
        "quarantine": [
            {
                "case_id": one.case_id, "owner": one.owner, "reason": one.reason, "until": one.until,
                "in_effect": one.in_effect, "why": one.why, "base": one.base, "head": one.head,
            }
            for one in comparison.quarantine
        ],
        "confirmed": {
            case_id: {"first": one.first, "confirmed": one.confirmed, "approved": one.approved, "graded": one.graded}
            for case_id, one in comparison.confirmed.items()
        },
    }  # fmt: skip


def _delta(delta: Delta) -> dict[str, Any]:
    points = delta.points
    return {
        "base": _tally(delta.base),
        "head": _tally(delta.head),
        "points": None if points is None else exact_text(points),
        "noise": None if delta.noise is None else _noise(delta.noise),
    }


def _tally(tally: Tally) -> dict[str, Any]:
    counts: dict[str, Any] = {
        "approved": tally.approved,
        "graded": tally.graded,
        "errors": tally.errors,
        "not_judged": tally.not_judged,
        "partial": tally.partial,
    }
    if tally.approved_trials is not None:
        counts |= {"approved_trials": tally.approved_trials, "graded_trials": tally.graded_trials}
    counts["rate"] = None if tally.rate is None else exact_text(tally.rate)
    return counts


def _noise(noise: Noise) -> dict[str, Any]:
    return {
        "label": noise.label,
        "method": noise.method,
        "pairs": noise.pairs,
        "broke": noise.broke,
        "fixed": noise.fixed,
        "p_value": noise.p_value,
        "low": noise.low,
        "high": noise.high,
        "floor": noise.floor,
    }


def _power(comparison: Comparison) -> dict[str, Any] | None:
    power = comparison.power
    if power is None:
        return None
    return {
        "cases": power.cases,
        "points_per_case": exact_text(power.points_per_case),
        "drop_points": power.drop_points,
        "flips": power.flips,
        "noticed_by_limit": power.noticed_by_limit,
        "noticed_with_evidence": power.noticed_with_evidence,
        "cases_needed": power.cases_needed,
        "text": power.text,
    }


def _reason(reason: Reason) -> dict[str, str]:
    return {"code": reason.code, "text": reason.text}


def _share(value: Fraction | None) -> str | None:
    return None if value is None else exact_text(value)
