"""Does a prompt instruct what it is to measure? Then the run cannot show that the model infers it by itself."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import regex

from quilate.documents import read_document
from quilate.goldens.case import GoldenCase, Message
from quilate.shown import visible

if TYPE_CHECKING:
    from quilate.config_load import ConfigFile
    from quilate.goldens.lint import Finding, Linted

TIMEOUT_S = 2.0
MAX_CHARS = 100_000


class Instructs(StrEnum):
    """What a prompt gives away."""

    LOCALE = "locale"
    CLARIFICATION = "clarification"
    EXAMPLE = "example"
    """An example of the behaviour, loaded before the question."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """The words that instruct, and where: `role` of the message and offsets in its content."""

    instructs: Instructs
    words: str
    role: str
    start: int
    end: int


@lru_cache(maxsize=1)
def _patterns() -> dict[Instructs, regex.Pattern[str]]:
    table = read_document(Path(__file__).with_name("neutrality.yaml")).value
    return {
        kind: regex.compile("|".join(f"(?:{one})" for one in table[kind.value]), regex.IGNORECASE) for kind in Instructs
    }


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFD", char)[0] if not char.isascii() else char for char in text)


def instructions_in(text: str, role: str = "user") -> list[Instruction]:
    """Every instruction of the locale or of clarifying, and every example exchange, in one message's text."""
    plain = _plain(text[:MAX_CHARS])
    found: list[Instruction] = []
    for kind, pattern in _patterns().items():
        try:
            for match in pattern.finditer(plain, timeout=TIMEOUT_S):
                words = text[match.start() : match.end()].strip()
                start = match.start() + text[match.start() : match.end()].index(words)
                found.append(Instruction(kind, words, role, start, start + len(words)))
        except TimeoutError:
            continue
    return sorted(found, key=lambda one: (one.start, one.end))


def instructions_of(messages: Iterable[Message]) -> list[Instruction]:
    """Every instruction in a conversation; an assistant's turn before the question is an example by itself."""
    found: list[Instruction] = []
    for message in messages:
        if message.role == "assistant":
            words = message.content.strip()
            found.append(Instruction(Instructs.EXAMPLE, words, "assistant", 0, len(message.content)))
        elif message.role in ("system", "user"):
            found += instructions_in(message.content, message.role)
    return found


def measured(case: GoldenCase) -> bool:
    """Whether a case measures what a prompt must not give away: a locale signal, or asking."""
    return case.signal is not None or case.expects is not None


def bears_on(case: GoldenCase, instruction: Instruction) -> bool:
    """Whether an instruction gives away what this case measures."""
    if instruction.instructs is Instructs.LOCALE:
        return case.signal is not None
    if instruction.instructs is Instructs.CLARIFICATION:
        return case.expects is not None
    return measured(case)


def instructions_for(case: GoldenCase, system_prompt: str | None = None) -> list[Instruction]:
    """What gives away the behaviour that a case measures, in its own messages and in the system prompt of the run."""
    if not measured(case):
        return []
    system = instructions_in(system_prompt, "system") if system_prompt else []
    return [one for one in (*system, *instructions_of(case.messages)) if bears_on(case, one)]


_MENDS = {
    Instructs.LOCALE: "ask as a local would, and let the reply show whether the model infers the locale",
    Instructs.CLARIFICATION: "leave out when to ask, and let the reply show whether the model asks by itself",
    Instructs.EXAMPLE: "ask in one fresh message, without an example of the behaviour",
}


def instructing_prompts(linted: Linted) -> Iterator[Finding]:
    """`not-neutral`: a prompt that instructs the locale or the clarifying its case measures, or shows an example."""
    for case in linted.cases:
        for one in instructions_for(case):
            found = f'"{visible(one.words, 80)}" in the {one.role} message instructs ({one.instructs.value})'
            yield linted.of(case, "not-neutral", found, _MENDS[one.instructs])


def instructing_system_prompt(file: ConfigFile, cases: Iterable[GoldenCase]) -> list[Finding]:
    """`not-neutral`: the configuration's system prompt instructs what cases of the suite measure."""
    from quilate.goldens.lint import Finding

    chat = file.config.agent.chat
    if chat is None or not chat.system:
        return []
    there = list(cases)
    path, line = str(file.path), file.document.line_of(("agent", "chat", "system"))
    return [
        Finding("not-neutral", path, line, f'"{visible(one.words, 80)}" in the system prompt instructs '
                f"({one.instructs.value})", _MENDS[one.instructs])
        for one in instructions_in(chat.system, "system")
        if any(bears_on(case, one) for case in there)
    ]  # fmt: skip


def instructed_cases(cases: Iterable[GoldenCase], system_prompt: str | None = None) -> tuple[str, ...]:
    """The ids of the cases whose prompt, or the run's system prompt, gives away what they measure."""
    return tuple(case.id for case in cases if instructions_for(case, system_prompt))
