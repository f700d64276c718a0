"""What in a case is a little language of its own, checked when the file is read: /patterns/ and argument matchers."""

from __future__ import annotations

from typing import Any

from quilate.documents import Document
from quilate.errors import Problem
from quilate.shown import Path, visible

_PHRASES = ("forbidden_phrases", "required_phrases")


def pattern_problems(
    document: Document, at: Path, written: dict[str, Any], case_id: str | None = None
) -> list[Problem]:
    """The problems of a written case's regular expressions and matchers; of the wrong types it says nothing."""
    problems: list[Problem] = []
    for key in _PHRASES:
        phrases = written.get(key)
        for index, phrase in enumerate(phrases if isinstance(phrases, list) else []):
            reason = _bad_phrase(phrase) if isinstance(phrase, str) else None
            if reason is not None:
                found = f"{visible(phrase)}, a regular expression that cannot be used ({visible(reason, 120)})"
                problems.append(document.problem((*at, key, index), found, "correct it", case_id))
    problems.extend(_bad_matchers(document, at, written.get("expected_tools"), case_id))
    return problems


def _bad_phrase(phrase: str) -> str | None:
    if len(phrase) < 3 or not (phrase.startswith("/") and phrase.endswith("/")):
        return None
    from quilate.checks.patterns import MatcherError, Pattern

    try:
        Pattern(phrase[1:-1], ignore_case=True)
    except MatcherError as error:
        return error.found
    return None


def _bad_matchers(document: Document, at: Path, written: Any, case_id: str | None) -> list[Problem]:
    """The problems of `expected_tools`, in its short form (a list) or its long one (an object with calls)."""
    place: Path = (*at, "expected_tools") if isinstance(written, list) else (*at, "expected_tools", "calls")
    calls = written.get("calls") if isinstance(written, dict) else written
    problems: list[Problem] = []
    for index, call in enumerate(calls if isinstance(calls, list) else []):
        args = call.get("args") if isinstance(call, dict) else None
        if not isinstance(args, dict):
            continue
        from quilate.checks.matchers import MatcherError, compile_args

        try:
            compile_args(args)
        except MatcherError as error:
            path = (*place, index, "args", *error.path)
            problems.append(
                document.problem(path, visible(error.found.removeprefix("found "), 200), error.mend, case_id)
            )
    return problems
