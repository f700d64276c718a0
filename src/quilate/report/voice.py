"""How a report speaks: in a language, for a medium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quilate.report.escape import Inert
from quilate.report.medium import Medium
from quilate.report.messages import Translator


@dataclass(frozen=True, slots=True)
class Voice:
    """A language and a medium."""

    t: Translator
    medium: Medium

    def names(self, ids: Sequence[str], most: int | None = None) -> Inert:
        """Case ids as a list; past `most` it says how many are shown of how many."""
        shown = ids if most is None else ids[:most]
        text = Inert(", ".join(self.medium.code(each, 120) for each in shown))
        if len(shown) == len(ids):
            return text
        return self.t.t("{names} (showing {shown} of {all})", names=text, shown=len(shown), all=len(ids))
