"""One case told: what was asked, what failed, what each side answered. Plain data, still untrusted."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quilate.agents.agent import Reply
from quilate.goldens.case import Location
from quilate.grades import CriterionGrade, Grade
from quilate.report.input import CaseRecord, RunSource
from quilate.report.messages import Translator
from quilate.report.retold import spoken

_SURROGATE = re.compile("[\ud800-\udfff]")
_WORST = (Grade.FAIL, Grade.PARTIAL, Grade.ERROR, Grade.NOT_JUDGED)


@dataclass(frozen=True, slots=True)
class Side:
    """One side's answer to a case: its first reply that shows the case's grade."""

    grade: Grade
    output: str
    calls: tuple[str, ...]
    fault: str | None
    approved_trials: int
    trials: int


@dataclass(frozen=True, slots=True)
class Story:
    """A case as a reviewer needs it. `failures` are head's criteria that are not approved, the worst first."""

    case_id: str
    category: str
    question: str
    failures: tuple[CriterionGrade, ...]
    head: Side | None
    base: Side | None
    location: Location | None
    critical: bool

    def why(self, t: Translator) -> str:
        """The worst criterion's reason, in a line and in the language of `t`; empty where there is none."""
        return spoken(self.failures[0].why, t) if self.failures else ""


def record_of(case_id: str, source: RunSource | None) -> CaseRecord | None:
    """What a side holds of a case; None where it has none, or there is no such side."""
    if source is None:
        return None
    try:
        return source.case(case_id)
    except KeyError:
        return None


def tell(case_id: str, head: RunSource, base: RunSource | None, base_id: str | None = None) -> Story:
    """The story of one case, from whichever side has it; `base_id` where base calls it otherwise."""
    ours, theirs = record_of(case_id, head), record_of(base_id or case_id, base)
    line = ours.grade_line if ours else theirs.grade_line if theirs else None
    return Story(
        case_id=case_id,
        category=line.category if line else "",
        question=line.definition.question if line else "",
        failures=failures_of(ours.grade_line.criteria) if ours else (),
        head=_side(ours),
        base=_side(theirs),
        location=line.location if line else None,
        critical=bool(line and line.definition.critical),
    )


def failures_of(criteria: Iterable[CriterionGrade]) -> tuple[CriterionGrade, ...]:
    """The criteria that are not approved, the worst first."""
    found = [criterion for criterion in criteria if criterion.grade in (Grade.FAIL, Grade.PARTIAL, Grade.ERROR)]
    return tuple(sorted(found, key=lambda criterion: _WORST.index(criterion.grade)))


def _side(record: CaseRecord | None) -> Side | None:
    if record is None:
        return None
    line, reply = record.grade_line, shown_trial(record)
    return Side(
        grade=line.grade,
        output=reply.output if reply else "",
        calls=_calls(reply) if reply else (),
        fault=reply.fault.why if reply and reply.fault else None,
        approved_trials=sum(trial.grade is Grade.PASS for trial in line.trials),
        trials=len(line.trials),
    )


def shown_trial(record: CaseRecord) -> Reply | None:
    """The first reply that shows the case's grade, else the first; None where the run holds none."""
    line, replies = record.grade_line, record.replies
    shown = next((trial.trial for trial in line.trials if trial.grade is line.grade), None)
    reply = replies.get(shown) if shown is not None else None
    return reply if reply is not None or not replies else replies[min(replies)]


def _calls(reply: Reply) -> tuple[str, ...]:
    return tuple(f"{call.name}({_arguments(call.args)})" for call in reply.tool_calls)


def _arguments(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={_json(each)}" for name, each in value.items())
    return "" if value is None else _json(value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def rerun_command(case_id: str, config: str | None = None) -> str | None:
    """What to type in a POSIX shell to run the case alone; None where an argument cannot hold the id (NUL, no text)."""
    if "\0" in case_id or len(case_id) > 400 or _SURROGATE.search(case_id):
        return None
    where = f" --config {_shell(config)}" if config else ""
    return f"quilate run{where} --case {_shell(case_id)} -v"


def _shell(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    escaped = "".join(_shell_character(character) for character in word)
    return f"$'{escaped}'"


def _shell_character(character: str) -> str:
    if character in "'\\":
        return "\\" + character
    if character.isprintable():
        return character
    return f"\\U{ord(character):08x}" if ord(character) > 0x7F else f"\\x{ord(character):02x}"


def fair_selection(ids: Sequence[str], category_of: dict[str, str], per_category: int) -> list[str]:
    """At most `per_category` of `ids` from every category, in their order: no category hides another."""
    taken: dict[str, int] = {}
    chosen: list[str] = []
    for case_id in ids:
        category = category_of[case_id]
        if taken.get(category, 0) < per_category:
            taken[category] = taken.get(category, 0) + 1
            chosen.append(case_id)
    return chosen
