"""One case as written into a `GoldenCase`, or everything that is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from quilate.documents import Document
from quilate.errors import Problem
from quilate.goldens.case import GoldenCase
from quilate.goldens.written import GUIDE_KEYS, as_case
from quilate.problems import place_of, problems_of
from quilate.shown import Path, shown, visible

_STAND_INS = {"id": "-", "category": "-", "input": "-"}
_CHECKED = ("expected_tools", "forbidden_tools", "forbidden_phrases", "required_phrases", "must_not_leak")


def validate_case(
    document: Document, at: Path, written: dict[str, Any], defaults: dict[str, Any]
) -> tuple[GoldenCase | None, list[Problem]]:
    """The case that stands at `at`, or None and its problems."""
    given = written.get("id")
    case_id = given if isinstance(given, str) else None
    problems = guide_key_problems(document, at, written, case_id)
    meant = as_case(written, defaults)
    try:
        case = GoldenCase.model_validate_json(json.dumps(meant))
    except ValidationError as error:
        spelled = {"input": "prompt"} if "prompt" in written and "input" not in written else {}
        problems += problems_of(
            error, document, GoldenCase, at=at, written=meant, spelled=spelled, extra_keys=GUIDE_KEYS, case_id=case_id
        )
        problems += _of_the_rest(error, document, at, meant, written, case_id)
        return None, problems
    problems += _expectation_problems(case, document, at, written, case_id)
    return (None if problems else case), problems


def default_problems(document: Document, at: Path, defaults: dict[str, Any]) -> tuple[set[str], list[Problem]]:
    """What is wrong with a file's defaults, and which of them cannot be applied."""
    problems = guide_key_problems(document, at, defaults)
    complete = {"expected_tool": "-"} | defaults if defaults.get("expected_tool") is None else defaults
    _, found = validate_case(document, at, _STAND_INS | complete, {})
    problems = list(dict.fromkeys(problems + found))
    bad = {
        key
        for key in defaults
        if any(each.key.startswith(document.problem((*at, key), "", "").key) for each in problems)
    }
    return bad, problems


def guide_key_problems(
    document: Document, at: Path, written: dict[str, Any], case_id: str | None = None
) -> list[Problem]:
    """What is wrong with the guide's own keys, which the model does not know."""
    problems = [
        document.problem((*at, key), shown(written[key]), "write text", case_id)
        for key in ("capability", "type")
        if written.get(key) is not None and (not isinstance(written[key], str) or not written[key])
    ]
    if written.get("prompt") is not None and written.get("input") is not None:
        problems.append(document.problem((*at, "prompt"), "a prompt beside input", "keep one of the two", case_id))
    return problems


def _of_the_rest(
    error: ValidationError,
    document: Document,
    at: Path,
    meant: dict[str, Any],
    written: dict[str, Any],
    case_id: str | None,
) -> Sequence[Problem]:
    """What the checks cannot use in what remains, once the values that were refused are left out."""
    rest: dict[str, Any] = json.loads(json.dumps(meant)) | _STAND_INS
    for _ in range(_MOST_ROUNDS):
        _leave_out(error, rest)
        try:
            case = GoldenCase.model_validate_json(json.dumps(rest))
        except ValidationError as another:
            error = another
            continue
        return _expectation_problems(case, document, at, written, case_id)
    return ()


_MOST_ROUNDS = 4
"""A value in the place of one that was refused may be refused as well; after so many the case is given up."""


def _leave_out(error: ValidationError, rest: dict[str, Any]) -> None:
    """Takes what was refused out of `rest`: a key, or a list's item, which something stands in for at its place."""
    for detail in error.errors(include_url=False):
        path = place_of(detail, rest)
        if not path:
            continue
        inner: Any = rest
        for step in path[:-1]:
            inner = inner[step]
        last: Any = path[-1]
        if isinstance(inner, dict) and detail["type"] != "missing":
            inner.pop(last, None)
        elif isinstance(inner, list) and isinstance(inner[last], dict):  # a call that has two names, or none
            inner[last] = {key: value for key, value in inner[last].items() if key != "any_of"} | {"name": "-"}
        else:
            inner[last] = "-"
    rest.setdefault("expected_tool", "-")


def _expectation_problems(
    case: GoldenCase, document: Document, at: Path, written: dict[str, Any], case_id: str | None
) -> list[Problem]:
    """What the checks cannot use: wrong patterns, matchers, canaries. A default's problem is told at the default."""
    if not any(written.get(key) for key in _CHECKED):
        return []
    from quilate.checks.code import expectation_problems

    problems: list[Problem] = []
    for refused in expectation_problems(case):
        path = refused.path
        if written.get(str(path[0])) is None:
            continue
        if path[:2] == ("expected_tools", "calls") and isinstance(written["expected_tools"], list):
            path = ("expected_tools", *path[2:])
        found = visible(refused.found.removeprefix("found "), 200)
        problems.append(document.problem((*at, *path), found, refused.mend, case_id))
    return problems
