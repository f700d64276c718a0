"""The compared cases by the categories of one side: counts, what chance could explain of them, what stays hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from quilate.compare.comparison import Delta
from quilate.compare.delta import Side, Standing, Table
from quilate.compare.facts import Hidden, Line
from quilate.compare.noise import Evidence


@dataclass
class Grouped:
    """One way of grouping. Category `None` is the whole."""

    averaged: bool
    table: Table = field(init=False)
    evidence: dict[str | None, Evidence] = field(default_factory=dict)
    hidden: dict[str | None, Hidden] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.table = Table(self.averaged)

    def take(self, category: str, case: Standing) -> None:
        """A common case."""
        assert case.base_side is not None
        self.table.count(category, case.base_side, Side.of(case.head))
        for key in (None, category):
            self.evidence.setdefault(key, Evidence(self.averaged)).add(case)

    def hide(self, category: str, share: Fraction, *, outside: bool) -> None:
        """A case approved in base by `share` that no ruler graded on both sides."""
        for key in (None, category):
            self.hidden[key] = self.hidden.get(key, Hidden()).more(share, outside=outside)

    def delta(self, category: str | None) -> Delta:
        """Base against head, with what chance could explain."""
        base, head = self.table.whole if category is None else self.table.of(category)
        evidence = self.evidence.get(category)
        return Delta(base.tally(), head.tally(), evidence.noise() if evidence else None)

    def whole(self, *, by_base: bool = False) -> Line:
        """The line of all cases."""
        return self.line(None, self.delta(None), by_base=by_base)

    @property
    def names(self) -> Iterable[str]:
        """Every category, those of which nothing was compared too."""
        return dict.fromkeys([*self.table.categories, *(name for name in self.hidden if name is not None)])

    def line(self, category: str | None, delta: Delta, *, by_base: bool = False) -> Line:
        """The same as the gate looks at it; `delta` is the line's."""
        hidden = self.hidden.get(category, Hidden())
        evidence = self.evidence.get(category) or Evidence(self.averaged)
        return Line(category, delta, hidden, evidence.p_worse(), evidence.p_worse(hidden.cases), by_base)
