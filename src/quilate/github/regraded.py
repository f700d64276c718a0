"""`regraded.jsonl`: what a run graded by another ruler than its own, so that its verdict can be said again as it was.

A judge's verdicts on the base's replies by edited expectations stand in neither run file. Without them a label's run,
which asks nobody, would leave those cases outside the comparison and come to another verdict.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import JsonValue, TypeAdapter

from quilate.compare.overlay import CaseGrades, Overlay
from quilate.grades import RecordModel, TrialGrade
from quilate.judge.pairs import RunRef
from quilate.runs.record import Header
from quilate.saying import again, kept

REGRADED_FILE = "regraded.jsonl"
SCHEMA = 1


class _Runs(RecordModel):
    kind: Literal["regraded"]
    version: Literal[1]
    base: RunRef
    head: RunRef


class _Graded(RecordModel):
    kind: Literal["base_by_head", "head_by_base"]
    case_id: str
    trials: tuple[TrialGrade, ...]


class _Why(RecordModel):
    kind: Literal["why"]
    case_id: str
    text: str
    said: dict[str, JsonValue] = {}


class _End(RecordModel):
    kind: Literal["regraded_end"]


_LINE: TypeAdapter[_Graded | _Why | _End] = TypeAdapter(_Graded | _Why | _End)


def beside(run_file: Path) -> Path:
    """Where it stands."""
    return run_file.with_name(REGRADED_FILE)


def write(path: Path, overlay: Overlay, base: Header, head: Header) -> None:
    """Writes what was graded again, with the runs whose replies it is about."""
    lines: list[RecordModel] = [_Runs(kind="regraded", version=SCHEMA, base=RunRef.of(base), head=RunRef.of(head))]
    for case_id, grades in overlay.base_by_head.items():
        lines.append(_Graded(kind="base_by_head", case_id=case_id, trials=grades.trials))
    for case_id, grades in overlay.head_by_base.items():
        lines.append(_Graded(kind="head_by_base", case_id=case_id, trials=grades.trials))
    for case_id, text in overlay.why.items():
        lines.append(_Why(kind="why", case_id=case_id, text=str(text), said=kept(text=text)))
    lines.append(_End(kind="regraded_end"))
    plain = (json.dumps(line.model_dump(mode="json"), ensure_ascii=True) for line in lines)
    path.write_text("".join(f"{line}\n" for line in plain), encoding="ascii")


def read(path: Path, base: Header, head: Header) -> Overlay | None:
    """What these two runs' comparison graded again; None where there is no such file, whole and of these runs."""
    try:
        first, *lines = path.read_bytes().splitlines()
        runs = _Runs.model_validate(json.loads(first))
        if (runs.base, runs.head) != (RunRef.of(base), RunRef.of(head)):
            return None
        # not pydantic's own parser, which refuses the halves of characters that an id may hold
        *graded, end = [_LINE.validate_python(json.loads(line)) for line in lines]
    except (OSError, ValueError, RecursionError):
        return None
    return _overlay(graded) if isinstance(end, _End) else None


def _overlay(lines: list[Any]) -> Overlay | None:
    overlay = Overlay()
    for line in lines:
        if isinstance(line, _Why):
            overlay.why[line.case_id] = again(line.text, line.said["text"]) if "text" in line.said else line.text
        elif isinstance(line, _Graded) and line.trials:
            into = overlay.base_by_head if line.kind == "base_by_head" else overlay.head_by_base
            into[line.case_id] = CaseGrades.of(line.trials)
        else:
            return None
    return overlay
