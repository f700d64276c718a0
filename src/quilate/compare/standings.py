"""Each case that both runs asked alike, under one ruler where it can be."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from quilate.compare.align import Alignment
from quilate.compare.delta import Side, Standing
from quilate.compare.overlay import Overlay
from quilate.compare.quarantine import quarantined
from quilate.runs.index import RunIndex


def standings(
    base: RunIndex, head: RunIndex, alignment: Alignment, overlay: Overlay, today: date
) -> Iterator[Standing]:
    """Every pair of the alignment, in head's order."""
    for pair in alignment.pairs:
        old, new = base.summary(pair.base_id), head.summary(pair.head_id)
        side: Side | None = Side.of(old)
        if not pair.same_ruler:
            again = overlay.base_by_head.get(pair.head_id)
            side = None if again is None else Side(again.grade, again.approved_trials, again.graded_trials)
        yield Standing(
            head=new, base=old, base_side=side, edited=pair.edited, rescored=not pair.same_ruler and side is not None,
            in_gate=not quarantined(old, today), relimited=pair.relimited,
            otherwise_ruled=not (pair.same_ruler or pair.edited or pair.relimited),
        )  # fmt: skip
