from __future__ import annotations

import pytest

from quilate.agents.setup import setup_fingerprint


@pytest.fixture
def folder(tmp_path):
    for name, text in {
        "requirements.txt": "-r more/base.txt\n./local[extra]\n",
        "more/base.txt": "httpx\n",
        "local/pyproject.toml": "[project]\n",
        "local/src/shop.py": "a = 1\n",
        "local/.git/HEAD": "ref\n",
        "agent.py": "print()\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


SETUP = ["pip", "install", "-r", "requirements.txt"]


@pytest.mark.parametrize("changed", ["requirements.txt", "more/base.txt", "local/pyproject.toml", "local/src/shop.py"])
def test_what_the_command_reads_changes_it(folder, changed):
    before = setup_fingerprint(SETUP, folder)
    (folder / changed).write_text("changed")
    assert setup_fingerprint(SETUP, folder) != before


@pytest.mark.parametrize("changed", ["agent.py", "local/.git/HEAD", "local/src/__pycache__/shop.pyc"])
def test_what_it_does_not_read_leaves_it(folder, changed):
    before = setup_fingerprint(SETUP, folder)
    (folder / changed).parent.mkdir(exist_ok=True)
    (folder / changed).write_text("changed")
    assert setup_fingerprint(SETUP, folder) == before


@pytest.mark.parametrize(
    "argument", ["-rrequirements.txt", "--requirement=requirements.txt", "./local", "./local[extra]"]
)
def test_a_file_is_found_however_it_is_named(folder, argument):
    before = setup_fingerprint(["pip", "install", argument], folder)
    (folder / "local/src/shop.py").write_text("changed")
    assert setup_fingerprint(["pip", "install", argument], folder) != before


def test_the_command_itself_changes_it(folder):
    assert setup_fingerprint(SETUP, folder) != setup_fingerprint([*SETUP, "--no-deps"], folder)


def test_lock_files_count_for_tools_that_name_none(folder):
    before = setup_fingerprint(["uv", "sync"], folder)
    (folder / "uv.lock").write_text("version = 1")
    assert setup_fingerprint(["uv", "sync"], folder) != before


def test_requirements_that_include_each_other_end(folder):
    (folder / "more/base.txt").write_text("-r ../requirements.txt\n")
    assert setup_fingerprint(SETUP, folder)
