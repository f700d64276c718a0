"""An audit's report: Markdown for an issue, JSON for programs. Everything from the log is untrusted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from quilate.audit.entry import Entry, Outcome
from quilate.audit.summary import Earlier, Summary
from quilate.report.escape import cell, code_span, fenced

SCHEMA = 1
MAX_BYTES = 60_000
"""A comment or an issue on GitHub holds 65,536 characters."""
_RESERVED = 16_000
"""Bytes kept for what follows the inventions."""


@dataclass(frozen=True, slots=True)
class About:
    """Under which conditions the audit was made; ISO times."""

    log: str
    since: str
    until: str
    days: int
    made_at: str
    judge: Mapping[str, Any]
    totals: Mapping[str, Any]
    searched: bool


ROWS = (
    (Outcome.NOT_INVENTED, "Not invented", "every claim is in the evidence"),
    (Outcome.INVENTED, "**Invented**", "a claim is not, and is named"),
    (Outcome.EMPTY, "No evidence: nothing found", "a gap in the knowledge base; says nothing about the assistant"),
    (Outcome.BROKEN, "No evidence: the search failed", "an outage; tried again with `--resume`"),
    (Outcome.ABSENT, "No evidence: nothing to search", "no fragments in the log and no `retriever:`"),
    (Outcome.ERROR, "No verdict", "the judge failed; tried again with `--resume`"),
    (Outcome.OLD, "Left out: older", "today's knowledge base may not be that day's"),
    (Outcome.FUTURE, "Left out: after the window", ""),
    (Outcome.UNREADABLE, "Unreadable lines", ""),
)


def markdown(summary: Summary, inventions: Iterable[Entry], about: About) -> str:
    """The report, below `MAX_BYTES`; it says how many inventions and gaps it shows of how many."""
    judge = code_span(str(about.judge.get("model") or about.judge.get("provider")), 80)
    counts = summary.counts
    title = (
        f"## Audit: {counts[Outcome.INVENTED]} invented, {counts[Outcome.NOT_INVENTED]} not invented, "
        f"{summary.no_evidence} without evidence"
    )
    said = (
        f"{summary.in_window} conversations of {about.days} days ({about.since[:10]} to {about.until[:10]}), "
        f"judged by {judge}; the knowledge base was consulted on {about.made_at[:10]} where the log has no fragments."
    )
    head = [
        title,
        "",
        said,
        "",
        *_warnings(summary),
        "| | conversations | |",
        "| --- | ---: | --- |",
        *(f"| {name} | {counts[outcome]} | {meaning} |" for outcome, name, meaning in ROWS),
        f"| All lines | {summary.lines} | |",
        "",
        *_earlier(summary.earlier),
    ]
    text = "\n".join(head) + "\n"
    text += _inventions(inventions, counts[Outcome.INVENTED], MAX_BYTES - _RESERVED - len(text.encode()))
    text += _gaps(summary, MAX_BYTES - 2_000 - len(text.encode()))
    return text + _conditions(about)


def _warnings(summary: Summary) -> list[str]:
    said = []
    evident = summary.counts[Outcome.NOT_INVENTED] + summary.counts[Outcome.INVENTED]
    if not summary.in_window:
        said.append("**Nothing was judged**: no conversation is inside the window.")
    elif not evident and not summary.counts[Outcome.ERROR]:
        said.append("**Nothing could be checked**: no conversation had any evidence. Does the search work at all?")
    if summary.failed:
        said.append(f"{summary.failed} conversations have no verdict because the judge or the search failed.")
    return [line for each in said for line in (f"> {each}", "")]


def _earlier(earlier: Earlier) -> list[str]:
    if not earlier.verdicts:
        return []
    said = (
        f"An earlier evaluator called {earlier.invented} of {earlier.verdicts} conversations *invented*. "
        f"**{earlier.with_evidence} of {earlier.invented} had any evidence behind them**: here {earlier.confirmed} are "
        f"inventions and {earlier.refuted} are not; {earlier.without_evidence} had none, and {earlier.unjudged} were "
        "not judged."
    )
    return [said, ""]


def _inventions(inventions: Iterable[Entry], total: int, room: int) -> str:
    if not total:
        return ""
    parts: list[str] = []
    size = 0
    for entry in inventions:
        part = _invention(entry)
        size += len(part.encode())
        if size > room:
            break
        parts.append(part)
    shown = "" if len(parts) == total else f" (showing {len(parts)} of {total})"
    return f"### Inventions{shown}\n\n" + "".join(parts)


def _invention(entry: Entry) -> str:
    claims = "".join(
        f"- claims {code_span(str(claim.get('quote', '')), 300)}: {code_span(str(claim.get('why', '')), 200)}\n"
        for claim in entry.claims
    )
    fragments = "".join(fenced(text, 600) for text in entry.fragments[:5])
    more = f"…and {len(entry.fragments) - 5} more fragments\n" if len(entry.fragments) > 5 else ""
    consulted = f", consulted {entry.consulted_at}" if entry.consulted_at else ""
    return (
        f"**{code_span(entry.id, 80)}** asked {code_span(entry.question or '', 300)}\n\n{claims}\n"
        f"<details><summary>Reply and fragments ({entry.evidence_source or 'tools'}{consulted})</summary>\n\n"
        f"{fenced(entry.reply or '', 1_500)}\nFragments:\n\n{fragments}{more}\n</details>\n\n"
    )


def _gaps(summary: Summary, room: int) -> str:
    gaps = summary.gaps
    if not gaps.questions:
        return ""
    lines: list[str] = []
    size = 0
    for gap in gaps.groups:
        line = f"| {gap.count} | {cell(gap.question, 200)} | {cell(', '.join(gap.ids[:5]), 120)} |\n"
        size += len(line.encode())
        if size > room or len(lines) >= 50:
            break
        lines.append(line)
    shown = f"showing {len(lines)} of {len(gaps.groups)} groups, " if len(lines) < len(gaps.groups) else ""
    title = "### Questions the knowledge base has nothing for"
    said = f"{shown}{gaps.questions} questions; like ones are grouped"
    table = "| times | question | conversations |\n| ---: | --- | --- |\n" + "".join(lines)
    return f"{title}\n\n{said}\n\n{table}\n"


def _conditions(about: About) -> str:
    totals = about.totals
    cost = f", {totals['cost_usd']} USD" if "cost_usd" in totals else ""
    return (
        f"<sub>log {code_span(about.log, 120)} · {totals.get('requests', 0)} requests to the judge, "
        f"{totals.get('input_tokens', 0)} + {totals.get('output_tokens', 0)} tokens{cost} · "
        f"{totals.get('searches', 0)} searches · made {about.made_at}</sub>\n"
    )


def write_json(summary: Summary, inventions: Iterable[Entry], about: About, file: TextIO) -> None:
    """The report as JSON, with every invention and every gap, written as it goes."""
    earlier = summary.earlier
    head = {
        "schema": SCHEMA,
        "log": about.log,
        "window": {"since": about.since, "until": about.until, "days": about.days},
        "made_at": about.made_at,
        "judge": dict(about.judge),
        "searched": about.searched,
        "lines": summary.lines,
        "in_window": summary.in_window,
        "counts": {outcome.value: summary.counts[outcome] for outcome in Outcome},
        "no_evidence": summary.no_evidence,
        "earlier": {
            "verdicts": earlier.verdicts, "invented": earlier.invented, "with_evidence": earlier.with_evidence,
            "confirmed": earlier.confirmed, "refuted": earlier.refuted, "without_evidence": earlier.without_evidence,
            "unjudged": earlier.unjudged,
        },
        "totals": dict(about.totals),
        "gaps": {
            "questions": summary.gaps.questions,
            "ungrouped": summary.gaps.ungrouped,
            "groups": [
                {"question": gap.question, "count": gap.count, "ids": gap.ids, "examples": gap.examples}
                for gap in summary.gaps.groups
            ],
        },
    }  # fmt: skip
    file.write(_dumped(head)[:-1] + ',"inventions":[')
    for number, entry in enumerate(inventions):
        file.write(("," if number else "") + "\n")
        file.write(_dumped(entry.model_dump(mode="json", exclude={"kind", "again", "digest", "outcome", "views"})))
    file.write("\n]}\n")


def _dumped(value: Any) -> str:
    """JSON that any reader takes: half characters are escaped, since they have no UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
