"""Reads a run file without holding it: one pass for an index, then only the lines that are asked for."""

from __future__ import annotations

import gzip
import io
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

from quilate.agents.agent import Reply
from quilate.errors import InputError, Problem
from quilate.runs.fields import MalformedLineError
from quilate.runs.index import Place, RunIndex
from quilate.runs.lines import MAX_LINE_BYTES, check_schema, decode, decode_as
from quilate.runs.record import Footer, GradeLine, Header, ReplyLine

MAX_FILE_BYTES = 16 * 1024**3
"""A compressed record that unpacks to more than this is an attack or a mistake."""
_CHUNK = 1 << 20
_START = Place(0, 0)


@dataclass(slots=True, repr=False)
class Scan:
    """What one pass over a run file found, up to a place between two lines; reading goes on from there."""

    index: RunIndex
    footer: Footer | None = None
    place: Place = _START
    """The offset after the last line that was read, and that line's number."""
    kept: dict[int, GradeLine | ReplyLine] = field(default_factory=dict)
    """Lines by their offset, as whoever wrote them holds them: they need not be read again."""


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """Everything a run file holds of one case: its last grade line and the last reply line of each trial."""

    grade_line: GradeLine
    reply_lines: Mapping[int, ReplyLine]

    @property
    def replies(self) -> dict[int, Reply]:
        """Trial → reply."""
        return {trial: line.reply for trial, line in self.reply_lines.items()}


class RunReader:
    """A run file, plain or gzip, read as it is needed. Use it as a context manager, or call `close`.

    Everything in the file is hostile: whatever is wrong raises `InputError` naming file and line. A last line that
    was cut off (the writer was killed) is left out, and the run is incomplete. Lines that follow a footer reopen the
    run, since resuming appends.

    A run file only grows: `scan`, of an earlier reader of the same file, spares reading again what it has read.
    """

    _latest: CaseRecord | None = None
    """Reports ask for a case several times in a row; it is read once."""

    def __init__(
        self,
        path: Path | str,
        *,
        name: str | None = None,
        max_bytes: int = MAX_FILE_BYTES,
        max_line_bytes: int = MAX_LINE_BYTES,
        scan: Scan | None = None,
    ) -> None:
        """`name` is what errors call the file (default: `path`). Raises `InputError` where it cannot be opened."""
        self._max_line_bytes = max_line_bytes
        self._earlier = scan
        self.path = Path(path)
        self.name = name or str(path)
        try:
            file: BinaryIO = self.path.open("rb")
        except OSError as error:
            raise self._problem(None, f"found no readable file ({error.strerror})", "give a run file") from error
        try:
            self._file = self._plain(file, max_bytes)
            self.header = self._read_header()
        except BaseException:
            file.close()
            raise

    @classmethod
    def of_bytes(cls, data: bytes, name: str, *, max_bytes: int = MAX_FILE_BYTES) -> RunReader:
        """A reader of a run file that was received, plain or gzip; nothing of `name` is opened."""
        self = cls.__new__(cls)
        self._max_line_bytes, self._earlier = MAX_LINE_BYTES, None
        self.path, self.name = Path(name), name
        self._file = self._plain(io.BytesIO(data), max_bytes)
        self.header = self._read_header()
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    @property
    def footer(self) -> Footer | None:
        """The footer, where it is the last line; None: the run is incomplete."""
        return self.scan.footer

    @property
    def index(self) -> RunIndex:
        """The cases and where their lines stand."""
        return self.scan.index

    @property
    def complete(self) -> bool:
        """Whether the run ended in order, with every case graded."""
        return self.footer is not None and self.footer.ended == "complete"

    def case(self, case_id: str) -> CaseRecord:
        """The case's last grade line and replies, wholly validated; `KeyError` where it has no grade."""
        if self._latest is None or self._latest.grade_line.case_id != case_id:
            self._latest = CaseRecord(grade_line=self.grade_line(case_id), reply_lines=self.reply_lines(case_id))
        return self._latest

    def grade_line(self, case_id: str) -> GradeLine:
        """The case's last grade line alone; `KeyError` where it has none."""
        place = self.index.grade_place(case_id)
        if place is None:
            raise KeyError(case_id)
        kept = self.scan.kept.get(place.offset)
        return kept if isinstance(kept, GradeLine) else decode_as(GradeLine, *self._at(place))

    def reply_lines(self, case_id: str) -> dict[int, ReplyLine]:
        """Trial → the last reply line of that trial; empty where the case has none."""
        places = self.index.reply_places(case_id)
        return {trial: self._reply_line(place) for trial, place in places.items()}

    def _reply_line(self, place: Place) -> ReplyLine:
        kept = self.scan.kept.get(place.offset)
        return kept if isinstance(kept, ReplyLine) else decode_as(ReplyLine, *self._at(place))

    def grade_lines(self) -> Iterator[GradeLine]:
        """The last grade line of every case, in the order the cases were first seen."""
        return (self.grade_line(case_id) for case_id in self.index)

    def cases(self) -> Iterator[CaseRecord]:
        """Every graded case."""
        return (self.case(case_id) for case_id in self.index)

    def replies(self) -> Iterator[ReplyLine]:
        """The last reply line of every case and trial, graded or not."""
        for case_id, _ in self.index.replied():
            yield from self.reply_lines(case_id).values()

    @cached_property
    def scan(self) -> Scan:
        """What a pass over the file finds."""
        conditions = self.header.conditions
        scan = self._earlier or Scan(RunIndex(conditions.trials, conditions.max_latency_ms))
        self.read_on(scan)
        return scan

    def read_on(self, scan: Scan) -> None:
        """Takes into `scan` what stands in the file after its place; a torn last line is left for another time."""
        self._file.seek(scan.place.offset)
        offset, number = scan.place
        while data := self._line(number + 1):
            place = Place(offset, number + 1)
            if data.strip() and not self._take(scan, data, place):
                return
            offset, number = offset + len(data), number + 1
            scan.place = Place(offset, number)

    def _take(self, scan: Scan, data: bytes, place: Place) -> bool:
        """Takes one line into `scan`; False: it is torn."""
        try:
            value = decode(data, self.name, place.line)
        except InputError:
            if data.endswith(b"\n"):
                raise
            return False
        scan.footer = None
        if value["kind"] == "header":
            if place.line > 1:
                raise self._problem(place.line, "found a second header", "keep one run a file")
        elif value["kind"] == "footer":
            scan.footer = decode_as(Footer, data, self.name, place.line)
        else:
            try:
                scan.index.add(value, place)
            except MalformedLineError as error:
                mend = f"write {error.wanted}"
                raise self._problem(place.line, f"found {error.found!r:.60}", mend, error.key) from error
        return True

    def _line(self, number: int) -> bytes:
        try:
            data = self._file.readline(self._max_line_bytes + 1)
        except OSError as error:
            raise self._problem(
                number, f"found an unreadable line ({error.strerror})", "write the file again"
            ) from error
        if len(data) > self._max_line_bytes:
            mend = f"a line of a run file has at most {self._max_line_bytes} bytes"
            raise self._problem(number, f"found a line of more than {self._max_line_bytes} bytes", mend)
        return data

    def _at(self, place: Place) -> tuple[bytes, str, int]:
        self._file.seek(place.offset)
        return self._line(place.line), self.name, place.line

    def _read_header(self) -> Header:
        first = self._line(1)
        if not first.strip():
            raise self._problem(1, "found nothing", "begin a run file with its header line")
        check_schema(decode(first, self.name, 1), self.name)
        return decode_as(Header, first, self.name, 1)

    def _plain(self, file: BinaryIO, max_bytes: int) -> BinaryIO:
        """The file itself, or, where it is compressed, a temporary file with its content, since gzip cannot seek."""
        magic = file.read(2)
        file.seek(0)
        if magic != b"\x1f\x8b":
            return file
        unpacked = tempfile.TemporaryFile(prefix="quilate-")  # noqa: SIM115 - closed by `close`
        try:
            with file, gzip.GzipFile(fileobj=file) as packed:
                shutil.copyfileobj(_Capped(packed, max_bytes), unpacked, _CHUNK)
        except (OSError, EOFError, zlib.error, _TooLargeError) as error:
            unpacked.close()
            raise self._problem(None, f"found no usable gzip file ({error})", "write the file again") from error
        unpacked.seek(0)
        return cast("BinaryIO", unpacked)

    def _problem(self, line: int | None, found: str, mend: str, key: str = "") -> InputError:
        return InputError([Problem(file=self.name, line=line, key=key, found=found, mend=mend)])


class _TooLargeError(Exception):
    pass


class _Capped:
    """Reads from `source` until `limit` bytes, then refuses."""

    def __init__(self, source: gzip.GzipFile, limit: int) -> None:
        self._source, self._left = source, limit

    def read(self, size: int = _CHUNK, /) -> bytes:
        data = self._source.read(size)
        self._left -= len(data)
        if self._left < 0:
            message = "it unpacks to more than is allowed"
            raise _TooLargeError(message)
        return data
