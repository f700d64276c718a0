"""An audit's counts: exact, and adding up to the lines of the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from quilate.audit.entry import Entry, Outcome
from quilate.audit.gaps import Gaps, grouped


@dataclass(frozen=True, slots=True)
class Earlier:
    """What became of the conversations that an earlier evaluator called *invented*; the parts add up to `invented`."""

    verdicts: int
    invented: int
    confirmed: int
    """There was evidence, and it is an invention here too."""
    refuted: int
    """There was evidence, and it supports the reply."""
    without_evidence: int
    """Nothing could have shown an invention: the search had nothing, or failed."""
    unjudged: int
    """Outside the window, or the judge gave no verdict."""

    @property
    def with_evidence(self) -> int:
        """How many of those verdicts had any evidence behind them."""
        return self.confirmed + self.refuted


@dataclass(frozen=True, slots=True)
class Summary:
    """What the log came to."""

    counts: dict[Outcome, int]
    earlier: Earlier
    gaps: Gaps

    @property
    def lines(self) -> int:
        """Every line of the log that is not blank."""
        return sum(self.counts.values())

    @property
    def in_window(self) -> int:
        """The conversations that were to be judged."""
        return self.lines - sum(self.counts[each] for each in (Outcome.OLD, Outcome.FUTURE, Outcome.UNREADABLE))

    @property
    def no_evidence(self) -> int:
        """The third verdict, for whatever reason."""
        return sum(number for outcome, number in self.counts.items() if outcome.without_evidence)

    @property
    def failed(self) -> int:
        """Conversations that an outage kept from a verdict: of the judge, or of the search."""
        return self.counts[Outcome.ERROR] + self.counts[Outcome.BROKEN]


def summarise(standing: Iterable[Entry]) -> Summary:
    """The counts of entries, each of another line; one pass, in memory that does not grow with the log."""
    counts: Counter[Outcome] = Counter(dict.fromkeys(Outcome, 0))
    verdicts = 0
    earlier: Counter[Outcome] = Counter()

    def gaps() -> Iterable[tuple[str, str]]:
        nonlocal verdicts
        for entry in standing:
            counts[entry.outcome] += 1
            verdicts += entry.earlier is not None
            if entry.earlier == "invented":
                earlier[entry.outcome] += 1
            if entry.outcome is Outcome.EMPTY and entry.question is not None:
                yield entry.id, entry.question

    found = grouped(gaps())
    without = sum(number for outcome, number in earlier.items() if outcome.without_evidence)
    confirmed, refuted = earlier[Outcome.INVENTED], earlier[Outcome.NOT_INVENTED]
    every = earlier.total()
    return Summary(
        counts=dict(counts),
        earlier=Earlier(verdicts, every, confirmed, refuted, without, every - confirmed - refuted - without),
        gaps=found,
    )
