"""What a process said last, as one line a person can act on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.agents.tail import last_words

PYTHON = """
import json
def order(number):
    return json.loads(number)["state"]
def answer():
    try:
        order("{")
    except ValueError as error:
        raise RuntimeError("no state of the order") from error
answer()
"""
NODE = """
function order(number) { return number.state.name }
order({});
"""


def _said(argv: list[str], file: Path, source: str) -> str:
    file.write_text(source)
    return subprocess.run([*argv, str(file)], capture_output=True, text=True, check=False).stderr


def test_of_a_traceback_the_message_comes_first_and_the_innermost_place_follows(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    words = last_words(_said([sys.executable], file, PYTHON))
    assert words == f'RuntimeError: no state of the order / File "{file}", line 9, in answer'


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_of_a_stack_in_node_the_message_comes_first_and_the_innermost_place_follows(tmp_path: Path) -> None:
    file = tmp_path / "agent.mjs"
    words = last_words(_said(["node"], file, NODE))
    assert words.startswith("TypeError: Cannot read properties of undefined (reading 'name') / at order (")
    assert words.endswith("agent.mjs:2:46)")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("one\n\n  two\nthree\nfour\nfive\n", "two / three / four / five"),
        ('File "x", line 1\n  let y\n      ^\nSyntaxError: no\n', 'File "x", line 1 / let y / SyntaxError: no'),
        (
            'Exception in thread "main" java.lang.IllegalStateException: no key\n\tat Agent.main(Agent.java:3)\n',
            'Exception in thread "main" java.lang.IllegalStateException: no key / at Agent.main(Agent.java:3)',
        ),
        (
            "Error: Cannot find module './x'\nRequire stack:\n- /a.js\n    at one (a.js:1:1)\n    at b {\n c: 1\n}\n\n",
            "Error: Cannot find module './x' / Require stack: / - /a.js / at one (a.js:1:1)",
        ),
        (
            'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nKeyError: 1\nbye\n',
            'KeyError: 1 / bye / File "a.py", line 1, in <module>',
        ),
        ("    at nowhere (x:1:1)\n", "at nowhere (x:1:1)"),
    ],
)
def test_what_tells_something_is_kept(text: str, words: str) -> None:
    assert last_words(text) == words


@given(st.lists(st.sampled_from(["", " ", "^", "a", " b", "  at x", '  File "x", line 1', "}", "\t"]), max_size=12))
def test_any_lines_make_one_line(lines: list[str]) -> None:
    words = last_words("\n".join(lines))
    assert "\n" not in words
    assert all(f" {part} " in f" {' '.join(lines)} " for part in words.split(" / ") if part)
