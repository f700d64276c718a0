"""What the runner reads of our output, and what it must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.errors import UsageError
from quilate.github.commands import Annotation, Console, write_outputs

HOSTILE = st.text(st.sampled_from("ab:,%\r\n#[]=<>éß\u2028\x00 ")) | st.sampled_from(
    ["::error::x", "##[error]x", "a\n::stop-commands::t"]
)


def console():
    said = []
    numbers = iter(range(100))
    return Console(said.append, token=lambda: f"token-{next(numbers)}"), said


@given(HOSTILE, HOSTILE, HOSTILE)
def test_an_annotation_is_one_line_whatever_it_says(message, title, file):
    command = Annotation("error", message, title, file, 3).command()
    assert "\n" not in command
    assert "\r" not in command
    assert command.startswith("::error ")


@given(HOSTILE, HOSTILE)
def test_an_annotations_parts_stay_apart(message, title):
    properties, _, said = (
        Annotation("error", message, title, "f.yaml", 3).command().removeprefix("::error ").partition("::")
    )
    assert properties.count("=") - title.count("=") == (3 if title else 2)
    assert said.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%") == message


def test_what_is_said_lies_between_a_stop_and_its_own_token():
    out, said = console()
    out.begin([])
    out.say("::error::agent")
    out.end()
    assert said == ["::stop-commands::token-0\n", "::error::agent\n", "::token-0::\n"]


def test_masks_come_before_anything_else_and_a_secret_of_several_lines_is_masked_by_line():
    out, said = console()
    out.begin(["ab", "first line\nsecond%line\n"])
    assert said == ["::add-mask::first line\n", "::add-mask::second%25line\n", "::stop-commands::token-0\n"]


def test_a_later_secret_is_masked_once_and_commands_stay_stopped_with_a_new_token():
    out, said = console()
    out.begin(["secret-1"])
    out.mask(["secret-1", "secret-2"])
    assert said[1:] == [
        "::stop-commands::token-0\n",
        "::token-0::\n",
        "::add-mask::secret-2\n",
        "::stop-commands::token-1\n",
    ]


def test_annotations_resume_commands_only_for_themselves():
    out, said = console()
    out.begin([])
    out.annotate([Annotation("error", "boo")])
    assert said[1:] == ["::token-0::\n", "::error::boo\n", "::stop-commands::token-1\n"]


def test_outside_a_runner_there_are_no_commands():
    said = []
    out = Console(said.append, commands=False)
    out.begin(["secret-1"])
    out.say("hello")
    out.annotate([Annotation("warning", "boo", file="a.yaml", line=2)])
    out.end()
    assert said == ["hello\n", "warning: a.yaml:2: boo\n"]


def test_outputs_are_appended_a_line_each(tmp_path):
    path = tmp_path / "output"
    path.write_text("before=1\n", encoding="utf-8")
    write_outputs(path, {"verdict": "pass", "rates": '{"a": "1"}'})
    assert path.read_text("utf-8") == 'before=1\nverdict=pass\nrates={"a": "1"}\n'


@pytest.mark.parametrize("value", ["a\nverdict=pass", "a\rb", "a\u2028b", "a\x85b", "a\x00b"])
def test_an_output_of_several_lines_is_refused_and_nothing_is_written(tmp_path, value):
    path = tmp_path / "output"
    with pytest.raises(UsageError, match="more than one line"):
        write_outputs(path, {"ok": "x", "run_file": value})
    assert not path.exists()
