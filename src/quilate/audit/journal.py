"""The audit's journal: an entry a line, in the order of the log, so that resuming carries on where it ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from pydantic import ValidationError

from quilate.audit.entry import Entry
from quilate.errors import InputError, Problem, UsageError


class Journal:
    """Appends entries to a file whose first line says what audit this is. Use it as a context manager.

    A last line that was cut off is dropped. Raises `UsageError` where the file belongs to an audit of other settings.
    """

    def __init__(self, path: Path, settings: dict[str, Any], *, resume: bool) -> None:
        self.path = path
        self._settings = {"kind": "audit", **settings}
        self._resume = resume and path.exists() and path.stat().st_size > 0
        self._file: BinaryIO

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._resume:
            self._check()
            self._drop_torn_line()
            self._file = self.path.open("ab")
        else:
            self._file = self.path.open("wb")
            self._write(json.dumps(self._settings, ensure_ascii=False, sort_keys=True))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, entry: Entry) -> None:
        """Writes and flushes one entry."""
        self._write(entry.model_dump_json(exclude_defaults=True, exclude={"kind"}))

    def _write(self, line: str) -> None:
        self._file.write(line.encode("utf-8", "replace") + b"\n")
        self._file.flush()

    def _check(self) -> None:
        if settings_of(self.path) != json.loads(json.dumps(self._settings)):
            message = (
                f"{self.path} is the journal of an audit with other settings (another log, window, judge or search); "
                "resume with the same ones, or start anew without --resume"
            )
            raise UsageError(message)

    def _drop_torn_line(self) -> None:
        with self.path.open("r+b") as file:
            file.seek(0, 2)
            end = file.tell()
            while end > 0:
                start = max(0, end - 65_536)
                file.seek(start)
                at = file.read(end - start).rfind(b"\n")
                if at >= 0:
                    file.truncate(start + at + 1)
                    return
                end = start


def settings_of(path: Path) -> dict[str, Any]:
    """What the audit of a journal was; empty where there is none to read."""
    try:
        with path.open("rb") as file:
            found = json.loads(file.readline(100_000))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def entries(path: Path) -> Iterator[Entry]:
    """Every entry in the journal, repeated ones included, in constant memory. Raises `InputError`."""
    with path.open("rb") as file:
        file.readline()
        for number, raw in enumerate(file, 2):
            if not raw.endswith(b"\n"):
                return
            try:
                yield Entry.model_validate_json(raw)
            except ValidationError:
                mend = "start anew without --resume"
                raise InputError([Problem(str(path), number, "", "found no entry of an audit", mend)]) from None


def standing(path: Path) -> Iterator[Entry]:
    """The entry that counts for each line of the log: the last. Only lines tried again are held in memory."""
    last: dict[int, int] = {}
    for index, entry in enumerate(entries(path)):
        if entry.again:
            last[entry.line] = index
    for index, entry in enumerate(entries(path)):
        if last.get(entry.line, index) == index:
            yield entry
