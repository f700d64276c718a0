"""Writes a run file line by line as things happen, so that a kill, a full disk or Ctrl-C loses nothing recorded."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from quilate.errors import InputError, QuilateError, UsageError
from quilate.runs.fields import MalformedLineError
from quilate.runs.index import Place, RunIndex
from quilate.runs.lines import AnyLine, cleaned, decode, encode, encoded
from quilate.runs.lock import try_lock
from quilate.runs.reader import RunReader, Scan
from quilate.runs.record import Footer, GradeLine, Header, ReplyLine

KEPT_BYTES = 8 * 1024**2
"""Of lines that are kept in memory for the reports of this very run: those of about two thousand cases."""
_CHUNK = 1 << 20


class RunWriter:
    """A run file being written; a context manager. Each line is with the operating system when the call returns.

    Without `resume` the file begins anew. With it, a run that an earlier process left is carried on: a torn last line
    is cut off and lines are appended; where the header says something else than before (another ruler, another
    policy), the file is written anew with the new header and the old replies, so that they can be graded again.

    Raises `UsageError` where another process is writing the file, `QuilateError` where it cannot be written (a full
    disk): what was recorded before stays valid. A file that is no run file is never resumed (`InputError`).
    """

    def __init__(
        self, path: Path | str, header: Header, *, resume: bool = False, clean: Callable[[str], str] | None = None
    ) -> None:
        """`clean` takes secrets out of a line (JSON text in, JSON text out) before it is written."""
        self.path = Path(path)
        self._clean = clean
        self.header = header
        self._resume = resume
        self._descriptor = -1
        self._size = 0
        self._room = KEPT_BYTES
        self.scan: Scan | None = None
        """What a reader finds in the file so far; None where an earlier process wrote a part of it."""

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open(self.path)
        except OSError as error:
            raise self._failed(error) from error
        try:
            if self._resume and self._size:
                self._carry_on()
            else:
                self._begin()
        except OSError as error:
            self._close()
            raise self._failed(error) from error
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def reply(self, line: ReplyLine) -> None:
        """Records what one trial of one case was asked and gave back."""
        self._record(line)

    def grade(self, line: GradeLine) -> None:
        """Records what one case came to; when a case is graded again, the last line counts."""
        self._record(line)

    def footer(self, line: Footer) -> None:
        """Ends the run; a file without a footer is incomplete."""
        self._record(line)

    def _record(self, line: ReplyLine | GradeLine | Footer) -> None:
        data, found = encoded(line)
        place = Place(self._size, self.scan.place.line + 1) if self.scan else None
        written = self._append(data)
        if self.scan is None or place is None:
            return
        if written != data:
            found = decode(written, str(self.path), place.line)
        elif not isinstance(line, Footer) and len(data) <= self._room:
            self.scan.kept[place.offset] = line
            self._room -= len(data)
        self.scan.footer = line if isinstance(line, Footer) else None
        self.scan.place = Place(self._size, place.line)
        if not isinstance(line, Footer):
            try:
                self.scan.index.add(found, place)
            except MalformedLineError:  # whoever reads the file is told
                self.scan = None

    def _open(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        if not try_lock(self._descriptor):
            self._close()
            message = f"{self.path}: another process is writing this run file; wait for it, or choose another --out"
            raise UsageError(message)
        self._size = os.fstat(self._descriptor).st_size

    def _begin(self) -> None:
        os.ftruncate(self._descriptor, 0)
        self._size = 0
        self._append(encode(self.header))
        conditions = self.header.conditions
        index = RunIndex(conditions.trials, conditions.max_latency_ms)
        self.scan = Scan(index, place=Place(self._size, 1))

    def _carry_on(self) -> None:
        self._mend_end()
        if not self._size:
            self._begin()
            return
        with RunReader(self.path) as run:
            if _same(run.header, self.header):
                return
            self._rewrite(run)
            self.scan = None

    def _mend_end(self) -> None:
        """Cuts off a torn last line; a whole one that only lacks its line feed gets it."""
        start, tail = self._tail()
        if not tail:
            return
        try:
            decode(tail, str(self.path), 0)
        except InputError:
            os.ftruncate(self._descriptor, start)
            self._size = start
        else:
            self._append(b"\n")

    def _tail(self) -> tuple[int, bytes]:
        """What follows the last line feed, and where it starts."""
        start, tail = self._size, b""
        while start:
            step = min(_CHUNK, start)
            start -= step
            os.lseek(self._descriptor, start, os.SEEK_SET)
            chunk = os.read(self._descriptor, step)
            cut = chunk.rfind(b"\n")
            if cut >= 0:
                return start + cut + 1, chunk[cut + 1 :] + tail
            tail = chunk + tail
        return 0, tail

    def _rewrite(self, run: RunReader) -> None:
        beside = self.path.with_name(self.path.name + ".resuming")
        target, self._descriptor = self._descriptor, -1
        try:
            self._open(beside)
            self._begin()
            for line in run.replies():
                self._append(encode(line))
            run.close()
            os.close(target)
            target = -1
            beside.replace(self.path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        finally:
            if target != -1:
                os.close(target)

    def _append(self, data: bytes) -> bytes:
        """Writes a line; returns it as it was written, without secrets."""
        if self._clean is not None:
            data = cleaned(data, self._clean)
        try:
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
            left = memoryview(data)
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            os.ftruncate(self._descriptor, self._size)
            raise self._failed(error) from error
        self._size += len(data)
        return data

    def _failed(self, error: OSError) -> QuilateError:
        message = (
            f"{self.path}: the run file cannot be written ({error.strerror}); what was recorded before is kept: "
            "make room or mend the folder's permissions, then run again with --resume"
        )
        return QuilateError(message)

    def _close(self) -> None:
        if self._descriptor != -1:
            os.close(self._descriptor)
            self._descriptor = -1


def record_lines(path: Path | str, header: Header, lines: list[AnyLine]) -> Path:
    """Writes a whole run file at once, for runs that are made and not asked (a demo, a test, a conversion)."""
    with RunWriter(path, header) as run:
        for line in lines:
            if isinstance(line, ReplyLine):
                run.reply(line)
            elif isinstance(line, GradeLine):
                run.grade(line)
            elif isinstance(line, Footer):
                run.footer(line)
    return Path(path)


def _same(old: Header, new: Header) -> bool:
    """Whether two headers say the same, the time of starting aside."""
    started = {"started_at": ""}
    plain = [
        header.model_copy(update={"conditions": header.conditions.model_copy(update=started)}) for header in (old, new)
    ]
    return plain[0] == plain[1]
