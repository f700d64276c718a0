"""Which case of head stands beside which of base: by id, then by what is asked and expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from quilate.runs.index import RunIndex


class Pair(NamedTuple):
    """One case on both sides, asked the same."""

    head_id: str
    base_id: str
    same_ruler: bool
    edited: bool
    """Its own expectations differ (otherwise only what grades every case alike may: the judge, a locale pack)."""
    relimited: bool = False
    """The default latency limit that grades it differs."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Everything in head's order; `removed` in base's."""

    pairs: tuple[Pair, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    asked_otherwise: tuple[str, ...]
    """Same id, another input: two different questions, never compared."""

    @property
    def renamed(self) -> dict[str, str]:
        """Base's id → head's."""
        return {pair.base_id: pair.head_id for pair in self.pairs if pair.base_id != pair.head_id}

    @property
    def needs_rescoring(self) -> tuple[Pair, ...]:
        """Pairs whose sides were graded by different rulers."""
        return tuple(pair for pair in self.pairs if not pair.same_ruler)


def align(base: RunIndex, head: RunIndex) -> Alignment:
    """Pairs the cases of two runs.

    A case keeps its pair by id where it asks the same. What is left on both sides is paired where input and
    expectations are the same and only one case on each side has them: a rename. The rest was added, removed, or asks
    something else now.
    """
    kept = {head_id for head_id in head if head_id in base and _asks_the_same(base, head, head_id)}
    renames = _renames(base, head, kept)
    moved = set(renames.values())
    pairs: list[Pair] = []
    added: list[str] = []
    asked_otherwise: list[str] = []
    for head_id in head:
        base_id = head_id if head_id in kept else renames.get(head_id)
        if base_id is not None:
            old, new = base.prints(base_id), head.prints(head_id)
            same_expectations = old.expectations == new.expectations
            relimited = same_expectations and base.default_limit_ms(base_id) != head.default_limit_ms(head_id)
            pairs.append(Pair(head_id, base_id, old.ruler == new.ruler, not same_expectations, relimited))
        elif head_id in base and head_id not in moved:
            asked_otherwise.append(head_id)
        else:
            added.append(head_id)
    used = {pair.base_id for pair in pairs}.union(asked_otherwise)
    removed = tuple(base_id for base_id in base if base_id not in used)
    return Alignment(tuple(pairs), tuple(added), removed, tuple(asked_otherwise))


def _asks_the_same(base: RunIndex, head: RunIndex, case_id: str) -> bool:
    return base.prints(case_id).input == head.prints(case_id).input


def _renames(base: RunIndex, head: RunIndex, kept: set[str]) -> dict[str, str]:
    """Head's id → base's, for cases that only changed their id."""
    left = _only_ones(base, (base_id for base_id in base if base_id not in kept))
    right = _only_ones(head, (head_id for head_id in head if head_id not in kept))
    return {head_id: left[key] for key, head_id in right.items() if key in left}


def _only_ones(index: RunIndex, ids: Iterable[str]) -> dict[tuple[bytes, bytes], str]:
    """Input and expectations → the only case that has them."""
    prints = ((case_id, index.prints(case_id)) for case_id in ids)
    keyed = [((found.input, found.expectations), case_id) for case_id, found in prints]
    counts = Counter(key for key, _ in keyed)
    return {key: case_id for key, case_id in keyed if counts[key] == 1}
