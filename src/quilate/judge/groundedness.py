"""Is there evidence to check a reply by? Decided by code; the judge is only asked where there is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

from pydantic import JsonValue

from quilate.agents.agent import Reply, ToolCall
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, ErrorKind, Grade
from quilate.judge.criteria import GROUNDED
from quilate.retrieval.search import Search, SearchSource
from quilate.saying import listed, say
from quilate.text import find_span


class GroundedVerdict(StrEnum):
    """The three verdicts. A judge can only say the first two."""

    NOT_INVENTED = "not_invented"
    INVENTED = "invented"
    NO_EVIDENCE = "no_evidence"


class EvidenceState(StrEnum):
    """What the search for evidence came to."""

    FOUND = "found"
    EMPTY = "empty"
    """The search worked and has nothing for this question: a gap in the knowledge base, when it repeats."""
    BROKEN = "broken"
    ABSENT = "absent"
    """There is no search to ask, and no tool gave anything."""


@dataclass(frozen=True, slots=True)
class Block:
    """One numbered piece of evidence as the judge sees it."""

    number: int
    origin: str
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a reply can be checked by, and where it came from. `left_out` names outputs of tools that failed."""

    search: Search
    blocks: tuple[Block, ...]
    left_out: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the judge may be asked if the reply invents. A broken search may have held what supports it."""
        return self.search.failure is None and len(self.blocks) > 0

    @property
    def state(self) -> EvidenceState:
        """The same with its reason."""
        if self.found:
            return EvidenceState.FOUND
        if self.search.failure is not None:
            return EvidenceState.BROKEN
        return EvidenceState.ABSENT if self.search.source is SearchSource.NONE else EvidenceState.EMPTY

    def detail(self) -> dict[str, JsonValue]:
        """What stands in the result beside the verdict."""
        return {
            "evidence": self.state.value,
            "evidence_source": self.search.source.value,
            "consulted_at": self.search.consulted_at,
            "parameters": dict(self.search.parameters),
            "blocks": len(self.blocks),
            "left_out": list(self.left_out),
        }


def gather(case: GoldenCase, reply: Reply, search: Search, non_evidence_tools: Sequence[str] = ()) -> Evidence:
    """The evidence for `reply`: the fragments of `search`, and the outputs of tools that succeeded.

    Blank fragments and blank outputs say nothing and are left out; so are tools declared to be no evidence (globs)
    and, under `evidence: fragments`, all tools.
    """
    texts = [
        (f"fragment {fragment.source or fragment.id or ''}".strip(), fragment.text)
        for fragment in search.fragments
        if fragment.text.strip()
    ]
    left_out: list[str] = []
    for call in reply.tool_calls if case.evidence == "fragments_and_tools" else ():
        if any(fnmatchcase(call.name, pattern) for pattern in non_evidence_tools):
            continue
        if failed(call):
            left_out.append(call.name)
        elif not blank(call.output):
            texts.append((f"output of {call.name}", _as_text(call.output)))
    blocks = tuple(Block(number, origin, text) for number, (origin, text) in enumerate(texts, 1))
    return Evidence(search=search, blocks=blocks, left_out=tuple(left_out))


def blank(output: JsonValue) -> bool:
    """Whether a tool's output says nothing: null, blank text, only such inside, or an empty list and a count of 0."""
    output = _parsed(output)
    if output is None:
        return True
    if isinstance(output, str):
        return not output.strip() or output.strip().casefold() in _SAYS_NOTHING
    if isinstance(output, list):
        return all(blank(item) for item in output)
    if isinstance(output, dict):
        found_nothing = any(isinstance(item, (list, dict)) and not item for item in output.values())
        return all(blank(item) or (found_nothing and item in (0, False)) for item in output.values())
    return False


_SAYS_NOTHING = ("null", "none", "nil", "undefined")
_ERRORS = ("error:", "error ", "exception:", "traceback (most recent call last)")


def _parsed(output: JsonValue) -> JsonValue:
    """An output that is JSON written as text, as many tools give it, is read as what it says."""
    if not (isinstance(output, str) and output.lstrip()[:1] in ("{", "[")):
        return output
    try:
        value: JsonValue = json.loads(output)
    except (ValueError, RecursionError):
        return output
    return value


def failed(call: ToolCall) -> bool:
    """Whether a tool reports a failure, in its own field or in its output."""
    if call.error is not None:
        return True
    output = _parsed(call.output)
    if isinstance(output, str):
        return output.lstrip().casefold().startswith(_ERRORS)
    return isinstance(output, dict) and (
        bool(output.get("error"))
        or output.get("isError") is True  # the Model Context Protocol's
        or output.get("is_error") is True
        or output.get("success") is False
        or output.get("ok") is False
        or output.get("status") == "error"  # a `failed` order is an answer, not a failure
    )


def without_evidence(evidence: Evidence) -> CriterionGrade:
    """The third verdict, set here whatever any model says: neither for nor against the agent.

    A broken search is an error of the infrastructure; an empty or an absent one leaves the criterion not judged.
    """
    reasons = {
        EvidenceState.EMPTY: say("no evidence: the search found nothing for this question"),
        EvidenceState.ABSENT: say("no evidence: no search is configured and the agent returned no fragments"),
        EvidenceState.BROKEN: say("no evidence: the search failed ({why})", why=evidence.search.failure or ""),
    }
    reason = reasons[evidence.state]
    if evidence.left_out:
        failed = say("failed tools are no evidence: {tools}", tools=", ".join(evidence.left_out))
        reason = listed([reason, failed], by="; ")
    broken = evidence.state is EvidenceState.BROKEN
    return CriterionGrade.of(
        id=GROUNDED,
        text=GROUNDED_TEXT,
        grade=Grade.ERROR if broken else Grade.NOT_JUDGED,
        error=ErrorKind.INFRASTRUCTURE if broken else None,
        reason=reason,
        detail={"verdict": GroundedVerdict.NO_EVIDENCE.value, **evidence.detail()},
    )


GROUNDED_TEXT = say("invents nothing: every claim is supported by the evidence")


def inconsistencies(answer: dict[str, Any], output: str, blocks: int) -> list[str]:
    """Why a groundedness answer of the right shape is still no verdict; empty where it is one.

    *Invented* names at least one claim, every claim stands in the reply, *not invented* names none, and every block
    it cites exists.
    """
    claims = answer["unsupported_claims"]
    problems: list[str] = []
    if answer["verdict"] == GroundedVerdict.INVENTED and not claims:
        problems.append(say("the verdict is invented, and no claim is named"))
    if answer["verdict"] == GroundedVerdict.NOT_INVENTED and claims:
        problems.append(say("the verdict is not_invented, and unsupported claims are named"))
    for claim in claims:
        if not names_something(claim["quote"]):
            problems.append(say("a claim quotes nothing"))
        elif not says(output, claim["quote"]):
            problems.append(
                say("the reply does not say {quote}: quote its own words", quote=repr(claim["quote"][:100]))
            )
    problems.extend(
        say("there is no evidence block {number}", number=str(number))
        for number in answer["supporting_blocks"]
        if not 1 <= number <= blocks
    )
    return problems


def names_something(quote: str) -> bool:
    """Whether a quotation holds a digit or two letters: a full stop or an `a` stands in every reply."""
    return any(char.isdigit() for char in quote) or sum(char.isalpha() for char in quote) >= 2


def says(output: str, quote: str) -> bool:
    """Whether a reply says what a claim quotes: word for word, or close to it with the same figures.

    `a las 19:00` is no close match of `a las 18:00`: of a claim, the figure is what was claimed.
    """
    span = find_span(quote, output)
    if span is None or span.exact:
        return span is not None
    around = output[max(0, span.start - _EDGE) : span.end + _EDGE]
    return _figures(quote) in _figures(around)


_EDGE = 4
"""Characters by which a close match may have missed the end of a figure."""


def _figures(text: str) -> str:
    return "".join(char for char in text if char.isdigit())


def _as_text(output: JsonValue) -> str:
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
