"""YAML, JSON and JSON Lines as the same plain data, with lines, and nothing that can hurt."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.documents import MAX_BYTES, parse_document, read_document
from quilate.documents.build import MAX_DEPTH
from quilate.errors import InputError

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=25,
)


def read(text, kind="yaml"):
    return parse_document(text, file=f"file.{kind}", kind=kind)


def problems(text, kind="yaml"):
    with pytest.raises(InputError) as caught:
        read(text, kind)
    return caught.value.problems


@pytest.mark.parametrize(
    "plain",
    [
        "no", "yes", "on", "off", "y", "True", "NULL", "Null", "2026-06-22", "2026-06-22T10:00:00Z", "047",
        "01234567890", "14:30", "190:20:30", "1_000", "0x1F", "0o17", "0b1", ".nan", ".inf", "-.inf", "+1", ".5", "1.",
        "1e", "1.2.3", "<<", "=", "12 345",
    ],
)  # fmt: skip
def test_a_plain_scalar_that_json_has_not_is_text(plain):
    assert read(f"a: {plain}\n").value == {"a": plain}


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("null", None), ("~", None), ("", None), ("true", True), ("false", False), ("0", 0), ("-7", -7), ("1.10", 1.1),
        ("1e3", 1000.0), ("-2.5E-1", -0.25), ("12345678901234567890", 12345678901234567890),
    ],
)  # fmt: skip
def test_a_plain_scalar_that_json_has_is_that_value_of_that_type(plain, value):
    found = read(f"a: {plain}\n").value["a"]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("quoted", ['"1"', "'true'", '"null"', "|-\n  1", ">-\n  1"])
def test_quoted_and_block_scalars_are_text(quoted):
    assert isinstance(read(f"a: {quoted}\n").value["a"], str)


@given(JSON_VALUES)
def test_json_is_read_as_the_standard_library_reads_it(value):
    text = json.dumps(value)
    assert read(text, "json").value == json.loads(text)


@given(JSON_VALUES)
def test_json_indented_and_with_raw_characters_is_the_same(value):
    text = json.dumps(value, indent=1, ensure_ascii=False)
    assert read(text, "json").value == json.loads(text)


@given(st.lists(JSON_VALUES, min_size=1, max_size=5))
def test_json_lines_are_a_list_of_values_each_on_its_line(values):
    text = "\n".join(json.dumps(value) for value in values) + "\n"
    document = read(text, "jsonl")
    assert document.value == values
    assert [document.line_of((index,)) for index in range(len(values))] == list(range(1, len(values) + 1))


def read_or_refused(content, kind):
    """The value, or None where it was refused: in both cases without any other exception."""
    try:
        return parse_document(content, file="x", kind=kind).value
    except InputError:
        return None


KINDS = st.sampled_from(["yaml", "json", "jsonl"])
SOUP = st.text("[]{}:,\"'\\ \n-&*!|>#%@`?~0e.a", max_size=60)


@given(st.text(max_size=200) | st.binary(max_size=200) | SOUP, KINDS)
def test_anything_is_plain_data_or_refused(content, kind):
    json.dumps(read_or_refused(content, kind), allow_nan=False).encode()


@pytest.mark.parametrize("kind", ["yaml", "json"])
def test_every_key_and_item_knows_its_line(kind):
    text = '{\n "a": 1,\n "b": [\n  {"c":\n   2},\n  3\n ]\n}\n'
    document = read(text, kind)
    lines = [document.line_of(path) for path in [("a",), ("b",), ("b", 0), ("b", 0, "c"), ("b", 1), ("z",), ("b", 9)]]
    assert lines == [2, 3, 4, 4, 6, 1, 3]


def test_block_yaml_knows_its_lines():
    document = read("# top\na:\n  - x: 1\n    y: |\n      text\n  - z\n")
    assert [document.line_of(path) for path in [("a",), ("a", 0, "x"), ("a", 0, "y"), ("a", 1)]] == [2, 3, 4, 6]


def test_lines_are_counted_as_editors_count_them():
    document = read('a: "x\u2028y\x85z"\nb: 1\n')
    assert document.line_of(("b",)) == 2


def test_windows_and_old_mac_line_ends_count_once():
    assert read("a: 1\r\nb: 2\r\n").line_of(("b",)) == 2
    assert read('{"a": 1,\r\n"b": 2}', "json").line_of(("b",)) == 2


@pytest.mark.parametrize(
    ("text", "kind", "places"),
    [
        ("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n", "yaml", [(4, "b.c", "line 3"), (5, "a", "line 1")]),
        ('{"a": 1,\n"b": [{"c": 1,\n"c": 2}],\n"a": 3}', "json", [(3, "b[0].c", "line 2"), (4, "a", "line 1")]),
        ('{"x": 1}\n{"a": 1, "\\u0061": 2}', "jsonl", [(2, "[1].a", "line 2")]),
    ],
)
def test_a_key_a_second_time_is_refused_at_every_depth_with_both_lines(text, kind, places):
    found = problems(text, kind)
    assert [(each.line, each.key) for each in found] == [(line, key) for line, key, _ in places]
    assert all(first in each.found for each, (_, _, first) in zip(found, places, strict=True))


def test_what_yaml_adds_to_json_is_refused_all_in_one_go():
    text = "a: !!python/object:os.system ls\nb: &x 1\nc: *x\n<<: {d: 1}\n5: x\n[k]: x\n? {k: v}\n: x\ne: !mine x\n"
    assert [problem.line for problem in problems(text)] == [1, 2, 3, 4, 5, 6, 7, 9]


def test_a_quoted_merge_key_is_text():
    assert read("'<<': 1\n").value == {"<<": 1}


def test_a_bomb_of_aliases_is_refused_before_it_grows():
    rows = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"] + [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    assert len(problems("\n".join(rows))) > 11


@pytest.mark.parametrize("kind", ["yaml", "json", "jsonl"])
@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 200_000, "[" * 200 + "]" * 200], ids=["lists", "objects", "closed"]
)
def test_nesting_without_end_is_refused(kind, text):
    (problem,) = problems(text, kind)
    assert f"nested more than {MAX_DEPTH} deep" in problem.found
    assert len(str(problem)) < 400


def test_deep_block_yaml_is_refused():
    text = "\n".join("  " * depth + "a:" for depth in range(300))
    assert f"nested more than {MAX_DEPTH} deep" in problems(text)[0].found


def test_nesting_up_to_the_limit_is_read():
    value = read("[" * MAX_DEPTH + "]" * MAX_DEPTH, "json").value
    for _ in range(MAX_DEPTH - 1):
        (value,) = value
    assert value == []


def test_one_line_of_json_may_hold_many_values_and_none_too_deep():
    flat = json.dumps([{"id": f"[{number}", "list": ['{"']} for number in range(2 * MAX_DEPTH)])
    document = read(flat, "json")
    assert document.value == json.loads(flat)
    assert document.line_of((3, "list", 0)) == 1
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    (problem,) = problems(f"[{flat}, {deep}]", "json")
    assert f"nested more than {MAX_DEPTH} deep" in problem.found


@pytest.mark.parametrize("kind", ["yaml", "json"])
@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 5000], ids=["inf", "-inf", "digits"])
def test_a_number_that_is_too_large_is_refused(kind, number):
    (problem,) = problems(f"[1, \n{number}]", kind)
    assert (problem.line, problem.key) == (2, "[1]")
    assert "too large" in problem.found


@pytest.mark.parametrize(
    "word", ["NaN", "Infinity", "-Infinity", "nul", "True", "01", "+1", ".5", "'a'", "a", "1x", "0x1"]
)
def test_json_is_strict(word):
    (problem,) = problems(f"[{word}]", "json")
    assert problem.line == 1


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("[1,\n2,\n]", 3, "a comma before the end"),
        ('{"a": 1\n"b": 2}', 2, 'where a comma or "}" should be'),
        ("{a: 1}", 1, "a key in double quotes"),
        ('{"a" 1}', 1, '":"'),
        ('{"a":\n', 2, "the end where a value should be"),
        ('["\n"]', 1, "U+000A inside a text"),
        ('["abc', 1, "without its closing quote"),
        ('["\\x"]', 1, "an escape that JSON has not"),
        ('{"a": 1}\n{"b": 2}', 2, "after the end of the value"),
        ("\n// note\n[]", 2, "a comment, which JSON has not"),
        ('{"a": 1,\n# note\n"b": 2}', 2, "a comment, which JSON has not"),
    ],
)
def test_broken_json_says_what_is_there_and_on_which_line(text, line, says):
    (problem,) = problems(text, "json")
    assert problem.line == line
    assert says in problem.found


def test_two_json_values_point_to_json_lines():
    assert ".jsonl" in problems('{"a": 1}\n{"b": 2}', "json")[0].mend


def test_json_lines_count_blank_lines_and_keep_line_separators_in_texts():
    document = read('\n{"a": "x\u2028y"}\r\n\n  \n[2]\n', "jsonl")
    assert document.value == [{"a": "x\u2028y"}, [2]]
    assert [document.line_of((0, "a")), document.line_of((1,))] == [2, 5]


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_half_a_surrogate_pair_is_refused_in_keys_and_values(kind):
    assert problems('{"a": "\\ud83d", "\\udc00": 1}', kind)[0].key.endswith("a")
    assert read('["\\ud83d\\ude00"]', kind).value in (["😀"], [["😀"]])


def test_half_a_surrogate_pair_is_refused_in_yaml():
    assert problems('a: "\\ud83d"\n')


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b"", None, "an empty file"),
        (b"  \n\n", None, "an empty file"),
        (b"a: 1\nb: \0\n", 2, "a NUL byte"),
        ('{"a": 1}'.encode("utf-16"), 1, "UTF-16"),
        ('{"a": 1}'.encode("utf-16-le"), 1, "a NUL byte"),
        ("a: 1\nb: mañana\n".encode("latin-1"), 2, "byte 0xF1"),
        (b"a: 1\nb: \x07\n", 2, "U+0007"),
        (b"a: 1\n---\nb: 2\n", 2, "a second YAML document"),
        (b"a: [1\nb: 2\n", 2, "YAML that cannot be read"),
        (b"a:\n\tb: 1\n", 2, "a tab before the text of a line"),
        (b"a:\n  b: x\n\t  c: y\n", 3, "a tab before the text of a line"),
    ],
)
def test_a_file_that_is_no_text_or_no_yaml_is_refused_with_its_line(content, line, says):
    with pytest.raises(InputError) as caught:
        parse_document(content, file="f.yaml", kind="yaml")
    (problem,) = caught.value.problems
    assert problem.line == line
    assert says in problem.found


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert parse_document(b"\xef\xbb\xbfa: 1\n", file="f", kind="yaml").value == {"a": 1}
    assert parse_document(b'\xef\xbb\xbf{"a": 1}', file="f", kind="json").value == {"a": 1}


def test_control_characters_written_as_escapes_are_text():
    assert read('a: "\\u0007\\0\\x1b"\n').value == {"a": "\x07\0\x1b"}
    assert read('["\\u0007\\u0000"]', "json").value == ["\x07\0"]


def test_a_missing_file_a_folder_and_an_unknown_ending_are_refused(tmp_path):
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    for name, says in [
        ("absent.yaml", "no file there"),
        ("folder.yaml", "a directory"),
        ("notes.txt", "says no format"),
    ]:
        with pytest.raises(InputError) as caught:
            read_document(tmp_path / name)
        assert says in caught.value.problems[0].found


def test_a_file_over_the_limit_is_refused(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError, match="more than 64 MiB"):
        read_document(path)


def test_a_hostile_file_name_is_shown_without_its_controls(tmp_path):
    with pytest.raises(InputError) as caught:
        read_document(tmp_path / "a\n::error::x\u202e.yaml")
    assert "aU+000A::error::xU+202E.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_floats_keep_their_value():
    assert math.isclose(read("[0.1, 1.5e-7]", "json").value[1], 1.5e-7, rel_tol=0)
