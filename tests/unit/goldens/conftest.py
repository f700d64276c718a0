"""Golden files on disk, made in a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quilate.goldens.load import load_goldens

DATA = Path(__file__).parent / "data"


@pytest.fixture
def data():
    """The folder with the example sets people start from."""
    return DATA


@pytest.fixture
def write(tmp_path):
    """Writes a golden file: text as it is, anything else as JSON (one value a line for .jsonl)."""

    def to(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, str):
            lines = content if name.endswith((".jsonl", ".ndjson")) else [content]
            content = "\n".join(json.dumps(line) for line in lines)
        path.write_text(content, encoding="utf-8", newline="")
        return name

    return to


@pytest.fixture
def load(tmp_path):
    """Loads golden files of the temporary folder."""

    def of(*patterns):
        return load_goldens(patterns, tmp_path)

    return of
