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
    """As base measures it: its categories, its graded cases, its definitions where head's approve neither reply."""

    @property
    def name(self) -> str:
        """As sentences call it."""
        if self.category is None:
            return f"overall pass rate{' as base measures it' if self.by_base else ''}"
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
    as_base: Line | None = None
    """The whole as base measures it, where that differs: cases that only the change's edits grade would dilute a drop,
    and expectations that neither reply meets would hide it."""
    regrouped: tuple[Line, ...] = ()
    """Base's categories where they differ too: moving what broke to a larger one would hide it."""
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
    behind_edits: tuple[str, ...] = ()
    """Cases approved in base that fail by base's definition, and by an edited one that base's reply fails too."""
    unjudged_by_edit: tuple[str, ...] = ()
    """Cases graded in base of which the edit leaves nothing to grade by."""
    removed_passing: tuple[str, ...] = ()
    reworded_passing: tuple[str, ...] = ()

    @property
    def wholes(self) -> tuple[Line, ...]:
        """The whole as it is reported, and as base measures it."""
        return (self.overall,) if self.as_base is None else (self.overall, self.as_base)

    @property
    def gated(self) -> tuple[Line, ...]:
        """Every line that the policy holds to its limit."""
        by_category = self.policy.scope == "category"
        return (*self.wholes, *self.categories, *self.regrouped) if by_category else self.wholes
