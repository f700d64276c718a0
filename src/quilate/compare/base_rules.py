"""What the base's configuration says of a comparison beside its record: a change may not choose what it is held to."""

from __future__ import annotations

from dataclasses import dataclass, field

from quilate.config import Gate
from quilate.reasons import Reason

UNREAD = "base_config_unread"


@dataclass(frozen=True, slots=True)
class BaseRules:
    """`suite` is the suite's name in base, under which its record stands; `policy` counts where there is no record.

    `changes`: keys beside the policy's that the change sets otherwise → base's and the change's value. `unread` says
    why base's configuration decides nothing; then suite and policy are the change's own, and no verdict is told.
    """

    suite: str
    policy: Gate
    changes: dict[str, tuple[str, str]] = field(default_factory=dict)
    unread: str | None = None

    def reasons(self) -> tuple[Reason, ...]:
        """Why there is no verdict by these rules; none where there is one."""
        if self.unread is None:
            return ()
        text = f"what the base's configuration says of this suite is not known: {self.unread}"
        return (Reason(UNREAD, {"why": self.unread}, text),)

    def other_name(self, head: str) -> dict[str, tuple[str, str]]:
        """The suite's name as a changed setting; nothing where it is the same."""
        return {} if self.suite == head else {"suite": (self.suite, head)}

    def renamed(self, head: str) -> tuple[Reason, ...]:
        """The notice that the change calls the suite otherwise; none where it does not."""
        if self.suite == head:
            return ()
        text = f"this change renames the suite {self.suite} to {head}; it is compared with the record of {self.suite}"
        return (Reason("suite_renamed", {"base": self.suite, "head": head}, text),)
