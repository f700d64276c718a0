"""A configuration and its golden files: every problem of both, in one go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quilate.config_load import load_suite
from quilate.errors import InputError
from quilate.suite import open_suite

GOOD = "cases:\n- {id: a, category: c, input: hello, required_phrases: [ok]}\n"
BAD = "cases:\n- {id: a, category: c, input: 7}\n"


@pytest.fixture
def problems(tmp_path, monkeypatch):
    """What is wrong with a quilate.yml beside the golden files good.yaml, bad.yaml and worse.yaml: place and key."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("good", GOOD), ("bad", BAD), ("worse", BAD.replace("id: a", "id: b"))):
        (tmp_path / f"{name}.yaml").write_text(text)

    def of(text):
        Path("quilate.yml").write_text(text, encoding="utf-8")
        return [(problem.file, problem.line, problem.key) for problem in load_suite().problems]

    return of


def config(goldens, agent="{command: [python, agent.py]}", more=""):
    return f"suite: s\ngoldens: {goldens}\nagent: {agent}\n{more}"


IN_BAD = ("bad.yaml", 2, "cases[0].input")


def test_a_good_suite_has_no_problem_and_its_cases(problems):
    assert problems(config("[good.yaml]")) == []
    assert [case.id for case in open_suite(Path("quilate.yml")).dataset.cases] == ["a"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (config("[bad.yaml]", more="gate: {max_drop: x}"), [("quilate.yml", 4, "gate.max_drop"), IN_BAD]),
        (config("[nowhere.yaml, bad.yaml]"), [("quilate.yml", 2, "goldens[0]"), IN_BAD]),
        (
            config("[5, nowhere.yaml, bad.yaml]"),
            [("quilate.yml", 2, "goldens[0]"), ("quilate.yml", 2, "goldens[1]"), IN_BAD],
        ),
        (config("bad.yaml"), [("quilate.yml", 2, "goldens"), IN_BAD]),
        (config("[bad.yaml, worse.yaml]"), [IN_BAD, ("worse.yaml", 2, "cases[0].input")]),
        ("suite: s\nagent: {command: [x]}\n", [("quilate.yml", 1, "goldens")]),
        ("[]", [("quilate.yml", 1, "")]),
    ],
)  # fmt: skip
def test_no_problem_hides_another(written, told, problems):
    assert problems(written) == told


@pytest.mark.parametrize(
    ("agent", "keys"),
    [
        ('{http: {url: "http://127.0.0.1/{{"}}', ["http.url"]),
        ("{http: {url: shop.example.com/ask}}", ["http.url"]),
        (
            '{http: {url: "http://a/", headers: {A: "{% x %}"}, body: {b: ["{{ input"]}}}',
            ["http.headers.A", "http.body.b[0]"],
        ),
        ('{http: {url: "http://a/", reply: {output: "a[", outptu: b}}}', ["http.reply.output", "http.reply.outptu"]),
        (
            '{chat: {provider: openai, model: m, on_behalf_of: "{{", metadata: {a: "{{"}}}',
            ["chat.metadata.a", "chat.on_behalf_of"],
        ),
        ('{http: {url: "{{ env.SHOP }}/ask", reply: {output: data.answer}}, env: [SHOP]}', []),
    ],
)
def test_templates_paths_and_addresses_are_looked_at_before_anything_is_started(agent, keys, problems):
    assert [key for _, _, key in problems(config("[good.yaml]", agent))] == [f"agent.{key}" for key in keys]


def test_a_retrievers_templates_are_looked_at_too(problems):
    written = config("[good.yaml]", more='retriever: {http: {url: "http://a/{{", body: {q: "{% x %}"}}}\n')
    assert [key for _, _, key in problems(written)] == ["retriever.http.url", "retriever.http.body.q"]


def test_opening_tells_all_of_it(problems):
    problems(config("[bad.yaml]", more="gate: {max_drop: x}"))
    with pytest.raises(InputError) as caught:
        open_suite(Path("quilate.yml"))
    assert len(caught.value.problems) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("name", ["quilate.yml", "good.yaml"])
def test_a_pipe_is_refused_and_not_waited_for(name, problems, tmp_path):
    problems(config("[good.yaml]"))
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    (problem,) = load_suite().problems
    assert (problem.file, problem.found) == (name, "found a pipe, socket or device")
