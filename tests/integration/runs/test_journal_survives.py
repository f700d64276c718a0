"""Real processes: a kill, a full disk, two writers, several savers at once."""

import json
import os
import signal
import subprocess
import sys
import textwrap

import pytest
from tests.factories import a_header

from quilate.runs.reader import RunReader
from quilate.runs.store import DirectoryStore
from quilate.runs.writer import RunWriter

WRITE = """
    import sys
    sys.path.insert(0, {root!r})
    from tests.factories import *
    with RunWriter({path!r}, a_header(cases=500)) as run:
        print("open", flush=True)
        for n in range(10_000_000):
            case = a_case(f"c{{n}}")
            run.reply(a_reply_line(case, output="x" * 500))
            run.grade(a_grade_line(case, Grade.PASS))
            if n == 200:
                print("many", flush=True)
"""
ROOT = os.fspath(__import__("pathlib").Path(__file__).parents[3])
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")


def process(code, **values):
    text = textwrap.dedent(code).format(root=ROOT, **values)
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@posix
def test_a_killed_writer_leaves_a_file_that_is_read_and_resumed(tmp_path):
    path = tmp_path / "run.jsonl"
    writer = process(WRITE, path=str(path))
    assert [writer.stdout.readline() for _ in range(2)] == ["open\n", "many\n"]
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    with RunReader(path) as run:
        there = len(run.index)
        assert there > 200
        assert run.footer is None
    with RunWriter(path, a_header(cases=500), resume=True):
        pass
    with RunReader(path) as run:
        assert len(run.index) == there
    assert all(json.loads(line) for line in path.read_bytes().splitlines())


@posix
def test_another_process_is_refused_while_one_writes_and_let_in_after_it_died(tmp_path):
    path = tmp_path / "run.jsonl"
    writer = process(WRITE, path=str(path))
    assert writer.stdout.readline() == "open\n"
    second = process(WRITE, path=str(path))
    assert "another process is writing this run file" in second.communicate(timeout=60)[1]
    writer.kill()
    writer.communicate()
    with RunWriter(path, a_header(cases=500), resume=True):
        pass


FILL = """
    import resource, signal, sys
    sys.path.insert(0, {root!r})
    from tests.factories import *
    from quilate.errors import QuilateError
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    written = 0
    try:
        with RunWriter({path!r}, a_header()) as run:
            while True:
                run.reply(a_reply_line(a_case(f"c{{written}}"), output="x" * 700))
                written += 1
    except QuilateError as error:
        print(written, error)
"""


@posix
def test_a_full_disk_is_said_and_what_was_recorded_stays_valid(tmp_path):
    path = tmp_path / "run.jsonl"
    out, err = process(FILL, path=str(path)).communicate(timeout=60)
    assert not err
    written, message = out.split(maxsplit=1)
    assert "the run file cannot be written" in message
    assert "--resume" in message
    assert path.read_bytes().endswith(b"}\n")
    with RunReader(path) as run:
        assert len(list(run.replies())) == int(written) > 5


SAVE = """
    import sys
    sys.path.insert(0, {root!r})
    from tests.factories import *
    from pathlib import Path
    from quilate.runs.store import DirectoryStore
    run = a_run_file(Path({folder!r}) / "{n}.jsonl", [a_grade_line(a_case(), Grade.PASS)])
    DirectoryStore(Path({folder!r}) / "store", "orders").save(run, "{n:07x}")
"""


def test_several_savers_at_once_lose_nothing(tmp_path):
    savers = [process(SAVE, folder=str(tmp_path), n=n) for n in range(1, 7)]
    assert [saver.communicate(timeout=120)[1] for saver in savers] == [""] * 6
    store = DirectoryStore(tmp_path / "store", "orders")
    assert sorted(store.list()) == [f"{n:07x}" for n in range(1, 7)]
    assert len(store.history()) == 6
