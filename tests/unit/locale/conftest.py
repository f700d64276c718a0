"""What tests of locale and ambiguity share: the hand-graded reply sets and the shipped packs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from quilate.checks.locale.load import Packs, load_packs
from quilate.documents import read_document
from quilate.goldens.case import GoldenCase
from quilate.goldens.load import load_dataset

ROOT = Path(__file__).parents[3]
SETS = ("good", "middling", "poor")


@dataclass(frozen=True)
class HandGraded:
    """A reply of a set, with the grade people gave it."""

    set_name: str
    case: GoldenCase
    reply: str
    grade: str
    failure: str | None


def hand_graded() -> Iterator[HandGraded]:
    """All 72."""
    dataset = load_dataset(["goldens/locale.pt-BR.yaml", "goldens/ambiguity.pt-BR.yaml"], ROOT)
    cases = {case.id: case for case in dataset.cases}
    for name in SETS:
        for one in read_document(Path(__file__).with_name("reply_sets") / f"{name}.yaml").value["replies"]:
            yield HandGraded(name, cases[one["case_id"]], one["reply"], one["grade"], one.get("failure"))


@pytest.fixture(scope="session")
def replies() -> list[HandGraded]:
    return list(hand_graded())


@pytest.fixture(scope="session")
def packs() -> Packs:
    return load_packs()
