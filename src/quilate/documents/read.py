"""Bytes of a file into a document."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from quilate.documents.build import Builder
from quilate.documents.document import Document
from quilate.documents.json_text import read_json, read_json_lines
from quilate.errors import InputError, Problem
from quilate.shown import visible

MAX_BYTES = 64 * 2**20

FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"}
"""File endings and what they are read as."""


def read_document(path: str | os.PathLike[str], *, file: str | None = None) -> Document:
    """The document in a file; `file` is the name that messages show (default: `path` as given).

    Raises `InputError` for a file that cannot be read or understood.
    """
    name = os.fspath(path) if file is None else file
    kind = FORMATS.get(Path(name).suffix.lower())
    if kind is None:
        raise _refused(name, None, "a file whose name says no format", f"name it with one of {', '.join(FORMATS)}")
    return parse_document(_read_bytes(path, name), file=name, kind=kind)


def parse_document(content: bytes | str, *, file: str, kind: str) -> Document:
    """The document in `content`; `kind` is `yaml`, `json` or `jsonl`. Raises `InputError`."""
    text = _decode(content, file) if isinstance(content, bytes) else content
    if not text.strip():
        raise _refused(file, None, "an empty file", "write something in it")
    builder = Builder(file)
    match kind:
        case "yaml":
            from quilate.documents.yaml_text import read_yaml

            read_yaml(text, builder)
        case "json":
            read_json(text, builder)
        case _:
            read_json_lines(text, builder)
    return builder.document()


def _read_bytes(path: str | os.PathLike[str], name: str) -> bytes:
    try:
        # Opening a pipe would wait for whoever writes to it, perhaps for ever.
        kind = Path(path).stat().st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise _refused(name, None, "a pipe, socket or device", "write an ordinary file")
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _refused(name, None, "no file there", "correct the path, or create the file") from None
    except IsADirectoryError:
        raise _refused(name, None, "a directory", "name a file in it") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise _refused(name, None, f"a file that cannot be read ({reason})", "make it readable") from None
    if len(content) > MAX_BYTES:
        limit = f"{MAX_BYTES // 2**20} MiB"
        raise _refused(name, None, f"more than {limit}", f"split it into files of at most {limit}")
    return content


def _decode(content: bytes, file: str) -> str:
    for mark in (b"\xff\xfe", b"\xfe\xff"):
        if content.startswith(mark):
            raise _refused(file, 1, "UTF-16 text", "save the file as UTF-8")
    content = content.removeprefix(b"\xef\xbb\xbf")
    nul = content.find(b"\0")
    if nul >= 0:
        line = content.count(b"\n", 0, nul) + 1
        raise _refused(file, line, "a NUL byte", "save the file as UTF-8 text, and write the character as \\u0000")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise _refused(file, line, f"byte 0x{byte:02X}, which is not UTF-8", "save the file as UTF-8") from None


def _refused(file: str, line: int | None, found: str, mend: str) -> InputError:
    return InputError([Problem(visible(file, 400), line, "", f"found {found}", mend)])
