"""Why something is what it is, as data: a stable code, the values that decided, one English sentence."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

ReasonValue = str | int | float | Fraction | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a verdict is what it is: a stable code and the values that decided. `text` is its English sentence."""

    code: str
    values: dict[str, ReasonValue]
    text: str
