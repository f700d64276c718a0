"""What is known of a run file while it grows: the writer's own scan, and reading on from an earlier reader's."""

from typing import Any

import pytest
from tests.factories import a_case, a_footer, a_grade_line, a_header, a_reply_line

from quilate.goldens.case import Expects, Location
from quilate.grades import Grade
from quilate.runs.reader import RunReader, Scan
from quilate.runs.writer import KEPT_BYTES, RunWriter

CASES = [a_case("plain"), a_case("ñandú \u2028", critical=True), a_case("late")]


def known(scan: Scan) -> dict[str, Any]:
    """Everything a scan tells."""
    index = scan.index
    return {
        "summaries": list(index.summaries()), "footer": scan.footer, "place": scan.place,
        "replies": list(index.replied()), "grades": [index.grade_place(case_id) for case_id in index],
        "times": [index.durations_ms(case_id) for case_id in index],
        "files": [index.file(case_id) for case_id in index],
        "waiting": list(index.waiting()), "measured": list(index.measured()),
    }  # fmt: skip


def write(run: RunWriter) -> None:
    for number, case in enumerate(CASES):
        run.reply(a_reply_line(case, output="sí secreto", duration_ms=10.0 + number))
        location = Location(file="goldens/a.yaml", line=9 - number) if number else None
        run.grade(a_grade_line(case, Grade.FAIL if number else Grade.PASS, location=location))
    run.grade(a_grade_line(CASES[0], Grade.ERROR))
    run.footer(a_footer(replies=3))


@pytest.mark.parametrize("clean", [None, lambda text: text.replace("secreto", "***")])
def test_a_writer_knows_what_a_reader_finds(tmp_path, clean):
    with RunWriter(tmp_path / "run.jsonl", a_header(cases=3), clean=clean) as run:
        write(run)
        with RunReader(tmp_path / "run.jsonl") as fresh:
            assert run.scan is not None
            assert known(run.scan) == known(fresh.scan)
            with RunReader(tmp_path / "run.jsonl", scan=run.scan) as spared:
                assert list(spared.cases()) == list(fresh.cases())
                assert list(spared.replies()) == list(fresh.replies())


def test_lines_are_kept_as_written_up_to_a_limit_and_none_with_a_secret(tmp_path):
    long = a_reply_line(a_case("long"), output="x" * KEPT_BYTES)
    with RunWriter(tmp_path / "run.jsonl", a_header(), clean=lambda text: text.replace("secret", "***")) as run:
        run.reply(a_reply_line(a_case("said"), output="a secret"))
        run.reply(a_reply_line(a_case("calm"), output="nothing"))
        run.reply(long)
    assert run.scan is not None
    assert [line.case_id for line in run.scan.kept.values()] == ["calm"]
    with RunReader(tmp_path / "run.jsonl", scan=run.scan) as reader:
        assert reader.reply_lines("said")[0].reply.output == "a ***"
        assert reader.reply_lines("long")[0] == long


def test_a_line_after_the_footer_reopens_the_run_for_the_writer_too(tmp_path):
    with RunWriter(tmp_path / "run.jsonl", a_header()) as run:
        write(run)
        run.grade(a_grade_line(CASES[0], Grade.PASS))
        assert run.scan is not None
        assert run.scan.footer is None


def test_a_writer_that_carries_on_leaves_it_to_readers(tmp_path):
    path = tmp_path / "run.jsonl"
    for header in (a_header(), a_header(), a_header(ruler="9" * 32)):
        with RunWriter(path, header, resume=path.exists()) as run:
            write(run)
    assert run.scan is None


def test_a_reader_reads_on_where_an_earlier_one_ended(tmp_path):
    path = tmp_path / "run.jsonl"
    with RunWriter(path, a_header(cases=3)) as run:
        run.reply(a_reply_line(CASES[0]))
        run.grade(a_grade_line(CASES[0], Grade.PASS))
        with RunReader(path) as reader:
            earlier = reader.scan
        write(run)
    with RunReader(path, scan=earlier) as reader, RunReader(path) as fresh:
        assert known(reader.scan) == known(fresh.scan)


def test_a_torn_line_is_read_once_it_is_whole(tmp_path):
    path = tmp_path / "run.jsonl"
    with RunWriter(path, a_header(cases=3)) as run:
        write(run)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with RunReader(path) as reader:
        earlier = reader.scan
    assert earlier.footer is None
    path.write_bytes(whole)
    with RunReader(path, scan=earlier) as reader, RunReader(path) as fresh:
        assert known(reader.scan) == known(fresh.scan)


def test_only_cases_that_wait_for_a_judge_or_are_measured_are_marked(tmp_path):
    lines = {
        "plain": a_grade_line(a_case("plain"), Grade.PASS),
        "waits": a_grade_line(a_case("waits"), Grade.NOT_JUDGED),
        "necessary": a_grade_line(a_case("necessary"), Grade.NOT_JUDGED, criterion_fields={"necessary": True}),
        "grounded": a_grade_line(a_case("grounded"), Grade.FAIL, criterion="grounded"),
        "asks": a_grade_line(a_case("asks", expects=Expects.CLARIFICATION), Grade.PASS),
    }
    with RunWriter(tmp_path / "run.jsonl", a_header(cases=len(lines))) as run:
        for line in lines.values():
            run.grade(line)
    assert run.scan is not None
    assert list(run.scan.index.waiting()) == ["waits"]
    assert list(run.scan.index.measured()) == ["grounded", "asks"]
