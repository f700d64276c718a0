"""`quilate case add` on a terminal: what is missing is asked for, and what is pasted is taken whole."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from quilate.goldens.load import load_dataset

END_OF_INPUT = "\x04"


@pytest.fixture
def typed(repository):
    """Types `keys` on a terminal; gives the exit code, what was said, and the new case (None where there is none)."""

    def run(keys: str, *arguments: str):
        master, slave = pty.openpty()
        try:
            os.write(master, keys.encode())
            done = subprocess.run(
                [sys.executable, "-m", "quilate", "case", "add", "--id", "new", *arguments],
                stdin=slave, capture_output=True, cwd=repository, timeout=120, check=False,
            )  # fmt: skip
        finally:
            os.close(slave)
            os.close(master)
        path = Path("goldens/incidents/new.yaml")
        case = load_dataset([str(path)], Path()).cases[0] if path.exists() else None
        return done.returncode, done.stderr.decode(), case

    return run


def test_what_is_missing_is_asked_for(typed):
    code, said, case = typed("says hello back\n\n\n\n", "--asked", "hello there")
    assert code == 0, said
    assert case.expected_behavior == ("says hello back",)
    assert "What it should have done" in said
    assert "What was asked" not in said


def test_a_pasted_mail_is_taken_with_its_empty_lines(typed):
    mail = "Hola,\n\nmi pedido 47821 no llega.\n\nGracias\n.\n"
    code, said, case = typed(mail + "consulta el pedido\nno inventa\n\n\n\n")
    assert code == 0, said
    assert case.question == "Hola,\n\nmi pedido 47821 no llega.\n\nGracias"
    assert case.expected_behavior == ("consulta el pedido", "no inventa")


def test_the_end_of_input_ends_an_answer(typed):
    code, said, case = typed(f"hola\n{END_OF_INPUT}saluda\n{END_OF_INPUT}\n\n")
    assert code == 0, said
    assert (case.question, case.expected_behavior) == ("hola", ("saluda",))


def test_category_and_names_are_asked_for_last_and_may_be_left(typed):
    code, said, case = typed("saluda\n\nORDERS\nRobin Muestra\n", "--asked", "soy Robin Muestra")
    assert code == 0, said
    assert "(there are: orders)" in said
    assert case.category == "orders"
    assert "Robin" not in case.question


def test_what_was_read_is_shown_before_anything_is_asked(typed):
    Path("chat.txt").write_text("User: are you open?\nBot: never\nUser: really?\nBot: go away\n")
    code, said, case = typed("gives the hours\n\n\n\n", "chat.txt")
    assert code == 0, said
    assert said.index("the bad answer: go away") < said.index("What it should have done")
    assert "user: really?" in said
    assert len(case.messages) == 3


def test_no_answer_ends_it_and_nothing_is_written(typed):
    code, said, case = typed(f"{END_OF_INPUT}")
    assert (code, case) == (2, None)
    assert "--asked (What was asked)" in said


def test_what_cannot_be_used_is_asked_again_with_why(typed):
    code, said, case = typed("critical\n\n\n\n", "--asked", "hi?", "--expected", "greets", "--severity", "urgent")
    assert code == 0, said
    assert "Severity: write `normal` or `critical`" in said
    assert case.critical


def test_of_a_long_history_the_end_is_shown_and_its_length_is_told(typed):
    turns = "".join(f"User: question {number}\nBot: answer {number}\n" for number in range(40))
    Path("chat.txt").write_text(turns)
    code, said, case = typed("is kind\n\n\n\n", "chat.txt")
    assert code == 0, said
    assert "… 73 turns before" in said
    assert "question 39" in said
    assert "question 35" not in said
    assert "the input is a long history" in said
    assert len(case.messages) == 79
