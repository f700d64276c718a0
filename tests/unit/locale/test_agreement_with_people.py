"""The graders against the 72 hand-graded replies: what they agree on, what they leave to the judge."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tests.unit.locale.conftest import SETS, HandGraded

from quilate.agents.agent import Reply
from quilate.checks.locale_checks import build_locale_checks
from quilate.checks.rubric import AMBIGUITY, signal_id
from quilate.compare.behaviour import BehaviourMetrics, Share, behaviour
from quilate.config import Config
from quilate.goldens.case import Expects, Signal
from quilate.grades import CriterionGrade, Grade, TrialGrade, worst
from quilate.runs.record import GradeLine

CONFIG = Config.model_validate_json('{"suite": "s", "goldens": ["g.yaml"], "agent": {"replay": "r.jsonl"}}')
CHECKS = build_locale_checks(CONFIG, Path())


def graded(one: HandGraded) -> CriterionGrade:
    wanted = AMBIGUITY if one.case.expects else signal_id(one.case.signal or Signal.CURRENCY)
    criteria = asyncio.run(CHECKS.grade(one.case, Reply(output=one.reply), 0))
    return next(criterion for criterion in criteria if criterion.id == wanted)


def kind(one: HandGraded) -> str:
    if one.case.signal:
        return one.case.signal.value
    return "ambiguous" if one.case.expects is Expects.CLARIFICATION else "clear"


def test_there_are_72_replies_in_three_sets(replies: list[HandGraded]) -> None:
    assert len(replies) == 72
    assert Counter(one.set_name for one in replies) == dict.fromkeys(SETS, 24)


def test_code_never_disagrees_with_people(replies: list[HandGraded]) -> None:
    wrong = [
        (one.set_name, one.case.id, one.grade, found.grade.value)
        for one in replies
        if (found := graded(one)).grade.graded
        and (found.grade.value, found.detail.get("failure")) != (one.grade, one.failure)
    ]
    assert wrong == []


DECIDED = {
    "currency": (3, 3), "date": (3, 3), "metric_units": (6, 6), "social_norms": (3, 3),
    "idioms": (0, 9), "regionalism": (0, 3), "ambiguous": (30, 33), "clear": (12, 12),
}  # fmt: skip
"""Of each kind, how many code decides, of how many. Idioms and regional grounding are a judge's by design."""


@pytest.mark.parametrize("of_kind", DECIDED)
def test_what_code_decides_and_what_it_leaves_open(replies: list[HandGraded], of_kind: str) -> None:
    there = [one for one in replies if kind(one) == of_kind]
    decided = [one for one in there if graded(one).grade.graded]
    assert (len(decided), len(there)) == DECIDED[of_kind]


def test_the_ambiguous_replies_left_open_answer_or_refuse_before_they_ask(replies: list[HandGraded]) -> None:
    left = {one.case.id for one in replies if kind(one) == "ambiguous" and not graded(one).grade.graded}
    assert left == {
        "ambiguity-underspecified-reservation",
        "ambiguity-referential-trocar",
        "ambiguity-referential-arquivo",
    }


def line(one: HandGraded) -> GradeLine:
    """A grade line with the grade people gave."""
    wanted = AMBIGUITY if one.case.expects else signal_id(one.case.signal or Signal.CURRENCY)
    detail: dict[str, object] = {"failure": one.failure} if one.failure else {}
    criterion = CriterionGrade(id=wanted, grade=Grade(one.grade), reason="by hand", detail=detail)  # type: ignore[arg-type]
    trial = TrialGrade(trial=0, grade=worst([criterion]), criteria=(criterion,))
    return GradeLine(
        case_id=one.case.id, category=one.case.category, grade=trial.grade, criteria=trial.criteria, trials=(trial,),
        definition=one.case, input_fingerprint=one.case.input_fingerprint, ruler="0" * 32,
    )  # fmt: skip


def metrics(replies: list[HandGraded], set_name: str) -> BehaviourMetrics:
    return behaviour([line(one) for one in replies if one.set_name == set_name])


def fraction(share: Share) -> tuple[int, int]:
    return share.count, share.total


HAND_COMPUTED = {
    # clarification, wrong guess, false clarification
    "good": ((11, 11), (0, 11), (0, 4)),
    "middling": ((2, 11), (1, 11), (0, 4)),
    "poor": ((0, 11), (8, 11), (4, 4)),
}


@pytest.mark.parametrize("set_name", SETS)
def test_metrics_equal_those_counted_by_hand(replies: list[HandGraded], set_name: str) -> None:
    found = metrics(replies, set_name).ambiguity
    assert found is not None
    assert (
        fraction(found.clarification),
        fraction(found.wrong_guess),
        fraction(found.false_clarification),
    ) == HAND_COMPUTED[set_name]


def test_failures_partials_and_passes_add_up(replies: list[HandGraded]) -> None:
    found = metrics(replies, "poor").ambiguity
    assert found is not None
    assert {kind.value: len(cases) for kind, cases in found.failures.items()} == {
        "guessed": 4, "invented": 4, "refused": 2, "listed": 1,
    }  # fmt: skip
    assert sum(len(cases) for cases in found.failures.values()) + found.clarification.count == 11
