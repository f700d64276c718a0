"""A kill, Ctrl-C, a full disk, a judge's outage: what was recorded is kept, and `--resume` asks for the rest only."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.suite_factories import TOOL, a_case, a_reply, some_cases, some_replies

from quilate.providers.scripted import first_of_schema

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")

RECORDED_WAIT_S = 0.02


def recorded(suite) -> list[tuple[str, int]]:
    """Case and trial of each whole reply line in the journal."""
    path = suite.folder / ".quilate/run.jsonl"
    if not path.exists():
        return []
    whole = path.read_bytes().rpartition(b"\n")[0].splitlines()
    lines = [json.loads(line) for line in whole]
    return [(line["case_id"], line["trial"]) for line in lines if line["kind"] == "reply"]


def until(condition, process=None):
    """Waits for what will come; only a failing test uses the whole time up."""
    for _ in range(15_000):
        if condition():
            return
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(RECORDED_WAIT_S)
    pytest.fail("it did not come")


def answers(asked):
    """Every fifth case gets a wrong reply, so that there is something to get right in the result."""
    number = int(asked.body["case_id"][1:])
    calls = [] if number % 5 == 0 else [{"name": TOOL, "args": {}}]
    return 200, {"output": f"answer {number}", "tool_calls": calls, "duration_ms": 10 + number % 7}


@pytest.fixture
def asked(suite, server):
    """500 cases asked over HTTP, the server holding back each answer after the first 150."""
    held = threading.Event()
    answered = Counter()
    lock = threading.Lock()

    def answer(asked):
        with lock:
            answered["all"] += 1
            wait = answered["all"] > 150
        if wait:
            held.wait(600)
        return answers(asked)

    suite.goldens(some_cases(500))
    # A request of a killed process may arrive late; each says which run it is of.
    body = {"case_id": "{{ case_id }}", "run": "{{ env.RUN }}"}
    http = {"url": f"{server.url}/ask", "body": body}
    suite.config(agent={"http": http, "concurrency": 20, "retries": 0, "env": ["RUN"]})
    suite.environ["RUN"] = "first"
    server.answer = answer
    suite.release = held.set
    yield suite
    held.set()


@posix
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_what_was_recorded_is_never_asked_again_and_the_result_is_the_same(asked, server, number):
    process = asked.start("run")
    until(lambda: len(recorded(asked)) >= 150, process)
    process.send_signal(number)
    _, err = process.communicate(timeout=600)
    if number == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
    else:
        assert process.returncode == 130
        assert err.strip() == "interrupted: what was answered is in .quilate/run.jsonl; carry on with --resume"
    kept = recorded(asked)
    assert 150 <= len(kept) < 500

    asked.release()
    asked.environ["RUN"] = "second"
    resumed = asked.run("--resume")
    assert resumed.code == 0, resumed.err
    assert f"carrying on: {len(kept)} replies" in resumed.err
    again = [each.body["case_id"] for each in server.asked if each.body["run"] == "second"]
    assert set(again).isdisjoint(case_id for case_id, _ in kept)
    assert len(again) == len(set(again)) == 500 - len(kept)

    undisturbed = asked.run("--out", "undisturbed")
    assert resumed.grades() == undisturbed.grades()
    assert resumed.headline == undisturbed.headline
    ends = [ran.lines("footer")[-1] for ran in (resumed, undisturbed)]
    assert [(end["counts"], end["replies"], end["latency_p95_ms"]) for end in ends] == [
        ({"pass": 400, "fail": 100, "error": 0, "partial": 0, "not_judged": 0}, 500, 16.0)
    ] * 2


AGENT = """
import json, os, subprocess, sys, time
for line in sys.stdin:
    case = json.loads(line)
    if int(case["case_id"][1:]) >= 3:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open("pids", "a") as pids:
            print(os.getpid(), child.pid, file=pids)
        time.sleep(600)
    print(json.dumps({"output": "x", "tool_calls": [{"name": "lookup", "args": {}}]}), flush=True)
    if sys.argv[1] == "json":
        break
"""


def over(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
@pytest.mark.parametrize("protocol", ["json", "jsonl"])
def test_interrupted_it_leaves_no_process_of_the_agent_and_no_child_of_one(suite, number, protocol):
    suite.write("agent.py", AGENT)
    suite.goldens(some_cases(12))
    command = [sys.executable, "agent.py", protocol]
    suite.config(agent={"command": command, "protocol": protocol, "concurrency": 4})
    process = suite.start("run")
    pids = suite.folder / "pids"
    until(lambda: pids.exists() and len(pids.read_text().splitlines()) == 4, process)
    process.send_signal(number)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert sorted(recorded(suite)) == [("c0000", 0), ("c0001", 0), ("c0002", 0)]
    until(lambda: all(over(pid) for pid in pids.read_text().split()))


def full_at(limit: int):
    """A file may not grow past `limit` bytes: to a process, that is a disk that is full."""

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return limited


@posix
def test_a_full_disk_is_said_and_what_was_recorded_is_carried_on_once_there_is_room(suite, server):
    server.answer = answers
    suite.goldens(some_cases(60))
    suite.config(agent={"http": {"url": f"{server.url}/ask"}, "concurrency": 4})
    full = suite.quilate("run", preexec_fn=full_at(20_000))
    assert full.code == 2
    assert "the run file cannot be written (File too large)" in full.err
    assert "--resume" in full.err
    assert "Traceback" not in full.err
    kept = recorded(suite)
    assert 0 < len(kept) < 60

    server.asked.clear()
    resumed = suite.run("--resume")
    assert resumed.code == 0, resumed.err
    assert Counter(resumed.grades().values()) == {"pass": 48, "fail": 12}
    assert set(server.case_ids()).isdisjoint(case_id for case_id, _ in kept)


@posix
@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system of its own, as root")
def test_a_disk_that_is_full_is_said(suite, small_disk):
    cases = some_cases(300)
    suite.goldens(cases)
    suite.config()
    suite.replies(some_replies(cases))
    full = suite.run("--out", str(small_disk))
    assert full.code == 2
    assert "No space left on device" in full.err
    assert "Traceback" not in full.err
    lines = (small_disk / "run.jsonl").read_bytes().splitlines()
    assert {json.loads(line)["kind"] for line in lines} >= {"header", "reply"}


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no file system may be mounted here: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def completion(answer):
    message = {"role": "assistant", "content": json.dumps(answer), "refusal": None}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "judge-1",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }  # fmt: skip


def agrees(asked):
    return 200, completion(first_of_schema(asked.body["response_format"]["json_schema"]["schema"]))


def test_after_a_judge_outage_replies_are_not_asked_again_only_graded(suite, server, judge_server):
    suite.environ["KEY"] = "a key"
    cases = some_cases(12, expected_behavior=["answers the question"])
    suite.goldens(cases)
    suite.config(
        agent={"http": {"url": f"{server.url}/ask"}},
        judge={
            "provider": "openai", "model": "judge-1", "base_url": f"{judge_server.url}/v1", "retries": 0,
            "api_key_env": "KEY", "concurrency": 1,
        },
    )  # fmt: skip
    server.answer = answers
    judge_server.answer = lambda asked: (
        agrees(asked) if len(judge_server.asked) <= 5 else (529, {"error": {"message": "overloaded"}})
    )
    outage = suite.run()
    assert (outage.code, outage.headline) == (3, "⚠️ orders: could not tell, 7 of 12 cases have no grade")

    server.asked.clear()
    judge_server.asked.clear()
    judge_server.answer = agrees
    resumed = suite.run("--resume")
    assert (resumed.code, resumed.headline) == (0, "⚪ orders: 12 of 12 approved, not compared")
    assert server.asked == []
    assert len(judge_server.asked) == 7
    assert "carrying on: 12 replies and 5 grades are kept" in resumed.err


def test_an_agent_that_was_given_up_on_without_reaching_it_is_asked_everything_on_resume(suite, server):
    suite.goldens(some_cases(40))
    suite.config(agent={"http": {"url": "http://127.0.0.1:9/ask"}, "retries": 0, "concurrency": 2})
    down = suite.run()
    assert down.code == 3
    assert sum(line["reply"].get("attempts") == 0 for line in down.lines("reply")) > 30

    suite.config(agent={"http": {"url": f"{server.url}/ask"}, "retries": 0, "concurrency": 2})
    server.answer = answers
    resumed = suite.run("--resume")
    assert sorted(server.case_ids()) == [case["id"] for case in some_cases(40)]
    assert Counter(resumed.grades().values()) == {"pass": 32, "fail": 8}


def test_an_infrastructure_outage_is_asked_again_and_a_crash_is_not(suite, server):
    suite.goldens(some_cases(3))
    suite.config(agent={"http": {"url": f"{server.url}/ask"}, "retries": 0, "concurrency": 1})
    status = {"c0000": 503, "c0001": 500, "c0002": 200}
    server.answer = lambda asked: (status[asked.body["case_id"]], {"output": "x"})
    suite.run()
    server.asked.clear()
    server.answer = answers
    resumed = suite.run("--resume")
    assert server.case_ids() == ["c0000"]
    assert resumed.grades() == {"c0000": "fail", "c0001": "fail", "c0002": "fail"}
    assert "crashed" in resumed.criteria("c0001")["answered"]["reason"]


def test_resuming_what_is_complete_asks_nothing_and_says_the_same(suite):
    cases = some_cases(5)
    suite.goldens(cases)
    suite.config()
    suite.replies(some_replies(cases, wrong=1))
    first = suite.run()
    suite.replies([])
    again = suite.run("--resume")
    assert (again.code, again.headline, again.grades()) == (first.code, first.headline, first.grades())
    assert "carrying on: 5 replies and 5 grades are kept" in again.err


def test_an_edited_case_is_graded_again_and_one_that_asks_something_else_is_asked_again(suite, server):
    server.answer = lambda _: (200, {"output": "hello there", "tool_calls": []})
    suite.config(agent={"http": {"url": f"{server.url}/ask"}})
    suite.goldens([a_case(1), a_case(2), a_case(3)])
    suite.run()
    server.asked.clear()
    suite.goldens([a_case(1), a_case(2, expected_tool=None, required_phrases=["hello"]), a_case(3, input="Else?")])
    resumed = suite.run("--resume")
    assert server.case_ids() == ["c0003"]
    assert resumed.grades() == {"c0001": "fail", "c0002": "pass", "c0003": "fail"}


def test_more_trials_ask_only_the_further_ones(suite, server):
    server.answer = answers
    suite.config(agent={"http": {"url": f"{server.url}/ask"}})
    suite.goldens(some_cases(4))
    suite.run("--trials", "2")
    server.asked.clear()
    resumed = suite.run("--trials", "3", "--resume")
    assert Counter(server.case_ids()) == dict.fromkeys(("c0000", "c0001", "c0002", "c0003"), 1)
    assert [len(line["trials"]) for line in resumed.lines("grade")[-4:]] == [3] * 4


def test_there_must_be_a_run_to_resume(suite):
    cases = some_cases(2)
    suite.goldens(cases)
    suite.config()
    suite.replies([a_reply(case) for case in cases])
    ran = suite.run("--resume")
    assert ran.code == 2
    assert ran.err == "error: .quilate/run.jsonl: there is no run to carry on; leave --resume out\n"


BROKEN = a_case(5)["id"]


def confirming(suite, server):
    """One case of six breaks, and the base's policy confirms with two more askings."""
    suite.goldens(some_cases(6))
    suite.config(agent={"http": {"url": f"{server.url}/ask"}}, gate={"confirm_flips": 2})
    server.answer = lambda _asked: (200, {"output": "x", "tool_calls": [{"name": TOOL, "args": {}}]})
    suite.base()
    server.answer = lambda asked: (200, {"output": "x", "tool_calls": []} if asked.body["case_id"] == BROKEN else {
        "output": "x", "tool_calls": [{"name": TOOL, "args": {}}]})  # fmt: skip
    before = suite.head()
    server.asked.clear()
    return before


def test_a_confirmed_flip_is_not_confirmed_again_on_resuming(suite, server):
    before = confirming(suite, server)
    after = suite.head("--resume")
    assert server.case_ids() == []
    assert (after.code, after.last_line, after.grades()) == (before.code, before.last_line, before.grades())


def test_of_a_confirmation_that_was_cut_off_only_the_rest_is_asked(suite, server):
    before = confirming(suite, server)
    journal = suite.folder / ".quilate/run.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if json.loads(line).get("trial"))
    journal.write_bytes(b"".join(lines[: first + 1]))
    after = suite.head("--resume")
    assert server.case_ids() == [BROKEN]
    last = [line for line in after.lines("grade") if line["case_id"] == BROKEN][-1]
    assert [trial["trial"] for trial in last["trials"]] == [0, 1, 2]
    assert (after.code, after.last_line, after.grades()) == (before.code, before.last_line, before.grades())
