"""Whatever is wrong with files or flags: exit code 2, one clear message with the mend, no traceback, no half result."""

from __future__ import annotations

import json
import os

import pytest
from tests.suite_factories import a_case, a_reply

CASES = [a_case(1)]


@pytest.fixture
def good(suite):
    """A suite that works, to be broken."""
    suite.config()
    suite.goldens(CASES)
    suite.replies([a_reply(case) for case in CASES])
    return suite


def no_config(suite):
    (suite.folder / "quilate.yml").unlink()


def bad_yaml(suite):
    suite.write("quilate.yml", "suite: orders\ngoldens: [goldens.json\nagent: {replay: replies.jsonl}\n")


def unknown_key(suite):
    suite.config(gates={"max_drop": 3})


def config_is_a_list(suite):
    suite.write("quilate.yml", "- orders\n")


def two_agents(suite):
    suite.config(agent={"replay": "replies.jsonl", "command": ["x"]})


def odd_confirmations(suite):
    suite.config(gate={"confirm_flips": 1})


def no_such_golden(suite):
    suite.config(goldens=["golden/*.yaml"])


def binary_golden(suite):
    suite.write("goldens.json", b"\x89PNG\r\n\x1a\n\x00\xff\xfe")


def duplicate_ids(suite):
    suite.goldens([a_case(1), a_case(1)])


def no_such_replay(suite):
    suite.config(agent={"replay": "no-replies.jsonl"})


def corrupt_run_file(suite):
    suite.write("base.jsonl", b'{"kind":"header","schema":1}\n')


def no_run_file_at_all(suite):
    suite.write("base.jsonl", b"\x1f\x8b not gzip")


def run_file_of_another_suite(suite):
    suite.config(suite="refunds")
    assert suite.run("--out", "other").code == 0
    suite.config()


def out_is_a_file(suite):
    suite.write("taken", "not a folder\n")


def nothing(suite):
    """Only the flags are wrong."""


TABLE = [
    (no_config, [], ["quilate.yml", "quilate init"]),
    (bad_yaml, [], ["quilate.yml:3"]),
    (unknown_key, [], ["gates", "did you mean gate?"]),
    (config_is_a_list, [], ["write an object with suite, goldens and agent"]),
    (two_agents, [], ["give exactly one of command, http, chat, replay"]),
    (odd_confirmations, [], ["confirm_flips", "write an even number"]),
    (no_such_golden, [], ["golden/*.yaml, which names no file"]),
    (binary_golden, [], ["goldens.json", "UTF-8"]),
    (duplicate_ids, [], ["goldens.json:1", "c0001"]),
    (no_such_replay, [], ["no-replies.jsonl"]),
    (nothing, ["--baseline", "no-such-place"], ["--baseline no-such-place: there is no such file or directory"]),
    (corrupt_run_file, ["--baseline", "base.jsonl"], ["base.jsonl:1"]),
    (no_run_file_at_all, ["--baseline", "base.jsonl"], ["base.jsonl"]),
    (run_file_of_another_suite, ["--baseline", "other/run.jsonl"], ["is a run of suite 'refunds', not of 'orders'"]),
    (out_is_a_file, ["--out", "taken"], ["taken"]),
    (nothing, ["--trials", "0"], ["--trials", "0 is not in the range"]),
    (nothing, ["--trials", "two"], ["--trials"]),
    (nothing, ["--config", "elsewhere.yml"], ["elsewhere.yml"]),
    (nothing, ["--no-such-flag"], ["--no-such-flag"]),
]


@pytest.mark.parametrize(("spoil", "flags", "said"), TABLE, ids=lambda part: getattr(part, "__name__", None))
def test_it_is_said_with_exit_code_2(good, spoil, flags, said):
    spoil(good)
    ran = good.run(*flags)
    assert ran.code == 2, ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""
    for part in said:
        assert part in ran.err
    assert not (good.folder / ".quilate/comment.md").exists()


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid"), reason="permissions of POSIX")
def test_a_folder_that_cannot_be_written_is_said(good, tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    place = closed if os.geteuid() else "/proc/quilate"  # root may write anywhere but there
    ran = good.run("--out", str(place))
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert "the run file cannot be written" in ran.err


def test_every_problem_is_told_at_once_each_on_its_line(good):
    good.write(
        "goldens.json",
        """\
        {"version": "1", "cases": [
          {"id": "a", "category": "orders", "input": "?", "expected_tol": "x"},
          {"id": "b", "category": "orders", "input": "", "expected_tool": "x"},
          {"id": "a", "category": "orders", "input": "?", "max_latency_ms": "soon"}
        ]}
        """,
    )
    ran = good.run()
    assert ran.code == 2
    told = ran.err.removeprefix("error: ").splitlines()
    assert [line.split(":")[:2] for line in told] == [["goldens.json", str(line)] for line in (2, 3, 4, 4)], ran.err
    assert "did you mean expected_tool?" in told[0]


@pytest.mark.parametrize("more", [[], ["--resume"]], ids=["anew", "resumed"])
def test_a_run_is_never_compared_with_itself(good, more):
    base = good.base().written / "run.jsonl"
    ran = good.run("--out", ".quilate/base", "--baseline", str(base), *more)
    assert ran.code == 2
    assert "this run writes that file itself; store it with `quilate baseline save`" in ran.err
    assert json.loads(base.read_bytes().splitlines()[-1])["kind"] == "footer"


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "no-such.jsonl", "quilate.yml"],
        ["compare", "quilate.yml", "quilate.yml"],
        ["report", "no-such.jsonl"],
        ["report", "goldens.json"],
        ["baseline", "save", "no-such.jsonl"],
        ["baseline", "show", "3f9c2ab"],
        ["baseline", "show"],
        ["evidence", "no-such.jsonl", "-o", "package"],
        ["judge", "--show", "no-such-case"],
        ["check", "no-such-folder"],
        ["schema", "no-such-thing"],
        ["demo", "--keep", "."],
        ["no-such-command"],
    ],
    ids=" ".join,
)
def test_every_command_says_what_is_wrong_with_exit_code_2(good, arguments):
    ran = good.quilate(*arguments)
    assert ran.code == 2, ran.err
    assert "Traceback" not in ran.err
    assert (ran.err + ran.out).strip()
