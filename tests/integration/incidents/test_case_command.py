"""`quilate case` as a process-like call: add, import, export, redact."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from quilate.cli import main
from quilate.goldens.load import load_dataset

GOLDENS = """# ours
version: '1'
cases:
  - id: known   # the first
    category: orders
    input: Is it in stock?
    forbidden_phrases: [sorry]
"""


def _run(*arguments: str, text: str | None = None):
    return CliRunner().invoke(main, ["case", *arguments], input=text)


def test_flags_make_a_case_in_the_named_file_and_only_add_lines(repository):
    result = _run(
        "add", "--asked", "Where is my order 47821? RUT 12.345.678-5", "--tool", "get_order(number=47821)",
        "--forbid-phrase", "sorry, no", "--category", "Orders", "--id", "late", "--to", "goldens/orders.yaml",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    text = (repository / "goldens" / "orders.yaml").read_text()
    assert text.startswith(GOLDENS)
    case = load_dataset(["goldens/orders.yaml"], Path()).cases[-1]
    assert (case.id, case.category, case.expected_tool, case.forbidden_phrases) == (
        "late",
        "orders",
        "get_order",
        ("sorry, no",),
    )
    assert "12.345.678-5" not in text
    assert "replaced: RUT, 1 times, 1 different" in result.stderr


def test_a_transcript_from_standard_input_makes_a_file_of_its_own(repository):
    result = _run("add", "-", "--expected", "gives the hours", text="User: are you open?\nBot: never\n")
    assert result.exit_code == 0, result.output
    (path,) = (repository / "goldens" / "incidents").iterdir()
    (case,) = load_dataset([str(path)], Path()).cases
    assert (case.question, case.expected_behavior) == ("are you open?", ("gives the hours",))


@pytest.mark.parametrize("form", [("chat.txt",), ("--from", "chat.txt"), ("--transcript", "chat.txt"), ("-",)])
def test_a_transcript_is_taken_however_it_is_named(repository, form):
    text = "User: are you open?\nBot: never\n"
    Path("chat.txt").write_text(text)
    result = _run("add", *form, "--expected", "gives the hours", "--dry-run", text=text)
    assert result.exit_code == 0, result.output
    assert "input: are you open?" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("Where is my order?",), "Where is my order?: there is no such file; what was asked goes to --asked"),
        (("a.txt", "--from", "b.txt"), "a.txt and --from b.txt: give one of them"),
        (("goldens",), "goldens: cannot be read (Is a directory)"),
        ((), "a transcript or a log: quilate case add FILE, or - for standard input"),
        (("--expected", "x y"), "quilate case add FILE"),
        (("agent.py",), "--asked (What was asked): no conversation can be read in the text"),
    ],
)
def test_what_somebody_types_first_is_told_the_right_way_in_one_line(repository, arguments, said):
    result = _run("add", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (repository / "goldens" / "incidents").exists()


STREAM = (
    'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"Done, all of "}}]}\n\n'
    'data: {"id":"c","choices":[{"index":0,"delta":{"content":"them."}}]}\n\n'
    'data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"cancel",'
    '"arguments":"{\\"all\\": true}"}}]},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n'
)


def test_a_streamed_answer_makes_a_case_and_its_calls_are_told(repository):
    request = {"stream": True, "messages": [{"role": "user", "content": "cancel order 5"}]}
    text = json.dumps(request) + "\n\n" + STREAM
    # Two phrases with a comma are taken as one only where the bad answer has them: it must have been put together.
    result = _run(
        "add", "-", "--expected", "cancels one", "--forbid-phrase", "Done, all of them", "--id", "x", text=text
    )
    assert result.exit_code == 0, result.output
    (case,) = load_dataset(["goldens/incidents/x.yaml"], Path()).cases
    assert (case.input, case.forbidden_phrases) == ("cancel order 5", ("Done, all of them",))
    assert 'the logged answer called: cancel({"all": true})' in result.stderr
    assert "breaks off" not in result.stderr


def test_a_streamed_answer_alone_needs_what_was_asked(repository):
    result = _run("add", "-", "--expected", "cancels one", text=STREAM)
    assert result.exit_code == 2
    assert "--asked (What was asked): the log holds the answer only" in result.stderr
    result = _run("add", "-", "--expected", "cancels one", "--asked", "cancel order 5", "--dry-run", text=STREAM)
    assert result.exit_code == 0, result.output
    assert "input: cancel order 5" in result.stdout


def test_a_stream_that_breaks_off_is_told(repository):
    result = _run("add", "-", "--expected", "cancels one", "--asked", "hi", "--dry-run", text=STREAM[:120])
    assert "the streamed answer breaks off" in result.stderr


LOGS = {
    "chat completions": {
        "request": {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "cancel it"}]},
        "response": {"choices": [{"message": {"content": "Done.", "tool_calls": []}}]},
    },
    "Responses": {
        "request": {
            "instructions": "s",
            "input": [{"role": "user", "content": [{"type": "input_text", "text": "cancel it"}]}],
        },
        "response": {"output": [{"type": "message", "content": [{"type": "output_text", "text": "Done."}]}]},
    },
    "Anthropic": {
        "request": {"system": "s", "messages": [{"role": "user", "content": [{"type": "text", "text": "cancel it"}]}]},
        "response": {
            "role": "assistant",
            "content": [{"type": "text", "text": "Done."}, {"type": "tool_use", "name": "t", "input": {}}],
        },
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", LOGS)
def test_an_apis_log_makes_a_case(repository, kind):
    Path("log.json").write_text(json.dumps(LOGS[kind]))
    result = _run("add", "--from", "log.json", "--expected", "asks first", "--id", "x")
    assert result.exit_code == 0, result.output
    (case,) = load_dataset(["goldens/incidents/x.yaml"], Path()).cases
    assert [(message.role, message.content) for message in case.messages] == [("user", "cancel it")]
    assert "the log's system prompt is left out" in result.stderr


def test_a_candidate_of_an_audit_makes_a_case(repository):
    Path("c.yaml").write_text(
        'cases:\n  - {id: audit-gap-1, category: audit, input: "hi?", expected_behavior: [knows], tags: [audit]}\n'
    )
    assert _run("add", "--candidates", "c.yaml", "--pick", "audit-gap-2").exit_code == 2
    result = _run("add", "--candidates", "c.yaml", "--id", "hi")
    assert result.exit_code == 0, result.output
    assert load_dataset(["goldens/incidents/hi.yaml"], Path()).cases[0].category == "audit"


def test_what_is_missing_is_named_with_its_flag(repository):
    result = _run("add", "--asked", "hello")
    assert result.exit_code == 2
    assert "--expected (What it should have done)" in result.stderr
    assert not (repository / "goldens" / "incidents").exists()


def test_a_case_that_the_suite_would_not_read_is_told(repository):
    Path("quilate.yml").write_text(Path("quilate.yml").read_text().replace("**/*.yaml", "*.yaml"))
    result = _run("add", "--asked", "hello", "--expected", "says hello", "--id", "x")
    assert result.exit_code == 0, result.output
    assert "quilate.yml does not read goldens/incidents/x.yaml" in result.stderr
    result = _run("add", "--asked", "hello again", "--expected", "says hello", "--to", "goldens/orders.yaml")
    assert "does not read" not in result.stderr


def test_a_case_that_only_a_judge_can_grade_is_told_where_there_is_none(repository):
    told = "quilate.yml has no judge, and only a judge can grade it"
    assert told in _run("add", "--asked", "hello", "--expected", "is kind", "--dry-run").stderr
    with_phrase = _run("add", "--asked", "hello", "--expected", "is kind", "--forbid-phrase", "no", "--dry-run")
    assert told not in with_phrase.stderr
    judge = "judge: {provider: openai, model: m}\n"
    Path("quilate.yml").write_text(Path("quilate.yml").read_text() + judge)
    assert told not in _run("add", "--asked", "hello", "--expected", "is kind", "--dry-run").stderr


def test_an_exact_duplicate_is_refused_with_its_id(repository):
    result = _run("add", "--asked", "is it in STOCK?", "--expected", "says so")
    assert result.exit_code == 2
    assert "case known" in result.stderr


def test_a_dry_run_shows_the_case_and_asks_the_agent(repository):
    result = _run("add", "--asked", "Any news?", "--forbid-phrase", "sorry", "--dry-run", "--ask")
    assert result.exit_code == 0, result.output
    assert "forbidden_phrases: [sorry]" in result.stdout
    assert "reproduces 3 of 3" in result.stderr
    assert not (repository / "goldens" / "incidents").exists()


def test_imports_end_with_a_table(repository):
    Path("p.yaml").write_text(
        "prompts: ['{{q}}']\ntests:\n  - vars: {q: hi there}\n"
        "    assert: [{type: icontains, value: hello}, {type: javascript, value: x}]\n"
    )
    result = _run("import", "promptfoo", "p.yaml", "--to", "goldens/p.yaml")
    assert result.exit_code == 0, result.output
    assert "not taken: it is a program" in result.stdout
    assert "1 cases; 2 taken, 0 taken in part, 1 not taken" in result.stdout
    assert len(load_dataset(["goldens/p.yaml"], Path()).cases) == 1
    Path("rows.csv").write_text("pregunta,frases\nhola?,no|nunca\n")
    result = _run(
        "import",
        "csv",
        "rows.csv",
        "--map",
        "pregunta=input",
        "--map",
        "frases=forbidden_phrases",
        "--to",
        "goldens/r.yaml",
    )
    assert result.exit_code == 0, result.output
    Path("d.json").write_text(json.dumps([{"input": "x", "expected_output": "y"}]))
    assert _run("import", "deepeval", "d.json").exit_code == 0


def test_what_is_exported_is_read_back_the_same(repository):
    result = _run("export", "--format", "jsonl", "-o", "out.jsonl")
    assert result.exit_code == 0, result.output
    assert load_dataset(["out.jsonl"], Path()).cases == load_dataset(["goldens/orders.yaml"], Path()).cases
    result = _run("export", "--format", "promptfoo", "-o", "pf.yaml")
    assert result.exit_code == 0, result.output
    result = _run("import", "promptfoo", "pf.yaml", "--to", "goldens/again.yaml")
    assert result.exit_code == 0, result.output
    (case,) = load_dataset(["goldens/again.yaml"], Path()).cases
    assert (case.id, case.category, case.question) == ("known", "orders", "Is it in stock?")


def test_redact_writes_nothing_where_a_secret_is_left(repository):
    Path("t.txt").write_text("mail robin99@example.net, Robin Example\n")
    result = _run("redact", "t.txt", "--person", "Robin Example", "-o", "clean.txt")
    assert result.exit_code == 0, result.output
    assert "robin" not in Path("clean.txt").read_text().casefold()
    assert "e-mail address: 1 times, 1 different" in result.stderr
    Path("k.txt").write_text("-----BEGIN " + "PRIVATE KEY-----\nabc\n")
    result = _run("redact", "k.txt", "-o", "k2.txt")
    assert result.exit_code == 2
    assert not Path("k2.txt").exists()
