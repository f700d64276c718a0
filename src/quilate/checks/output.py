"""`expected_output: {exact: …}`: the reply's text, but for white space."""

from __future__ import annotations

from quilate.checks.criterion import graded
from quilate.checks.values import shown
from quilate.grades import CriterionGrade
from quilate.saying import say
from quilate.text import nfc

_CONTEXT = 40


def grade_exact_output(expected: str, output: str) -> CriterionGrade:
    """Equal after every run of white space counts as one space, ends aside, in NFC; case counts."""
    wanted, given = (" ".join(nfc(text).split()) for text in (expected, output))
    same = wanted == given
    at = next((i for i, (a, b) in enumerate(zip(wanted, given, strict=False)) if a != b), min(len(wanted), len(given)))
    reason = say("the output is the expected one") if same else say(
        "from character {place} on expected {expected}, found {found}",
        place=at + 1, expected=_from(wanted, at), found=_from(given, at),
    )  # fmt: skip
    return graded(
        "expected_output", same, reason, text=say("answers exactly {text}", text=shown(wanted)), expected=shown(wanted),
        found=shown(given),
    )  # fmt: skip


def _from(text: str, at: int) -> str:
    return shown(text[at : at + _CONTEXT]) if at < len(text) else say("the end")
