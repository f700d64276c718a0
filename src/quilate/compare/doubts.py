"""A pass must survive what could not be graded: were it to fail, would a limit be crossed?"""

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
    """A pass must survive its errors: what erred and was approved in base is taken to fail, for this test alone."""
    reasons = []
    for line in [facts.overall, *(facts.categories if facts.policy.scope == "category" else ())]:
        if not line.hidden.cases:
            continue
        worst = _with_errors(line)
        fell = drop(worst, facts.policy)
        if fell is not None and (facts.policy.rule == "drop" or line.p_if_errors_fail < stats.ALPHA):
            reasons.append(_hidden_drop(line, worst, facts.policy))
    floor = facts.policy.min_pass_rate
    rate = _with_errors(facts.overall).delta.head.rate
    if floor is not None and facts.overall.hidden.cases and rate is not None and rate < exact(floor):
        text = (
            f"{_erred(facts.overall.hidden.cases)}; were they to fail, the overall pass rate would be "
            f"{rate_text(_with_errors(facts.overall).delta.head, exact(floor))} %, below {number_text(floor)} %"
        )
        reasons.append(Reason("errors_could_hide_floor", {"errors": facts.overall.hidden.cases}, text))
    if facts.critical_errors:
        number = len(facts.critical_errors)
        text = f"{number} critical {'case' if number == 1 else 'cases'} approved in base could not be graded here"
        reasons.append(Reason("errors_could_hide_critical", {"cases": facts.critical_errors}, text))
    return reasons


def _with_errors(line: Line) -> Line:
    base, head, hidden = line.delta.base, line.delta.head, line.hidden
    graded = base.graded + hidden.cases
    base_sum = base.rate_sum if base.rate_sum is not None else Fraction(base.approved)
    head_sum = head.rate_sum if head.rate_sum is not None else Fraction(head.approved)
    worst = Delta(
        Tally(base.approved + hidden.cases, graded, rate_sum=base_sum + hidden.base_share),
        Tally(head.approved, graded, rate_sum=head_sum),
    )
    return Line(line.category, worst)


def _hidden_drop(line: Line, worst: Line, policy: Gate) -> Reason:
    points, limit = worst.delta.points, exact(policy.max_drop)
    assert points is not None
    text = (
        f"{_erred(line.hidden.cases)}; were they to fail, the {line.name} would fall "
        f"{points_text(points, limit)} points, more than {number_text(limit)}"
    )
    values: dict[str, ReasonValue] = {
        "category": line.category,
        "errors": line.hidden.cases,
        "points": points,
        "limit": limit,
    }
    return Reason("errors_could_hide_drop", values, text)


def _erred(number: int) -> str:
    return cases(number, "approved in base could not be graded here")
