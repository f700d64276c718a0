"""What a verdict depends on, as counts: one line for the whole, one for each category, and what stands beside them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from quilate.compare.comparison import Delta
from quilate.config import Gate
from quilate.reasons import Reason


@dataclass(frozen=True, slots=True)
class Hidden:
    """Cases approved in base that no ruler graded on both sides: how many, and what they add to the base's rate.

    They are in error in head, or (`outside`) not approved there by an edited ruler that could not grade base again.
    """

    cases: int = 0
    base_share: Fraction = Fraction(0)
    outside: int = 0

    @property
    def errors(self) -> int:
        """Those that are in error."""
        return self.cases - self.outside

    def more(self, share: Fraction, *, outside: bool) -> Hidden:
        """With one case more."""
        return Hidden(self.cases + 1, self.base_share + share, self.outside + outside)


@dataclass(frozen=True, slots=True)
class Line:
    """One line the gate looks at: the whole (`category` None) or a category.

    `p_worse` is the one-sided p of a drop, `p_if_errors_fail` the same with the hidden errors taken as broken.
    """

    category: str | None
    delta: Delta
    hidden: Hidden = Hidden()
    p_worse: float = 1.0
    p_if_errors_fail: float = 1.0
    by_base: bool = False
    """The category is base's and this change moved cases into or out of it."""

    @property
    def name(self) -> str:
        """As sentences call it."""
        if self.category is None:
            return "overall pass rate"
        return f"pass rate of category {self.category}{' as base has it' if self.by_base else ''}"


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything a verdict depends on. Quarantined cases are in none of it."""

    policy: Gate
    overall: Line
    asked: int
    """Head's cases."""
    errors: int
    """Of them, in error."""
    compared: bool
    """There is a baseline."""
    unusable: tuple[Reason, ...] = ()
    """Why a run is none to compare by: incomplete, or a base that may not be measured by."""
    categories: tuple[Line, ...] = ()
    regrouped: tuple[Line, ...] = ()
    """Base's categories of which this change moved cases: moving what broke to a larger one would hide it."""
    base_graded: int = 0
    gone: int = 0
    """Of the base's graded cases, those that this change removed or asks otherwise."""
    substantive: int = 0
    """Common cases of which head's reply was graded by a criterion that says something of what it is for."""
    critical_broke: tuple[str, ...] = ()
    """Critical cases that newly fail in all their trials."""
    critical_errors: tuple[str, ...] = ()
    """Critical cases approved in base and in error in head."""
    critical_outside: tuple[str, ...] = ()
    """Critical cases approved in base that newly fail in all their trials by a ruler that could not grade base."""
    newly_graded: int = 0
    """Common cases that are none of the base's graded ones: only the new ruler grades them."""
    resting_on_edits: int = 0
    """Common cases that are approved only by what this change edited."""
    only_by_edit: tuple[str, ...] = ()
    unjudged_by_edit: tuple[str, ...] = ()
    """Cases graded in base of which the edit leaves nothing to grade by."""
    removed_passing: tuple[str, ...] = ()
    reworded_passing: tuple[str, ...] = ()

    @property
    def gated_categories(self) -> tuple[Line, ...]:
        """Categories as they are reported, and base's own where the change moved cases."""
        return (*self.categories, *self.regrouped)
