"""Whether the dataset asks the same already, and what comes close."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quilate.goldens.case import GoldenCase
from quilate.goldens.similar import normal
from quilate.text import fold

NEAR = 80
"""The least similarity (0 to 100, rapidfuzz's `token_sort_ratio`) of a case that is shown as a near one."""
MOST = 5


@dataclass(frozen=True, slots=True)
class Near:
    """A case like the new one; `score` is 0 to 100."""

    case_id: str
    score: int


def exact_duplicate(case: GoldenCase, known: Iterable[GoldenCase]) -> str | None:
    """The id of a case that asks exactly the same, upper and lower case and white space aside."""
    wanted = _conversation(case)
    return next((other.id for other in known if _conversation(other) == wanted), None)


def near_duplicates(case: GoldenCase, known: Sequence[GoldenCase]) -> tuple[Near, ...]:
    """The cases whose words come close, accents, case, punctuation and numbers aside; the closest first."""
    from rapidfuzz import fuzz, process

    texts = [" ".join(normal(_user_text(other))) for other in known]
    found = process.extract(
        " ".join(normal(_user_text(case))), texts, scorer=fuzz.token_sort_ratio, score_cutoff=NEAR, limit=MOST
    )
    return tuple(Near(known[index].id, round(score)) for _, score, index in found)


def _conversation(case: GoldenCase) -> tuple[tuple[str, str], ...]:
    return tuple((message.role, fold(message.content)) for message in case.messages)


def _user_text(case: GoldenCase) -> str:
    return " ".join(message.content for message in case.messages if message.role == "user")[:20_000]
