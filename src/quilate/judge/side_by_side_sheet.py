"""One request to a judge of pairs: two replies under blind labels, and the strict reading of what it answers. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, cast

from quilate.agents.agent import Reply
from quilate.goldens.case import GoldenCase
from quilate.judge.groundedness import Block
from quilate.judge.identity import sha256
from quilate.judge.pairs import OrderAnswer, Preference, Rating, Score, Side
from quilate.judge.prompts import Prompts
from quilate.judge.questions import read_answer, shape_of
from quilate.judge.sheet import enclosed, nonce_for
from quilate.judge.side_by_side_rules import Gave, gave
from quilate.providers.model import Prompt, Turn
from quilate.saying import say

RESPONSES = ("response_1", "response_2")


@dataclass(frozen=True, slots=True)
class TwoReplies:
    """Two replies to the same question. `case` is head's definition, `trial` the trial of both."""

    case: GoldenCase
    base_id: str
    trial: int
    base: Reply
    head: Reply

    def of(self, side: Side) -> Reply:
        """The reply of one side."""
        return self.base if side is Side.BASE else self.head


@dataclass(frozen=True, slots=True)
class PairSheet:
    """What a judge of pairs gets in one order: `first`'s reply is response 1."""

    first: Side
    prompt: Prompt
    schema: dict[str, Any]
    blocks: dict[str, tuple[Block, ...]]
    """Response → its numbered tool outputs."""

    def key(self, judge: str) -> str:
        """What an answer to this sheet is stored under: the judge's fingerprint and every input."""
        return sha256([judge, self.prompt.system, [turn.text for turn in self.prompt.turns], self.schema])

    def side_of(self, response: str) -> Side:
        """Whose reply stood under a blind label."""
        return self.first if response == RESPONSES[0] else self.first.other


def first_side(case_id: str) -> Side:
    """Whose reply stands first in the first order: by a hash of the case's id, so that a run repeats itself."""
    return Side.BASE if int(sha256(case_id)[:8], 16) % 2 == 0 else Side.HEAD


def make_pair_sheet(
    two: TwoReplies, first: Side, prompts: Prompts, *, non_evidence_tools: Sequence[str] = ()
) -> PairSheet:
    """The request with `first`'s reply as response 1. Nothing in it tells which side a reply is of."""
    data: dict[str, Any] = {
        "conversation": [message.model_dump(mode="json", exclude_none=True) for message in two.case.messages]
    }
    blocks: dict[str, tuple[Block, ...]] = {}
    number = 0
    for response, side in zip(RESPONSES, (first, first.other), strict=True):
        reply = two.of(side)
        outputs, blocks[response] = _outputs(reply, number, non_evidence_tools)
        number += len(blocks[response])
        data[response] = reply.output
        data[f"{response}_tools"] = outputs
    schema = _schema({response: bool(found) for response, found in blocks.items()})
    nonce = nonce_for(data)
    task = prompts.filled(
        "side_by_side_task",
        nonce=nonce,
        data="\n".join(enclosed(name, value, nonce) for name, value in data.items()),
        shape=shape_of(schema),
    )
    prompt = Prompt(system=prompts.filled("side_by_side_system"), turns=(Turn("user", task),), schema=schema)
    return PairSheet(first, prompt, schema, blocks)


def _outputs(reply: Reply, before: int, non_evidence_tools: Sequence[str]) -> tuple[list[Any], tuple[Block, ...]]:
    """What the tools gave for one reply, as the judge sees it, and the numbered blocks in it.

    Errors, and calls whose output is blank or was not reported, stand there without a number: nothing can be checked
    by them. What the agent's search returned is a tool's output too.
    """
    shown: list[Any] = []
    blocks: list[Block] = []

    def block(origin: str, text: str) -> int:
        blocks.append(Block(before + len(blocks) + 1, origin, text))
        return blocks[-1].number

    for call in reply.tool_calls:
        row: dict[str, Any] = {"tool": call.name, "args": call.args}
        came = gave(call)
        if came is Gave.ERROR:
            row["error"] = call.error if call.error is not None else call.output
        elif came in (Gave.DATA, Gave.NOTHING):
            row["output"] = call.output
            if not any(fnmatchcase(call.name, pattern) for pattern in non_evidence_tools):
                row = {"block": block(call.name, json.dumps(call.output, ensure_ascii=False)), **row}
        shown.append(row)
    shown.extend(
        {"block": block("search", fragment.text), "tool": "search", "output": fragment.text}
        for fragment in reply.fragments or ()
        if fragment.text.strip()
    )
    return shown, tuple(blocks)


def _schema(has_blocks: dict[str, bool]) -> dict[str, Any]:
    """Every property required, none added, evidence before verdict; scores as texts, which every provider enforces."""
    text = {"type": "string"}
    score = _enum("1", "2", "3")

    def rating(*, with_facts: bool) -> dict[str, Any]:
        properties = {
            "target_language": _object({"justification": text, "verdict": _enum("yes", "no")}),
            "fulfilment": _object({"justification": text, "rating": score}),
        }
        if with_facts:
            blocks = {"type": "array", "items": {"type": "integer"}}
            properties["factuality"] = _object({"evidence_blocks": blocks, "evidence": text, "rating": score})
        return _object(properties)

    ratings = {response: rating(with_facts=has_blocks[response]) for response in RESPONSES}
    return _object({**ratings, "overall": _object({"justification": text, "preferred": _enum(*RESPONSES, "tie")})})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _enum(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def read_pair(sheet: PairSheet, text: str) -> tuple[dict[str, Any] | None, list[str]]:
    """The answer in `text` and no problems, or None and why it is no verdict on this pair."""
    answer, problems = read_answer(text, sheet.schema)
    if answer is not None:
        problems = inconsistent(sheet, answer)
    return (None, problems) if problems else (answer, [])


def inconsistent(sheet: PairSheet, answer: dict[str, Any]) -> list[str]:
    """Why an answer of the right shape is still no verdict: factuality rests on a block of that reply, by number."""
    problems: list[str] = []
    for response, blocks in sheet.blocks.items():
        if not blocks:
            continue
        named = answer[response]["factuality"]["evidence_blocks"]
        known = {block.number for block in blocks}
        if not named:
            problems.append(say("{name} names no block in evidence_blocks", name=f"{response}.factuality"))
        problems += [
            say("{name} has no block {number}", name=response, number=str(number))
            for number in named
            if number not in known
        ]
    if not answer["overall"]["justification"].strip():
        problems.append(say("{name} is empty", name="overall.justification"))
    return problems


def unblinded(sheet: PairSheet, answer: dict[str, Any], key: str, model: str | None) -> OrderAnswer:
    """A valid answer with the sides in the place of the blind labels."""
    ratings = {sheet.side_of(response): _rating(answer[response]) for response in RESPONSES}
    preferred = answer["overall"]["preferred"]
    return OrderAnswer(
        first=sheet.first,
        base=ratings[Side.BASE],
        head=ratings[Side.HEAD],
        preferred=Preference.TIE if preferred == "tie" else Preference(sheet.side_of(preferred).value),
        justification=" ".join(answer["overall"]["justification"].split()),
        raw=answer,
        key=key,
        model=model,
    )


def _rating(given: dict[str, Any]) -> Rating:
    facts = given.get("factuality")
    return Rating(
        target_language=given["target_language"]["verdict"] == "yes",
        fulfilment=_score(given["fulfilment"]["rating"]),
        factuality=None if facts is None else _score(facts["rating"]),
    )


def _score(text: str) -> Score:
    return cast("Score", int(text))
