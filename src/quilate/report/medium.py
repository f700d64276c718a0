"""Where a report is read: each medium makes untrusted text inert in its own way; the sentences are the same."""

from __future__ import annotations

import html
from typing import Protocol

from quilate.report import escape, visible
from quilate.report.escape import Inert


class Medium(Protocol):
    """Markdown, or plain text."""

    def code(self, text: str, max_bytes: int = 300) -> Inert:
        """Untrusted text inside a sentence."""
        ...

    def strong(self, text: Inert) -> Inert:
        """What the eye should find first."""
        ...


class MarkdownMedium:
    """GitHub's Markdown."""

    def code(self, text: str, max_bytes: int = 300) -> Inert:
        """A code span."""
        return escape.code_span(text, max_bytes)

    def strong(self, text: Inert) -> Inert:
        """Bold."""
        return Inert(f"**{text}**")


class HtmlMedium:
    """A page of our own."""

    def code(self, text: str, max_bytes: int = 300) -> Inert:
        """A `<code>` element, isolated, so that text from right to left turns nothing around it."""
        return Inert(
            f'<code dir="auto">{html.escape(visible.line(visible.cut(text, max_bytes)) or escape.EMPTY)}</code>'
        )

    def strong(self, text: Inert) -> Inert:
        """Strong."""
        return Inert(f"<strong>{text}</strong>")


class PlainMedium:
    """A terminal or a text file: no markup, nothing that a terminal obeys."""

    def code(self, text: str, max_bytes: int = 300) -> Inert:
        """The text itself, on one line, hidden characters shown."""
        return Inert(visible.line(visible.cut(text, max_bytes)) or escape.EMPTY)

    def strong(self, text: Inert) -> Inert:
        """As it is."""
        return text
