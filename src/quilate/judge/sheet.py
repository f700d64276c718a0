"""One request to a judge: what it is asked about which data, as a prompt. Pure: `judge --show` prints the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quilate.agents.agent import Reply
from quilate.goldens.case import GoldenCase
from quilate.judge.criteria import GROUNDED, CriterionKind, SemanticCriterion
from quilate.judge.groundedness import Evidence, inconsistencies
from quilate.judge.identity import sha256
from quilate.judge.prompts import Prompts
from quilate.judge.questions import Form, Question, answer_schema, numbered, read_answer, shape_of
from quilate.providers.model import Prompt, Turn
from quilate.saying import listed, say


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a judge gets, and the reply, by which its quotations are found again."""

    questions: tuple[Question, ...]
    schema: dict[str, Any]
    prompt: Prompt
    reply: Reply
    evidence: Evidence | None

    def key(self, judge: str, trial: int) -> str:
        """What a verdict on this sheet is stored under: the judge's fingerprint, every input, and the trial."""
        turns = [turn.text for turn in self.prompt.turns]
        return sha256([judge, self.prompt.system, turns, self.schema, trial])


def make_sheet(
    case: GoldenCase, reply: Reply, criteria: Sequence[SemanticCriterion], evidence: Evidence | None, prompts: Prompts
) -> Sheet:
    """The request for `criteria` and, where `evidence` is given, for groundedness.

    Without any evidence found, whether the reply invents is not among the questions; what can be said without stands
    there instead, for the reader.
    """
    asked: list[tuple[Form, str, str, SemanticCriterion | None]] = [
        (Form.GRADE if criterion.partial else Form.MET, _question_text(criterion, prompts), criterion.id, criterion)
        for criterion in criteria
    ]
    if evidence is not None and evidence.found:
        asked.append((Form.GROUNDED, prompts.texts["grounded"], GROUNDED, None))
    elif evidence is not None:
        asked += [(Form.VIEW, text, about, None) for about, text in prompts.without_evidence.items()]
    questions = numbered(asked)
    schema = answer_schema(questions)
    prompt = Prompt(
        system=prompts.filled("system"),
        turns=(Turn("user", _task(questions, schema, _data(case, reply, evidence), prompts)),),
        schema=schema,
    )
    return Sheet(questions, schema, prompt, reply, evidence)


def _question_text(criterion: SemanticCriterion, prompts: Prompts) -> str:
    if criterion.kind is CriterionKind.REFERENCE:
        return prompts.texts["reference"]
    rubric = criterion.rubric
    if rubric is None:
        return criterion.text
    lines = [rubric.question, f"pass: {rubric.passes}", f"partial: {rubric.partial}", f"fail: {rubric.fails}"]
    lines += [f"({line})" for line in rubric.context]
    if rubric.kinds:
        kinds = "; ".join(f"{kind}: {meaning}" for kind, meaning in rubric.kinds)
        lines.append(f"In `failure`, how it failed ({kinds}), or none where it does not fail.")
    return "\n".join(lines)


def _data(case: GoldenCase, reply: Reply, evidence: Evidence | None) -> dict[str, Any]:
    """Everything that is judged, by name, as plain JSON."""
    data: dict[str, Any] = {
        "conversation": [message.model_dump(mode="json", exclude_none=True) for message in case.messages],
        "reply": reply.output,
        "tool_calls": [call.model_dump(mode="json", exclude_none=True) for call in reply.tool_calls],
    }
    if isinstance(case.expected_output, str):
        data["reference"] = case.expected_output
    if evidence is not None and evidence.found:
        data["evidence"] = [
            {"block": block.number, "origin": block.origin, "text": block.text} for block in evidence.blocks
        ]
    return data


def _task(questions: Sequence[Question], schema: dict[str, Any], data: dict[str, Any], prompts: Prompts) -> str:
    nonce = nonce_for(data)
    return prompts.filled(
        "task",
        questions="\n".join(
            json.dumps({"id": question.key, "question": question.text}, ensure_ascii=False) for question in questions
        ),
        nonce=nonce,
        data="\n".join(enclosed(name, value, nonce) for name, value in data.items()),
        shape=shape_of(schema),
    )


def nonce_for(data: Any) -> str:
    """A mark that the data cannot hold, and that is the same for the same data, so that verdicts can be stored.

    It is a hash of what it encloses: a text that holds its own hash cannot be written. Checked all the same.
    """
    text = json.dumps(data, ensure_ascii=False)
    nonce = sha256(data)[:16]
    while nonce in text:
        nonce = sha256([nonce, data])[:16]
    return nonce


def enclosed(name: str, value: Any, nonce: str) -> str:
    """`value` as one line of JSON between marks it cannot close; `name` is ours."""
    return f"<data {nonce} {name}>\n{json.dumps(value, ensure_ascii=False)}\n</data {nonce}>"


def read_sheet(sheet: Sheet, text: str) -> tuple[dict[str, Any] | None, list[str]]:
    """The answer in `text` and no problems, or None and why it is no verdict on this sheet."""
    answer, problems = read_answer(text, sheet.schema)
    if answer is not None:
        problems = inconsistent(sheet, answer)
    return (None, problems) if problems else (answer, [])


def inconsistent(sheet: Sheet, answer: dict[str, Any]) -> list[str]:
    """Why an answer of the right shape contradicts itself or the reply; empty where it does not."""
    problems: list[str] = []
    for question in sheet.questions:
        given = answer[question.key]
        if question.form is Form.GROUNDED:
            blocks = len(sheet.evidence.blocks) if sheet.evidence else 0
            problems += [
                listed([question.key, each], by=": ") for each in inconsistencies(given, sheet.reply.output, blocks)
            ]
        if "failure" in given and (given["grade"] == "fail") != (given["failure"] != "none"):
            problems.append(say(
                "{question}: the grade is {grade} and the failure {failure}",
                question=question.key, grade=given["grade"], failure=given["failure"],
            ))  # fmt: skip
    return problems
