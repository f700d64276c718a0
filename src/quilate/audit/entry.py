"""What one conversation came to: a line of the audit's journal."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Literal

from pydantic import JsonValue

from quilate.audit.conversations import Conversation, Unreadable
from quilate.grades import CriterionGrade, Grade, RecordModel
from quilate.judge.criteria import GROUNDED
from quilate.retrieval.search import SearchSource


class Outcome(StrEnum):
    """Where a line of the log is counted: exactly one of these."""

    NOT_INVENTED = "not_invented"
    INVENTED = "invented"
    EMPTY = "no_evidence_empty"
    """The search worked and found nothing: a gap in the knowledge base."""
    BROKEN = "no_evidence_broken"
    ABSENT = "no_evidence_absent"
    """No fragments in the log and no search configured."""
    ERROR = "error"
    """There was evidence, and the judge gave no verdict."""
    OLD = "old"
    """Before the window: today's knowledge base may not be that day's."""
    FUTURE = "future"
    UNREADABLE = "unreadable"

    @property
    def without_evidence(self) -> bool:
        """Whether this is the third verdict."""
        return self in (Outcome.EMPTY, Outcome.BROKEN, Outcome.ABSENT)

    @property
    def judged(self) -> bool:
        """Whether it came to one of the three verdicts."""
        return self.without_evidence or self in (Outcome.NOT_INVENTED, Outcome.INVENTED)

    @property
    def worth_another_try(self) -> bool:
        """Whether resuming tries again: an outage of the judge or of the search."""
        return self in (Outcome.ERROR, Outcome.BROKEN)


class Entry(RecordModel):
    """One conversation's outcome. Question, reply and claims stand here only where the report shows them."""

    kind: Literal["audited"] = "audited"
    line: int
    digest: str
    id: str
    outcome: Outcome
    again: bool = False
    """A later attempt at a line that stands above; the last one counts."""
    earlier: str | None = None
    reason: str = ""
    question: str | None = None
    reply: str | None = None
    claims: tuple[dict[str, JsonValue], ...] = ()
    fragments: tuple[str, ...] = ()
    evidence_source: str | None = None
    consulted_at: str | None = None
    views: dict[str, JsonValue] = {}


_SHOWN_FRAGMENT = 2_000


def window(conversation: Conversation, *, until: dt.datetime, days: int) -> Outcome | None:
    """Old or future where it is outside the `days` before `until`; None where it is to be judged."""
    if conversation.at > until:
        return Outcome.FUTURE
    return Outcome.OLD if conversation.at < until - dt.timedelta(days=days) else None


def set_aside(conversation: Conversation | Unreadable, outcome: Outcome) -> Entry:
    """The entry of a line that is not judged."""
    if isinstance(conversation, Unreadable):
        return Entry(
            line=conversation.line, digest=conversation.digest, id=f"line-{conversation.line}", outcome=outcome,
            reason=conversation.reason,
        )  # fmt: skip
    return Entry(
        line=conversation.line, digest=conversation.digest, id=conversation.id, outcome=outcome,
        earlier=conversation.earlier,
    )  # fmt: skip


def entry_of(
    conversation: Conversation, grades: Sequence[CriterionGrade], fragments: Sequence[str], *, again: bool = False
) -> Entry:
    """The entry of a judged conversation, from its groundedness."""
    grade = next(grade for grade in grades if grade.id == GROUNDED)
    detail: dict[str, Any] = grade.detail
    outcome = _outcome(grade)
    shown = outcome in (Outcome.INVENTED, Outcome.EMPTY)
    logged = detail.get("evidence_source") == SearchSource.AGENT
    return Entry(
        line=conversation.line,
        digest=conversation.digest,
        id=conversation.id,
        outcome=outcome,
        again=again,
        earlier=conversation.earlier,
        reason=grade.reason,
        question=conversation.question if shown else None,
        reply=conversation.reply if outcome is Outcome.INVENTED else None,
        claims=tuple(detail.get("claims", ())),
        fragments=tuple(text[:_SHOWN_FRAGMENT] for text in fragments) if outcome is Outcome.INVENTED else (),
        evidence_source="log" if logged else detail.get("evidence_source"),
        # Logged fragments were found as the reply was made.
        consulted_at=detail.get("consulted_at") or (conversation.at.isoformat() if logged else None),
        views=detail.get("without_evidence", {}),
    )


def _outcome(grade: CriterionGrade) -> Outcome:
    if grade.detail.get("verdict") == "no_evidence":
        return Outcome(f"no_evidence_{grade.detail['evidence']}")
    return {Grade.PASS: Outcome.NOT_INVENTED, Grade.FAIL: Outcome.INVENTED}.get(grade.grade, Outcome.ERROR)
