"""A model that answers from a script: for tests, ours and yours."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from quilate.agents.agent import Usage
from quilate.providers.model import Completion, Prompt, ProviderError

Answer = Completion | ProviderError | str | Mapping[str, Any]


class ScriptedModel:
    """Answers each prompt by a function, or by the next of a list; keeps the prompts in `prompts`.

    A text or a mapping (sent as JSON) is a completion that ended in order; a `ProviderError` is raised.
    """

    def __init__(
        self,
        script: Callable[[Prompt], Answer] | Iterable[Answer],
        *,
        name: str = "scripted",
        usage: Usage | None = None,
    ) -> None:
        self.name = name
        self.prompts: list[Prompt] = []
        self._usage = usage
        if callable(script):
            self._answer = script
        else:
            rest = iter(script)
            self._answer = lambda _prompt: next(rest)

    async def __aenter__(self) -> Self:
        """Nothing to open."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        """Nothing to close."""

    async def complete(self, prompt: Prompt) -> Completion:
        """The script's answer."""
        self.prompts.append(prompt)
        answer = self._answer(prompt)
        if isinstance(answer, ProviderError):
            raise answer
        if isinstance(answer, Completion):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return Completion(text=text, usage=self._usage, model=self.name)

    def request(self, prompt: Prompt) -> dict[str, Any]:
        """The prompt as data."""
        return {"model": self.name, "system": prompt.system, "turns": [turn.text for turn in prompt.turns]}


def first_of_schema(schema: Mapping[str, Any]) -> Any:
    """The simplest value a schema allows: true, the first of an enum, an empty list or text."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {key: first_of_schema(part) for key, part in schema.get("properties", {}).items()}
        case "array":
            return []
        case "boolean":
            return True
        case "integer" | "number":
            return 0
    return ""


def agreeing(prompt: Prompt) -> Answer:
    """A judge that approves of everything, in the shape it was asked for."""
    return dict(first_of_schema(prompt.schema or {"type": "object"}))
