"""The questions a knowledge base has nothing for, grouped by similarity, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from quilate.text import fold

SIMILAR = 80
"""Least similarity (0 to 100, rapidfuzz `token_sort_ratio`) of a question to the first of its group."""
MAX_GROUPS = 2_000
_EXAMPLES = 3
_COMPARED = 300


@dataclass(slots=True)
class Gap:
    """A group of like questions: the first one, how many there were, and some more of them."""

    question: str
    count: int = 1
    ids: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Gaps:
    """Groups, the largest first. `ungrouped` counts questions that came after `MAX_GROUPS` groups and fit none."""

    groups: tuple[Gap, ...]
    ungrouped: int

    @property
    def questions(self) -> int:
        """All of them."""
        return sum(gap.count for gap in self.groups) + self.ungrouped


def grouped(questions: Iterable[tuple[str, str]]) -> Gaps:
    """Groups of `(id, question)`: each question joins the most similar group so far, or begins one."""
    from rapidfuzz import fuzz, process

    groups: list[Gap] = []
    firsts: list[str] = []
    ungrouped = 0
    for identity, question in questions:
        folded = fold(question)[:_COMPARED]
        best = process.extractOne(folded, firsts, scorer=fuzz.token_sort_ratio, score_cutoff=SIMILAR)
        if best is not None:
            gap = groups[best[2]]
            gap.count += 1
            if len(gap.ids) < 10:
                gap.ids.append(identity)
            if len(gap.examples) < _EXAMPLES and question not in (gap.question, *gap.examples):
                gap.examples.append(question)
        elif len(groups) < MAX_GROUPS:
            groups.append(Gap(question, ids=[identity]))
            firsts.append(folded)
        else:
            ungrouped += 1
    order = sorted(range(len(groups)), key=lambda index: (-groups[index].count, index))
    return Gaps(tuple(groups[index] for index in order), ungrouped)
