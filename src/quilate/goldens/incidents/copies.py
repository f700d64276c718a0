"""Conversations copied out of a window (Slack, Teams, help desks): name and time on a line, what was said below it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quilate.goldens.incidents.labels import speaker_of

_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?\s?[Mm]\.?)?"
_DAY = (
    r"(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?|(?:[A-Za-z]{3,9}\.? )?\d{1,2}(?: de)?(?: [A-Za-z]{3,9})?(?:,? \d{4})?"
    r"|[A-Za-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|[Tt]oday|[Yy]esterday|[Hh]oy|[Aa]yer|[Hh]oje|[Oo]ntem)"
)
_WHEN = rf"[\[(]?(?:{_DAY}(?:,| at| a las?| às)? )?{_TIME}[\])]?"
_NAME = r"(?P<name>[^\W\d_][^\n:<>|\[\](]{0,58}?)"
_BESIDE = re.compile(rf"^\s*{_NAME}(?P<app>\s+APP)?,?\s{{1,6}}{_WHEN}\s*$")
_BEFORE = re.compile(rf"^\s*[\[(](?:{_DAY},? )?{_TIME}[\])]\s+{_NAME}(?P<app>\s+APP)?\s*$")
_ABOVE = re.compile(rf"^\s*{_NAME}\s*$")
_BELOW = re.compile(rf"^\s*(?P<app>APP\s+)?{_WHEN}\s*$")
_MOST_WORDS = 4


def copied(text: str) -> list[tuple[str, str]]:
    """Who said what, in order; empty where the text does not begin with a name and a time, or only one speaks."""
    lines = text.strip("\n").split("\n")
    heads = list(_heads(lines))
    if len({name for name, _, _ in heads}) < 2 or heads[0][1] != 0:
        return []
    ends = [start for _, start, _ in heads[1:]] + [len(lines)]
    return [(name, "\n".join(lines[below:end]).strip()) for (name, _, below), end in zip(heads, ends, strict=True)]


def _heads(lines: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Names, each with the line it stands on and the first one below it and its time."""
    at = 0
    while at < len(lines):
        beside = _BESIDE.match(lines[at]) or _BEFORE.match(lines[at])
        above = _ABOVE.match(lines[at])
        below = _BELOW.match(lines[at + 1]) if at + 1 < len(lines) else None
        if beside and _like_a_name(beside["name"]):
            yield _named(beside["name"], beside["app"]), at, at + 1
            at += 1
        elif above and below and _like_a_name(above["name"]):
            yield _named(above["name"], below["app"]), at, at + 2
            at += 2
        else:
            at += 1


def _named(name: str, app: str | None) -> str:
    """Slack writes APP beside the name of a program."""
    return f"{name.strip()} (bot)" if app else name.strip()


def _like_a_name(name: str) -> bool:
    words = [word for word in name.split() if word[:1].isalpha()]
    return speaker_of(name) is not None or (
        0 < len(words) <= _MOST_WORDS and all(word[:1].isupper() for word in words if len(word) > 3)
        and name[:1].isupper()
    )  # fmt: skip
