"""Where output cannot go: no traceback, no verdict's exit code for what is no verdict, and nothing half-written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.suite_factories import a_case, a_reply

QUILATE = str(Path(sys.executable).with_name("quilate"))
CASES = [a_case(1), a_case(2)]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells and devices of POSIX")


@pytest.fixture
def shell(suite):
    """Runs a line of shell in a folder with a suite that works; `q` is quilate."""
    suite.config()
    suite.goldens(CASES)
    suite.replies([a_reply(case) for case in CASES])

    def run(line, **environ):
        script = f'q() {{ "{QUILATE}" "$@"; }}\n{line}'
        return subprocess.run(
            ["bash", "-c", script], cwd=suite.folder, env=os.environ | environ, capture_output=True, timeout=120,
            check=False,
        )  # fmt: skip

    return run


def told(ran):
    text = (ran.stdout + ran.stderr).decode("utf-8", "replace")
    assert "Traceback" not in text
    return text


def test_a_reader_that_has_left_ends_it_in_silence(shell, suite):
    shell("")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        ran = subprocess.run(
            [QUILATE, "run"], cwd=suite.folder, stdout=pipe, stderr=subprocess.PIPE, timeout=120, check=False
        )
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_change_no_result(closed, shell, suite):
    ran = shell(f"q run {closed}; exit $?")
    assert (ran.returncode, "defect" in told(ran)) == (0, False)
    assert (suite.folder / ".quilate" / "comment.md").is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_standard_output_is_said(shell):
    ran = shell("q run > /dev/full")
    assert (ran.returncode, told(ran).startswith("error: standard output: No space left")) == (2, True)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_encoding_that_lacks_a_character_is_no_defect(encoding, shell):
    ran = shell("q demo", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (ran.returncode, "The verdict: fail" in told(ran)) == (0, True)


def test_what_an_encoding_lacks_is_escaped(shell):
    assert "\\u274c" in told(shell("q demo", PYTHONIOENCODING="latin-1", PYTHONUTF8="0"))


@pytest.mark.parametrize("name", ["comment.md", "report.html", "junit.xml"])
def test_a_report_that_cannot_be_put_in_its_place_is_named(name, shell, suite):
    (suite.folder / ".quilate" / name).mkdir(parents=True)
    ran = shell("q run")
    assert (ran.returncode, told(ran).startswith(f"error: .quilate/{name}: Is a directory; ")) == (2, True)
    assert not list((suite.folder / ".quilate").glob("*.part"))


def test_a_runs_folder_is_no_folder_of_baselines(shell):
    ran = shell("q run -q && q run -q --out second --baseline .quilate")
    assert ran.returncode == 2
    assert "this is a run's folder, not one of baselines; name .quilate/run.jsonl, or" in told(ran)


def test_a_configuration_of_a_folder_above_is_pointed_at(shell):
    ran = shell("mkdir -p a/b && cd a/b && q run")
    assert (ran.returncode, "give it with --config ../../quilate.yml" in told(ran)) == (2, True)


def test_a_folder_that_is_gone_is_no_defect(shell):
    ran = shell("mkdir gone && cd gone && rmdir ../gone && q run")
    assert (ran.returncode, "quilate.yml: found no file there" in told(ran)) == (2, True)
