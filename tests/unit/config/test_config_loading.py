"""quilate.yml: what it may say, and what is said about what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from quilate.config_load import load_config
from quilate.errors import InputError

LEAST = "suite: orders\ngoldens: [g.yaml]\nagent: {command: [python, agent.py]}\n"


@pytest.fixture
def load(tmp_path):
    def of(text, name="quilate.yml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return load_config(tmp_path / name)

    return of


def problems(load, text):
    with pytest.raises(InputError) as caught:
        load(text)
    return [(problem.line, problem.key, f"{problem.found}; {problem.mend}") for problem in caught.value.problems]


def test_the_least_configuration_has_the_documented_defaults(load):
    config = load(LEAST).config
    assert config.agent.command == ("python", "agent.py")
    assert (config.max_latency_ms, config.trials, config.agent.timeout_s, config.agent.concurrency) == (5000, 1, 30, 8)
    gate = config.gate
    assert (gate.max_drop, gate.scope, gate.rule, gate.min_pass_rate) == (5, "overall", "drop", None)
    assert (gate.max_error_rate, gate.min_common, gate.edited_cases, gate.confirm_flips) == (10, 80, "warn", 0)
    assert gate.on_missing_baseline == "pass"
    assert (config.baseline.store, config.baseline.branch) == ("branch", "quilate-data")


def test_the_same_in_json(load):
    text = (
        '{"$schema": "config.schema.json", "suite": "orders", "goldens": ["g.yaml"], "agent": {"replay": ["a", "b"]}}'
    )
    assert load(text, "quilate.json").config.agent.replay == ("a", "b")


def test_paths_are_relative_to_the_file(load, tmp_path):
    file = load(LEAST)
    assert file.base_dir == tmp_path
    assert file.resolve("g.yaml") == tmp_path / "g.yaml"


def test_the_dataset_has_the_suites_defaults(load, tmp_path):
    (tmp_path / "g.yaml").write_text(
        "- {id: a, category: c, input: x}\n- {id: b, category: c, input: y, max_latency_ms: 9}\n"
    )
    dataset = load(LEAST + "max_latency_ms: 700\ngrounded: true\n").dataset()
    assert [(case.max_latency_ms, case.grounded) for case in dataset.cases] == [(700, True), (9, True)]


@pytest.mark.parametrize(
    ("written", "line", "key", "says"),
    [
        ("agent: {}", 3, "agent", "found none of them; give exactly one of command, http, chat, replay"),
        ("agent: {command: [x], replay: y}", 3, "agent", "found command and replay; give exactly one"),
        ("agent: {comand: [x]}", 3, "agent.comand", "did you mean command?"),
        ("agent: {replay: x, protocol: jsonl}", 3, "agent.protocol", "found protocol without command; remove it"),
        ("agent: {replay: 5}", 3, "agent.replay", "found number 5; write text, or a list of texts"),
        ("agent: {replay: [x, 5]}", 3, "agent.replay[1]", "found number 5; write text"),
        ("agent: {replay: []}", 3, "agent.replay", "found an empty list; write at least one item"),
        ("agent: {command: python}", 3, "agent.command", 'found text "python"; write a list of its words: [python]'),
        (
            "agent: {command: python agent.py --name 'a b'}",
            3,
            "agent.command",
            'write a list of its words: [python, agent.py, "--name", "a b"]',
        ),
        ("agent: {command: [x], env: KEY}", 3, "agent.env", 'found text "KEY"; write a list: [KEY]'),
        ("agent: {command: [x], env: [A-B]}", 3, "agent.env[0]", "write the name of an environment variable"),
        ("agent: {command: [x], concurrency: 0}", 3, "agent.concurrency", "found number 0; write 1 or more"),
        ("agent: {command: [x], timeout_s: yes}", 3, "agent.timeout_s", 'found text "yes"; write a number'),
        ("agent: {http: {}}", 3, "agent.http.url", "found nothing; add url"),
        (
            "agent: {command: [x]}\ngate: {confirm_flips: 3}",
            4,
            "gate.confirm_flips",
            "found number 3; write an even number",
        ),
        ("agent: {command: [x]}\ngate: {max_drop: 101}", 4, "gate.max_drop", "found number 101; write 100 or less"),
        ("agent: {command: [x]}\ngate: {scope: categories}", 4, "gate.scope", "did you mean category?"),
        ("agent: {command: [x]}\ngate:", 4, "gate", "found nothing (null); write an object"),
        (
            "agent: {command: [x]}\njudge: {provider: anthropic}",
            4,
            "judge.model",
            "add model, which provider: anthropic needs",
        ),
        ("agent: {command: [x]}\njudge: {provider: labels}", 4, "judge.labels", "add labels"),
        (
            "agent: {command: [x]}\njudge: {provider: labels, labels: x, max_usd: much}",
            4,
            "judge.max_usd",
            "write a number",
        ),
        ("agent: {command: [x]}\nretriever: {}", 4, "retriever", "found neither http nor command"),
        ("agent: {command: [x]}\ntrials: 1.5", 4, "trials", "found number 1.5; write a whole number"),
        ("agent: {command: [x]}\ntrial: 2", 4, "trial", "did you mean trials?"),
        ("agent: {command: [x]}\nreport_language: pt", 4, "report_language", "write one of en, es, pt-BR"),
    ],
)
def test_a_wrong_value_is_told_with_its_line_and_what_to_write(written, line, key, says, load):
    found = problems(load, f"suite: orders\ngoldens: [g.yaml]\n{written}\n")
    assert [(each[0], each[1]) for each in found] == [(line, key)]
    assert says in found[0][2]


@pytest.mark.parametrize("name", ["a--b", "-a", "a-", "Orders", "órdenes", '""', "a_b", "a b", "'a\n\n  '", "x>"])
def test_a_suites_name_cannot_end_the_comments_marker(name, load):
    (found,) = problems(load, LEAST.replace("orders", name))
    assert (found[1], "small letters" in found[2]) == ("suite", True)


@pytest.mark.parametrize("name", ["a", "orders", "orders-es-cl", "2026"])
def test_a_suites_name_is_small_letters_digits_and_hyphens(name, load):
    assert load(LEAST.replace("orders", f'"{name}"')).config.suite == name


def test_every_problem_is_told_in_one_go(load):
    text = "suite: A\ngoldens: []\nagent:\n  command: []\n  env: x\ngate:\n  rule: drops\nother: 1\n"
    assert [key for _, key, _ in sorted(problems(load, text))] == [
        "suite", "goldens", "agent.command", "agent.env", "gate.rule", "other",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("gate: {max_drop: x, confirm_flips: 3}", {"gate.max_drop", "gate.confirm_flips"}),
        ("judge: {provider: openai, votes: 2, retries: x}", {"judge.votes", "judge.model", "judge.retries"}),
        ("judge: {provider: nobody, votes: 4}", {"judge.provider", "judge.votes"}),
        ("retriever: {timeout_s: 0}", {"retriever", "retriever.timeout_s"}),
        ("suite: A", {"suite"}),
    ],
)
def test_a_broken_rule_is_told_beside_a_wrong_value(written, keys, load):
    text = "\n".join(line for line in LEAST.splitlines() if not line.startswith(written.split(":")[0]))
    assert {key for _, key, _ in problems(load, f"{text}\n{written}\n")} == keys


def test_every_rule_of_the_agent_is_told_beside_its_wrong_values(load):
    agent = "agent: {http: {url: u, methd: GET}, replay: 5, protocol: jsonl, setup: [x], concurrency: 0}"
    assert {key for _, key, _ in problems(load, f"suite: s\ngoldens: [g.yaml]\n{agent}\n")} == {
        "agent", "agent.http.methd", "agent.replay", "agent.protocol", "agent.setup", "agent.concurrency",
    }  # fmt: skip


def test_a_rule_is_not_told_of_a_key_that_only_is_misspelt_or_wrong(load):
    found = problems(load, "suite: s\ngoldens: [g.yaml]\nagent: {comand: [x]}\njudge: {provider: openai, modle: m}\n")
    assert {key for _, key, _ in found} == {"agent.comand", "judge.modle"}
    assert {key for _, key, _ in problems(load, LEAST.replace("[python, agent.py]", "5"))} == {"agent.command"}


def test_problems_are_told_in_the_order_of_their_lines(load):
    text = "gate: {max_drop: x}\nagent: {command: 5}\nsuite: A\ngoldens: []\n"
    assert [line for line, _, _ in problems(load, text)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("text", "says"), [("[]", "found an empty list"), ("# nothing\n", "found nothing (null)"), ("x", 'found text "x"')]
)
def test_a_file_that_is_no_configuration(text, says, load):
    ((_, _, found),) = problems(load, text)
    assert says in found
    assert "write an object with suite, goldens and agent" in found


def test_a_file_that_is_not_there_names_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^quilate\.yml: found no file there"):
        load_config()


@pytest.mark.parametrize(("asked", "there"), [("quilate.yml", "quilate.yaml"), ("q.yaml", "q.yml")])
def test_a_file_of_the_other_ending_is_named(asked, there, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / there).write_text(LEAST)
    with pytest.raises(InputError, match=f"found no file there; there is {there}: rename it, or give it with --config"):
        load_config(asked)


def test_a_relative_path_stays_as_it_was_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "q.yml").write_text(LEAST)
    assert load_config("sub/q.yml").base_dir == Path("sub")
