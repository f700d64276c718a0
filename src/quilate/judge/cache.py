"""Answers kept on disk: only those that were valid, and they are validated again when they are read."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

_RESOLVED = "models.json"


class AnswerCache:
    """A directory of answers by key (64 hexadecimal digits).

    An entry is void when the provider has since answered for the same model name with another model: an alias that
    moved. What cannot be read or written is passed over: a cache may cost time, never a verdict.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._resolved: dict[str, str] = {}
        stored = _read(directory / _RESOLVED)
        if stored:
            self._resolved = {key: value for key, value in stored.items() if isinstance(value, str)}

    def get(self, key: str, model: str) -> dict[str, Any] | None:
        """The stored answer, or None."""
        entry = _read(self._path(key))
        if entry is None or not isinstance(entry.get("answer"), dict):
            return None
        moved = self._resolved.get(model)
        if moved is not None and entry.get("model") != moved:
            return None
        return entry["answer"]  # type: ignore[no-any-return] # a dict, as checked above

    def put(self, key: str, answer: dict[str, Any], model: str, answered_by: str | None) -> None:
        """Stores a validated answer; `answered_by` is the model the provider named."""
        _write(self._path(key), {"model": answered_by, "answer": answer})
        if answered_by is not None and self._resolved.get(model) != answered_by:
            self._resolved[model] = answered_by
            _write(self.directory / _RESOLVED, self._resolved)

    def _path(self, key: str) -> Path:
        return self.directory / key[:2] / f"{key}.json"


def _read(path: Path) -> dict[str, Any] | None:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _write(path: Path, value: object) -> None:
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
                json.dump(value, file, ensure_ascii=False)
            Path(name).replace(path)
        except OSError:
            Path(name).unlink(missing_ok=True)
