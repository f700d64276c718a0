"""An agent that cannot be reached at all: told apart from one that answers badly, so that it is said once."""

from __future__ import annotations

from quilate.agents.agent import AskFailed
from quilate.agents.results import agent_fault
from quilate.saying import say

FOUR_WAYS = say(
    "an agent in another language than Python does not run in this container. Four ways: "
    "(a) start it in an earlier step, bound to 0.0.0.0, and set agent.http to http://host.docker.internal:PORT; "
    "(b) let an earlier step write its replies, and set agent.replay; "
    "(c) a Python agent: agent.command with agent.setup; "
    "(d) run `quilate action` in a plain step, without the container. See docs/agents.md"
)


class CannotStartError(AskFailed):
    """Nobody answered: the command could not be started, the connection was refused, the name does not resolve.

    When the first askings all end so, the others would too, and are not asked.
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(agent_fault(message), retryable=retryable)
