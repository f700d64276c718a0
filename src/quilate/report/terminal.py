"""The same report as plain text: for a terminal, a log, a file. Nothing in it is obeyed by a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Protocol

from quilate.report import asides, measures, table, visible
from quilate.report.cases import story_of, told_beside_reason
from quilate.report.escape import Inert
from quilate.report.input import ReportInput
from quilate.report.medium import PlainMedium
from quilate.report.messages import Translator
from quilate.report.origin import no_baseline, provenance
from quilate.report.reasons import reason_text
from quilate.report.retold import criterion_in, spoken
from quilate.report.sentences import decision, state, verdict_sentence
from quilate.report.story import Side, Story, rerun_command
from quilate.report.voice import Voice

WIDTH = 100
_INDENT = "  "


class Paint(Protocol):
    """Colours a text for a terminal."""

    def __call__(self, text: str, *, fg: str | None = None, bold: bool = False) -> str:
        """`text` with colour; `fg` is one of ANSI's names."""
        ...


def plain(text: str, *, fg: str | None = None, bold: bool = False) -> str:  # noqa: ARG001 - a `Paint`
    """No colour: a file, a pipe, `NO_COLOR`."""
    return text


_COLOURS = {"pass": "green", "fail": "red", "inconclusive": "yellow", "not_compared": None, "accepted": "yellow"}


def render(
    report: ReportInput,
    *,
    paint: Paint = plain,
    most_cases: int = 20,
    written: Sequence[str] = (),
    tell_cases: bool = True,
) -> str:
    """The report as text; its last line says everything.

    Told are the cases that broke or, where nothing was compared, those that are not approved; past `most_cases` it says
    how many are shown of how many. `written` are paths of reports to name at the end. `tell_cases` False leaves the
    cases out, where they were told whole before.
    """
    voice = Voice(Translator(report.language), PlainMedium())
    told = report.comparison.broke if report.comparison.compared else report.not_approved
    if report.provenance.common_crash is not None and len(told) > 1:
        told = ()
    blocks = [
        *(_cases(report, told, voice, paint, most_cases) if tell_cases else ()),
        *_beside(report, voice),
        "\n".join(_table(report, voice.t, paint)),
        *_wrapped(decision(report, voice)),
        *_explained(report, voice),
        _fill(Inert(" · ".join(provenance(report, voice)))),
        *([_written(written, voice)] if written else []),
        last_line(report, paint=paint),
    ]
    return _no_commands("\n\n".join(block for block in blocks if block)) + "\n"


def last_line(report: ReportInput, *, paint: Paint = plain) -> str:
    """Everything in one line: verdict, the number that decided, what broke, was fixed, is in error."""
    voice = Voice(Translator(report.language), PlainMedium())
    comparison, t = report.comparison, voice.t
    kind = state(report)
    word = {
        "pass": t.t("PASS"), "fail": t.t("FAIL"), "inconclusive": t.t("INCONCLUSIVE"),
        "not_compared": t.t("NOT COMPARED"), "accepted": t.t("ACCEPTED"),
    }[kind]  # fmt: skip
    counts = [
        (t.tn("{n} broke", "{n} broke", len(comparison.broke)), comparison.broke),
        (t.tn("{n} was fixed", "{n} were fixed", len(comparison.fixed)), comparison.fixed),
        (t.tn("{n} in error", "{n} in error", len(comparison.errors)), comparison.errors),
        (t.tn("{n} not judged", "{n} not judged", len(comparison.not_judged)), comparison.not_judged),
    ]
    said = "; ".join([verdict_sentence(report, voice), *[text for text, there in counts if there]])
    suite = voice.medium.code(comparison.suite, 80)
    return _no_commands(f"{paint(word, fg=_COLOURS[kind], bold=True)} {suite}: {said}")


def inert(text: str) -> str:
    """Any text, of however many lines, as a terminal and a runner's log may have it: nothing hidden, nothing obeyed."""
    return _no_commands(visible.lines(text))


def _no_commands(text: str) -> str:
    """A GitHub runner obeys log lines whose first characters, space aside, are `::`, and `##[` anywhere in a line."""
    return _COMMAND.sub(lambda found: found[0][:-1] + f"⟨U+{ord(found[0][-1]):04X}⟩", text)


_COMMAND = re.compile(r"(?m)^\s*::|##\[")


def _wrapped(sentences: Sequence[Inert]) -> list[str]:
    return [_fill(Inert(" ".join(sentences)))] if sentences else []


def _fill(text: Inert, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent="", subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _explained(report: ReportInput, voice: Voice) -> list[str]:
    comparison, t = report.comparison, voice.t
    lacking = not comparison.compared and report.provenance.base is None
    said = [no_baseline(report.provenance.no_baseline, voice)] if lacking else []
    others = comparison.reasons[1:] if state(report) in ("fail", "inconclusive", "accepted") else ()
    if others:
        reasons = Inert("; ".join(reason_text(each, report, voice) for each in others))
        said.append(t.t("Also: {reasons}.", reasons=reasons))
    return [_fill(each) for each in said]


def _table(report: ReportInput, t: Translator, paint: Paint) -> list[str]:
    medium = PlainMedium()
    names = table.shown_categories(report, None)
    rows: list[list[str]] = [list(table.titles(report, t))]
    rows.append([t.t("All"), *table.values(report.comparison.overall, report, t)])
    rows += [[medium.code(name, 60), *table.values(report.comparison.categories[name], report, t)] for name in names]
    widths = [max(columns(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [_row(row, widths) for row in rows]
    lines[0] = paint(lines[0], bold=True)
    rest = table.rest_line(report, t, None)
    return [*lines, *([f"{_INDENT}{rest}"] if rest else [])]


def _row(row: Sequence[str], widths: Sequence[int]) -> str:
    first = row[0] + " " * (widths[0] - columns(row[0]))
    rest = [" " * (width - columns(each)) + each for each, width in zip(row[1:], widths[1:], strict=True)]
    return _INDENT + _INDENT.join([first, *rest])


def columns(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _cases(report: ReportInput, told: Sequence[str], voice: Voice, paint: Paint, most: int) -> Iterable[str]:
    for case_id in told[:most]:
        yield "\n".join(case_lines(story_of(case_id, report), report, voice, paint))
    if len(told) > most:
        yield voice.t.t("Showing {shown} of {all} cases.", shown=most, all=len(told))


def case_lines(story: Story, report: ReportInput, voice: Voice, paint: Paint = plain) -> list[str]:
    """One case: what was asked, expected and found, both replies, and what to type to run it alone."""
    t, medium = voice.t, voice.medium
    grade = asides.grade_word(story.head.grade, t) if story.head else t.t("not asked")
    where = f"{story.location.file}:{story.location.line}" if story.location else ""
    place = f" ({medium.code(where, 200)})" if where else ""
    title = f"{paint(grade.upper(), fg='red', bold=True)} {medium.code(story.case_id, 200)}{place}"
    lines = [title, *_labelled(t.t("asked"), medium.code(story.question, 600))]
    for failure in story.failures[:5]:
        words = criterion_in(failure, t)
        lines += _labelled(
            asides.grade_word(failure.grade, t), medium.code(f"{words.text or words.id}: {words.reason}", 800)
        )
        expected, found = told_beside_reason(failure, story.head.output if story.head else "", words)
        lines += _labelled(t.t("expected"), medium.code(expected, 600)) if expected else []
        lines += _labelled(t.t("found"), medium.code(found, 600)) if found else []
    if len(story.failures) > 5:
        lines += _labelled("", t.t("Showing {shown} of {all} failed criteria.", shown=5, all=len(story.failures)))
    lines += _side(t.t("before"), story.base, voice)
    lines += _side(t.t("now"), story.head, voice)
    command = rerun_command(story.case_id, report.provenance.config)
    if command:
        lines += _labelled(t.t("again"), medium.code(command, 700))
    return lines


def _side(label: Inert, side: Side | None, voice: Voice) -> list[str]:
    if side is None:
        return []
    said = spoken(side.fault, voice.t) if side.fault is not None else side.output
    text = voice.medium.code(said, 600) if said.strip() else voice.t.t("nothing")
    calls = Inert(", ".join(voice.medium.code(call, 300) for call in side.calls[:6]))
    return _labelled(label, Inert(f"{text} [{calls}]" if calls else text))


def _labelled(label: str, text: str) -> list[str]:
    indent = " " * 14
    first = f"{_INDENT}{label}" + " " * max(1, 12 - columns(label))
    wrapped = textwrap.wrap(text, WIDTH - 14, break_long_words=False, break_on_hyphens=False) or [""]
    return [first + wrapped[0], *[indent + each for each in wrapped[1:]]]


def _beside(report: ReportInput, voice: Voice) -> list[str]:
    said = [f"! {each}" for each in asides.warnings(report, voice, 10)]
    said += asides.errors(report, voice, 5) if report.comparison.errors else []
    said += asides.not_judged(report, voice, 10)
    said += [
        asides.capital(text) for _, text in (*asides.lists(report, voice, 10), *measures.metrics(report, voice, 10))
    ]
    return ["\n".join(_fill(Inert(each), _INDENT) for each in said)] if said else []


def _written(paths: Sequence[str], voice: Voice) -> str:
    return "\n".join(f"{_INDENT}{visible.line(path)}" for path in (voice.t.t("Written:"), *paths)).strip()
