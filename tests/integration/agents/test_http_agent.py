from __future__ import annotations

import os
import socket
import sys

import pytest

from quilate.agents.agent import FaultKind
from quilate.errors import UsageError

TALK = [{"role": "user", "content": 'di "hola"'}, {"role": "assistant", "content": "hola"}]


def _http(loopback, **more):
    return {"http": {"url": loopback.url, **more}}


def test_by_default_the_case_is_sent_and_our_shape_is_read(bench, loopback):
    loopback.answer = lambda _: (200, {}, {"output": "va", "tool_calls": [{"name": "t", "args": {"n": 1}}]})
    reply = bench.ask(_http(loopback), "¿dónde?")
    assert (reply.output, reply.tool_calls[0].args) == ("va", {"n": 1})
    assert reply.duration_ms is not None
    sent = loopback.received[0]
    assert sent.method == "POST"
    assert sent.body == {"case_id": "case-1", "input": "¿dónde?", "messages": [{"role": "user", "content": "¿dónde?"}]}
    assert sent.headers["content-type"] == "application/json"


def test_expectations_and_unlisted_variables_never_reach_the_agent(bench, loopback):
    bench.environ = {**os.environ, "GITHUB_TOKEN": "ghs_secret", "SHOP_KEY": "shop"}
    agent = _http(loopback, headers={"Authorization": "Bearer {{ env.SHOP_KEY }}"}) | {"env": ["SHOP_KEY"]}
    bench.ask(agent)
    assert loopback.received[0].headers["authorization"] == "Bearer shop"
    assert "secret" not in repr(loopback.received[0])


def test_values_cannot_break_out_of_the_body(bench, loopback):
    body = {"q": "Pedido: {{ input }}", "all": "{{ messages }}", "n": "{{ trial + 1 }}", "id": ["{{ case_id }}"]}
    hostile = '"}, "admin": true, {"x": "{{ env }} {% raw %}'
    bench.ask(_http(loopback, body=body), hostile)
    assert loopback.received[0].body == {
        "q": f"Pedido: {hostile}", "all": [{"role": "user", "content": hostile}], "n": 1, "id": ["case-1"],
    }  # fmt: skip


def test_a_conversation_inside_a_text_is_json(bench, loopback):
    bench.ask(_http(loopback, body={"q": "talk: {{ input }}"}), TALK)
    assert loopback.received[0].body["q"].startswith('talk: [{"role": "user", "content": "di \\"hola\\""}')


def test_a_body_of_one_text_is_sent_as_it_is(bench, loopback):
    bench.ask(_http(loopback, body='{"q": {{ input | tojson }}}'), 'a "b"')
    assert loopback.received[0].body == {"q": 'a "b"'}


def test_a_question_may_be_asked_by_get(bench, loopback):
    bench.ask({"http": {"method": "GET", "url": loopback.url + "?q={{ input | urlencode }}"}}, "a&b=c ñ")
    assert loopback.received[0].path == "/ask?q=a%26b%3Dc%20%C3%B1"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"body": {"q": "{{ input"}}, "agent.http.body.q"),
        ({"headers": {"X": "{% if %}"}}, "agent.http.headers.X"),
        ({"reply": {"outptu": "a"}}, "agent.http.reply.outptu: found an unknown key; did you mean output?"),
        ({"reply": {"output": "a["}}, "no JMESPath"),
        ({"url": "localhost:3000"}, "write http://"),
        ({"url": "{{ input }}"}, "write http://"),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_asked(bench, loopback, more, reason):
    with pytest.raises(UsageError) as raised:
        bench.ask(_http(loopback, **more))
    assert reason in str(raised.value)
    assert loopback.received == []


@pytest.mark.parametrize(
    "leaf", ["{{ expected_tool }}", "{{ env.GITHUB_TOKEN }}", "{{ ''.__class__.__mro__ }}", "x {{ y }}"]
)
def test_a_template_reaches_nothing_but_the_request(bench, loopback, leaf):
    fault = bench.ask(_http(loopback, body={"q": leaf})).fault
    assert fault is not None
    assert "cannot be filled in" in fault.message
    assert loopback.received == []


def test_the_answer_is_mapped_by_paths_and_the_rest_by_the_known_shape(bench, loopback):
    loopback.answer = lambda _: (
        200, {},
        {"data": {"answer": "va", "steps": [{"fn": {"n": "t", "a": '{"x": 1}'}}]}, "duration_ms": 7, "noise": None},
    )  # fmt: skip
    paths = {"output": "data.answer", "tool_calls": "data.steps[].{name: fn.n, args: fn.a}"}
    reply = bench.ask(_http(loopback, reply=paths))
    assert (reply.output, reply.tool_calls[0].args, reply.duration_ms) == ("va", {"x": 1}, 7)


def test_a_path_that_finds_nothing_says_what_there_was(bench, loopback):
    loopback.answer = lambda _: (200, {}, {"message": "va"})
    fault = bench.ask(_http(loopback, reply={"output": "answer"})).fault
    assert fault is not None
    assert "'answer' finds nothing" in fault.message
    assert '"message"' in fault.message


@pytest.mark.parametrize(
    ("answer", "output", "calls"),
    [
        (
            {"choices": [{"message": {"content": None, "tool_calls": [
                {"type": "function", "function": {"name": "t", "arguments": '{"n": "1"}'}}]}}],
             "model": "m", "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
            "", [("t", {"n": "1"})],
        ),
        ({"text": "va", "toolCalls": [{"toolName": "t", "input": {"n": "1"}}]}, "va", [("t", {"n": "1"})]),
        ("just text", "just text", []),
    ],
    ids=["chat completion", "AI SDK", "a JSON text"],
)  # fmt: skip
def test_common_shapes_need_no_paths(bench, loopback, answer, output, calls):
    loopback.answer = lambda _: (200, {}, answer)
    reply = bench.ask(_http(loopback))
    assert reply.output == output
    assert [(call.name, call.args) for call in reply.tool_calls] == calls


def test_plain_text_is_the_output(bench, loopback):
    loopback.answer = lambda _: (200, {"Content-Type": "text/plain; charset=utf-8"}, "¡va!".encode())
    assert bench.ask(_http(loopback)).output == "¡va!"


@pytest.mark.parametrize(
    ("status", "kind", "asked"),
    [
        (429, FaultKind.INFRASTRUCTURE, 3), (503, FaultKind.INFRASTRUCTURE, 3), (529, FaultKind.INFRASTRUCTURE, 3),
        (500, FaultKind.AGENT, 3), (502, FaultKind.AGENT, 3), (400, FaultKind.AGENT, 1), (404, FaultKind.AGENT, 1),
    ],
)  # fmt: skip
def test_error_statuses_to_the_end_of_the_retries(bench, loopback, status, kind, asked):
    loopback.answer = lambda _: (status, {}, {"detail": "says the server"})
    reply = bench.ask(_http(loopback) | {"retries": 2})
    assert reply.fault is not None
    assert reply.fault.kind is kind
    assert f"answers {status}" in reply.fault.message
    assert "says the server" in reply.fault.message
    assert (len(loopback.received), reply.attempts) == (asked, asked)


def test_the_attempt_that_answers_counts(bench, loopback):
    answers = iter([(503, {}, ""), (0, {}, ""), (200, {}, {"output": "there"})])
    loopback.answer = lambda _: next(answers)
    reply = bench.ask(_http(loopback))
    assert (reply.output, reply.attempts) == ("there", 3)


def test_the_wait_the_server_asks_for_is_waited(bench, loopback):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    answers = iter([(429, {"Retry-After": "7"}, ""), (429, {"retry-after-ms": "250"}, ""), (200, {}, {"output": "x"})])
    loopback.answer = lambda _: next(answers)
    assert bench.ask(_http(loopback), sleep=sleep).output == "x"
    assert waits == [7, 0.25]


def test_a_wait_beyond_reason_ends_at_once_as_an_outage(bench, loopback):
    loopback.answer = lambda _: (429, {"Retry-After": "3600"}, "")
    reply = bench.ask(_http(loopback))
    assert reply.fault is not None
    assert (reply.fault.kind, reply.attempts) == (FaultKind.INFRASTRUCTURE, 1)


def test_an_error_status_may_carry_the_agents_own_word_for_an_outage(bench, loopback):
    loopback.answer = lambda _: (500, {}, {"error": {"kind": "infrastructure", "message": "model overloaded"}})
    reply = bench.ask(_http(loopback) | {"retries": 0})
    assert reply.fault is not None
    assert reply.fault.kind is FaultKind.INFRASTRUCTURE


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<html>", "not JSON"),
        (b"", "nothing"),
        (b'{"output": "\xff"}', "not UTF-8"),
        (b"[" * 200_000, "nested"),
        (b'{"output": NaN}', "NaN"),
        (b'{"output": "\\ud800"}', "surrogate"),
        (b'{"output": "' + b"x" * 10_500_000 + b'"}', "more than 10 MB"),
        (b'{"case_id": "other", "output": "x"}', "is for case"),
        (b'{"choices": [5], "text": 5}', "neither output"),
        (b'{"choices": [{"message": {"tool_calls": [{"function": {"name": {}}}]}}]}', "name is an object"),
        (b'{"text": "x", "toolCalls": [{"toolCallId": {}}], "toolResults": [{"toolCallId": []}]}', "name is null"),
    ],
)
def test_a_hostile_answer_is_the_agents_crash(bench, loopback, content, reason):
    loopback.answer = lambda _: (200, {}, content)
    fault = bench.ask(_http(loopback)).fault
    assert fault is not None
    assert fault.kind is FaultKind.AGENT
    assert reason in fault.message


def test_an_answer_that_unpacks_to_more_than_10_mb_is_stopped(bench, loopback):
    import gzip

    loopback.answer = lambda _: (200, {"Content-Encoding": "gzip"}, gzip.compress(b" " * 200_000_000))
    fault = bench.ask(_http(loopback)).fault
    assert fault is not None
    assert fault.kind is FaultKind.AGENT


def test_redirects_stay_on_the_host(bench, loopback):
    loopback.answer = lambda asked: (
        (307, {"Location": "/there"}, "") if asked.path == "/ask" else (200, {}, {"output": asked.body["input"]})
    )
    assert bench.ask(_http(loopback)).output == "hola"
    loopback.answer = lambda _: (307, {"Location": "http://other.example.com/"}, "")
    fault = bench.ask(_http(loopback)).fault
    assert fault is not None
    assert "another host" in fault.message


def test_a_redirect_that_would_change_the_question_is_not_followed(bench, loopback):
    loopback.answer = lambda _: (302, {"Location": "/login"}, "")
    fault = bench.ask(_http(loopback)).fault
    assert fault is not None
    assert "redirects (302) to /login" in fault.message
    assert len(loopback.received) == 1


def test_endless_redirects_end(bench, loopback):
    loopback.answer = lambda _: (308, {"Location": "/ask"}, "")
    fault = bench.ask(_http(loopback)).fault
    assert fault is not None
    assert "more than 5 times" in fault.message


def test_a_case_cannot_lead_the_request_to_another_host(bench, loopback):
    agent = {"http": {"url": f"http://{{{{ input }}}}:{loopback.port}/"}}
    fault = bench.ask(agent, "other.example.com").fault
    assert fault is not None
    assert "other.example.com" in fault.message


def test_a_refused_connection_is_a_crash_and_the_rest_is_not_asked(bench, free_port):
    agent = {"http": {"url": f"http://127.0.0.1:{free_port}/"}, "concurrency": 1, "retries": 1}
    answered = bench.ask_each(agent, *"abcdefgh")
    assert len(answered) == 8
    assert {each.reply.fault.kind for each in answered} == {FaultKind.AGENT}
    assert len({each.reply.fault.message for each in answered}) == 1
    assert "start the agent before, or set agent.http.start" in answered[0].reply.fault.message
    assert [each.reply.attempts for each in answered] == [2] * 5 + [0] * 3


def test_a_server_that_breaks_off_is_a_crash(bench, loopback):
    loopback.answer = lambda _: (0, {}, "")
    reply = bench.ask(_http(loopback) | {"retries": 1})
    assert reply.fault is not None
    assert (reply.fault.kind, reply.attempts) == (FaultKind.AGENT, 2)
    assert "broke" in reply.fault.message


def test_no_cookie_goes_from_one_case_to_the_next(bench, loopback):
    loopback.answer = lambda _: (200, {"Set-Cookie": "session=1"}, {"output": "x"})
    bench.ask_each(_http(loopback) | {"concurrency": 1}, "a", "b")
    assert ["cookie" in received.headers for received in loopback.received] == [False, False]


SERVER = """
    import http.server, json, os, subprocess, sys, time
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    open("pids", "w").write(f"{os.getpid()} {child.pid}")
    print("loading the model", flush=True)
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            ready = os.path.exists("warm")
            open("warm", "w").close()
            self.send_response(200 if ready else 503); self.end_headers()
        def do_POST(self):
            if os.path.exists("die"): os._exit(7)
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps({"output": asked["input"] + str(sorted(os.environ))}).encode()
            self.send_response(200); self.end_headers(); self.wfile.write(body)
        def log_message(self, *args): pass
    http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def _started(bench, port, source=SERVER, **more):
    url = f"http://127.0.0.1:{port}"
    return {"http": {"url": f"{url}/ask", "start": [*bench.python(source), str(port)], **more}}


def test_the_agents_server_is_started_awaited_and_ended_with_its_children(bench, free_port, gone):
    bench.environ = {"PATH": os.environ["PATH"], "GITHUB_TOKEN": "ghs_secret"}
    reply = bench.ask(_started(bench, free_port, ready=f"http://127.0.0.1:{free_port}/health"))
    assert reply.output.startswith("hola")
    assert "GITHUB_TOKEN" not in reply.output
    assert gone((bench.folder / "pids").read_text())


def test_without_a_ready_address_the_open_port_is_awaited(bench, free_port):
    assert bench.ask(_started(bench, free_port)).output.startswith("hola")


def test_a_server_that_does_not_come_up_says_its_last_words(bench, free_port):
    answered = bench.ask_each(_started(bench, free_port, "raise SystemExit('no model file')"), "a", "b")
    assert {each.reply.fault.message for each in answered} == {
        "agent.http.start: the server exited with 1; its last words: no model file"
    }


def test_a_server_that_is_never_ready_is_ended(bench, free_port, gone):
    source = "import os, time; open('pids', 'w').write(str(os.getpid())); print('hm', flush=True); time.sleep(600)"
    fault = bench.ask(_started(bench, free_port, source, ready_timeout_s=1)).fault
    assert fault is not None
    assert "not ready within 1 s; its last words: hm" in fault.message
    assert gone((bench.folder / "pids").read_text())


def test_an_old_server_in_the_way_is_not_measured(bench, loopback):
    agent = _http(loopback, start=[sys.executable, "-c", "print()"], ready=loopback.url)
    fault = bench.ask(agent).fault
    assert fault is not None
    assert "something already answers" in fault.message


def test_a_server_that_dies_while_asked_says_so(bench, free_port):
    (bench.folder / "die").touch()
    fault = bench.ask(_started(bench, free_port) | {"retries": 1}).fault
    assert fault is not None
    assert "has ended; its last words: loading the model" in fault.message


def test_a_server_that_is_not_installed_is_said_at_once(bench, loopback, free_port):
    agent = {"http": {"url": f"http://127.0.0.1:{free_port}", "start": ["no-such-runtime"]}}
    fault = bench.ask(agent).fault
    assert fault is not None
    assert "'no-such-runtime' is not installed here" in fault.message


def test_a_name_that_does_not_resolve_is_a_crash(bench):
    fault = bench.ask({"http": {"url": "http://agent.invalid:3000/"}, "retries": 0}).fault
    assert fault is not None
    assert fault.kind is FaultKind.AGENT
    assert "agent.invalid" in fault.message


def test_an_ipv6_address_is_an_address(bench):
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6 loopback")
        port = probe.getsockname()[1]
    fault = bench.ask({"http": {"url": f"http://[::1]:{port}/"}, "retries": 0}).fault
    assert fault is not None
    assert f"http://[::1]:{port}" in fault.message
