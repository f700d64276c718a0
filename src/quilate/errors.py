"""Errors people read: where, what was found, what to write instead. Rendered once, at the edge."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quilate.shown import Path, dotted


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file a person wrote.

    `key` is a dotted path inside the file (`cases[3].expected_tool`), `found` what stands there, `mend` what to write.
    """

    file: str
    line: int | None
    key: str
    found: str
    mend: str
    case_id: str | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        key = f" {self.key}:" if self.key else ""
        return f"{place}:{key} {self.found}; {self.mend}"


class QuilateError(Exception):
    """Anything the command line reports in its own words; `exit_code` as in the exit codes of the command line."""

    exit_code = 2


class InputError(QuilateError):
    """Files people wrote that cannot be used; every problem found, in one go."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UsageError(QuilateError):
    """A command that cannot be carried out as it was given."""


class UnusableError(UsageError):
    """A value of the configuration that nothing can be made of; `place` is where in the configuration it stands."""

    def __init__(self, place: Path, found: str, mend: str) -> None:
        self.place, self.found, self.mend = place, found, mend
        super().__init__(f"{dotted(place)}: found {found}; {mend}")


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was probably meant to be, or None."""
    return _nearest(word, tuple(known))


@lru_cache(maxsize=1000)
def _nearest(word: str, known: tuple[str, ...]) -> str | None:
    # The same slip usually stands in every case of a file.
    matches = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return matches[0] if matches else None
