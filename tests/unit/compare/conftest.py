"""Two runs from a few words, compared."""

import datetime as dt

import pytest
from tests.factories import a_run_file

from quilate.compare.compare import compare
from quilate.compare.overlay import Overlay
from quilate.compare.summary import RunSummary
from quilate.runs.reader import RunReader

TODAY = dt.date(2026, 3, 1)


@pytest.fixture
def runs(tmp_path):
    """`runs(lines, **header)` → an open reader of a run file with those grade lines."""
    opened = []

    def make(lines, *, replies=None, complete=True, **header):
        path = tmp_path / f"run-{len(opened)}.jsonl"
        reader = RunReader(a_run_file(path, lines, replies=replies, complete=complete, **header))
        opened.append(reader)
        return reader

    yield make
    for reader in opened:
        reader.close()


@pytest.fixture
def compared(runs):
    """`compared(base_lines, head_lines)` → the comparison; base_lines None: there is no baseline."""

    def make(base, head, *, base_header=None, head_header=None, overlay=None, today=TODAY):
        old = None if base is None else RunSummary.of(runs(base, **(base_header or {})))
        new = RunSummary.of(runs(head, **(head_header or {})))
        return compare(old, new, overlay or Overlay(), today=today)

    return make
