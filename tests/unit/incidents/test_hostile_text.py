"""No text makes the reader fail, hang, or build a file that is not a valid golden file."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.goldens.incidents.building import Built, Source, build, checked
from quilate.goldens.incidents.reading import read_body

SOURCE = Source("incident-1", dt.date(2026, 5, 12))
PIECES = st.sampled_from(
    [
        *(
            "### What was asked",
            "### What it should have done",
            "Pregunta: ",
            "Esperado:",
            "- ",
            "> ",
            "```",
            "```json",
        ),
        *("|", "| a | b |", "| --- | --- |", "User: hi", "Bot: no", "[12/05/2026 14:30] A: b", "On Mon, 1 x wrote:"),
        *("**Expected:**", "_No response_", "<!--", "-->", "\u202e", "\r\n", "&a *a", "!!python/x", "id: ../../x"),
        *('{"role": "user"}', '[{"role": "user", "content": 1}]', "---", "# ", "\x07", "\u2028", "😀", "::error::x"),
        *("<<: *a", "/(/"),
    ]
)


@given(st.lists(PIECES | st.text(max_size=12), max_size=20).map("\n".join))
def test_every_body_is_asked_back_or_becomes_a_valid_file(body):
    built = build(read_body(body), SOURCE)
    if isinstance(built, Built):
        case, problems = checked(built.text)
        assert problems == []
        assert case == built.case
        assert case.id == "incident-1"


MANY = (
    "- ",
    "> ",
    "**a",
    "User: ",
    "On x wrote:\n>",
    "|a",
    "<!--",
    "```\n",
    "### What was asked\n",
    "[",
    '{"a":',
    "1. a\n",
)


@pytest.mark.parametrize("piece", [*MANY, "Pregunta: a\n"])
def test_a_long_body_of_one_kind_is_read(piece):
    read_body(piece * (60_000 // len(piece)))
