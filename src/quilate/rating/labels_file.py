"""The labels file: appended to as labels are made, so that closing the page at any moment loses nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quilate.documents import read_document
from quilate.errors import InputError, Problem


class LabelsFile:
    """One rater's view of a labels file that several may share."""

    def __init__(self, path: Path, rater: str) -> None:
        """Raises `InputError` for a file that holds anything but JSON objects, one a line."""
        if path.suffix.lower() not in (".jsonl", ".ndjson"):
            raise InputError([Problem(str(path), None, "", "a name that says no format", "name it labels.jsonl")])
        self.path = path
        self.rater = rater
        self._mend()
        self._criteria: dict[tuple[str, ...], dict[str, str]] = {}
        self._pairs: dict[tuple[str, ...], dict[str, Any]] = {}
        if path.exists() and path.stat().st_size:
            document = read_document(path)
            for line in document.value if isinstance(document.value, list) else []:
                self._note(line)

    def given(self, key: tuple[str, ...]) -> dict[str, Any] | None:
        """What this rater last said about a task: criterion → grade, or the pair's line; None where nothing."""
        return self._criteria.get(key) or self._pairs.get(key)

    def append(self, lines: Sequence[dict[str, Any]], at: str) -> None:
        """Writes one task's labels at once and makes sure of them on the disk."""
        signed = [{**line, "rater": self.rater, "at": at} for line in lines]
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in signed).encode("utf-8", "replace")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            written = 0
            while written < len(data):
                written += os.write(descriptor, data[written:])
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        for line in signed:
            self._note(line)

    def _note(self, line: Any) -> None:
        """Another rater's labels are not looked at: rating stays blind."""
        if not isinstance(line, dict) or line.get("rater") != self.rater:
            return
        if line.get("kind") in ("label", "no_label"):
            key = (str(line.get("case_id")), str(line.get("reply_sha256")))
            self._criteria.setdefault(key, {})[str(line.get("criterion"))] = str(line.get("grade", "cannot_tell"))
        elif line.get("kind") == "pair_label":
            digests = (str(line.get("base_reply_sha256")), str(line.get("head_reply_sha256")))
            self._pairs[str(line.get("case_id")), *digests] = line

    def _mend(self) -> None:
        """A last line without its end: whole, it gets one; torn in writing, it was never confirmed and is cut off."""
        if not self.path.exists():
            return
        try:
            data = self.path.read_bytes()
        except OSError as error:
            found = f"found no readable file ({error.strerror})"
            raise InputError([Problem(str(self.path), None, "", found, "name another file with --labels")]) from error
        if not data or data.endswith(b"\n"):
            return
        whole, _, last = data.rpartition(b"\n")
        try:
            json.loads(last)
        except ValueError:
            os.truncate(self.path, len(whole) + 1 if whole else 0)
        else:
            with self.path.open("ab") as file:
                file.write(b"\n")
