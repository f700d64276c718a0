"""What a comparison needs of each case of a run, in columns: about 200 bytes a case instead of kilobytes."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from quilate.grades import Grade
from quilate.runs.digest import Mark, QuarantineState, digest
from quilate.runs.fields import MalformedLineError, print_of, text_of


@dataclass(frozen=True, slots=True)
class CaseSummary:
    """One case of a run, as small as a comparison needs it. Fingerprints are 16 bytes.

    `first` is the grade of the askings every case had, `grade` that with confirmations; they differ only where
    confirming overturned it. Trials count what was graded, erred ones set aside.
    """

    case_id: str
    category: str
    grade: Grade
    first: Grade
    trials: int
    approved_trials: int
    graded_trials: int
    confirmations: int
    input: bytes
    ruler: bytes
    expectations: bytes
    substantive: bool
    """A criterion that says something of what the reply is for was graded (not only latency, metrics, no crash)."""
    latency_only: bool
    """Not approved, and nothing but latency stood against it."""
    critical: bool
    template: str | None
    quarantine: QuarantineState | None
    error: str | None
    """Why, where the grade is `error`."""

    @property
    def approved(self) -> bool:
        """Whether the case counts as approved."""
        return self.grade is Grade.PASS

    @property
    def flaky(self) -> bool:
        """Whether its graded trials do not agree on approval."""
        return 0 < self.approved_trials < self.graded_trials


class Place(NamedTuple):
    """Where a line stands in the file: byte offset and line number."""

    offset: int
    line: int


class Prints(NamedTuple):
    """A case's fingerprints, 16 bytes each: what is asked, what grades the reply, what its definition expects."""

    input: bytes
    ruler: bytes
    expectations: bytes


ValueT = TypeVar("ValueT")
_GRADES = tuple(Grade)
_CODES = {grade.value: code for code, grade in enumerate(_GRADES)}
_NONE = -1


class RunIndex:
    """The cases of a run by id; the last grade line of each counts.

    In the order of the golden files (grades come in as replies do, and two equal runs must read alike); cases whose
    place is not known come last, in the order they were first seen.
    """

    def __init__(self, trials: int = 1, max_latency_ms: float | None = None) -> None:
        """`trials` is how often every case was asked; later trials are confirmations.

        `max_latency_ms` is the limit of cases that state none: it grades them, so it is part of their ruler here.
        """
        self.asked_trials = trials
        self._max_latency_ms = max_latency_ms
        self._slot: dict[str, int] = {}
        self._categories: dict[str, int] = {}
        self._category_names: list[str] = []
        self._category, self._grade_offset, self._grade_line = array("l"), array("q"), array("q")
        self._grades, self._marks = bytearray(), bytearray()
        self._trials, self._approved = array("H"), array("H")
        self._graded, self._confirmations = array("H"), array("H")
        self._prints = bytearray()
        self._last_reply = array("q")
        self._reply_before, self._reply_offset, self._reply_line = array("q"), array("q"), array("q")
        self._reply_trial, self._reply_ms = array("l"), array("d")
        self._size = 0
        self._files: dict[str, int] = {}
        self._file_names: list[str] = []
        self._file, self._line = array("l"), array("q")
        self._order: array[int] | None = None
        self._template: dict[int, str] = {}
        self._quarantine: dict[int, QuarantineState] = {}
        self._error: dict[int, str] = {}

    def __contains__(self, case_id: object) -> bool:
        return case_id in self._slot and self._grade_offset[self._slot[str(case_id)]] != _NONE

    def __iter__(self) -> Iterator[str]:
        if self._order is None:
            self._order = self._in_file_order()
        ids = list(self._slot)
        return (ids[slot] for slot in self._order)

    def __len__(self) -> int:
        return self._size

    def add(self, line: dict[str, Any], place: Place) -> None:
        """Takes in one decoded reply or grade line; raises `MalformedLineError`."""
        case_id = text_of(line, "case_id")
        slot = self._slot.get(case_id)
        if slot is None:
            slot = self._new_slot(case_id)
        if line["kind"] == "reply":
            self._add_reply(slot, line, place)
        else:
            self._add_grade(slot, line, place)

    def summary(self, case_id: str) -> CaseSummary:
        """The case's summary; `KeyError` where it has no grade line."""
        slot = self._slot[case_id]
        prints = self.prints(case_id)
        code, marks = self._grades[slot], self._marks[slot]
        return CaseSummary(
            case_id=case_id,
            category=self._category_names[self._category[slot]],
            grade=_GRADES[code & 15],
            first=_GRADES[code >> 4],
            trials=self._trials[slot],
            approved_trials=self._approved[slot],
            graded_trials=self._graded[slot],
            confirmations=self._confirmations[slot],
            input=prints.input,
            ruler=prints.ruler,
            expectations=prints.expectations,
            substantive=bool(marks & Mark.SUBSTANTIVE.value),
            latency_only=bool(marks & Mark.LATENCY_ONLY.value),
            critical=bool(marks & Mark.CRITICAL.value),
            template=self._template.get(slot),
            quarantine=self._quarantine.get(slot),
            error=self._error.get(slot),
        )

    def prints(self, case_id: str) -> Prints:
        """The case's fingerprints alone; `KeyError` where it has no grade line."""
        slot = self._slot[case_id]
        if self._grade_offset[slot] == _NONE:
            raise KeyError(case_id)
        found = bytes(self._prints[48 * slot : 48 * slot + 48])
        return Prints(found[:16], found[16:32], found[32:])

    def default_limit_ms(self, case_id: str) -> float | None:
        """The default latency limit, where it grades the case; None where the case has its own, or it is not known."""
        return self._max_latency_ms if self._marks[self._slot[case_id]] & Mark.DEFAULT_LIMIT.value else None

    def grades(self) -> Iterator[tuple[str, Grade]]:
        """Every graded case and its grade."""
        return ((case_id, _GRADES[self._grades[self._slot[case_id]] & 15]) for case_id in self)

    def summaries(self) -> Iterator[CaseSummary]:
        """Every graded case."""
        return (self.summary(case_id) for case_id in self)

    def waiting(self) -> Iterator[str]:
        """The cases with a criterion, no necessary one, that was not judged."""
        return self._marked(Mark.WAITING.value)

    def measured(self) -> Iterator[str]:
        """The cases that may count in what is measured beside the pass rate."""
        return self._marked(Mark.MEASURED.value)

    def file(self, case_id: str) -> str | None:
        """The golden file the case stands in, as the run names it; None where that is not known, or no case is so."""
        code = self._file[self._slot[case_id]] if case_id in self._slot else _NONE
        return None if code == _NONE else self._file_names[code]

    def grade_place(self, case_id: str) -> Place | None:
        """Where the case's last grade line stands; None where it has none."""
        slot = self._slot.get(case_id)
        if slot is None or self._grade_offset[slot] == _NONE:
            return None
        return Place(self._grade_offset[slot], self._grade_line[slot])

    def reply_places(self, case_id: str) -> dict[int, Place]:
        """Trial → where its last reply line stands."""
        return {
            self._reply_trial[at]: Place(self._reply_offset[at], self._reply_line[at])
            for at in self._replies(self._slot.get(case_id, _NONE))
        }

    def replied(self) -> Iterator[tuple[str, dict[int, Place]]]:
        """Every case that has replies, graded or not, with where they stand."""
        for case_id, slot in self._slot.items():
            if self._last_reply[slot] != _NONE:
                yield case_id, self.reply_places(case_id)

    def durations_ms(self, case_id: str) -> list[float]:
        """The recorded times of the case's replies, in milliseconds; replies without a time are left out."""
        times = [self._reply_ms[at] for at in self._replies(self._slot.get(case_id, _NONE))]
        return [time for time in times if not math.isnan(time)]

    def _marked(self, mark: int) -> Iterator[str]:
        return (case_id for case_id in self if self._marks[self._slot[case_id]] & mark)

    def _new_slot(self, case_id: str) -> int:
        slot = len(self._category)
        self._slot[sys.intern(case_id)] = slot
        for column in (
            self._category, self._grade_offset, self._grade_line, self._last_reply, self._file, self._line,
        ):  # fmt: skip
            column.append(_NONE)
        for counts in (self._trials, self._approved, self._graded, self._confirmations):
            counts.append(0)
        self._grades.append(0)
        self._marks.append(0)
        self._prints.extend(bytes(48))
        return slot

    def _replies(self, slot: int) -> list[int]:
        """Positions of the last reply of each trial, by trial."""
        latest: dict[int, int] = {}
        at = self._last_reply[slot] if slot != _NONE else _NONE
        while at != _NONE:
            latest.setdefault(self._reply_trial[at], at)
            at = self._reply_before[at]
        return [latest[trial] for trial in sorted(latest)]

    def _add_reply(self, slot: int, line: dict[str, Any], place: Place) -> None:
        trial = line.get("trial")
        if not isinstance(trial, int) or isinstance(trial, bool) or not 0 <= trial < 65_536:
            raise MalformedLineError("trial", trial, "a whole number from 0")
        reply = line.get("reply")
        if not isinstance(reply, dict):
            raise MalformedLineError("reply", reply, "an object")
        time = reply.get("duration_ms")
        if time is not None and (
            isinstance(time, bool) or not isinstance(time, int | float) or not math.isfinite(time)
        ):
            raise MalformedLineError("reply.duration_ms", time, "a number of milliseconds")
        print_of(line, "input_fingerprint")
        self._reply_before.append(self._last_reply[slot])
        self._last_reply[slot] = len(self._reply_trial)
        self._reply_trial.append(trial)
        self._reply_offset.append(place.offset)
        self._reply_line.append(place.line)
        self._reply_ms.append(math.nan if time is None else float(time))

    def _add_grade(self, slot: int, line: dict[str, Any], place: Place) -> None:
        found = digest(line, self.asked_trials, self._max_latency_ms)
        self._category[slot] = _code(found.category, self._categories, self._category_names)
        self._grades[slot] = _CODES[found.grade] | _CODES[found.first] << 4
        self._trials[slot], self._approved[slot] = found.trials, found.approved
        self._graded[slot], self._confirmations[slot] = found.graded, found.confirmations
        self._prints[48 * slot : 48 * slot + 48] = found.prints
        self._marks[slot] = found.marks
        self._size += self._grade_offset[slot] == _NONE
        self._file[slot], self._line[slot] = _NONE, _NONE
        if found.location is not None:
            file, self._line[slot] = found.location
            self._file[slot] = _code(file, self._files, self._file_names)
        self._order = None
        self._grade_offset[slot], self._grade_line[slot] = place
        _put(self._template, slot, found.template and sys.intern(found.template))
        _put(self._quarantine, slot, found.quarantine)
        _put(self._error, slot, found.error and sys.intern(found.error))

    def _in_file_order(self) -> array[int]:
        """The slots of graded cases by file's name and line."""
        rank = {self._files[name]: at for at, name in enumerate(sorted(self._files))} | {_NONE: len(self._files)}
        keys = array(
            "q", ((rank[file] << 32) + max(line, 0) for file, line in zip(self._file, self._line, strict=True))
        )
        graded = (slot for slot, offset in enumerate(self._grade_offset) if offset != _NONE)
        return array("l", sorted(graded, key=keys.__getitem__))


def _code(name: str, codes: dict[str, int], names: list[str]) -> int:
    """The number that stands for a name in a column."""
    code = codes.setdefault(name, len(names))
    if code == len(names):
        names.append(name)
    return code


def _put(column: dict[int, ValueT], slot: int, value: ValueT | None) -> None:
    """A column that few cases have a value in."""
    if value is None:
        column.pop(slot, None)
    else:
        column[slot] = value
