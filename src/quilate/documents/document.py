"""A document: plain values, and the line of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from quilate.errors import Problem
from quilate.shown import Path, dotted, visible

Mark = int | tuple[int, "dict[str, Mark] | list[Mark]"]
"""The line of a value, and, where it holds others, theirs."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says. `value` is plain JSON data; a JSON Lines file is the list of its lines' values."""

    file: str
    value: Any
    mark: Mark = 1

    def line_of(self, path: Path = ()) -> int:
        """The line, counted from 1, of the key or list item at `path`, or of the nearest one around it."""
        mark = self.mark
        for step in path:
            if isinstance(mark, int):
                break
            inner = mark[1]
            if isinstance(inner, dict):
                if not isinstance(step, str) or step not in inner:
                    break
                mark = inner[step]
            else:
                if not isinstance(step, int) or not 0 <= step < len(inner):
                    break
                mark = inner[step]
        return mark if isinstance(mark, int) else mark[0]

    def problem(self, path: Path, found: str, mend: str, case_id: str | None = None) -> Problem:
        """A problem with the value at `path`."""
        return Problem(visible(self.file, 400), self.line_of(path), dotted(path), f"found {found}", mend, case_id)
