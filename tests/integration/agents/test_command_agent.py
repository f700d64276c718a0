from __future__ import annotations

import json
import os

import pytest

from quilate.agents.agent import FaultKind
from quilate.agents.process import RunAs

ECHO = """
    import json, sys
    asked = json.loads(sys.stdin.read())
    print(json.dumps({"output": asked["input"], "tool_calls": [{"name": "echo", "args": asked}]}))
"""


def test_a_process_is_asked_with_case_and_input_alone(bench):
    reply = bench.ask({"command": bench.python(ECHO)}, "¿Dónde está mi pedido?")
    assert reply.output == "¿Dónde está mi pedido?"
    assert reply.tool_calls[0].args == {"case_id": "case-1", "input": "¿Dónde está mi pedido?"}


def test_a_conversation_is_a_list_of_messages(bench):
    talk = [{"role": "user", "content": "hola"}, {"role": "assistant", "content": "¿sí?"}]
    source = """
        import json, sys
        print(json.dumps({"output": json.dumps(json.load(sys.stdin)["input"])}))
    """
    assert bench.ask({"command": bench.python(source)}, talk).output == (
        '[{"role": "user", "content": "hola"}, {"role": "assistant", "content": "\\u00bfs\\u00ed?"}]'
    )


def test_the_agent_sees_the_listed_variables_and_no_others(bench):
    bench.environ = {
        "PATH": os.environ["PATH"], "HOME": "/home/x", "LANG": "C.UTF-8",
        "OPENAI_API_KEY": "key", "GITHUB_TOKEN": "ghs_secret", "ANTHROPIC_API_KEY": "judge",
    }  # fmt: skip
    source = "import json, os; print(json.dumps({'output': json.dumps(dict(os.environ))}))"
    reply = bench.ask({"command": bench.python(source), "env": ["OPENAI_API_KEY", "NOT_SET"]})
    seen = json.loads(reply.output)
    assert seen.keys() - {"LC_CTYPE"} == {"PATH", "HOME", "LANG", "OPENAI_API_KEY"}


def test_the_command_runs_in_the_folder_of_the_configuration(bench):
    source = "import json, os; print(json.dumps({'output': os.getcwd()}))"
    assert bench.ask({"command": bench.python(source)}).output == str(bench.folder)


def test_the_agents_own_time_counts_and_its_start_stands_apart(bench):
    source = "import json; print(json.dumps({'output': 'x', 'duration_ms': 3}))"
    reply = bench.ask({"command": bench.python(source)})
    assert reply.duration_ms == 3
    assert reply.startup_ms is not None
    assert reply.startup_ms > 3


@pytest.mark.skipif(os.name != "posix", reason="Windows does not tell what lies unread in a pipe")
def test_without_a_time_of_its_own_the_start_ends_where_the_request_is_read(bench):
    source = """
        import json, sys, time
        time.sleep(0.4)  # loading
        sys.stdin.read()
        time.sleep(0.2)  # thinking
        print(json.dumps({"output": "x"}))
    """
    reply = bench.ask({"command": bench.python(source)})
    assert reply.startup_ms is not None
    assert reply.startup_ms >= 380
    assert reply.duration_ms is not None
    assert reply.duration_ms >= 195


def test_an_agent_that_never_reads_its_request_has_no_time(bench):
    source = "import json; print(json.dumps({'output': 'x'}))"
    reply = bench.ask({"command": bench.python(source)})
    assert (reply.duration_ms, reply.startup_ms) == (None, None)


@pytest.mark.parametrize(
    "written",
    [
        'print(\'{"output": "x"}\', end="")',
        'print("loading"); print(\'{"output": "x"}\'); print("bye")',
        'print("{broken"); print(\'{"output": "x"}\')',
        'print(\'{\\n  "output": "x",\\n  "tool_calls": [\\n    {"name": "a", "args": {}}\\n  ]\\n}\')',
        'print("loading\\n{\\n  \\"output\\": \\"x\\"\\n}")',
        'print("[info] hi"); print(\'{"output": "x"}\')',
    ],
)
def test_chatter_around_the_result_is_passed_over(bench, written):
    assert bench.ask({"command": bench.python(written)}).output == "x"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "wrote nothing"),
        ("print('hello')", "not JSON"),
        ("raise SystemExit('no key')", "exited with 1: no key"),
        ('print(\'{"output": "x"}\'); raise SystemExit(3)', "exited with 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
        ("1 / 0", "ZeroDivisionError"),
        ('import sys; sys.stdout.buffer.write(b\'{"output": "\\xff"}\')', "not UTF-8"),
        ("print('[' * 100000)", "nested"),
        ('print(\'{"output": "x", "metrics": {"a": NaN}}\')', "NaN"),
        ("print('{\"output\": \"' + 'x' * 11_000_000 + '\"}')", "more than 10 MB"),
        ('print(\'{"case_id": "other", "output": "x"}\')', "is for case"),
        ("import time; time.sleep(60)", "no reply within 0.5 s"),
        ('print(\'{"error": "no model"}\'); raise SystemExit(1)', "no model"),
    ],
)
def test_whatever_goes_wrong_is_a_crash_of_the_agent_with_its_reason(bench, source, reason):
    fault = bench.ask({"command": bench.python(source), "timeout_s": 0.5 if "sleep" in source else 20}).fault
    assert fault is not None
    assert fault.kind is FaultKind.AGENT
    assert reason in fault.message


def test_an_agent_may_report_an_outage(bench):
    source = 'print(\'{"error": {"kind": "infrastructure", "message": "429"}}\')'
    fault = bench.ask({"command": bench.python(source)}).fault
    assert fault is not None
    assert fault.kind is FaultKind.INFRASTRUCTURE


def test_a_hung_agent_is_ended_with_its_children(bench, gone):
    source = """
        import os, signal, subprocess, sys, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = "import os, signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        child += "open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
        subprocess.Popen([sys.executable, "-c", child, "child.pid"])
        subprocess.Popen([sys.executable, "-c", child, "apart.pid"], start_new_session=True)
        while not (os.path.exists("child.pid") and os.path.exists("apart.pid")):
            time.sleep(0.01)
        open("agent.pid", "w").write(str(os.getpid()))
        time.sleep(600)
    """
    fault = bench.ask({"command": bench.python(source), "timeout_s": 2}).fault
    assert fault is not None
    assert "no reply within 2 s" in fault.message
    assert [gone((bench.folder / f"{name}.pid").read_text()) for name in ("agent", "child", "apart")] == [
        True,
        True,
        True,
    ]


def test_a_child_left_behind_holds_nothing_up_and_is_ended(bench, gone):
    source = """
        import json, subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open("child.pid", "w").write(str(child.pid))
        print(json.dumps({"output": "x"}))
    """
    assert bench.ask({"command": bench.python(source), "timeout_s": 20}).output == "x"
    assert gone((bench.folder / "child.pid").read_text())


def test_a_request_larger_than_a_pipe_arrives_whole(bench):
    text = "ñ" * 300_000
    assert bench.ask({"command": bench.python(ECHO)}, text).output == text


def test_what_is_not_installed_in_the_container_is_said_once_with_the_four_ways(bench):
    bench.options = {"run_as": RunAs(uid=os.getuid(), gid=os.getgid())}
    answered = bench.ask_each({"command": ["no-such-runtime", "agent.js"]}, *"abcdefgh")
    faults = {each.reply.fault for each in answered}
    assert len(answered) == 8
    assert len({fault.message for fault in faults}) == 1
    message = faults.pop().message
    assert "'no-such-runtime' is not installed here" in message
    for way in ("host.docker.internal", "agent.replay", "agent.setup", "quilate action"):
        assert way in message


def test_a_path_that_is_not_there_says_where_it_was_looked_for(bench):
    fault = bench.ask({"command": ["./agent.sh"]}).fault
    assert fault is not None
    assert str(bench.folder) in fault.message


def test_a_script_of_the_repository_runs_by_its_path(bench):
    script = bench.folder / bench.write("bin/agent", '#!/bin/sh\ncat >/dev/null\necho \'{"output": "from sh"}\'\n')
    script.chmod(0o755)
    assert bench.ask({"command": ["bin/agent"]}).output == "from sh"
