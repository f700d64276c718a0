"""The files a run is read from: which format goes to which file, and how each is written, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO

from quilate.report.input import ReportInput
from quilate.runs.reader import RunReader

FILES = {
    "md": "comment.md", "html": "report.html", "text": "report.txt", "junit": "junit.xml", "csv": "results.csv",
    "json": "results.json",
}  # fmt: skip
"""Format → the file it is written to."""


@dataclass(frozen=True, slots=True)
class Source:
    """Both runs and the report's data."""

    head: RunReader
    base: RunReader | None
    report: ReportInput


def write_files(folder: Path, source: Source, formats: Sequence[str]) -> list[Path]:
    """Writes the chosen formats into `folder`, each whole or not at all; returns the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    for name in formats:
        path = folder / FILES[name]
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                write_format(name, file, source)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        paths.append(path)
    return paths


def write_format(name: str, out: BinaryIO, source: Source) -> None:
    """Writes one of `FILES`' formats. Raises KeyError for another."""
    _WRITERS[name](out, source)


def _markdown(out: BinaryIO, source: Source) -> None:
    from quilate.report.comment import render

    out.write(render(source.report).encode())


def _html(out: BinaryIO, source: Source) -> None:
    from quilate.report.html import write

    write(out, source.report, source.head, source.base)


def _text(out: BinaryIO, source: Source) -> None:
    from quilate.report.terminal import render

    told = len(source.head.index)
    out.write(render(source.report, most_cases=told).encode())


def _junit(out: BinaryIO, source: Source) -> None:
    from quilate.report import junit

    junit.write(source.head, out)


def _csv(out: BinaryIO, source: Source) -> None:
    from quilate.report.tables import write_csv

    text = TextIOWrapper(out, encoding="utf-8", newline="")
    write_csv(source.head, text, source.base)
    text.detach()


def _json(out: BinaryIO, source: Source) -> None:
    from quilate.report.tables import write_json

    text = TextIOWrapper(out, encoding="utf-8", newline="")
    write_json(source.head, text, source.base)
    text.detach()


_WRITERS: dict[str, Callable[[BinaryIO, Source], None]] = {
    "md": _markdown, "html": _html, "text": _text, "junit": _junit, "csv": _csv, "json": _json,
}  # fmt: skip
