"""Did the run ask fresh, single-turn, neutral questions? Only what the run file proves is claimed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from quilate.goldens.case import GoldenCase, Message
from quilate.goldens.neutrality import instructions_for
from quilate.report.escape import code_span
from quilate.runs.record import Footer, GradeLine, Header, ReplyLine

MAX_NAMED = 20


class CaseRecord(Protocol):
    """A case of a run with its replies (`runs.reader.CaseRecord` is one)."""

    @property
    def grade_line(self) -> GradeLine:
        """Its last grade."""
        ...

    @property
    def reply_lines(self) -> Mapping[int, ReplyLine]:
        """Trial → what was asked and given back."""
        ...


class Run(Protocol):
    """A run file, read case by case (`runs.reader.RunReader` is one)."""

    @property
    def header(self) -> Header:
        """The first line."""
        ...

    @property
    def footer(self) -> Footer | None:
        """The last line."""
        ...

    def cases(self) -> Iterator[CaseRecord]:
        """Every graded case."""
        ...

    def grade_lines(self) -> Iterator[GradeLine]:
        """The grade line of every case."""
        ...


@dataclass(frozen=True, slots=True)
class Proof:
    """What broke the condition, one plain text each; nothing did where `broken` is empty."""

    broken: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether the run file proves the condition."""
        return not self.broken

    def note(self) -> str:
        """The guide's note where it is proven, else what broke it; Markdown, ending in a line end."""
        if self.holds:
            return (
                "The run file proves that the test used fresh single-turn requests without locale or clarification "
                "instruction.\n"
            )
        listed = "".join(f"- {code_span(reason, 400)}\n" for reason in self.broken[:MAX_NAMED])
        more = len(self.broken) - MAX_NAMED
        rest = f"- and {more} more, in `conditions.json`\n" if more > 0 else ""
        return f"The run file does not prove fresh single-turn requests without instruction:\n\n{listed}{rest}"


def prove(run: Run) -> Proof:
    """Looks through header, prompts and replies of a run for anything that breaks the guide's condition."""
    return Proof((*_of_run(run), *(reason for record in run.cases() for reason in _of_case(record, run.header))))


def _of_run(run: Run) -> Iterator[str]:
    header = run.header
    kind = header.agent.get("kind")
    if run.footer is None or run.footer.ended != "complete":
        yield "the run did not end in order, so cases may be missing"
    if not header.conditions.fresh_single_turn:
        yield "the header says that requests were not all fresh and single-turn"
    if kind == "replay":
        yield "the replies were replayed from a recording; how they were asked is not in the run file"
    elif kind != "chat":
        yield f"the agent ({kind}) is a program of its own; what instructions it adds is not in the run file"


def _of_case(record: CaseRecord, header: Header) -> Iterator[str]:
    case = record.grade_line.definition
    if not record.reply_lines:
        yield f"{case.id}: the run file has no reply of it, so what was asked is not recorded"
    prompts = {line.prompt for line in record.reply_lines.values()}
    for prompt in sorted(prompts, key=len):
        if len(prompt) != 1 or prompt[0].role != "user":
            yield f"{case.id}: asked with {len(prompt)} messages ({_roles(prompt)}), not in a single user turn"
        for one in _instructions(case, prompt, header):
            yield f"{case.id}: {one}"
    if any(prompt != case.messages for prompt in prompts):
        yield f"{case.id}: what was asked is not what the case says"


def _roles(prompt: Sequence[Message]) -> str:
    return ", ".join(message.role for message in prompt[:6])


def _instructions(case: GoldenCase, prompt: Sequence[Message], header: Header) -> Iterator[str]:
    """What instructs: of a case that measures locale or asking what bears on it, of any other nothing."""
    asked = case.model_copy(update={"input": tuple(prompt)})
    system = "\n".join([header.conditions.system_prompt or "", *_texts(header.agent)])
    for one in dict.fromkeys(instructions_for(asked, system)):
        yield f"“{one.words}” in the {one.role} message instructs ({one.instructs.value})"


def _texts(value: JsonValue) -> Iterator[str]:
    """Every text in what the header says of the agent: a provider's own keys may hold instructions too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
