"""What the runner reads: masks, annotations, outputs; and how untrusted text reaches the log without being read."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from quilate.errors import UsageError

Level = Literal["error", "warning", "notice"]

SHORTEST_MASK = 4
"""A shorter value would blank out half the log."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A message at a place in a file, or at none."""

    level: Level
    message: str
    title: str = ""
    file: str | None = None
    line: int | None = None

    def command(self) -> str:
        """As the workflow command; every part escaped, so that no text becomes another command."""
        properties = {"file": self.file, "line": self.line, "title": self.title or None}
        given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None)
        return f"::{self.level}{' ' if given else ''}{given}::{_data(self.message)}"


@dataclass(slots=True)
class Console:
    """Standard output as the runner reads it. From `begin` on commands are stopped but for the annotations made here.

    `write` puts a text out and flushes; `commands` is False outside a runner, where only plain text is written.
    """

    write: Callable[[str], object]
    commands: bool = True
    token: Callable[[], str] = field(default=lambda: secrets.token_hex(16))
    _stopped: str | None = None
    _masked: set[str] = field(default_factory=set)

    def begin(self, masked: Iterable[str]) -> None:
        """Masks what is secret, before anything else, and stops commands: what follows is text, whoever wrote it."""
        self.mask(masked)
        if self.commands:
            self._stop()

    def mask(self, values: Iterable[str]) -> None:
        """Masks values, line by line."""
        lines = sorted({line.strip() for value in values for line in value.splitlines()} - self._masked)
        lines = [line for line in lines if len(line) >= SHORTEST_MASK]
        self._masked.update(lines)
        if not self.commands or not lines:
            return
        stopped = self._stopped is not None
        self.end()
        for line in lines:
            self.write(f"::add-mask::{_data(line)}\n")
        if stopped:
            self._stop()

    def say(self, text: str) -> None:
        """Plain text, which no runner takes for commands."""
        if self.commands and self._stopped is None:
            self._stop()
        self.write(text.rstrip("\n") + "\n")

    def annotate(self, annotations: Iterable[Annotation]) -> None:
        """Annotations, between two stops."""
        every = list(annotations)
        if not self.commands:
            for one in every:
                place = f"{one.file}:{one.line}: " if one.file else ""
                self.write(f"{one.level}: {place}{one.message}\n")
            return
        if every:
            self.end()
            for one in every:
                self.write(one.command() + "\n")
            self._stop()

    def end(self) -> None:
        """Lets the runner read commands again: those of the steps that follow."""
        if self._stopped is not None:
            self.write(f"::{self._stopped}::\n")
            self._stopped = None

    def _stop(self) -> None:
        if self._stopped is None:
            self._stopped = self.token()  # new each time: one that was seen must not be of use
            self.write(f"::stop-commands::{self._stopped}\n")


def write_outputs(path: Path | None, values: Mapping[str, str]) -> None:
    """Appends the step's outputs. A value is one line: a longer one could bring outputs of its own along."""
    if path is None:
        return
    lines = []
    for name, value in values.items():
        if any(ord(letter) < 32 or letter in "\x7f\x85\u2028\u2029" for letter in value):
            message = f"the output {name} would have more than one line"
            raise UsageError(message)
        lines.append(f"{name}={value}\n")
    with path.open("a", encoding="utf-8") as file:
        file.write("".join(lines))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
