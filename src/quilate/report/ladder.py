"""Ever shorter renderings: the first that fits is taken, and no rendered text is ever cut.

Every rung is the same pure rendering with smaller limits, so that each is whole, well-formed Markdown with complete
counts; what is left out is said as "showing N of M".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

COMMENT_BYTES = 60_000
"""GitHub refuses a comment of more than 65,536; whether characters or bytes is not documented, so bytes."""
SUMMARY_BYTES = 1_000_000
"""GitHub drops a job summary of more than 1 MiB whole."""


@dataclass(frozen=True, slots=True)
class Rung:
    """How much is told. Limits a category (`opened`, `listed`) are the same for each, so that none hides another."""

    name: str
    opened: int | None
    """Broken cases of a category told in a fold, with both replies; None: all."""
    reply_bytes: int
    listed: int | None
    """Broken cases of a category told in a line, beyond the opened ones; None: all."""
    names: int
    """Case ids in any other list."""
    categories: int | None = None
    """Rows of the table."""
    asides: bool = True
    """Metrics, fixed, added, removed, flaky and their like."""
    reason_bytes: int = 400


RUNGS = (
    Rung("full", None, 4000, None, 50),
    Rung("short replies", None, 800, None, 50),
    Rung("some opened", 5, 800, None, 20),
    Rung("few opened", 2, 400, None, 20, reason_bytes=200),
    Rung("a line each", 0, 0, None, 10, reason_bytes=160),
    Rung("20 a category", 0, 0, 20, 10, reason_bytes=160),
    Rung("5 a category", 0, 0, 5, 5, reason_bytes=120),
    Rung("1 a category", 0, 0, 1, 3, reason_bytes=80),
    Rung("table", 0, 0, 0, 0, asides=False),
    Rung("short table", 0, 0, 0, 0, categories=20, asides=False),
    Rung("verdict", 0, 0, 0, 0, categories=0, asides=False),
)
"""From everything to the headline and a link."""

_FOLD_BYTES = 150
_LINE_BYTES = 20


def first_that_fits(
    rungs: Iterable[Rung], render: Callable[[Rung], str], budget_bytes: int, broken_cases: int
) -> str | None:
    """The first rendering of at most `budget_bytes` of UTF-8, or None.

    A rung that tells every broken case is not even rendered when their least size is beyond the budget: with
    thousands of them that would be work for nothing.
    """
    for rung in rungs:
        least = _FOLD_BYTES if rung.opened is None else _LINE_BYTES if rung.listed is None else 0
        if least * broken_cases > budget_bytes:
            continue
        text = render(rung)
        if len(text.encode("utf-8", "surrogatepass")) <= budget_bytes:
            return text
    return None
