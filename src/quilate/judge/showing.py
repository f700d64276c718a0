"""What a judge would be sent about one reply, for people to read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quilate.agents.agent import Reply
from quilate.config import Config
from quilate.errors import UsageError, nearest
from quilate.goldens.case import Dataset, GoldenCase
from quilate.judge.build import build_judge
from quilate.judge.grader import JudgeGrader, every_criterion
from quilate.judge.identity import reply_sha256
from quilate.providers.model import Prompt

PLACEHOLDER = Reply(output="(the reply of the agent stands here)")


@dataclass(frozen=True, slots=True)
class Shown:
    """A request: where it goes, its body as it is sent, the prompt inside (None where nothing is sent)."""

    title: str
    url: str | None
    body: dict[str, Any]
    prompt: Prompt | None

    def as_text(self) -> str:
        """The prompt with its line breaks, and its schema."""
        if self.prompt is None:
            return f"{self.title}\n"
        parts = [self.title, "", "--- system", self.prompt.system]
        for turn in self.prompt.turns:
            parts += ["", f"--- {turn.role}", turn.text]
        parts += ["", "--- schema of the answer", json.dumps(self.prompt.schema, indent=2), ""]
        return "\n".join(parts)

    def as_json(self) -> str:
        """The body of the request."""
        return json.dumps(self.body, ensure_ascii=False, indent=2) + "\n"


def find_case(dataset: Dataset, case_id: str) -> GoldenCase:
    """The case of that id. Raises `UsageError` naming the nearest."""
    for case in dataset.cases:
        if case.id == case_id:
            return case
    guess = nearest(case_id, (case.id for case in dataset.cases))
    mend = f"did you mean {guess!r}?" if guess else "`quilate check` lists what there is"
    message = f"there is no case {case_id!r}; {mend}"
    raise UsageError(message)


async def show(config: Config, case: GoldenCase, reply: Reply, *, base_dir: Path, environ: Mapping[str, str]) -> Shown:
    """What the judge would be sent about `reply`. A grounded case is searched for, since its evidence is sent too.

    Raises `UsageError` without a judge, and where the case has nothing for one.
    """
    if config.judge is None:
        message = "no judge is configured: add judge: to the configuration (docs/judge.md)"
        raise UsageError(message)
    async with build_judge(config, base_dir=base_dir, environ=environ) as judge:
        if not isinstance(judge.grader, JudgeGrader):
            return _for_people(case, reply)
        sheet = await judge.grader.sheet(case, reply)
        if sheet is None:
            message = f"case {case.id!r} has no criterion for a judge: code grades all of it, or nothing is expected"
            raise UsageError(message)
        assert judge.model is not None
        url = getattr(judge.model, "url", None)
        evidence = "" if sheet.evidence is None else f"; evidence: {sheet.evidence.state.value}"
        times = f", {config.judge.votes} times" if config.judge.votes > 1 else ""
        title = f"POST {url}{times}{evidence}"
        return Shown(title, url, judge.model.request(sheet.prompt), sheet.prompt)


def _for_people(case: GoldenCase, reply: Reply) -> Shown:
    """With labels nothing is sent; what a label must name is shown instead."""
    digest = reply_sha256(reply)
    lines = [
        {"kind": "label", "case_id": case.id, "reply_sha256": digest, "criterion": criterion.id, "text": criterion.text}
        for criterion in every_criterion(case, reply)
    ]
    title = "labels: nothing is sent to a model; a label for this reply names\n" + "\n".join(
        json.dumps(line, ensure_ascii=False) for line in lines
    )
    return Shown(title, None, {"labels": lines}, None)
