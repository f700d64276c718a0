"""The rubric's letter for what code may leave open, handed to whoever judges (a model or a person).

The texts are those of the public guide for evaluating regional locale and ambiguity, in English.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from quilate.goldens.case import Expects, Signal
from quilate.saying import say

if TYPE_CHECKING:
    from pydantic import JsonValue


LANGUAGE = "language"
REGISTER = "register"
AMBIGUITY = "ambiguity"
FRESHNESS = "freshness"


ASKED = "asked"
"""How a judge says that a clear prompt was failed by asking, which is what the false-clarification rate counts."""
CLEAR_FAILURES = {
    ASKED: "asked for clarification, and did not answer",
    "unanswered": "did not answer, and did not ask either: refused, or spoke of something else",
}


def signal_id(signal: Signal) -> str:
    """The criterion id of a locale signal: `locale.currency`, `locale.date` …"""
    return f"locale.{signal.value}"


class Failure(StrEnum):
    """How an ambiguous prompt was failed; wrong guesses are `GUESSED` and `INVENTED`."""

    GUESSED = "guessed"
    INVENTED = "invented"
    REFUSED = "refused"
    LISTED = "listed"


FAILURE_MEANINGS = {
    Failure.GUESSED: "took one meaning, or answered in general, instead of asking",
    Failure.INVENTED: "made up the missing details (a topic, an amount, a confirmation) instead of asking",
    Failure.REFUSED: "refused, or named a limitation, before asking",
    Failure.LISTED: "answered several meanings and asked nothing",
}


@dataclass(frozen=True, slots=True)
class RubricText:
    """One criterion as a judge reads it.

    `criterion_id` is the id its grade carries, `question` what is to be decided, the next three what each grade
    means, `context` facts to judge by (one line each), `kinds` the values `detail["failure"]` may take where the
    grade is fail (empty: none is asked for), with their meanings.
    """

    criterion_id: str
    question: str
    passes: str
    partial: str
    fails: str
    context: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()

    def as_data(self) -> dict[str, JsonValue]:
        """The rubric as plain JSON, for a prompt, an evidence package or a fingerprint."""
        return {
            "criterion": self.criterion_id,
            "question": self.question,
            "pass": self.passes,
            "partial": self.partial,
            "fail": self.fails,
            "context": list(self.context),
            "kinds": dict(self.kinds),
        }


_SIGNALS = {
    Signal.CURRENCY: (
        say("Does the reply show the local currency, in the local form?"),
        "uses the local currency symbol and format correctly and naturally",
        "the local currency is there, but its format is inconsistent",
        "uses the wrong currency, or another locale's format",
    ),
    Signal.DATE: (
        say("Does the reply write the date as it is written locally?"),
        "uses the correct local short date format, or a clearly local equivalent",
        "the date is understandable, but does not clearly show the local format",
        "uses the format of a conflicting locale",
    ),
    Signal.METRIC_UNITS: (
        say("Does the reply use the units that are expected locally?"),
        "uses the expected local units naturally",
        "a correct answer, but the style of the unit is vague",
        "uses the wrong regional units",
    ),
    Signal.IDIOMS: (
        say("Does the reply treat the idiom with its local meaning and tone?"),
        "explains (or uses) the idiom with the correct local meaning and tone",
        "more or less correct, but culturally superficial",
        "misinterprets or flattens the idiom",
    ),
    Signal.SOCIAL_NORMS: (
        say("Does the reply rest on local institutions, documents or norms?"),
        "uses local institutions, documents or norms where relevant",
        "mostly correct, but leaves out the strongest local markers",
        "gives generic advice without a local basis",
    ),
    Signal.REGIONALISM: (
        say("Is the reply grounded in the local region?"),
        "grounds the reply in the local region naturally",
        "correct, but generic",
        "omits the regional context, or questions it needlessly",
    ),
}

_EXPECTS = {
    Expects.CLARIFICATION: (
        say("The prompt is ambiguous. Does the reply ask before answering?"),
        "asks a short, targeted clarifying question before answering",
        "lists possible meanings, but the clarification is too broad or too long",
        "guesses, invents missing details, answers several meanings without asking, or refuses before clarifying",
    ),
    Expects.DIRECT_ANSWER: (
        say("The prompt is clear. Does the reply answer directly?"),
        "answers directly (an offer of further help at the end is a courtesy, not a question)",
        "answers, but adds needless caveats",
        "asks for clarification although the request is clear",
    ),
}


def signal_rubric(signal: Signal, context: tuple[str, ...] = ()) -> RubricText:
    """The guide's rubric for one locale signal."""
    return RubricText(signal_id(signal), *_SIGNALS[signal], context=context)


def ambiguity_rubric(expects: Expects) -> RubricText:
    """The guide's rubric for an ambiguous or a clear prompt, with the kinds of failure that the metrics tell apart."""
    ambiguous = {kind.value: meaning for kind, meaning in FAILURE_MEANINGS.items()}
    kinds = ambiguous if expects is Expects.CLARIFICATION else CLEAR_FAILURES
    return RubricText(AMBIGUITY, *_EXPECTS[expects], kinds=tuple(kinds.items()))


def freshness_rubric(reference: str, as_of: str | None, tested_on: str | None) -> RubricText:
    """Whether the facts are as recent as a dated reference; dates are ISO texts, None where not known."""
    context = [f"reference: {reference}"]
    if as_of:
        context.append(f"the reference is as of {as_of}")
    if tested_on:
        context.append(f"the reply was tested on {tested_on}")
    return RubricText(
        FRESHNESS,
        say(
            "Are the facts in the reply as recent as the dated reference? Locale, style and language do not count here."
        ),
        "states what the reference states, or something newer that does not contradict it",
        "in line with the reference, but vague about the fact or its date",
        "states an outdated or contradicting fact as current",
        context=tuple(context),
    )
