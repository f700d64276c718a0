"""Maximum bipartite matching: who can be paired with whom so that the most are paired."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


def maximum_matching(edges: Sequence[Sequence[int]]) -> dict[int, int]:
    """For each left vertex that can be paired, its right vertex, with as many pairs as there can be.

    `edges[left]` lists the right vertices that `left` may be paired with. Kuhn's algorithm, by breadth-first augmenting
    paths: a left vertex once paired stays paired, so earlier ones come first where not all can be.
    """
    right_of: dict[int, int] = {}
    left_of: dict[int, int] = {}
    for root in range(len(edges)):
        reached_from: dict[int, int] = {}
        queue = deque([root])
        end: int | None = None
        while queue and end is None:
            left = queue.popleft()
            for right in edges[left]:
                if right in reached_from:
                    continue
                reached_from[right] = left
                if right not in left_of:
                    end = right
                    break
                queue.append(left_of[right])
        while end is not None:
            left = reached_from[end]
            before = right_of.get(left)
            right_of[left], left_of[end] = end, left
            end = before
    return right_of
