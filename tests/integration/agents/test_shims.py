from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from quilate.agents.agent import FaultKind
from quilate.agents.shims import NAMES, source

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def _python(bench, text):
    bench.write(NAMES["python"], source("python"))
    bench.write("shop.py", text)
    return {"command": [sys.executable, NAMES["python"], "shop:run"], "protocol": "jsonl"}


def _node(bench, text, name="shop.mjs#run"):
    (bench.folder / NAMES["node"]).write_text(source("node"))
    bench.write(name.partition("#")[0], text)
    return {"command": ["node", NAMES["node"], f"./{name}"], "protocol": "jsonl"}


@pytest.mark.parametrize(
    ("returned", "output", "calls"),
    [
        ("text", "hola", []),
        ("(text, [('lookup', {'n': '1'})])", "hola", [("lookup", {"n": "1"})]),
        ("(text, [{'name': 'lookup', 'args': {}}])", "hola", [("lookup", {})]),
        ("(text, None)", "hola", []),
        ("{'output': text, 'tool_calls': []}", "hola", []),
        ("Result(text)", "hola", []),
    ],
)
def test_what_a_python_function_may_return(bench, returned, output, calls):
    reply = bench.ask(
        _python(
            bench,
            f"""
            import dataclasses

            @dataclasses.dataclass
            class Result:
                output: str

            def run(text):
                return {returned}
            """,
        )
    )
    assert reply.output == output
    assert [(call.name, call.args) for call in reply.tool_calls] == calls
    assert reply.duration_ms is not None


def test_what_a_python_agent_prints_never_reaches_the_protocol(bench):
    text = """
        import os, subprocess, sys
        print('{"output": "at import"}')
        def run(text):
            print('{"output": "printed"}')
            sys.__stdout__.write('{"output": "dunder"}\\n')
            os.write(1, b'{"output": "raw"}\\n')
            subprocess.run(["echo", '{"output": "child"}'])
            return "returned"
    """
    answered = bench.ask_each(_python(bench, text), "a", "b")
    assert [each.reply.output for each in answered] == ["returned", "returned"]


def test_an_async_python_function_is_asked_all_at_once(bench):
    text = """
        import asyncio, os
        gate = asyncio.Barrier(3) if hasattr(asyncio, "Barrier") else None
        async def run(text):
            await gate.wait()
            return f"{os.getpid()} {text}"
    """
    answered = bench.ask_each({**_python(bench, text), "concurrency": 3}, "a", "b", "c")
    assert [each.reply.output.split()[1] for each in answered] == ["a", "b", "c"]
    assert len({each.reply.output.split()[0] for each in answered}) == 1


def test_a_python_function_gets_a_conversation_as_a_list(bench):
    talk = [{"role": "user", "content": "hola"}]
    assert bench.ask(_python(bench, "def run(messages): return messages[-1]['content']"), talk).output == "hola"


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        ("raise ValueError('no stock')", FaultKind.AGENT, "ValueError: no stock"),
        ("return 5", FaultKind.AGENT, "the agent returned int"),
        ("return {'output': float('nan')}", FaultKind.AGENT, "not JSON compliant"),
        ("raise SystemExit(3)", FaultKind.AGENT, "SystemExit: 3"),
        ("e = RuntimeError('slow down'); e.status_code = 429; raise e", FaultKind.INFRASTRUCTURE, "slow down"),
    ],
)
def test_a_python_functions_failure_is_its_cases_fault(bench, body, kind, reason):
    fault = bench.ask(_python(bench, f"def run(text):\n            {body}")).fault
    assert fault is not None
    assert fault.kind is kind
    assert reason in fault.message


def test_a_python_module_that_cannot_be_imported_says_why(bench):
    fault = bench.ask(_python(bench, "import not_installed_here")).fault
    assert fault is not None
    assert "No module named 'not_installed_here'" in fault.message


def test_the_python_shim_serves_a_process_per_case_too(bench):
    agent = {**_python(bench, "def run(text): return text"), "protocol": "json"}
    reply = bench.ask(agent, "hola")
    assert reply.output == "hola"
    assert reply.startup_ms is not None


def test_the_python_shim_needs_the_standard_library_alone(bench):
    _python(bench, "def run(text): return text")
    done = subprocess.run(
        [sys.executable, "-I", "-S", bench.folder / NAMES["python"], "json:dumps"],
        input='{"case_id": "a", "input": "x"}\n', capture_output=True, text=True, check=True, cwd=bench.folder,
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[-1])["output"] == '"x"'


@needs_node
def test_a_node_function_that_returns_our_shape(bench):
    text = "export async function run(input) { return { output: input, tool_calls: [{ name: 'a', args: { n: 1 } }] }; }"
    reply = bench.ask(_node(bench, text), "¿qué tal?")
    assert (reply.output, reply.tool_calls[0].args) == ("¿qué tal?", {"n": 1})
    assert reply.duration_ms is not None


@needs_node
def test_what_a_node_agent_logs_never_reaches_the_protocol(bench):
    text = """
        console.log('{"output": "at import"}');
        export default (input) => { console.log('{"output": "logged"}'); return 'returned'; };
    """
    answered = bench.ask_each(_node(bench, text, "shop.mjs"), "a", "b")
    assert [each.reply.output for each in answered] == ["returned", "returned"]


@needs_node
@pytest.mark.parametrize(
    "result",
    [
        """{ text: 'Va en camino.', toolCalls: [], toolResults: [], usage: { inputTokens: 9, outputTokens: 4 }, steps: [
             { toolCalls: [{ toolCallId: '1', toolName: 'lookup', input: { n: '47821' } }],
               toolResults: [{ toolCallId: '1', toolName: 'lookup', output: { ok: true } }] },
             { toolCalls: [], toolResults: [] }] }""",
        """{ text: 'Va en camino.', usage: { promptTokens: 9, completionTokens: 4 },
             toolCalls: [{ toolCallId: '1', toolName: 'lookup', args: { n: '47821' } }],
             toolResults: [{ toolCallId: '1', toolName: 'lookup', result: { ok: true } }] }""",
        """{ text: Promise.resolve('Va en camino.'), usage: Promise.resolve({ inputTokens: 9, outputTokens: 4 }),
             toolCalls: Promise.resolve([]), toolResults: Promise.resolve([]), steps: Promise.resolve([
             { toolCalls: [{ toolCallId: '1', toolName: 'lookup', input: { n: '47821' } }],
               toolResults: [{ toolCallId: '1', toolName: 'lookup', output: { ok: true } }] }]) }""",
    ],
    ids=["every step of version 5", "version 4 without steps", "a stream's promises"],
)
def test_an_ai_sdk_result_is_mapped(bench, result):
    reply = bench.ask(_node(bench, f"export const run = () => ({result});"))
    assert reply.output == "Va en camino."
    assert [(call.name, call.args, call.output) for call in reply.tool_calls] == [
        ("lookup", {"n": "47821"}, {"ok": True})
    ]
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (9, 4)


@needs_node
def test_a_tool_that_failed_under_the_ai_sdk_is_told_with_its_call(bench):
    result = """{ text: 'No pude.', toolCalls: [], toolResults: [], steps: [{ toolResults: [],
        toolCalls: [{ toolCallId: '1', toolName: 'lookup', input: {} }],
        content: [{ type: 'tool-error', toolCallId: '1', error: new Error('no stock') }] }] }"""
    reply = bench.ask(_node(bench, f"export const run = () => ({result});"))
    assert (reply.tool_calls[0].error, reply.tool_calls[0].output) == ("no stock", None)


@needs_node
@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        ("throw new Error('no stock')", FaultKind.AGENT, "Error: no stock"),
        ("return 5", FaultKind.AGENT, "the agent returned number"),
        ("const e = new Error('slow down'); e.statusCode = 429; throw e", FaultKind.INFRASTRUCTURE, "slow down"),
        ("const e = new Error('tried'); e.lastError = { statusCode: 503 }; throw e", FaultKind.INFRASTRUCTURE, "tried"),
    ],
)
def test_a_node_functions_failure_is_its_cases_fault(bench, body, kind, reason):
    fault = bench.ask(_node(bench, f"export async function run() {{ {body} }}")).fault
    assert fault is not None
    assert fault.kind is kind
    assert reason in fault.message


@needs_node
def test_a_node_export_that_is_not_there_names_those_that_are(bench):
    fault = bench.ask(_node(bench, "export const ask = () => 'x';")).fault
    assert fault is not None
    assert "it exports ask" in fault.message


@needs_node
def test_a_node_agent_is_asked_all_at_once_and_ends_with_its_open_handles(bench):
    text = """
        setInterval(() => {}, 1000);
        const waiting = [];
        export const run = (input) => new Promise((done) => {
          waiting.push(() => done(`${process.pid} ${input}`));
          if (waiting.length === 3) waiting.reverse().forEach((answer) => answer());
        });
    """
    answered = bench.ask_each({**_node(bench, text), "concurrency": 3}, "a", "b", "c")
    assert [each.reply.output.split()[1] for each in answered] == ["a", "b", "c"]
    assert len({each.reply.output.split()[0] for each in answered}) == 1
