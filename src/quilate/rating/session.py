"""One rater's session: which task is next, what was said about it, and whether what is said is complete."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from quilate.rating.labels_file import LabelsFile
from quilate.rating.questions import NO_LABEL
from quilate.rating.tasks import Sheet, SingleTask, Task
from quilate.report.escape import Inert
from quilate.report.messages import Translator

MAX_JUSTIFICATION = 10_000


class BadAnswerError(Exception):
    """Answers that are not those of the task; `str` says what to mend."""


class Session:
    """Tasks in their order, with the labels file behind them. Not safe for threads: the server locks."""

    def __init__(
        self,
        tasks: Sequence[Task],
        labels: LabelsFile,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        t: Translator | None = None,
    ) -> None:
        """`t` is the rater's language; English where it is None."""
        self.t = t or Translator()
        self._tasks = tasks
        self._labels = labels
        self._now = now
        self._done = [self._is_done(task) for task in tasks]

    @property
    def done(self) -> int:
        """How many tasks this rater has rated."""
        return sum(self._done)

    def next_open(self, after: int = -1) -> int | None:
        """The place of the next task that is not rated, looking round the end; None where all are."""
        size = len(self._tasks)
        order = (place % size for place in range(after + 1, after + 1 + size))
        return next((place for place in order if not self._done[place]), None)

    def page(self, place: int | None) -> dict[str, Any]:
        """What the page shows: the task at `place`, or that all are rated."""
        state: dict[str, Any] = {"of": len(self._tasks), "done": self.done}
        if place is None or not 0 <= place < len(self._tasks):
            return {**state, "place": None}
        task = self._tasks[place]
        sheet = task.sheet(self.t)
        shown = asdict(sheet)
        answers, justification = _given(task, sheet, self._labels.given(task.key))
        return {
            **state, "place": place, "case_id": task.key[0], "answers": answers, "said": justification, **shown,
        }  # fmt: skip

    def save(self, place: int, answers: Any, justification: Any) -> None:
        """Writes the labels of one task. Raises `BadAnswerError` unless every question has one of its answers."""
        if not 0 <= place < len(self._tasks):
            raise BadAnswerError("there is no such task")
        task = self._tasks[place]
        sheet, t = task.sheet(self.t), self.t
        if not isinstance(answers, dict) or not isinstance(justification, str):
            raise BadAnswerError("answers is an object, justification a text")
        for question in sheet.questions:
            if answers.get(question.id) not in [option.value for option in question.options]:  # whatever it is
                raise BadAnswerError(t.t("Answer this first: {question}", question=Inert(question.text)))
        if set(answers) != {question.id for question in sheet.questions}:
            raise BadAnswerError("there are answers to questions that were not asked")
        text = justification.strip()
        if sheet.justification_required and not text:
            raise BadAnswerError(t.t("Say in a sentence why."))
        if len(text) > MAX_JUSTIFICATION:
            raise BadAnswerError(
                t.t("The text has {n} characters; at most {most} are kept.", n=len(text), most=MAX_JUSTIFICATION)
            )
        self._labels.append(task.lines(answers, text), self._now().isoformat(timespec="seconds"))
        self._done[place] = True

    def _is_done(self, task: Task) -> bool:
        given = self._labels.given(task.key)
        if given is None or not isinstance(task, SingleTask):
            return given is not None
        return all(criterion in given for criterion in task.criteria())


def _given(task: Task, sheet: Sheet, given: dict[str, Any] | None) -> tuple[dict[str, str], str]:
    """What the rater said before, as answers of the sheet, for going back to it."""
    if given is None:
        return {}, ""
    if isinstance(task, SingleTask):
        ids = task.criteria()
        values = {question.id: given.get(criterion) for question, criterion in zip(sheet.questions, ids, strict=True)}
        return {key: value for key, value in values.items() if value in ("pass", "partial", "fail", NO_LABEL)}, ""
    return _pair_given(given), str(given.get("justification", ""))


def _pair_given(line: dict[str, Any]) -> dict[str, str]:
    first = str(line.get("first"))
    sides = {"1": first, "2": "head" if first == "base" else "base"}
    answers: dict[str, str] = {}
    for number, side in sides.items():
        rating = line.get(side)
        if isinstance(rating, dict):
            answers[f"language_{number}"] = "yes" if rating.get("target_language") else "no"
            answers[f"fulfilment_{number}"] = str(rating.get("fulfilment"))
            if rating.get("factuality") is not None:
                answers[f"factuality_{number}"] = str(rating["factuality"])
    preferred = line.get("preferred")
    answers["overall"] = next((number for number, side in sides.items() if side == preferred), "tie")
    return answers
