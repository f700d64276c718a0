"""Whatever is in a file, the reader says file and line, or reads it; it never fails otherwise."""

import contextlib
import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.factories import a_case, a_grade_line, a_run_file

from quilate.errors import InputError
from quilate.grades import Grade
from quilate.runs.reader import RunReader


@pytest.fixture
def good(tmp_path):
    return a_run_file(tmp_path / "good.jsonl", [a_grade_line(a_case(), Grade.PASS)])


def broken(tmp_path, good, number, text):
    """The good file with line `number` (from 1) replaced."""
    lines = good.read_bytes().split(b"\n")
    lines[number - 1] = text if isinstance(text, bytes) else text.encode()
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


def read(path, **limits):
    with RunReader(path, **limits) as run:
        run.index  # noqa: B018 - reads the file
        for case_id in run.index:
            run.case(case_id)
        return run.footer


def refused(path, **limits):
    with pytest.raises(InputError) as caught:
        read(path, **limits)
    return caught.value.problems[0]


@pytest.mark.parametrize(
    "text",
    [
        "not json", "[]", "3", "null", '{"kind":"song"}', '{"kind":["reply"]}', "{}", b"\xff\xfe",
        '{"kind":"reply","a":NaN}',
        '{"kind":"reply","a":Infinity}', '{"kind":"reply"', "[" * 5000, '{"kind":"reply","a":"\\ud800"}',
        '{"kind":"reply","a":' + "9" * 5000 + "}",
    ],
    ids=range(14),
)  # fmt: skip
def test_a_line_that_is_no_line_is_named(tmp_path, good, text):
    problem = refused(broken(tmp_path, good, 2, text))
    assert problem.file.endswith("bad.jsonl")
    assert problem.line == 2


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("case_id", 3), ("case_id", None), ("category", []), ("grade", "great"), ("grade", None), ("trials", []),
        ("trials", {}), ("trials", [1]), ("trials", [{"trial": True, "grade": "pass", "criteria": []}]),
        ("trials", [{"trial": 0, "grade": "pass", "criteria": ["x"]}]), ("definition", "x"), ("input_fingerprint", 7),
        ("ruler", None), ("definition", {"quarantine": 1}), ("definition", {"template": {}}),
        ("definition", {"quarantine": {"owner": "a", "reason": "b", "until": "soon"}}),
    ],
)  # fmt: skip
def test_a_grade_line_with_a_wrong_value_is_named_with_its_key(tmp_path, good, key, value):
    line = json.loads(good.read_bytes().split(b"\n")[2])
    problem = refused(broken(tmp_path, good, 3, json.dumps(line | {key: value})))
    assert problem.line == 3
    assert problem.key.startswith(key)


@pytest.mark.parametrize(
    ("key", "value"), [("trial", -1), ("trial", "0"), ("trial", True), ("reply", None), ("reply", {"duration_ms": "1"})]
)
def test_a_reply_line_with_a_wrong_value_is_named_with_its_key(tmp_path, good, key, value):
    line = json.loads(good.read_bytes().split(b"\n")[1])
    problem = refused(broken(tmp_path, good, 2, json.dumps(line | {key: value})))
    assert problem.line == 2
    assert problem.key.startswith(key)


def test_a_value_that_only_the_whole_line_shows_is_found_when_the_case_is_read(tmp_path, good):
    line = json.loads(good.read_bytes().split(b"\n")[2])
    line["definition"]["expected_tool"] = 5
    assert refused(broken(tmp_path, good, 3, json.dumps(line))).key == "definition.expected_tool"


@pytest.mark.parametrize("schema", [None, 2, "1", True])
def test_an_unknown_schema_version_is_refused_with_what_to_do(tmp_path, good, schema):
    line = json.loads(good.read_bytes().split(b"\n")[0])
    problem = refused(broken(tmp_path, good, 1, json.dumps(line | {"schema": schema})))
    assert (problem.line, problem.key) == (1, "schema")


def test_a_file_that_begins_with_something_else_is_refused(tmp_path, good):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(good.read_bytes().split(b"\n", 1)[1])
    assert refused(path).mend == "begin a run file with its header line"


def test_two_headers_are_refused(tmp_path, good):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(good.read_bytes() * 2)
    assert "second header" in refused(path).found


def test_an_empty_file_a_folder_and_no_file_are_refused(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    for name in ("empty", "missing", "."):
        assert refused(tmp_path / name).line in (1, None)


def test_a_line_beyond_the_cap_is_refused(tmp_path, good):
    path = broken(tmp_path, good, 2, b'{"kind":"reply","x":"' + b"y" * 50_000 + b'"}')
    assert "more than 20000 bytes" in refused(path, max_line_bytes=20_000).found


def test_a_compressed_bomb_is_refused(tmp_path, good):
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(good.read_bytes() + b"\n" * 5_000_000))
    with pytest.raises(InputError, match="unpacks to more"):
        RunReader(path, max_bytes=1_000_000)


@pytest.mark.parametrize("cut", [1, 12, 60])
def test_a_cut_or_damaged_gzip_is_refused(tmp_path, good, cut):
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(good.read_bytes())[:-cut])
    assert "gzip" in refused(path).found


def test_a_hostile_name_is_only_a_name(good):
    with RunReader.of_bytes(good.read_bytes(), "../../etc/passwd") as run:
        assert run.complete


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_damage_is_an_input_error_or_is_read(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("fuzz")
    raw = bytearray(a_run_file(folder / "good.jsonl", [a_grade_line(a_case(), Grade.PASS)]).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = folder / "bad.jsonl"
    path.write_bytes(raw)
    with contextlib.suppress(InputError):
        read(path)
