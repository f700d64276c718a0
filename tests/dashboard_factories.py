"""A synthetic history for tests: so many baselines whose numbers are known."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import random
from pathlib import Path

from tests.factories import a_case, a_footer, a_grade_line, a_header, a_reply_line

from quilate.github.data_branch import header_beside
from quilate.github.history import History, Origin, point_of, slug
from quilate.goldens.case import Expects
from quilate.grades import Grade
from quilate.runs.reader import RunReader
from quilate.runs.store import DirectoryStore
from quilate.runs.writer import RunWriter

START = dt.datetime(2026, 1, 5, 9, tzinfo=dt.UTC)
CATEGORIES = ("order-status", "returns", "register")
CASES = [a_case(f"case-{number:02}", category=CATEGORIES[number % 3]) for number in range(30)]
AMBIGUOUS = [
    a_case(f"ambiguous-{number}", category="ambiguity", expects=Expects.CLARIFICATION, expected_behavior=("asks",))
    for number in range(6)
]


def commit_of(number: int) -> str:
    return hashlib.sha1(f"run {number}".encode(), usedforsecurity=False).hexdigest()


def a_baseline(path: Path, number: int, suite: str = "orders") -> Path:
    """Run `number` of the history: 36 cases, a dataset that changes every 40 runs, a judge that changes at 120."""
    chance = random.Random(number)
    rate = 0.95 - 0.25 * (60 <= number < 75)
    header = a_header(
        suite=suite, commit=commit_of(number), cases=36, version=f"2026-{1 + number // 40}",
        started_at=(START + dt.timedelta(hours=7 * number)).isoformat(),
        judge={"provider": "openai", "model": "judge-a" if number < 120 else "judge-b"},
        judge_fingerprint="a" * 32 if number < 120 else "b" * 32, tool_version="0.1.0" if number < 150 else "0.2.0",
    )  # fmt: skip
    path.unlink(missing_ok=True)
    with RunWriter(path, header) as run:
        for case in CASES:
            ms = 400 + 40 * int(case.id[-2:]) + chance.random() * 300
            run.reply(a_reply_line(case, duration_ms=ms, cost_usd=f"0.00{1 + int(case.id[-2:]) % 7}"))
            run.grade(a_grade_line(case, Grade.PASS if chance.random() < rate else Grade.FAIL))
        for case in AMBIGUOUS:
            run.reply(a_reply_line(case, duration_ms=300.0))
            asked = chance.random() < 0.8
            run.grade(
                a_grade_line(
                    case, Grade.PASS if asked else Grade.FAIL, criterion="ambiguity",
                    criterion_fields={"detail": {"failure": None if asked else "guessed", "decided_by": "code"}},
                )
            )  # fmt: skip
        run.footer(a_footer(replies=36, latency_p95_ms=1500 + 3 * number, cost_usd="0.108"))
    return path


def a_directory(folder: Path, runs: int, suite: str = "orders") -> Path:
    """A directory store with `runs` baselines."""
    store = DirectoryStore(folder, suite, keep=1000)
    for number in range(runs):
        path = a_baseline(folder / "run.jsonl", number, suite)
        store.save(path)
        path.unlink()
    return folder


def a_checkout(folder: Path, runs: int, suite: str = "orders", branch: str = "main") -> Path:
    """A checkout of the data branch with `runs` baselines; run 61's drop was accepted."""
    history = History(suite=suite, branch=branch)
    place = folder / "v1" / suite
    for number in range(runs):
        path = a_baseline(folder / "run.jsonl", number, suite)
        data = gzip.compress(path.read_bytes(), mtime=0)
        with RunReader(path) as reader:
            point = point_of(reader, commit_of(number), Origin(branch, "push", 7000 + number), recorded=True)
            if number == 61:
                point = point.model_copy(update={"accepted_by": "octocat", "accepted_label": "quilate:accept"})
            beside = header_beside(data, reader, point, branch)
        record = place / "records" / commit_of(number)[:2] / f"{commit_of(number)}.jsonl.gz"
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_bytes(data)
        record.with_name(f"{commit_of(number)}.json").write_bytes(beside)
        history = history.with_point(point)
        path.unlink()
    target = place / "history" / f"{slug(branch)}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(history.model_dump_json())
    return folder
