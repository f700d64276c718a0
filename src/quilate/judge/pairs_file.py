"""`pairs.jsonl`: written as pairs are judged, whole under its name only once all are; read with nothing trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

from pydantic import JsonValue, ValidationError
from pydantic_core import from_json

from quilate.errors import InputError, Problem
from quilate.judge.identity import reply_sha256
from quilate.judge.pairs import PAIRS_SCHEMA, PairResult, Pairs, PairsFooter, PairsHeader, RunRef

if TYPE_CHECKING:
    from quilate.report.sources import ReadRun

PAIRS_FILE = "pairs.jsonl"
MAX_BYTES = 512 * 1024 * 1024


def beside(run_file: Path) -> Path:
    """Where the pairs of a run stand."""
    return run_file.with_name(PAIRS_FILE)


class PairsWriter:
    """Writes to `pairs.jsonl.part`, which takes the file's name once `finish` was called.

    What an interrupted attempt wrote stays in the part, where `earlier_answers` finds it.
    """

    def __init__(self, path: Path, header: PairsHeader) -> None:
        self._path = path
        self._part = _part(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # pairs of another run must not be taken for this one's
        self._file: BinaryIO = self._part.open("wb")
        self._write(header)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def pair(self, pair: PairResult) -> None:
        """Writes one pair."""
        self._write(pair)

    def finish(self, footer: PairsFooter) -> None:
        """Writes the last line and gives the file its name."""
        self._write(footer)
        self._file.close()
        self._part.replace(self._path)

    def _write(self, line: PairsHeader | PairResult | PairsFooter) -> None:
        plain = {"kind": line.kind, **line.model_dump(mode="json", by_alias=True, exclude_none=True)}
        if not plain.get("said"):
            plain.pop("said", None)
        self._file.write(json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        self._file.flush()


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def earlier_answers(path: Path) -> dict[str, tuple[dict[str, JsonValue], str | None]]:
    """Answers of an earlier attempt by their key, from the file and from an interrupted part of it.

    A line that cannot be read is passed over: what is not known is asked again.
    """
    found: dict[str, tuple[dict[str, JsonValue], str | None]] = {}
    for each in (path, _part(path)):
        try:
            lines = each.read_bytes().splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                pair = PairResult.model_validate_json(line)
            except ValidationError:
                continue
            found.update({answer.key: (answer.raw, answer.model) for answer in pair.answers})
    return found


def read_pairs(path: Path) -> Pairs:
    """The whole of a pairs file. Raises `InputError` naming file and line."""
    header: PairsHeader | None = None
    footer: PairsFooter | None = None
    pairs: list[PairResult] = []
    for number, data in _lines(path):
        if footer is not None:
            raise _problem(path, number, "found a line after the last", "use a file that quilate wrote")
        try:
            value = from_json(data, allow_inf_nan=False)
            kind = value.get("kind") if isinstance(value, dict) else None
            if number == 1:
                _check_header(path, value, kind)
                header = PairsHeader.model_validate_json(data)
            elif kind == "pairs_end":
                footer = PairsFooter.model_validate_json(data)
            else:
                pairs.append(PairResult.model_validate_json(data))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise _problem(path, number, first["msg"], "use a file that quilate wrote", place) from error
        except ValueError as error:
            raise _problem(path, number, f"found no valid JSON ({error})", "write one JSON object a line") from error
    if header is None or footer is None:
        raise _problem(path, None, "the file ends before its last line", "run `quilate side-by-side` again")
    return Pairs(header, tuple(pairs), footer)


def pairs_of_runs(path: Path, head: ReadRun, base: ReadRun | None) -> Pairs | None:
    """The pairs at `path` where they are those of these two runs' replies; None where there are none.

    Headers alone do not tell two runs apart (their time is to the second), so the replies are compared as well.
    Raises `InputError` for a file that is there and cannot be read.
    """
    if base is None or not path.exists():
        return None
    pairs = read_pairs(path)
    if (pairs.header.base, pairs.header.head) != (RunRef.of(base.header), RunRef.of(head.header)):
        return None
    return pairs if all(_is_of(pair, head, base) for pair in pairs.pairs) else None


def pairs_of_head(path: Path, head: ReadRun) -> Pairs | None:
    """The pairs at `path` where they are about this run's replies, whatever they were compared with; else None.

    Raises `InputError` for a file that is there and cannot be read.
    """
    if not path.exists():
        return None
    pairs = read_pairs(path)
    if pairs.header.head != RunRef.of(head.header):
        return None
    mine = all(_holds(head, pair.case_id, pair.trial, pair.head_reply_sha256) for pair in pairs.pairs)
    return pairs if mine else None


def _is_of(pair: PairResult, head: ReadRun, base: ReadRun) -> bool:
    return _holds(base, pair.base_id, pair.trial, pair.base_reply_sha256) and _holds(
        head, pair.case_id, pair.trial, pair.head_reply_sha256
    )


def _holds(run: ReadRun, case_id: str, trial: int, digest: str) -> bool:
    try:
        return reply_sha256(run.case(case_id).replies[trial]) == digest
    except KeyError:
        return False


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise _problem(path, None, f"found more than {MAX_BYTES} bytes", "use a file that quilate wrote")
        with path.open("rb") as file:
            yield from enumerate(file, 1)
    except OSError as error:
        raise _problem(path, None, f"found no readable file ({error.strerror})", "give a pairs file") from error


def _check_header(path: Path, value: object, kind: object) -> None:
    if not isinstance(value, dict) or kind != "pairs":
        raise _problem(path, 1, f"found the kind {kind!r:.40}", "begin a pairs file with its header line", "kind")
    if value.get("schema") != PAIRS_SCHEMA or isinstance(value.get("schema"), bool):
        mend = f"this version of quilate reads {PAIRS_SCHEMA}; run `quilate side-by-side` again"
        raise _problem(path, 1, f"found {value.get('schema')!r:.40}", mend, "schema")


def _problem(path: Path, line: int | None, found: str, mend: str, key: str = "") -> InputError:
    return InputError([Problem(file=str(path), line=line, key=key, found=found, mend=mend)])
