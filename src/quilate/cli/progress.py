"""What a terminal shows while cases are asked: a bar, and what fails as it fails. Elsewhere, nothing but warnings."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

import click

from quilate.evaluating import Listener
from quilate.grades import Grade
from quilate.report import visible
from quilate.report.messages import Language, Translator
from quilate.runs.record import GradeLine


class Progress(Listener):
    """A progress bar on standard error where that is a terminal; plain warnings anywhere."""

    def __init__(self, cases: int, *, quiet: bool, language: Language = "en") -> None:
        """`cases` are to be graded; what fails is told in `language`."""
        self._bar = None
        self._language = language
        if not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TimeElapsedColumn
            from rich.progress import Progress as RichProgress

            columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=cases)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def graded(self, line: GradeLine) -> None:
        """Moves the bar; says what did not pass."""
        if self._bar is None:
            return
        self._bar.advance(self._task)
        if line.grade in (Grade.FAIL, Grade.PARTIAL, Grade.ERROR):
            worst = next((each for each in line.criteria if each.grade is line.grade), None)
            from quilate.report.asides import grade_word
            from quilate.report.retold import spoken

            t = Translator(self._language)
            said = f"{grade_word(line.grade, t)} {line.case_id}: {spoken(worst.why, t) if worst else ''}"
            self._bar.console.print(visible.line(visible.cut(said, 300)), markup=False, highlight=False)

    def kept(self, replies: int, grades: int) -> None:
        """Says what an earlier attempt left."""
        self.warn(f"carrying on: {replies} replies and {grades} grades are kept")
        if self._bar is not None:
            self._bar.advance(self._task, grades)

    def warn(self, message: str) -> None:
        """Prints one line on standard error."""
        if self._bar is not None:
            self._bar.console.print(visible.line(visible.cut(message, 1000)), markup=False, highlight=False)
        else:
            click.echo(visible.line(visible.cut(message, 1000)), err=True)
