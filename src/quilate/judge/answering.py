"""Getting a usable answer out of a judge: one try, one repair, and then an error that is no verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from quilate.grades import ErrorKind
from quilate.judge.client import JudgeClient, UnjudgedError
from quilate.judge.prompts import Prompts
from quilate.judge.questions import shape_of
from quilate.providers.model import Completion, Prompt, Stop, Turn
from quilate.saying import listed, say

Read = Callable[[str], tuple[dict[str, Any] | None, list[str]]]
"""The answer in a text and no problems, or None and why it is no verdict."""


async def usable_answer(
    client: JudgeClient, prompt: Prompt, read: Read, prompts: Prompts
) -> tuple[dict[str, Any], str | None]:
    """A valid answer and the model that gave it, after one repair at most. Raises `UnjudgedError`."""
    problems: list[str] = []
    asked = prompt
    for attempt in range(2):
        client.totals.repairs += attempt
        completion = await client.ask(asked)
        stopped = _stopped(completion)
        answer, problems = read(completion.text) if stopped is None else (None, [stopped])
        if answer is not None:
            return answer, completion.model
        asked = repaired(prompt, completion.text, problems, prompts)
    reason = say("the judge's answer was unusable twice: {problems}", problems=listed(problems[:3], by="; "))
    raise UnjudgedError(ErrorKind.JUDGE, reason)


def repaired(before: Prompt, answer: str, problems: Sequence[str], prompts: Prompts) -> Prompt:
    """The same request once more, with what was wrong about the first answer."""
    said = prompts.filled(
        "repair", problems="\n".join(f"- {problem}" for problem in problems), shape=shape_of(before.schema or {})
    )
    turns: tuple[Turn, ...]
    if not answer.strip():  # no provider takes an empty message
        turns = (Turn("user", f"{before.turns[0].text}\n\n{said}"),)
    else:
        turns = (*before.turns, Turn("assistant", answer[:20_000]), Turn("user", said))
    return Prompt(system=before.system, turns=turns, schema=before.schema)


def _stopped(completion: Completion) -> str | None:
    """Why a completion is none, where its end says so: a truncated or refused answer keeps to no schema."""
    match completion.stop:
        case Stop.LENGTH:
            return say("the answer was cut off at the token limit (judge.max_tokens)")
        case Stop.REFUSAL:
            return say("the judge refused to answer: {why}", why=completion.refusal or say("no reason given"))
        case Stop.FILTERED:
            return say("the provider's content filter stopped the answer")
    return None
