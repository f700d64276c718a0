"""The body of an incident's pull request: what was found, for the reviewer. Untrusted text only in code."""

from __future__ import annotations

from dataclasses import dataclass

from quilate.goldens.incidents.building import Built
from quilate.goldens.incidents.form import Key
from quilate.goldens.incidents.words import LABELS
from quilate.red_first import RedFirst
from quilate.report.escape import cell, code_span, fenced

NOTES = {
    "category_unstated": "No category was stated; it is `incident` for now.",
    "arguments_as_text": 'Tool arguments without quotes were taken as text: `47821` is `"47821"`. Check the types.',
    "stream_cut": "The streamed answer breaks off or has parts that cannot be read.",
    "continues": "The request continues an earlier one whose turns are not in the log.",
    "system_prompt": "The log's system prompt is left out: the agent of today brings its own, and a copy would hide "
    "what a change to it does.",
    "many_turns": "The input is a long history; keep the turns around the bad answer.",
    "several": "The log holds several conversations; the last was taken.",
}

MOST_CALLS = 8
"""Calls of a log that are shown."""


@dataclass(frozen=True, slots=True)
class Found:
    """A case and what a reviewer should know of it: fields a model drafted, headings that were not read."""

    built: Built
    drafted: tuple[Key, ...]
    unread: int
    read_by_suite: bool
    config_path: str


def pull_body(found: Found, red: RedFirst, issue: int) -> str:
    """Markdown: does it reproduce, what was replaced, what comes close, what to look at."""
    built = found.built
    parts = [f"The golden case of #{issue}. Closes #{issue}.", f"### Asked of today's agent: {red.headline}"]
    parts += _red(red)
    if built.answered:
        parts.append("**Reported answer**\n\n" + fenced(built.answered, 2000))
    if built.seen:
        parts.append(f"Seen: {code_span(built.seen)}")
    parts.append("### Replaced before anything was committed\n\n" + _replaced(built))
    if built.near:
        rows = [f"| {cell(near.case_id)} | {near.score} |" for near in built.near]
        parts.append("\n".join(["### Cases like it", "", "| case | similarity (0 to 100) |", "| --- | ---: |", *rows]))
    look = _to_look_at(found)
    if look:
        parts.append("\n".join(["### Look at", "", *(f"- {each}" for each in look)]))
    return "\n\n".join(parts) + "\n"


def _red(found: RedFirst) -> list[str]:
    if found.reason:
        return [f"It was not asked: {code_span(found.reason)}"]
    parts = ["It can be merged either way: a new case does not count in the comparison until it is in the base."]
    if found.reply:
        parts.append(fenced(found.reply, 2000))
    if found.why:
        parts.append(fenced(found.why, 1500))
    return parts


def _replaced(built: Built) -> str:
    if not built.replaced:
        return "Nothing was found to replace. Names and what has no shape are for people to see: please look."
    rows = [f"| {one.kind} | {one.times} | {one.values} |" for one in built.replaced]
    return "\n".join(["| kind | times | different values |", "| --- | ---: | ---: |", *rows])


def _to_look_at(found: Found) -> list[str]:
    look = [NOTES[note] for note in found.built.notes]
    if called := found.built.called:
        look.append(f"The logged answer called {', '.join(map(code_span, called[:MOST_CALLS]))}.")
    if found.drafted:
        fields = ", ".join(LABELS[key] for key in found.drafted)
        look.insert(0, f"*drafted* by a model, each with its quotation found in the issue: {fields}.")
    if found.unread:
        look.append(f"{found.unread} passage(s) of the issue belong to no field and were not read.")
    if not found.read_by_suite:
        look.append(
            f"**{code_span(found.config_path)} does not read this file**: add `goldens/incidents/*.yaml` to its "
            "`goldens:`."
        )
    return look
