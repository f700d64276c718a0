from __future__ import annotations

import pytest

from quilate.agents.agent import FaultKind


def _jsonl(command, **more):
    return {"command": command, "protocol": "jsonl", **more}


SERIAL = """
    import json, os, sys
    for line in sys.stdin:
        asked = json.loads(line)
        print("thinking about", asked["case_id"])
        print(json.dumps({"case_id": asked["case_id"], "output": f"{os.getpid()} {asked['input']}"}), flush=True)
"""

AT_ONCE = """
    import json, os, sys
    print(json.dumps({"ready": True, "concurrency": 3}), flush=True)
    waiting = []
    for line in sys.stdin:
        waiting.append(json.loads(line))
        if len(waiting) == 3:
            for asked in reversed(waiting):
                print(json.dumps({"case_id": asked["case_id"], "trial": asked["trial"],
                                  "output": f"{os.getpid()} {asked['input']} {asked['trial']}"}), flush=True)
            waiting = []
"""


def _texts(answered):
    return [each.reply.output.split(" ", 1)[1] for each in answered]


def test_one_process_answers_a_line_per_case(bench):
    answered = bench.ask_each(_jsonl(bench.python(SERIAL), concurrency=1), "a", "b", "c")
    assert _texts(answered) == ["a", "b", "c"]
    assert len({each.reply.output.split()[0] for each in answered}) == 1


def test_a_process_takes_one_case_at_a_time_and_more_are_started(bench):
    source = """
        import json, os, sys, time
        for line in sys.stdin:
            asked = json.loads(line)
            open(f"{os.getpid()}.took", "w").close()
            if asked["input"] != "first":
                while len([n for n in os.listdir(".") if n.endswith(".took")]) < 3:
                    time.sleep(0.01)
            print(json.dumps({"output": f"{os.getpid()} {asked['input']}"}), flush=True)
    """
    answered = bench.ask_each(_jsonl(bench.python(source), concurrency=3), "first", "b", "c", "d")
    assert _texts(answered) == ["first", "b", "c", "d"]
    assert len({each.reply.output.split()[0] for each in answered}) == 3


def test_a_process_that_says_so_gets_several_cases_and_answers_in_any_order(bench):
    answered = bench.ask_each(_jsonl(bench.python(AT_ONCE), concurrency=3), "a", "b", "c", trials=2)
    assert _texts(answered) == ["a 0", "a 1", "b 0", "b 1", "c 0", "c 1"]
    assert len({each.reply.output.split()[0] for each in answered}) == 1


def test_the_start_is_measured_apart_and_once(bench):
    answered = bench.ask_each(_jsonl(bench.python(SERIAL), concurrency=1), "a", "b")
    first, second = (each.reply for each in answered)
    assert first.startup_ms is not None
    assert first.startup_ms > 0
    assert second.startup_ms is None
    assert second.duration_ms is not None


def test_a_hung_process_is_ended_and_the_others_cases_go_on(bench, gone):
    source = """
        import json, os, sys, time
        for line in sys.stdin:
            asked = json.loads(line)
            if asked["input"] == "hang":
                open("hung.pid", "w").write(str(os.getpid()))
                time.sleep(600)
            print(json.dumps({"output": asked["input"]}), flush=True)
    """
    answered = bench.ask_each(_jsonl(bench.python(source), concurrency=1, timeout_s=2), "a", "hang", "c")
    assert [each.reply.output for each in answered] == ["a", "", "c"]
    assert answered[1].reply.fault is not None
    assert "no reply within 2 s" in answered[1].reply.fault.message
    assert gone((bench.folder / "hung.pid").read_text())


def test_a_process_that_dies_takes_its_case_alone(bench):
    source = """
        import json, os, sys
        for line in sys.stdin:
            asked = json.loads(line)
            if asked["input"] == "die":
                sys.exit("out of memory")
            print(json.dumps({"output": asked["input"]}), flush=True)
    """
    answered = bench.ask_each(_jsonl(bench.python(source), concurrency=1), "a", "die", "c")
    assert [each.reply.output for each in answered] == ["a", "", "c"]
    fault = answered[1].reply.fault
    assert fault is not None
    assert fault.kind is FaultKind.AGENT
    assert "exited with 1: out of memory" in fault.message


def test_cases_that_shared_a_process_that_died_are_asked_alone(bench):
    source = """
        import json, sys
        print(json.dumps({"ready": True, "concurrency": 9}), flush=True)
        held = []
        for line in sys.stdin:
            asked = json.loads(line)
            if asked["input"] == "die":
                sys.exit("boom")
            held.append(asked)
            if asked["input"] != "late" or len(sys.argv) > 1:
                print(json.dumps({**asked, "output": asked["input"]}), flush=True)
            else:
                import time
                time.sleep(0.2)
                print(json.dumps({**asked, "output": "late"}), flush=True)
    """
    answered = bench.ask_each(_jsonl(bench.python(source), concurrency=4), "a", "late", "die", "d")
    assert [each.reply.output for each in answered] == ["a", "late", "", "d"]
    assert answered[2].reply.fault is not None
    assert "boom" in answered[2].reply.fault.message


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{broken", "not JSON"),
        ('{"level": "info", "msg": "asked"}', "neither output nor tool_calls"),
        ('{"case_id": "other", "output": "x"}', "is for case"),
        ('{"output": NaN}', "NaN"),
        ('{"output": 5}', "output is the number 5"),
        ('{"a":' * 5000, "nested"),
        ('{"output": "' + "x" * 10_500_000 + '"}', "more than 10 MB"),
    ],
)
def test_a_hostile_line_is_a_crash_of_its_case(bench, line, reason):
    source = f"""
        import json, sys
        for line in sys.stdin:
            asked = json.loads(line)
            bad = {line[:40]!r} + "x" * {max(0, len(line) - 40)} if {len(line)} > 1_000_000 else {line[:100000]!r}
            print(bad if asked["input"] == "bad" else json.dumps({{"output": asked["input"]}}), flush=True)
    """
    answered = bench.ask_each(_jsonl(bench.python(source), concurrency=1), "a", "bad", "c")
    assert [each.reply.output for each in answered] == ["a", "", "c"]
    fault = answered[1].reply.fault
    assert fault is not None
    assert reason in fault.message


def test_two_answers_to_one_case_never_become_the_next_cases_answer(bench):
    source = """
        import json, sys
        for line in sys.stdin:
            asked = json.loads(line)
            answer = json.dumps({"output": asked["input"]})
            print(answer + "\\n" + answer, flush=True)
    """
    answered = bench.ask_each(_jsonl(bench.python(source), concurrency=1), *"abcdef")
    assert [each.reply.output for each in answered] == list("abcdef")


def test_a_second_answer_that_comes_late_costs_one_case_and_not_all_that_follow(bench):
    source = """
        import json, sys
        last = None
        for number, line in enumerate(sys.stdin):
            asked = json.loads(line)
            answer = json.dumps({"case_id": asked["case_id"], "output": asked["input"]})
            if number == 1:
                print(last, flush=True)
            print(last := answer, flush=True)
    """
    answered = bench.ask_each(_jsonl(bench.python(source), concurrency=1), *"abcdef")
    outputs = [each.reply.output for each in answered]
    assert outputs[0] == "a"
    assert all(output in ("", asked) for output, asked in zip(outputs, "abcdef", strict=True))
    assert outputs[1::2] == ["", "", ""]
    assert outputs[2::2] == ["c", "e"]


def test_a_last_line_without_its_end_counts(bench):
    source = 'import sys; sys.stdin.readline(); sys.stdout.write(\'{"output": "x"}\')'
    assert bench.ask(_jsonl(bench.python(source))).output == "x"


def test_when_the_asking_is_over_no_process_is_left(bench, gone):
    source = """
        import json, os, signal, sys, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for line in sys.stdin:
            print(json.dumps({"output": str(os.getpid())}), flush=True)
        time.sleep(600)
    """
    reply = bench.ask(_jsonl(bench.python(source)))
    assert gone(reply.output)
