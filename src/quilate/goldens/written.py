"""From what people write in a golden file to the cases it means: defaults, the guide's keys, null as absent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quilate.goldens.case import Expects, GoldenCase, Signal

GUIDE_KEYS = ("capability", "type", "prompt")
"""Keys of the evaluation guide's case lists: `{id, capability, type, prompt}`."""

CASE_KEYS = (*GoldenCase.model_fields, *GUIDE_KEYS)
DEFAULT_KEYS = tuple(key for key in CASE_KEYS if key not in ("id", "input", "prompt"))
FILE_KEYS = ("$schema", "version", "defaults", "cases")

_EXPECTS_OF_TYPE = {"ambiguous": Expects.CLARIFICATION, "clear": Expects.DIRECT_ANSWER}


def as_case(case: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `GoldenCase` that a written case means, not yet validated.

    What the case says goes before what the file's defaults say, whole value by whole value. A null says that the key
    is absent, whatever the default. The guide's keys become ours: `prompt` the input, `capability/type` the category
    where none is given, and a type that is `ambiguous`, `clear` or a locale signal what it stands for.
    """
    both = dict(defaults) | dict(case)
    merged = {key: value for key, value in both.items() if value is not None or key not in CASE_KEYS}
    guide = {key: merged.pop(key) for key in GUIDE_KEYS if key in merged}
    if "prompt" in guide:
        merged.setdefault("input", guide["prompt"])
    kind = guide.get("type")
    for key, meant in _meant_by(guide, kind):
        says_so = "type" in case or (key == "category" and "capability" in case)
        if key not in merged or (says_so and case.get(key) is None and key not in case):
            merged[key] = meant
    return merged


def _meant_by(guide: Mapping[str, Any], kind: Any) -> list[tuple[str, Any]]:
    meant: list[tuple[str, Any]] = []
    parts = [guide[key] for key in ("capability", "type") if isinstance(guide.get(key), str) and guide[key]]
    if parts:
        meant.append(("category", "/".join(parts)))
    if isinstance(kind, str):
        if kind in _EXPECTS_OF_TYPE:
            meant.append(("expects", _EXPECTS_OF_TYPE[kind].value))
        if kind in [signal.value for signal in Signal]:
            meant.append(("signal", kind))
    return meant
