"""Cases set aside from the gate for a while: whether today, and what is told of them."""

from __future__ import annotations

from datetime import date

from quilate.compare.comparison import Quarantined
from quilate.grades import Grade
from quilate.runs.digest import QuarantineState
from quilate.runs.index import CaseSummary
from quilate.saying import say


def quarantined(case: CaseSummary, today: date) -> bool:
    """Whether the case is in quarantine on this day. The day `until` names is the last.

    Where there is a base, ask it of the base's case: a quarantine that only head sets takes effect after merge, since
    a change cannot excuse what it breaks.
    """
    return case.quarantine is not None and today.isoformat() <= case.quarantine.until


def noted(
    case_id: str, state: QuarantineState, today: date, *, in_effect: bool, base: Grade | None, head: Grade | None
) -> Quarantined:
    """What a reader is told: whose it is, why, and whether it holds today."""
    if in_effect:
        why = say("outside the gate until {day}", day=state.until)
    elif today.isoformat() > state.until:
        why = say("its quarantine ended on {day}; the case counts again", day=state.until)
    else:
        why = say("this change sets it; it takes effect after merge")
    return Quarantined(case_id, state.owner, state.reason, state.until, in_effect, why, base, head)
