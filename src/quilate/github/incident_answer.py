"""The one answer of a suite on an issue: made once, and told anew at every label, as a pull request's comment is."""

from __future__ import annotations

from dataclasses import dataclass

from quilate.github import comment
from quilate.github.conversation import Comment, Conversation
from quilate.github.settings import Settings
from quilate.report.escape import marker
from quilate.report.input import RunIdentity

NEEDS = "issues: write"


@dataclass(frozen=True, slots=True)
class IssueConversation(Conversation):
    """An issue's. It has no head commit: between two answers the later run's is the newer."""

    needs: str = NEEDS

    def comments(self) -> tuple[str, list[Comment]]:
        """No commit, and every comment, oldest first, all pages."""
        return "", self._spoken("issue", "id")[0]


def answer(talk: Conversation, suite: str, settings: Settings, body: str) -> comment.Outcome:
    """Says `body` in our one answer on the issue. Raises the errors of `github/errors.py`."""
    by = RunIdentity(settings.run_id, settings.run_attempt, settings.sha)
    first = marker(suite, by.run_id, by.attempt, by.head_sha)
    return comment.publish(talk, suite, f"{first}\n\n{body}", by)
