"""The agent's search asked again, over HTTP and as a process; an empty search and a broken one stay two things."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.integration.judge.conftest import Answer, Loopback

from quilate.config import RetrieverConfig
from quilate.errors import UsageError
from quilate.goldens.case import Message
from quilate.retrieval.open import open_retriever
from quilate.retrieval.search import Query, Search

QUERY = Query("¿Despachan a Aysén?", (Message(role="user", content="¿Despachan a Aysén?"),), "c-1")


def searched(written: dict[str, Any], folder: Path, environ: dict[str, str] | None = None) -> Search:
    config = RetrieverConfig.model_validate_json(json.dumps(written))

    async def go() -> Search:
        retriever = open_retriever(config, base_dir=folder, environ=environ or {})
        assert retriever is not None
        try:
            return await retriever.search(QUERY)
        finally:
            await retriever.close()

    return asyncio.run(go())


def over_http(loopback: Loopback, answer: Answer, **http: Any) -> Search:
    loopback.answers(answer)
    parameters = {"threshold": 0.72, "mode": "hybrid", "scopes": ["despacho"]}
    return searched(
        {"http": {"url": loopback.url + "/search", **http}, "parameters": parameters, "timeout_s": 2}, Path()
    )


def test_question_and_parameters_are_passed_through_and_recorded(loopback: Loopback) -> None:
    found = over_http(loopback, Answer({"fragments": [{"text": "Sí, a Aysén.", "id": 7, "score": 0.9}]}))
    assert [(f.text, f.id, f.score) for f in found.fragments] == [("Sí, a Aysén.", "7", 0.9)]
    asked = loopback.asked[0].body
    assert asked["question"] == "¿Despachan a Aysén?"
    assert asked["parameters"] == {"threshold": 0.72, "mode": "hybrid", "scopes": ["despacho"]}
    assert dict(found.parameters) == asked["parameters"]
    assert found.failure is None
    assert found.consulted_at is not None


def test_the_request_is_a_template(loopback: Loopback) -> None:
    body = {"q": "{{ question }}", "k": 5, "min": "{{ parameters.threshold }}"}
    over_http(loopback, Answer({"fragments": []}), body=body)
    assert loopback.asked[0].body == {"q": "¿Despachan a Aysén?", "k": 5, "min": 0.72}


def test_a_search_by_get(loopback: Loopback) -> None:
    over_http(loopback, Answer([]), method="GET", url=loopback.url + "/s?q={{ question | urlencode }}")
    assert loopback.asked[0].path == "/s?q=%C2%BFDespachan%20a%20Ays%C3%A9n%3F"


def test_fragments_may_stand_elsewhere(loopback: Loopback) -> None:
    found = over_http(
        loopback, Answer({"hits": [{"body": "Sí."}]}), reply={"fragments": "hits[].{text: body}"}
    )  # fmt: skip
    assert [f.text for f in found.fragments] == ["Sí."]


@pytest.mark.parametrize("body", [{"fragments": []}, []])
def test_nothing_found_is_an_empty_search(loopback: Loopback, body: Any) -> None:
    found = over_http(loopback, Answer(body))
    assert (found.fragments, found.failure) == ((), None)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer({}, 500), "status 500"),
        (Answer({}, 404), "status 404"),
        (Answer(b"<html>"), "not JSON"),
        (Answer(b""), "not JSON"),
        (Answer({"results": []}), "has no fragments"),
        (Answer({"fragments": None}), "has no fragments"),
        (Answer({"fragments": [], "error": "index down"}), "index down"),
        (Answer({"fragments": "none"}), "fragments"),
        (Answer({"fragments": [{"id": 1}]}), "without text"),
        (Answer("nothing"), "neither an object nor a list"),
    ],
)
def test_everything_else_is_a_broken_search(loopback: Loopback, answer: Answer, said: str) -> None:
    found = over_http(loopback, answer)
    assert found.fragments == ()
    assert found.failure is not None
    assert said in found.failure


def test_a_slow_search_is_broken(loopback: Loopback) -> None:
    loopback.answers(Answer([], delay_s=0.5))
    found = searched({"http": {"url": loopback.url}, "timeout_s": 0.1}, Path())
    assert found.failure == "no answer within 0.1 s"


def test_a_search_that_is_not_there_is_broken() -> None:
    assert "cannot be reached" in (searched({"http": {"url": "http://127.0.0.1:9/"}}, Path()).failure or "")


def test_headers_take_allowed_variables(loopback: Loopback) -> None:
    loopback.answers(Answer([]))
    http = {"url": loopback.url, "headers": {"authorization": "Bearer {{ env.KB_KEY }}"}}
    searched({"http": http, "env": ["KB_KEY"]}, Path(), {"KB_KEY": "k-1", "OTHER": "no"})
    assert loopback.asked[0].headers["authorization"] == "Bearer k-1"


def test_a_path_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match="JMESPath"):
        searched({"http": {"url": "http://127.0.0.1/", "reply": {"fragments": "[["}}}, Path())
    with pytest.raises(UsageError, match="nothing a search gives"):
        searched({"http": {"url": "http://127.0.0.1/", "reply": {"output": "x"}}}, Path())


def as_command(folder: Path, source: str, **more: Any) -> Search:
    (folder / "search.py").write_text(source)
    environ = {"KB_KEY": "k-1", "GITHUB_TOKEN": "t", "PATH": "/usr/bin:/bin"}
    written = {"command": [sys.executable, "search.py"], "env": ["KB_KEY"], "parameters": {"top": 3}, **more}
    return searched(written, folder, environ)


def test_a_command_gets_the_question_and_sees_allowed_variables_only(tmp_path: Path) -> None:
    found = as_command(
        tmp_path,
        "import json, os, sys\nasked = json.load(sys.stdin)\n"
        "print(json.dumps({'fragments': [json.dumps(asked), ' '.join(sorted(os.environ))]}))",
    )
    assert found.failure is None
    assert json.loads(found.fragments[0].text)["parameters"] == {"top": 3}
    assert "KB_KEY" in found.fragments[1].text
    assert "GITHUB_TOKEN" not in found.fragments[1].text


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import sys; sys.exit('index down')", "the search exited with 1: index down"),
        ("print('no')", "not JSON"),
        ("pass", "nothing on standard output"),
        ("import time; time.sleep(30)", "no answer within"),
    ],
)
def test_a_command_that_breaks_is_a_broken_search(tmp_path: Path, source: str, said: str) -> None:
    found = as_command(tmp_path, source, timeout_s=5 if "sleep" not in source else 0.2)
    assert found.failure is not None
    assert said in found.failure


def test_a_command_that_is_not_installed_is_a_broken_search(tmp_path: Path) -> None:
    found = searched({"command": ["no-such-search"]}, tmp_path, {"PATH": "/usr/bin"})
    assert "retriever.command: 'no-such-search'" in (found.failure or "")
