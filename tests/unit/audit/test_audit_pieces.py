"""The audit's decisions: what a line is, where it is counted, what is grouped, what is suggested."""

from __future__ import annotations

import datetime as dt
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quilate.audit.candidates import candidates, write_candidates
from quilate.audit.conversations import Conversation, Unreadable, read_conversations
from quilate.audit.entry import Entry, Outcome, window
from quilate.audit.gaps import grouped
from quilate.audit.journal import Journal, standing
from quilate.audit.masking import masked
from quilate.audit.report import MAX_BYTES, About, markdown, write_json
from quilate.audit.summary import summarise
from quilate.errors import UsageError
from quilate.goldens.load import load_dataset

NOW = dt.datetime(2026, 6, 22, tzinfo=dt.UTC)
ABOUT = About("log.jsonl", "2026-06-08", "2026-06-22", 14, NOW.isoformat(), {"model": "gpt-6-luna"}, {}, True)


def a_line(**fields: Any) -> dict[str, Any]:
    return {"id": "c-1", "question": "¿Horario?", "reply": "De 9 a 18.", "when": "2026-06-20T10:00:00Z", **fields}


def read(folder: Path, *lines: Any) -> list[Conversation | Unreadable]:
    path = folder / "log.jsonl"
    path.write_bytes(
        b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    )
    return list(read_conversations(path))


def an_entry(line: int = 1, outcome: Outcome = Outcome.INVENTED, **fields: Any) -> Entry:
    return Entry(line=line, digest="d", id=f"c-{line}", outcome=outcome, **fields)


def an_invention(line: int = 1, question: str = "¿Horario?", quote: str = "De 9 a 18.") -> Entry:
    return an_entry(
        line, question=question, reply=f"Sí. {quote}", claims=({"quote": quote, "why": "no"},), fragments=("x",)
    )


def test_a_conversation_has_its_fragments_and_an_earlier_verdict(tmp_path: Path) -> None:
    found = read(tmp_path, a_line(fragments=["De 10 a 19."], verdict="inventó"))[0]
    assert isinstance(found, Conversation)
    assert found.fragments is not None
    assert (found.fragments[0].text, found.earlier) == ("De 10 a 19.", "invented")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON"),
        ([], "not an object"),
        (a_line(question=" "), "no text in question"),
        (a_line(reply=None), "no text in reply"),
        (a_line(when="yesterday"), "no ISO time in when"),
        (a_line(when=1718874000), "no ISO time in when"),
        (a_line(fragments="x"), "fragments is the text"),
        (b"\xff\xfe", "not JSON"),
    ],
)
def test_a_line_that_is_no_conversation_is_told_and_stops_nothing(tmp_path: Path, line: Any, reason: str) -> None:
    found = read(tmp_path, a_line(), line, a_line(id=3))
    assert [each.line for each in found] == [1, 2, 3]
    assert isinstance(found[1], Unreadable)
    assert found[1].reason.startswith(reason)


def test_a_monstrous_line_is_passed_over(tmp_path: Path) -> None:
    found = read(tmp_path, b'{"x": "' + b"a" * 5_000_000 + b'"}', a_line())
    assert [type(each) for each in found] == [Unreadable, Conversation]


@pytest.mark.parametrize(
    ("when", "outcome"),
    [
        ("2026-06-08T00:00:00Z", None),
        ("2026-06-07T23:59:59Z", Outcome.OLD),
        ("2026-06-22T00:00:00+00:00", None),
        ("2026-06-22T00:00:01Z", Outcome.FUTURE),
        ("2026-06-21T23:00:00-04:00", Outcome.FUTURE),
        ("2026-06-21", None),
    ],
)
def test_the_window_includes_both_its_ends(tmp_path: Path, when: str, outcome: Outcome | None) -> None:
    found = read(tmp_path, a_line(when=when))[0]
    assert isinstance(found, Conversation)
    assert window(found, until=NOW, days=14) is outcome


def test_like_questions_are_one_gap_the_most_asked_first() -> None:
    asked = ["¿Venden repuestos?", "¿Despachan a Aysén?", "¿despachan a aysén?", "Despachan a Aysen"]
    found = grouped((f"c-{n}", question) for n, question in enumerate(asked))
    assert [(gap.question, gap.count) for gap in found.groups] == [
        ("¿Despachan a Aysén?", 3),
        ("¿Venden repuestos?", 1),
    ]
    assert found.questions == 4


def test_questions_beyond_the_last_group_are_still_counted() -> None:
    found = grouped((str(n), f"{n:08d}" * 4) for n in range(2_300))
    assert found.questions == 2_300


def test_the_counts_add_up_to_the_lines() -> None:
    outcomes = [*Outcome, Outcome.EMPTY, Outcome.INVENTED]
    found = summarise(an_entry(n, outcome, question="q") for n, outcome in enumerate(outcomes))
    assert found.lines == len(outcomes) == sum(found.counts.values())
    parts = (
        found.counts[Outcome.NOT_INVENTED],
        found.counts[Outcome.INVENTED],
        found.no_evidence,
        found.counts[Outcome.ERROR],
    )
    assert sum(parts) == found.in_window


def test_earlier_inventions_are_set_against_evidence() -> None:
    outcomes = [Outcome.INVENTED, Outcome.NOT_INVENTED, Outcome.EMPTY, Outcome.EMPTY, Outcome.BROKEN, Outcome.OLD]
    found = summarise(an_entry(n, outcome, earlier="invented") for n, outcome in enumerate(outcomes)).earlier
    assert (found.invented, found.with_evidence, found.confirmed, found.without_evidence, found.unjudged) == (
        6,
        2,
        1,
        3,
        1,
    )
    summary = summarise(an_entry(n, outcome, earlier="invented") for n, outcome in enumerate(outcomes))
    assert "**2 of 6 had any evidence behind them**" in markdown(summary, [], ABOUT)


def test_a_later_attempt_counts_instead_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path, {}, resume=False) as journal:
        for entry in (
            an_entry(1, Outcome.ERROR),
            an_entry(2, Outcome.EMPTY),
            an_entry(1, Outcome.INVENTED, again=True),
        ):
            journal.add(entry)
    assert sorted((entry.line, entry.outcome) for entry in standing(path)) == [
        (1, Outcome.INVENTED),
        (2, Outcome.EMPTY),
    ]


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path, {}, resume=False) as journal:
        journal.add(an_entry(1))
    path.write_bytes(path.read_bytes() + b'{"line": 2, "dig')
    with Journal(path, {}, resume=True) as journal:
        journal.add(an_entry(2))
    assert [entry.line for entry in standing(path)] == [1, 2]


def test_a_journal_of_another_audit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path, {"days": 14}, resume=False):
        pass
    with pytest.raises(UsageError, match="other settings"), Journal(path, {"days": 7}, resume=True):
        pass


def test_the_report_stays_below_what_an_issue_holds_and_says_so() -> None:
    many = [an_invention(n, question="¿x?" * 90, quote="y" * 290) for n in range(500)]
    gaps = [an_entry(1000 + n, Outcome.EMPTY, question=f"{n}" * 60) for n in range(300)]
    text = markdown(summarise([*many, *gaps]), many, ABOUT)
    assert len(text.encode()) < MAX_BYTES
    assert " of 500)" in text
    assert "groups" in text


def test_the_json_holds_every_invention() -> None:
    many = [an_invention(n) for n in range(300)]
    file = io.StringIO()
    write_json(summarise(many), many, ABOUT, file)
    assert len(json.loads(file.getvalue())["inventions"]) == 300


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=40))
def test_no_text_of_the_log_becomes_markdown(question: str, quote: str, fragment: str) -> None:
    from markdown_it import MarkdownIt

    hostile = "@everyone #1 <img src=x> [a](http://x) |"
    entry = an_entry(
        question=question + hostile, reply=quote + hostile, claims=({"quote": quote + hostile, "why": fragment},),
        fragments=(fragment + "\n```\n" + hostile,),
    )  # fmt: skip
    gap = an_entry(2, Outcome.EMPTY, question=hostile + question)
    text = markdown(summarise([entry, gap]), [entry], ABOUT)
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(text):
        for inline in token.children or []:
            if inline.type in ("text", "html_inline", "link_open", "image"):
                assert "everyone" not in inline.content
                assert inline.type not in ("link_open", "image")


@settings(max_examples=60, deadline=None)
@given(st.text(min_size=1, max_size=60).filter(str.strip), st.text(max_size=40))
def test_candidates_are_golden_cases_whatever_was_asked(tmp_path_factory: Any, question: str, quote: str) -> None:
    folder = tmp_path_factory.mktemp("candidates")
    entry = an_invention(question=question, quote=quote)
    gaps = summarise([an_entry(n, Outcome.EMPTY, question=question) for n in range(2)]).gaps
    with (folder / "candidates.yaml").open("w", encoding="utf-8") as file:
        assert write_candidates(candidates([entry], gaps), file) == 2
    cases = load_dataset(["candidates.yaml"], folder).cases
    assert [case.question for case in cases] == [question, question]
    assert cases[0].grounded


def test_no_candidates_is_still_a_file_that_says_so(tmp_path: Path) -> None:
    file = io.StringIO()
    assert write_candidates([], file) == 0
    assert "cases: []" in file.getvalue()


def test_what_has_the_shape_of_personal_data_is_masked() -> None:
    assert (
        masked("Mi RUT es 11.111.111-1 y mi correo ana@example.com.") == "Mi RUT es [RUT] y mi correo [e-mail address]."
    )
