"""What people are asked: one reply by its criteria, or one pair by the side-by-side guide's scales; always blind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from quilate.agents.agent import Reply
from quilate.compare.differing import Differing
from quilate.goldens.case import GoldenCase
from quilate.judge.criteria import LeftOpen, SemanticCriterion
from quilate.judge.grader import every_criterion
from quilate.judge.identity import reply_sha256, sha256
from quilate.judge.pairs import Side
from quilate.judge.side_by_side_rules import Gave, gave
from quilate.judge.side_by_side_sheet import TwoReplies
from quilate.rating.questions import NO_LABEL, Question, criterion_question, pair_questions
from quilate.report.messages import Translator
from quilate.runs.reader import RunReader


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything the page shows of one task, and nothing that tells whose reply it is."""

    conversation: tuple[tuple[str, str], ...]
    replies: tuple[dict[str, Any], ...]
    questions: tuple[Question, ...]
    justification: str
    """What the text field is for."""
    justification_required: bool
    reference: str | None = None


class Task(Protocol):
    """One thing to rate; `key` names it in the labels file, the same for every rater."""

    @property
    def key(self) -> tuple[str, ...]:
        """Case and reply, or case and both replies."""
        ...

    def sheet(self, t: Translator) -> Sheet:
        """What is shown in the language of `t`, read from the run now."""
        ...

    def lines(self, answers: dict[str, str], justification: str) -> list[dict[str, Any]]:
        """The labels that checked answers come to, without rater and time."""
        ...


@dataclass(frozen=True, slots=True)
class SingleTask:
    """One reply, by the criteria of its case that a judge grades."""

    run: RunReader
    case_id: str
    trial: int
    digest: str
    left_open: tuple[LeftOpen, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """Case and reply."""
        return (self.case_id, self.digest)

    def sheet(self, t: Translator) -> Sheet:
        """What is shown."""
        case, reply, criteria = self._read()
        reference = case.expected_output if isinstance(case.expected_output, str) else None
        return Sheet(
            conversation=_conversation(case),
            replies=(shown_reply(reply),),
            questions=tuple(criterion_question(at, each, t) for at, each in enumerate(criteria)),
            justification=t.t("Note (optional)"),
            justification_required=False,
            reference=reference,
        )

    def criteria(self) -> list[str]:
        """The ids of what is asked, in the order of the questions."""
        return [criterion.id for criterion in self._read()[2]]

    def lines(self, answers: dict[str, str], justification: str) -> list[dict[str, Any]]:
        """A label a criterion; a criterion on which the rater cannot tell is a line of another kind."""
        _, _, criteria = self._read()
        note = {"note": justification} if justification else {}
        found: list[dict[str, Any]] = []
        for at, criterion in enumerate(criteria):
            grade = answers[f"q{at}"]
            about = {"case_id": self.case_id, "reply_sha256": self.digest, "criterion": criterion.id}
            if grade == NO_LABEL:
                found.append({"kind": "no_label", **about, **note})
            else:
                found.append({"kind": "label", **about, "grade": grade, **note})
        return found

    def _read(self) -> tuple[GoldenCase, Reply, list[SemanticCriterion]]:
        record = self.run.case(self.case_id)
        case, reply = record.grade_line.definition, record.replies[self.trial]
        return case, reply, every_criterion(case, reply, self.left_open)


@dataclass(frozen=True, slots=True)
class PairTask:
    """Two replies to one case, by the guide's three dimensions, and which is better overall."""

    base_run: RunReader
    head_run: RunReader
    case_id: str
    base_id: str
    trial: int
    digests: tuple[str, str]
    """Base's reply, head's."""
    first: Side

    @property
    def key(self) -> tuple[str, ...]:
        """Case and both replies."""
        return (self.case_id, *self.digests)

    def sheet(self, t: Translator) -> Sheet:
        """What is shown."""
        two = self._read()
        replies = (two.of(self.first), two.of(self.first.other))
        return Sheet(
            conversation=_conversation(two.case),
            replies=tuple(shown_reply(reply) for reply in replies),
            questions=tuple(pair_questions(replies, t)),
            justification=t.t("Why? First by the dimensions, then by your preference."),
            justification_required=True,
        )

    def lines(self, answers: dict[str, str], justification: str) -> list[dict[str, Any]]:
        """One line, with the sides in the place of the blind numbers."""
        side = {"1": self.first, "2": self.first.other}
        ratings: dict[str, dict[str, Any]] = {"base": {}, "head": {}}
        for number in ("1", "2"):
            facts = answers.get(f"factuality_{number}")
            ratings[side[number].value] = {
                "target_language": answers[f"language_{number}"] == "yes",
                "fulfilment": int(answers[f"fulfilment_{number}"]),
                "factuality": None if facts is None else int(facts),
            }
        best = answers["overall"]
        return [
            {
                "kind": "pair_label",
                "case_id": self.case_id,
                "base_reply_sha256": self.digests[0],
                "head_reply_sha256": self.digests[1],
                "first": self.first.value,
                **ratings,
                "preferred": "tie" if best == "tie" else side[best].value,
                "justification": justification,
            }
        ]

    def _read(self) -> TwoReplies:
        old, new = self.base_run.case(self.base_id), self.head_run.case(self.case_id)
        return TwoReplies(
            new.grade_line.definition, self.base_id, self.trial, old.replies[self.trial], new.replies[self.trial]
        )


def single_tasks(run: RunReader, left_open: Sequence[LeftOpen]) -> list[Task]:
    """Every different reply of a run that has criteria for a judge, in an order that says nothing of them."""
    found: dict[tuple[str, str], Task] = {}
    for record in run.cases():
        case = record.grade_line.definition
        for trial, reply in sorted(record.replies.items()):
            if reply.fault is None and every_criterion(case, reply, left_open):
                digest = reply_sha256(reply)
                found.setdefault((case.id, digest), SingleTask(run, case.id, trial, digest, tuple(left_open)))
    return _shuffled(found.values())


def pair_tasks(base: RunReader, head: RunReader, rater: str) -> list[Task]:
    """Every pair of replies that differ. Which stands first is a hash of case and rater: raters see both orders."""
    found: list[Task] = []
    for two in Differing(base, head):
        first = Side.BASE if int(sha256([two.case.id, rater])[:8], 16) % 2 == 0 else Side.HEAD
        digests = (reply_sha256(two.base), reply_sha256(two.head))
        found.append(PairTask(base, head, two.case.id, two.base_id, two.trial, digests, first))
    return _shuffled(found)


def _shuffled(tasks: Iterable[Task]) -> list[Task]:
    return sorted(tasks, key=lambda task: sha256(list(task.key)))


def _conversation(case: GoldenCase) -> tuple[tuple[str, str], ...]:
    return tuple((message.role, message.content) for message in case.messages)


def shown_reply(reply: Reply) -> dict[str, Any]:
    """A reply as the page shows it: text, tool calls with what they gave back, passages of its search."""
    calls: list[dict[str, Any]] = []
    for call in reply.tool_calls:
        came = gave(call)
        row: dict[str, Any] = {"name": call.name, "args": call.args, "gave": came.value}
        if came is Gave.ERROR:
            row["output"] = call.error if call.error is not None else call.output
        elif came is not Gave.MISSING:
            row["output"] = call.output
        calls.append(row)
    return {"text": reply.output, "tools": calls, "fragments": [each.text for each in reply.fragments or ()]}
