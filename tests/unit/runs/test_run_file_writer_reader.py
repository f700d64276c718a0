import gzip
import json

import pytest
from tests.factories import a_case, a_footer, a_grade_line, a_header, a_reply_line, a_run_file

from quilate.agents.agent import Fault, FaultKind, Reply, ToolCall
from quilate.errors import InputError, QuilateError, UsageError
from quilate.goldens.case import Location
from quilate.grades import Grade
from quilate.runs.reader import RunReader
from quilate.runs.resume import usable, usable_replies
from quilate.runs.writer import RunWriter


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_line_has_its_kind_and_the_header_its_schema(tmp_path):
    case = a_case()
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(case, Grade.PASS)])
    lines = lines_of(path)
    assert [line["kind"] for line in lines] == ["header", "reply", "grade", "footer"]
    assert lines[0]["schema"] == 1
    assert "schema_version" not in lines[0]


def test_the_header_states_its_whole_policy_defaults_too(tmp_path):
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(a_case(), Grade.PASS)])
    assert lines_of(path)[0]["policy"] == {
        "max_drop": 5.0, "scope": "overall", "rule": "drop", "max_error_rate": 10.0, "min_common": 80.0,
        "edited_cases": "warn", "confirm_flips": 0, "on_missing_baseline": "pass",
    }  # fmt: skip


def test_a_grade_line_has_the_contracts_keys_and_who_graded(tmp_path):
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(a_case("c"), Grade.FAIL)])
    line = lines_of(path)[2]
    assert {"kind", "case_id", "category", "grade", "criteria"} <= line.keys()
    assert line["criteria"] == [
        {"id": "expected_tool", "grade": "fail", "reason": "it is fail", "graded_by": "code"},
    ]


def test_what_is_written_is_read_again(tmp_path):
    case = a_case(critical=True, template="t")
    calls = (ToolCall(name="lookup", args={"number": None, "n": 1.5, "deep": [{"a": None}]}),)
    reply = a_reply_line(case, output="Sí, po\u2028\x00", tool_calls=calls, duration_ms=12.5)
    grade = a_grade_line(case, Grade.PASS)
    path = a_run_file(tmp_path / "run.jsonl", [grade], replies=[reply])
    with RunReader(path) as run:
        record = run.case(case.id)
        assert record.grade_line == grade
        assert record.reply_lines == {0: reply}
        assert run.footer == a_footer(replies=1)
        assert run.complete


def test_gzip_is_read_alike(tmp_path):
    plain = a_run_file(tmp_path / "run.jsonl", [a_grade_line(a_case(f"c{n}"), Grade.PASS) for n in range(3)])
    packed = tmp_path / "run.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    with (
        RunReader(plain) as one,
        RunReader(packed) as other,
        RunReader.of_bytes(packed.read_bytes(), "artifact") as third,
    ):
        assert list(one.cases()) == list(other.cases()) == list(third.cases())


def test_the_last_grade_of_a_case_and_the_last_reply_of_a_trial_count(tmp_path):
    case = a_case()
    path = a_run_file(
        tmp_path / "run.jsonl", [a_grade_line(case, Grade.FAIL), a_grade_line(case, Grade.PASS)],
        replies=[a_reply_line(case, trial, output=output) for trial, output in enumerate(("first", "other"))]
        + [a_reply_line(case, output="last")],
    )  # fmt: skip
    with RunReader(path) as run:
        record = run.case(case.id)
        assert record.grade_line.grade is Grade.PASS
        assert {trial: reply.output for trial, reply in record.replies.items()} == {0: "last", 1: "other"}
        assert len(run.index) == 1


def test_a_file_without_a_footer_is_incomplete(tmp_path):
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(a_case(), Grade.PASS)], complete=False)
    with RunReader(path) as run:
        assert run.footer is None
        assert usable(run).code == "incomplete"


def test_a_torn_last_line_is_left_out_and_the_run_incomplete(tmp_path):
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(a_case(), Grade.PASS)])
    path.write_bytes(path.read_bytes()[:-20])
    with RunReader(path) as run:
        assert run.footer is None
        assert len(run.index) == 1


def test_a_missing_final_line_feed_is_fine(tmp_path):
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(a_case(), Grade.PASS)])
    path.write_bytes(path.read_bytes()[:-1])
    with RunReader(path) as run:
        assert run.complete


def test_resuming_cuts_off_a_torn_line_and_appends(tmp_path):
    first, second = a_case("first"), a_case("second")
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(first, Grade.PASS)], complete=False, cases=2)
    path.write_bytes(path.read_bytes() + b'{"kind":"reply","case_id":"sec')
    before = path.read_bytes()
    with RunWriter(path, a_header(cases=2, started_at="2026-02-02T00:00:00Z"), resume=True) as run:
        run.reply(a_reply_line(second))
        run.grade(a_grade_line(second, Grade.PASS))
        run.footer(a_footer())
    assert path.read_bytes().startswith(before.rpartition(b"\n")[0])
    with RunReader(path) as run:
        assert list(run.index) == ["first", "second"]
        assert usable(run) is None


def test_resuming_after_an_interruption_reopens_the_run(tmp_path):
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(a_case(), Grade.PASS)])
    with RunWriter(path, a_header(), resume=True) as run:
        run.grade(a_grade_line(a_case("late"), Grade.PASS))
    with RunReader(path) as run:
        assert not run.complete


def test_resuming_under_another_ruler_keeps_the_replies_and_drops_the_grades(tmp_path):
    case = a_case()
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(case, Grade.PASS)])
    with RunWriter(path, a_header(ruler="9" * 32), resume=True):
        pass
    with RunReader(path) as run:
        assert run.header.ruler == "9" * 32
        assert len(run.index) == 0
        assert usable_replies(run, [case]).keys() == {(case.id, 0)}
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.jsonl"]


@pytest.mark.parametrize("end", [b"", b"{", b'{"kind":"header"', b"\n"])
def test_resuming_a_file_that_holds_nothing_whole_begins_anew(tmp_path, end):
    path = tmp_path / "run.jsonl"
    path.write_bytes(end.replace(b"\n", b""))
    with RunWriter(path, a_header(), resume=True):
        pass
    with RunReader(path) as run:
        assert run.header == a_header()


def test_a_file_that_is_no_run_file_is_never_resumed(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n", encoding="utf-8")
    with pytest.raises(InputError), RunWriter(path, a_header(), resume=True):
        pass
    assert path.read_text(encoding="utf-8") == "my notes\n"


def test_a_second_writer_of_the_same_file_is_refused_and_harms_nothing(tmp_path):
    path = tmp_path / "run.jsonl"
    with RunWriter(path, a_header()) as run:
        run.reply(a_reply_line(a_case()))
        with pytest.raises(UsageError, match="another process is writing"), RunWriter(path, a_header()):
            pass
        run.footer(a_footer())
    assert [line["kind"] for line in lines_of(path)] == ["header", "reply", "footer"]


def test_only_replies_that_nothing_outside_the_agent_spoiled_are_used_again(tmp_path):
    cases = {kind: a_case(str(kind)) for kind in FaultKind}
    replies = [a_reply_line(case, fault=kind) for kind, case in cases.items()]
    edited = a_case("edited")
    replies.append(a_reply_line(edited))
    path = a_run_file(tmp_path / "run.jsonl", [], replies=replies, complete=False)
    with RunReader(path) as run:
        asked_again = a_case("edited", input="another question")
        assert usable_replies(run, [*cases.values(), asked_again]).keys() == {("agent", 0)}


def test_what_was_never_asked_and_what_failed_to_be_reached_alike_is_asked_again(tmp_path):
    cases = [a_case("unreached"), a_case("not-asked"), a_case("crashed"), a_case("answered")]
    gone = {"fault": FaultKind.AGENT, "output": ""}
    replies = [
        a_reply_line(cases[0], **gone),
        a_reply_line(cases[1], attempts=0, **gone),
        a_reply_line(cases[2]).model_copy(
            update={"reply": Reply(fault=Fault(kind=FaultKind.AGENT, message="another"))}
        ),
        a_reply_line(cases[3]),
    ]
    path = a_run_file(tmp_path / "run.jsonl", [], replies=replies)
    with RunReader(path) as run:
        assert usable_replies(run, cases).keys() == {("crashed", 0), ("answered", 0)}


def test_a_lone_surrogate_is_written_as_the_replacement_character(tmp_path):
    case = a_case()
    path = a_run_file(
        tmp_path / "run.jsonl", [a_grade_line(case, Grade.PASS)], replies=[a_reply_line(case, output="\ud800!")]
    )
    with RunReader(path) as run:
        assert run.case(case.id).replies[0].output == "\ufffd!"


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_no_reader_could_read_is_not_written(tmp_path, value):
    case = a_case()
    with RunWriter(tmp_path / "run.jsonl", a_header()) as run:
        line = a_reply_line(case).model_copy(update={"reply": Reply(metrics={"score": value})})
        with pytest.raises(QuilateError, match="reply of case 'case-1'"):
            run.reply(line)
        run.footer(a_footer())
    assert [line["kind"] for line in lines_of(tmp_path / "run.jsonl")] == ["header", "footer"]


def test_endless_nesting_is_not_written(tmp_path):
    args = []
    for _ in range(230):
        args = [args]
    call = ToolCall.model_construct(name="lookup", args=args)
    reply = a_reply_line(a_case()).model_copy(update={"reply": Reply(tool_calls=(call,))})
    with RunWriter(tmp_path / "run.jsonl", a_header()) as run, pytest.raises(QuilateError):
        run.reply(reply)


@pytest.mark.parametrize(
    ("kwargs", "lines", "code"),
    [
        ({"cases": 0}, 0, "empty"),
        ({"cases": 3}, 2, "cases_missing"),
        ({"cases": 2, "selection": "--category returns"}, 2, "selection"),
    ],
)
def test_a_run_that_does_not_cover_the_dataset_is_no_baseline(tmp_path, kwargs, lines, code):
    path = a_run_file(tmp_path / "r.jsonl", [a_grade_line(a_case(f"c{n}"), Grade.PASS) for n in range(lines)], **kwargs)
    with RunReader(path) as run:
        assert usable(run).code == code


@pytest.mark.parametrize(("erred", "fits"), [(2, True), (3, False)])
def test_errors_up_to_the_limit_leave_a_run_usable(tmp_path, erred, fits):
    grades = [Grade.ERROR if n < erred else Grade.PASS for n in range(20)]
    path = a_run_file(tmp_path / "r.jsonl", [a_grade_line(a_case(f"c{n}"), grade) for n, grade in enumerate(grades)])
    with RunReader(path) as run:
        found = usable(run)
    assert (found is None) == fits
    if found:
        assert found.text == "3 of the run's 20 cases are in error, more than 10 %"


def test_cases_read_in_the_order_of_the_golden_files_whenever_they_were_graded(tmp_path):
    places = {"last": ("b.yaml", 2), "first": ("a.yaml", 3), "second": ("a.yaml", 40), "nowhere": None}
    lines = [
        a_grade_line(a_case(case_id), Grade.PASS, location=place and Location(file=place[0], line=place[1]))
        for case_id, place in places.items()
    ]
    with RunReader(a_run_file(tmp_path / "run.jsonl", lines)) as run:
        assert list(run.index) == ["first", "second", "last", "nowhere"]
        assert [line.case_id for line in run.grade_lines()] == ["first", "second", "last", "nowhere"]
