"""One locale signal of one reply: graded by what is visible, or left open to whoever can judge meaning."""

from __future__ import annotations

from collections.abc import Callable

from quilate.checks.locale.dates import grade_date
from quilate.checks.locale.load import Locale
from quilate.checks.locale.markers import grade_social_norms, idioms_in, read_references
from quilate.checks.locale.money import grade_currency
from quilate.checks.locale.sighting import Finding, Sighting, graded
from quilate.checks.locale.units import grade_units
from quilate.checks.rubric import RubricText, signal_id, signal_rubric
from quilate.goldens.case import Signal
from quilate.grades import CriterionGrade, Grade
from quilate.saying import say

_BY_CODE: dict[Signal, Callable[[str, str, Locale], Finding | None]] = {
    Signal.CURRENCY: grade_currency,
    Signal.DATE: grade_date,
    Signal.METRIC_UNITS: grade_units,
    Signal.SOCIAL_NORMS: grade_social_norms,
}
"""The signals the eye suffices for; idioms and regional grounding are matters of meaning."""


def read_signal(signal: Signal, output: str, prompt: str, locale: Locale) -> CriterionGrade | None:
    """The grade of one signal by what is visible; None where meaning decides, or the pack has nothing to see it by.

    An empty reply shows no signal at all, and fails every one.
    """
    question = signal_rubric(signal).question
    if not output.strip():
        return graded(signal_id(signal), question, Finding(Grade.FAIL, say("the reply is empty")), output)
    reader = _BY_CODE.get(signal)
    finding = reader(output, prompt, locale) if reader else None
    return None if finding is None else graded(signal_id(signal), question, finding, output)


def seen_for_judge(output: str, locale: Locale) -> list[Sighting]:
    """What code can see of an open signal: the pack's idioms and regional references in the reply, by their spans."""
    return read_references(output, locale)


def signal_context(signal: Signal, output: str, prompt: str, locale: Locale) -> RubricText:
    """The rubric of one signal for this case: the locale, the idiom's meaning, the references the pack sees."""
    context = [f"the locale is {locale.pack.locale}"]
    if signal is Signal.IDIOMS:
        context += idioms_in(prompt, locale)
    seen = list(dict.fromkeys(output[one.start : one.end] for one in seen_for_judge(output, locale)))
    if seen:
        context.append("expressions of the locale that stand in the reply: " + ", ".join(seen[:12]))
    return signal_rubric(signal, tuple(context))
