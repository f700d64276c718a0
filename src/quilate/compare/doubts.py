"""A pass must survive what no ruler graded on both sides: were it to fail, would a limit be crossed?"""

from __future__ import annotations

from fractions import Fraction

from quilate.compare import stats
from quilate.compare.comparison import Delta, Tally
from quilate.compare.facts import Facts, Line
from quilate.compare.limits import drop, rate_text
from quilate.compare.words import cases, number_text, points_text
from quilate.config import Gate
from quilate.reasons import Reason, ReasonValue
from quilate.runs.resume import exact


def doubts(facts: Facts) -> list[Reason]:
    """What was approved in base and erred, or broke outside the comparison, is taken to fail, for this test alone."""
    fell = [reason for line in facts.gated if (reason := _could_hide_drop(line, facts.policy)) is not None]
    return [*fell, *_could_hide_floor(facts), *_could_hide_critical(facts)]


def _could_hide_drop(line: Line, policy: Gate) -> Reason | None:
    if not line.hidden.cases:
        return None
    worst = _at_worst(line)
    if drop(worst, policy) is None or (policy.rule == "drop_and_evidence" and line.p_if_errors_fail >= stats.ALPHA):
        return None
    points, limit = worst.delta.points, exact(policy.max_drop)
    assert points is not None
    text = (
        f"{_hidden_text(line)}; were they to {'count' if line.hidden.outside else 'fail'}, the {line.name} would fall "
        f"{points_text(points, limit)} points, more than {number_text(limit)}"
    )
    values: dict[str, ReasonValue] = {
        "category": line.category,
        "errors": line.hidden.errors,
        "outside": line.hidden.outside,
        "points": points,
        "limit": limit,
    }
    return Reason("outside_could_hide_drop" if line.hidden.outside else "errors_could_hide_drop", values, text)


def _at_worst(line: Line) -> Line:
    base, head, hidden = line.delta.base, line.delta.head, line.hidden
    graded = base.graded + hidden.cases
    base_sum = base.rate_sum if base.rate_sum is not None else Fraction(base.approved)
    head_sum = head.rate_sum if head.rate_sum is not None else Fraction(head.approved)
    worst = Delta(
        Tally(base.approved + hidden.cases, graded, rate_sum=base_sum + hidden.base_share),
        Tally(head.approved, graded, rate_sum=head_sum),
    )
    return Line(line.category, worst)


def _could_hide_floor(facts: Facts) -> list[Reason]:
    floor, head, errors = facts.policy.min_pass_rate, facts.overall.delta.head, facts.overall.hidden.errors
    if floor is None or not errors:
        return []
    head_sum = head.rate_sum if head.rate_sum is not None else Fraction(head.approved)
    worst = Tally(head.approved, head.graded + errors, rate_sum=head_sum)
    if worst.rate is None or worst.rate >= exact(floor):
        return []
    text = (
        f"{cases(errors, _ERRED)}; were they to fail, the overall pass rate would be "
        f"{rate_text(worst, exact(floor))} %, below {number_text(floor)} %"
    )
    return [Reason("errors_could_hide_floor", {"errors": errors}, text)]


def _could_hide_critical(facts: Facts) -> list[Reason]:
    reasons = []
    for code, ids, what in (
        ("errors_could_hide_critical", facts.critical_errors, "could not be graded here"),
        ("outside_could_hide_critical", facts.critical_outside, "are not approved here and could not be compared"),
    ):
        if ids:
            noun = "critical case" if len(ids) == 1 else "critical cases"
            text = f"{len(ids)} {noun} approved in base {what}"
            reasons.append(Reason(code, {"cases": ids}, text))
    return reasons


_ERRED = "approved in base could not be graded here"


def _hidden_text(line: Line) -> str:
    found = (
        (line.hidden.errors, _ERRED),
        (line.hidden.outside, "approved in base and edited are not approved here and could not be compared"),
    )
    return "; ".join(cases(number, what) for number, what in found if number)
