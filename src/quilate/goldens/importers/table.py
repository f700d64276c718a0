"""What an import came to: the cases, and for each part of the source whether it was taken, and if not, why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from quilate.goldens.similar import without_accents


class Fate(StrEnum):
    """What became of a part of the source."""

    TAKEN = "taken"
    IN_PART = "taken in part"
    NOT_TAKEN = "not taken"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a source, such as an assertion: where it stands, what it is, what became of it and why."""

    where: str
    what: str
    fate: Fate
    why: str = ""


@dataclass
class Import:
    """Cases as a golden file has them, and the account of the source's parts."""

    cases: list[dict[str, Any]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    def note(self, where: str, what: str, fate: Fate, why: str = "") -> None:
        """Adds a part to the account."""
        self.parts.append(Part(where, what, fate, why))

    def summary(self) -> list[str]:
        """The account as lines: a row for each kind of part, fate and reason, the most frequent first."""
        counts = Counter((part.what, part.fate, part.why) for part in self.parts)
        order = list(Fate)
        rows = sorted(counts.items(), key=lambda row: (order.index(row[0][1]), -row[1], row[0][0]))
        lines = [f"{'what':<32} {'how often':>9}  fate"]
        lines += [f"{what:<32} {number:>9}  {fate}{': ' + why if why else ''}" for (what, fate, why), number in rows]
        return [*lines, f"{len(self.cases)} cases; " + ", ".join(f"{self._count(fate)} {fate}" for fate in Fate)]

    def _count(self, fate: Fate) -> int:
        return sum(part.fate is fate for part in self.parts)


def slug(text: str, fallback: str) -> str:
    """A short id from a text: its first words, lower case, without accents."""
    words = re.findall(r"[a-z0-9]+", without_accents(text).casefold())
    return "-".join(words[:6])[:48].strip("-") or fallback


def unique(wanted: str, taken: set[str]) -> str:
    """`wanted`, or the first of `wanted-2`, `wanted-3`, … that is not taken; it then is."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    taken.add(name)
    return name


def merged(case: dict[str, Any], extra: Iterable[tuple[str, Any]]) -> None:
    """Puts fields into a case; lists grow, other values that differ keep the first."""
    for name, value in extra:
        if isinstance(value, list) and isinstance(case.get(name), list):
            case[name] = [*case[name], *(item for item in value if item not in case[name])]
        else:
            case.setdefault(name, value)
