"""Verdicts of the baseline's run, taken over for identical replies under the same ruler: no cache needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from quilate.grades import CriterionGrade, Grade
from quilate.judge.criteria import GROUNDED

JUDGEMENT = "judgement"
"""Where a criterion's `detail` holds the key its verdict was made under: judge, prompts, every input, trial."""


class TakeOver:
    """Verdicts by the key they were made under.

    The key is a hash over the judge's fingerprint and everything it was shown, so an equal key is an identical reply
    to an identical question under the same ruler. A judgement of which anything erred, or has no grade, is not taken
    over; groundedness has none where there was no evidence.
    """

    def __init__(self, graded: Iterable[Iterable[CriterionGrade]] = ()) -> None:
        """`graded` gives the criteria of each trial of each case of the baseline; it is read once."""
        self._judgements: dict[str, dict[str, CriterionGrade]] = defaultdict(dict)
        erred: set[str] = set()
        for criteria in graded:
            for criterion in criteria:
                key = criterion.detail.get(JUDGEMENT)
                if isinstance(key, str):
                    self._judgements[key][criterion.id] = criterion
                    if not (
                        criterion.grade.graded or (criterion.id == GROUNDED and criterion.grade is Grade.NOT_JUDGED)
                    ):
                        erred.add(key)
        for key in erred:
            del self._judgements[key]

    def __len__(self) -> int:
        """How many judgements there are to take over."""
        return len(self._judgements)

    def get(self, key: str, criteria: Iterable[str]) -> dict[str, CriterionGrade] | None:
        """The verdicts made under `key`, by criterion id; None unless they are exactly those of `criteria`."""
        found = self._judgements.get(key)
        return found if found is not None and set(found) == set(criteria) else None
