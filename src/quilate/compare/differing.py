"""Which replies of two runs stand side by side: the same question, a reply on both sides, and not the same reply."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from quilate.agents.agent import Reply
from quilate.compare.align import align
from quilate.judge.identity import judged_part
from quilate.judge.side_by_side_sheet import TwoReplies
from quilate.runs.reader import RunReader


@dataclass
class Differing:
    """The pairs of two runs, read one by one; what was left out is counted while they pass by.

    The pair of a case are the replies of its first trial that has one on both sides: choosing by what they say would
    lean. `every`: identical replies too, which shows how often the judge goes by the order.
    """

    base: RunReader
    head: RunReader
    every: bool = False
    identical: int = 0
    without_reply: list[str] = field(default_factory=list)

    def __iter__(self) -> Iterator[TwoReplies]:
        self.identical, self.without_reply = 0, []
        for pair in align(self.base.index, self.head.index).pairs:
            old, new = self.base.case(pair.base_id), self.head.case(pair.head_id)
            trial = _first_on_both_sides(old.replies, new.replies)
            if trial is None:
                self.without_reply.append(pair.head_id)
                continue
            base, head = old.replies[trial], new.replies[trial]
            if not self.every and judged_part(base) == judged_part(head):
                self.identical += 1
                continue
            yield TwoReplies(new.grade_line.definition, pair.base_id, trial, base, head)

    def outputs_reported(self) -> bool:
        """Whether any tool call in them says what it gave back, or that it failed."""
        return any(
            call.output is not None or call.error is not None
            for two in self
            for reply in (two.base, two.head)
            for call in reply.tool_calls
        )


def _first_on_both_sides(base: dict[int, Reply], head: dict[int, Reply]) -> int | None:
    both = (trial for trial in sorted(base) if trial in head)
    return next((trial for trial in both if base[trial].fault is None and head[trial].fault is None), None)
