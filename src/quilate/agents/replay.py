"""`agent.replay`: replies that another step recorded, one JSON object a line. A case's repeated lines are trials."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from pydantic import JsonValue

from quilate.agents.agent import Reply, Request
from quilate.agents.decoding import MAX_REPLY_BYTES, BadReplyError, decode
from quilate.agents.results import crash, parse_result
from quilate.errors import InputError, Problem, nearest
from quilate.goldens.files import readable_path
from quilate.saying import say

_MOST_PROBLEMS = 20
_MOST_NAMED = 5
_EXAMPLE = '{"case_id": "…", "output": "…", "tool_calls": []}'


class ReplayAgent:
    """Reads replies from `paths`. Entering reads every line once and keeps its place, not its text.

    A line that is no JSON object with a `case_id` is the file's fault (`InputError`, naming each). A line whose
    reply has a wrong type, and a case without a line, are the agent's crashes.
    """

    def __init__(
        self, paths: Sequence[Path], *, case_ids: Collection[str] | None = None, warn: Callable[[str], None]
    ) -> None:
        self._paths = tuple(paths)
        self._case_ids = case_ids
        self._warn = warn
        self._files: list[BinaryIO] = []
        self._places: dict[str, list[tuple[int, int]]] = {}

    async def __aenter__(self) -> Self:
        problems: list[Problem] = []
        try:
            for number, path in enumerate(self._paths):
                self._index(number, path, problems)
            if problems:
                raise InputError(problems)
        except BaseException:
            self._close()
            raise
        self._warn_of_unknown()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._close()

    def _close(self) -> None:
        for file in self._files:
            file.close()
        self._files.clear()

    def _index(self, number: int, path: Path, problems: list[Problem]) -> None:
        try:
            # Opening a pipe would wait for whoever writes to it, perhaps for ever; and lines are read again later.
            if path.exists() and not path.is_file():
                problems.append(Problem(readable_path(path), None, "", "found no ordinary file", "name a file"))
                return
            file = path.open("rb")
        except OSError as error:
            mend = (
                "write the replies' file in agent.replay, relative to quilate.yml; an earlier step has to have made it"
            )
            problems.append(Problem(readable_path(path), None, "", f"cannot be read ({error.strerror})", mend))
            return
        self._files.append(file)
        line = 0
        while True:
            offset = file.tell()
            raw = file.readline(MAX_REPLY_BYTES + 2)
            if not raw:
                return
            line += 1
            if len(raw) > MAX_REPLY_BYTES + 1 and not raw.endswith(b"\n"):
                found = f"more than {MAX_REPLY_BYTES // 1_000_000} MB in one line"
                problems.append(Problem(readable_path(path), line, "", found, "write one reply a line"))
                return
            text = raw.removeprefix(b"\xef\xbb\xbf") if line == 1 else raw
            if not text.strip():
                continue
            case_id = _case_id(text)
            if isinstance(case_id, BadReplyError):
                problems.append(Problem(readable_path(path), line, "", str(case_id), f"write {_EXAMPLE}"))
            else:
                self._places.setdefault(case_id, []).append((number, offset))
            if len(problems) >= _MOST_PROBLEMS:
                return

    def _warn_of_unknown(self) -> None:
        if self._case_ids is None:
            return
        known = set(self._case_ids)
        unknown = [case_id for case_id in self._places if case_id not in known]
        for case_id in unknown[:_MOST_NAMED]:
            meant = nearest(case_id, known)
            hint = f"; is it {meant!r}?" if meant else ""
            self._warn(f"the replay has a reply for {case_id!r}, which is no case of the dataset{hint}")
        if len(unknown) > _MOST_NAMED:
            self._warn(f"the replay has replies for {len(unknown) - _MOST_NAMED} more cases that the dataset lacks")

    async def ask(self, request: Request) -> Reply:
        """The recorded reply of the case's trial. A recorded fault is a reply with that fault."""
        places = self._places.get(request.case_id, [])
        if request.trial >= len(places):
            if not places:
                raise crash(say("the replay has no reply for this case"))
            trial, there = request.trial + 1, len(places)
            raise crash(say("the replay has no reply for trial {n}, only {there} for this case", n=trial, there=there))
        number, offset = places[request.trial]
        file = self._files[number]
        file.seek(offset)
        raw = file.readline()
        try:
            return parse_result(decode(raw.removeprefix(b"\xef\xbb\xbf")), case_id=request.case_id)
        except BadReplyError as error:
            raise crash(error.why) from None

    def describe(self) -> dict[str, JsonValue]:
        """The files' names."""
        return {"kind": "replay", "files": [path.name for path in self._paths]}

    def trials(self, case_id: str) -> int | None:
        """How many replies are recorded for the case; 1 where there is none, which crashes."""
        return len(self._places.get(case_id, ())) or 1


def _case_id(raw: bytes) -> str | BadReplyError:
    try:
        value = decode(raw.strip())
    except BadReplyError as error:
        return error
    if not isinstance(value, dict):
        return BadReplyError("the line is no object")
    case_id = value.get("case_id")
    if not isinstance(case_id, str) or not case_id:
        return BadReplyError("the line has no case_id" if case_id is None else "case_id is no text")
    return case_id
