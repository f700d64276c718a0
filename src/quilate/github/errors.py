"""What can go wrong between us and GitHub, told apart, each with what to do about it."""

from __future__ import annotations

from quilate.errors import QuilateError

JOB_PERMISSIONS = {
    "contents: read": ("contents: read", "pull-requests: write"),
    "pull-requests: write": ("contents: read", "pull-requests: write"),
    "pull-requests: read": ("contents: read", "pull-requests: write"),
    "actions: read": ("contents: read", "pull-requests: write", "actions: read"),
    "contents: write": ("contents: write",),
    "issues: write": ("contents: write", "pull-requests: write", "issues: write"),
    "statuses: write": ("contents: read", "pull-requests: write", "actions: read", "statuses: write"),
}
"""A missing permission → what the job that needs it declares in all: a `permissions:` block replaces the defaults."""


def permission_lines(needs: str) -> str:
    """The YAML lines to write in the job, with everything that job needs."""
    declared = JOB_PERMISSIONS.get(needs, ("contents: read", needs))
    return "\n".join(["permissions:", *(f"  {line}" for line in declared)])


class GitHubError(QuilateError):
    """GitHub refused or could not be reached. `status` is the HTTP status, None where there was no answer."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ForbiddenError(GitHubError):
    """The token may not do this: a permission is missing."""

    def __init__(self, doing: str, needs: str, answer: str) -> None:
        self.doing = doing
        self.needs = needs
        super().__init__(
            f"not allowed to {doing}: the job's token lacks the permission `{needs}` (GitHub: {answer}). "
            f"Write in the workflow's job:\n{permission_lines(needs)}",
            status=403,
        )


class BadTokenError(GitHubError):
    """There is no token, or GitHub does not know it."""


class LockedError(GitHubError):
    """The conversation is locked; nobody may comment."""


class NotFoundError(GitHubError):
    """It is not there (or, for a private thing, the token may not see it)."""


class ConflictError(GitHubError):
    """The state has moved on, or the request does not fit it (409, 422)."""


class RateLimitedError(GitHubError):
    """GitHub asks to come back later than we may wait."""

    exit_code = 3


class UnavailableError(GitHubError):
    """GitHub failed or did not answer, to the end of the retries.

    `may_have_happened`: the request was a creation that is not repeated; it may have taken effect.
    """

    exit_code = 3

    def __init__(self, message: str, *, status: int | None = None, may_have_happened: bool = False) -> None:
        super().__init__(message, status=status)
        self.may_have_happened = may_have_happened
