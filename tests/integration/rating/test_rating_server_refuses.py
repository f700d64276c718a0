"""The rating page's server: who may speak to it, and what it takes."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from tests.factories import a_case, a_grade_line, a_run_file
from tests.integration.rating.conftest import run_of

from quilate.cli import main
from quilate.errors import InputError
from quilate.grades import Grade
from quilate.rating.labels_file import LabelsFile
from quilate.rating.server import HEADERS, RatingServer
from quilate.rating.session import Session
from quilate.rating.tasks import single_tasks
from quilate.runs.reader import RunReader


class Bench:
    def __init__(self, folder: Path) -> None:
        self.labels = folder / "labels.jsonl"
        self.run = RunReader(run_of(folder / "run.jsonl", 2))
        self.server = RatingServer(Session(single_tasks(self.run, []), LabelsFile(self.labels, "ana")))
        self.thread = threading.Thread(target=self.server.serve, daemon=True)
        self.thread.start()
        self.path = "/" + self.server.url.split("/", 3)[3]

    def ask(self, method: str, path: str, body: Any = None, **headers: str | None) -> http.client.HTTPResponse:
        sent = {"Host": f"127.0.0.1:{self.server.port}"}
        if body is not None:
            sent["Content-Type"] = "application/json"
        sent |= {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        line.putrequest(method, path, skip_host=True)
        for name, value in sent.items():
            line.putheader(name, value)
        if data is not None and "Content-Length" not in sent:
            line.putheader("Content-Length", str(len(data)))
        line.endheaders(data)
        return line.getresponse()

    def close(self) -> None:
        self.server.close()
        self.thread.join(20)
        self.run.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    opened = Bench(tmp_path)
    yield opened
    opened.close()


GOOD = {"place": 0, "answers": {"q0": "pass"}, "justification": ""}


def test_the_page_answers_with_its_policy(bench: Bench) -> None:
    answer = bench.ask("GET", bench.path)
    assert answer.status == 200
    assert {name: answer.headers[name] for name in HEADERS} == dict(HEADERS)
    assert bench.server.url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "rebound.example.com"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1.example.com:80"},
        {"Origin": "https://example.com"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
@pytest.mark.parametrize(("method", "below"), [("GET", ""), ("GET", "task"), ("POST", "labels"), ("POST", "stop")])
def test_requests_of_other_sites_are_refused(bench: Bench, headers: dict[str, str], method: str, below: str) -> None:
    answer = bench.ask(method, bench.path + below, GOOD if method == "POST" else None, **headers)
    assert (answer.status, answer.read()) == (403, b"")
    assert not bench.labels.exists()


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_site_cannot_write(bench: Bench, kind: str) -> None:
    assert bench.ask("POST", bench.path + "labels", GOOD, Content_Type=kind).status == 403
    assert not bench.labels.exists()


@pytest.mark.parametrize("path", ["/", "//", "/x/", "/task", "/labels", "/../rate.js", "*"])
def test_without_the_secret_there_is_nothing(bench: Bench, path: str) -> None:
    assert bench.ask("GET", path).status == 404


@pytest.mark.parametrize("below", ["../server.py", "..%2fserver.py", "rate.py", "labels", "rate.js/x", "%00"])
def test_only_the_pages_own_files_are_given(bench: Bench, below: str) -> None:
    assert bench.ask("GET", bench.path + below).status == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[" * 100_000, 400),
        (b"\xff\xfe", 400),
        ([], 422),
        ({**GOOD, "place": 99}, 422),
        ({**GOOD, "place": -1}, 422),
        ({**GOOD, "place": True}, 422),
        ({**GOOD, "answers": {}}, 422),
        ({**GOOD, "answers": {"q0": "great"}}, 422),
        ({**GOOD, "answers": {"q0": ["pass"]}}, 422),
        ({**GOOD, "answers": {"q0": "partial"}}, 422),
        ({**GOOD, "answers": {"q0": "pass", "q1": "pass"}}, 422),
        ({**GOOD, "justification": 1}, 422),
        ({**GOOD, "justification": "x" * 10_001}, 422),
        (b"x" * 200_001, 413),
    ],
)
def test_what_is_no_label_is_refused_and_nothing_is_written(bench: Bench, body: Any, status: int) -> None:
    answer = bench.ask("POST", bench.path + "labels", body)
    assert answer.status == status
    assert not bench.labels.exists()


@pytest.mark.parametrize("length", ["-1", "1e3", "", "x", "9999999999"])
def test_a_length_that_is_none_is_refused(bench: Bench, length: str) -> None:
    assert bench.ask("POST", bench.path + "labels", b"", Content_Length=length,
                     Content_Type="application/json").status == 413  # fmt: skip


def test_a_label_is_on_the_disk_before_the_answer(bench: Bench) -> None:
    answer = bench.ask("POST", bench.path + "labels", GOOD)
    assert (answer.status, json.loads(answer.read())) == (200, {"done": 1})
    assert json.loads(bench.labels.read_text())["grade"] == "pass"


def test_a_torn_last_line_is_cut_off_and_a_whole_one_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    whole = '{"kind": "label", "case_id": "c", "rater": "ana", "reply_sha256": "0", "criterion": "x", "grade": "pass"}'
    for text in (f"{whole}\n{whole[:30]}", whole, f"{whole}\n"):
        path.write_text(text)
        assert LabelsFile(path, "ana").given(("c", "0")) == {"x": "pass"}
        assert path.read_text() == f"{whole}\n"
    path.write_text(whole[:30])
    LabelsFile(path, "ana")
    assert path.read_text() == ""


def test_a_file_that_is_no_labels_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text("not json\n")
    with pytest.raises(InputError, match=r"labels\.jsonl:1"):
        LabelsFile(path, "ana")
    assert path.read_text() == "not json\n"
    with pytest.raises(InputError, match=r"name it labels\.jsonl"):
        LabelsFile(tmp_path / "labels.txt", "ana")


@given(st.lists(st.dictionaries(st.text(max_size=5), st.none() | st.text(max_size=5) | st.integers(), max_size=4)))
def test_hostile_labels_are_passed_over(tmp_path_factory: Any, lines: list[dict[str, Any]]) -> None:
    path = tmp_path_factory.mktemp("l") / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [{"kind": "x"}, *lines]))
    assert LabelsFile(path, "ana").given(("c", "0")) is None


def test_a_run_without_anything_for_a_person_says_so(tmp_path: Path) -> None:
    run = a_run_file(tmp_path / "run.jsonl", [a_grade_line(a_case(), Grade.PASS)])
    result = CliRunner().invoke(main, ["rate", str(run), "--no-open"])
    assert result.exit_code == 2
    assert "there is nothing for a person; rate pairs with --base" in result.output


def test_equal_runs_have_no_pairs(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run.jsonl", 2)
    result = CliRunner().invoke(main, ["rate", str(run), "--base", str(run), "--no-open"])
    assert (result.exit_code, "no reply of" in result.output) == (2, True)
