"""What both sides called and replied, in Markdown: side by side while that is short, in paragraphs otherwise."""

from __future__ import annotations

from quilate.report import escape
from quilate.report.escape import Inert
from quilate.report.ladder import Rung
from quilate.report.messages import Translator
from quilate.report.retold import spoken
from quilate.report.story import Side, Story

_CELL_BYTES = 240
"""A longer text makes a column of a few words a line: worse than a paragraph."""
_MOST_CALLS = 6


def answers(story: Story, t: Translator, rung: Rung) -> list[Inert]:
    """Calls where they differ, then replies; what is the same on both sides is said once."""
    base, head = story.base, story.head
    if base is None or head is None:
        alone = head or base
        label = t.t("**Now replies**") if head else t.t("**Base replied**")
        return [_reply(label, alone, t, rung)] if alone else []
    calls_differ, replies_differ = base.calls != head.calls, _said(base) != _said(head)
    calls = (_calls_cell(base), _calls_cell(head)) if calls_differ else None
    replies = (_reply_cell(base), _reply_cell(head)) if replies_differ else None
    blocks: list[Inert] = []
    rows = [(left, right) for pair in (calls, replies) if pair for left, right in [pair] if left and right]
    if rows:
        blocks.append(_table(rows, t))
    if calls_differ and not (calls and calls[0] and calls[1]):
        blocks += [_calls(t.t("**Base called**"), base, t, rung), _calls(t.t("**Now calls**"), head, t, rung)]
    if not replies_differ:
        blocks.append(_reply(t.t("**Both replied**"), head, t, rung))
    elif not (replies and replies[0] and replies[1]):
        blocks += [_reply(t.t("**Base replied**"), base, t, rung), _reply(t.t("**Now replies**"), head, t, rung)]
    return blocks


def _said(side: Side) -> tuple[str | None, str]:
    return side.fault, side.output


def _table(rows: list[tuple[Inert, Inert]], t: Translator) -> Inert:
    lines = [f"| {t.t('Base')} | {t.t('This change')} |", "| :-- | :-- |"]
    return Inert("\n".join([*lines, *(f"| {left} | {right} |" for left, right in rows)]))


def _calls_cell(side: Side) -> Inert | None:
    text = ", ".join(side.calls)
    return escape.cell(text, _CELL_BYTES) if text and len(text.encode("utf-8", "replace")) <= _CELL_BYTES else None


def _reply_cell(side: Side) -> Inert | None:
    text = side.output.strip("\r\n")
    if side.fault is not None or not text or "\n" in text or "\r" in text:
        return None
    return escape.cell(text, _CELL_BYTES) if len(text.encode("utf-8", "replace")) <= _CELL_BYTES else None


def _calls(label: Inert, side: Side, t: Translator, rung: Rung) -> Inert:
    if not side.calls:
        return Inert(f"{label} {t.t('no tool')}")
    names = Inert(", ".join(escape.code_span(call, rung.reason_bytes) for call in side.calls[:_MOST_CALLS]))
    if len(side.calls) > _MOST_CALLS:
        names = t.t("{names} (showing {shown} of {all})", names=names, shown=_MOST_CALLS, all=len(side.calls))
    return Inert(f"{label} {names}")


def _reply(label: Inert, side: Side, t: Translator, rung: Rung) -> Inert:
    """A reply of one line wraps in a code span; one of several keeps its lines in a fenced block."""
    if side.fault is not None:
        return Inert(f"{label} {t.t('nothing')}: {escape.code_span(spoken(side.fault, t), rung.reason_bytes)}")
    if not side.output:
        return Inert(f"{label} {t.t('nothing')}")
    text = side.output.strip("\r\n")
    if not text:  # line ends alone, which a code span shows
        return Inert(f"{label} {escape.code_span(side.output, rung.reply_bytes)}")
    if "\n" not in text and "\r" not in text:
        return Inert(f"{label} {escape.code_span(text, rung.reply_bytes)}")
    return Inert(f"{label}\n\n{escape.fenced(text, rung.reply_bytes)}")
