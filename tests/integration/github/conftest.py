"""A GitHub on loopback, and runs to store there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.github_fake.server import FakeGitHub

from quilate.agents.agent import Reply
from quilate.config import Gate
from quilate.github.api import Api
from quilate.github.waiting import Patience
from quilate.goldens.case import GoldenCase
from quilate.grades import CriterionGrade, Grade, TrialGrade
from quilate.grading import case_ruler
from quilate.runs.record import Conditions, DatasetInfo, Footer, GradeLine, Header, ReplyLine
from quilate.runs.writer import record_lines


@pytest.fixture
def fake() -> Iterator[FakeGitHub]:
    with FakeGitHub() as server:
        yield server
    assert server.violations == []


@pytest.fixture
def api_of(fake: FakeGitHub) -> Callable[..., Api]:
    """A client with a job's permissions, which waits no time."""

    def make(**permissions: str) -> Api:
        token = fake.token(**permissions)
        return Api(
            token,
            fake.repository.full_name,
            api_url=fake.url,
            graphql_url=f"{fake.url}/graphql",
            patience=Patience(scale=0),
        )

    return make


@pytest.fixture
def make_run(tmp_path: Path) -> Callable[..., Path]:
    """A run file: `grades` names the cases in order; an unfinished one has no footer."""

    def make(
        commit: str,
        grades: str = "pppp",
        *,
        suite: str = "orders",
        finished: bool = True,
        total: int | None = None,
        text: str = "ok",
    ) -> Path:
        words = {"p": Grade.PASS, "f": Grade.FAIL, "e": Grade.ERROR, "n": Grade.NOT_JUDGED}
        header = Header(
            suite=suite, commit=commit, tool_version="0",
            dataset=DatasetInfo(version="1", fingerprint="d", cases=total or len(grades)),
            ruler="r", agent={"kind": "replay"}, agent_fingerprint="a", policy=Gate(), conditions=Conditions(),
        )  # fmt: skip
        lines: list[ReplyLine | GradeLine | Footer] = []
        for position, letter in enumerate(grades):
            case = GoldenCase(
                id=f"case-{position}", category="c", input=f"question {position}", expected_behavior=("good",)
            )
            criteria = (CriterionGrade(id="x", grade=words[letter], reason="because"),)
            lines.append(
                ReplyLine(
                    case_id=case.id, trial=0, input_fingerprint=case.input_fingerprint, prompt=case.messages,
                    reply=Reply(output=text), asked_at="2026-01-01T00:00:00+00:00",
                )
            )  # fmt: skip
            lines.append(
                GradeLine(
                    case_id=case.id, category="c", grade=words[letter], criteria=criteria,
                    trials=(TrialGrade(trial=0, grade=words[letter], criteria=criteria),), definition=case,
                    input_fingerprint=case.input_fingerprint, ruler=case_ruler(case),
                )
            )  # fmt: skip
        if finished:
            counts = {grade: grades.count(letter) for letter, grade in words.items()}
            lines.append(
                Footer(
                    ended="complete",
                    counts=counts,
                    replies=len(grades),
                    seconds=1.0,
                    ended_at="2026-01-01T00:00:01+00:00",
                )
            )
        return record_lines(tmp_path / f"{suite}-{commit[:4]}{commit[-8:]}-{grades[:20]}.jsonl", header, lines)

    return make
