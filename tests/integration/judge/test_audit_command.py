"""`quilate audit` over a real log, a real search and a real judge on loopback: exact counts, and resuming."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.integration.judge.conftest import Answer, Asked, Loopback
from tests.judge_factories import invented, supported
from tests.wire_factories import SPEAKERS

from quilate.cli import main

CHAT = SPEAKERS[1]
UNTIL = "2026-06-22"


class World:
    """A knowledge base and a judge. Questions say what happens: `hay`, `inventa`, `nada`, `caida`, `rota`."""

    def __init__(self) -> None:
        self.judge_down = False
        self.search_down = False

    def __call__(self, asked: Asked) -> Answer:
        return self.search(asked) if asked.path == "/search" else self.judge(asked)

    def search(self, asked: Asked) -> Answer:
        question = asked.body["question"]
        if "caida" in question or self.search_down:
            return Answer({"detail": "index down"}, 503)
        return Answer({"fragments": [] if "nada" in question else ["El despacho cuesta $3.990."]})

    def judge(self, asked: Asked) -> Answer:
        text = asked.body["messages"][1]["content"]
        if "rota" in text or self.judge_down:
            return Answer(CHAT.error("bad"), 400)
        if '"unsupported_claims"' not in text:
            view = {"evidence": "", "justification": "", "verdict": "no"}
            return Answer(CHAT.says({f"c0{number}": view for number in (1, 2, 3)}))
        verdict = invented("cuesta $4.990") if "inventa" in text else supported(1)
        return Answer(CHAT.says({"c01": verdict}))


@pytest.fixture
def world(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    loopback.script = World()
    return loopback.script


def a_suite(folder: Path, loopback: Loopback, **judge: Any) -> Path:
    written = {
        "suite": "s", "goldens": ["g.json"], "agent": {"replay": "r"},
        "judge": {"provider": "openai", "model": "gpt-6-luna", "base_url": loopback.url + "/v1", "retries": 0, **judge},
        "retriever": {"http": {"url": loopback.url + "/search"}, "parameters": {"threshold": 0.7}},
    }  # fmt: skip
    path = folder / "quilate.yml"
    path.write_text(json.dumps(written))
    return path


def a_log(folder: Path, lines: list[dict[str, Any]]) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return path


def a_line(number: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"conv-{number:04d}", "question": f"{kind}: ¿cuánto cuesta el despacho {number % 7}?",
        "reply": "El despacho cuesta $4.990.", "when": "2026-06-20T10:00:00Z", **fields,
    }  # fmt: skip


def run(folder: Path, config: Path, log: Path, *args: str) -> tuple[Result, dict[str, Any]]:
    out = folder / "out"
    result = CliRunner().invoke(
        main, ["audit", str(log), "--config", str(config), "--out", str(out), "--until", UNTIL, *args]
    )
    report = out / "audit.json"
    return result, json.loads(report.read_text()) if report.exists() else {}


def test_the_last_days_last_moment_is_in_the_window(tmp_path: Path, loopback: Loopback, world: World) -> None:
    log = a_log(
        tmp_path,
        [a_line(1, "hay", when=f"{UNTIL}T23:59:59.999Z"), a_line(2, "hay", when="2027-01-01")],
    )
    _, report = run(tmp_path, a_suite(tmp_path, loopback), log)
    assert (report["counts"]["not_invented"], report["counts"]["future"]) == (1, 1)


KINDS = (
    [("hay", {})] * 5 + [("inventa", {"verdict": "invented"})] * 2 + [("nada", {"verdict": "invented"})] * 2
    + [("caida", {}), ("rota", {})] + [("hay", {"when": "2026-05-01"})] * 2 + [("hay", {"when": "2027-01-01"})]
    + [("hay", {"fragments": ["El despacho cuesta $4.990."]}), ("nada", {"fragments": []})]
)  # fmt: skip
"""One round of the synthetic log, 16 lines."""


def test_an_audit_of_a_thousand_conversations_is_exact_and_adds_up(
    tmp_path: Path, loopback: Loopback, world: World
) -> None:
    lines = [a_line(number, kind, **fields) for number, (kind, fields) in enumerate((KINDS * 63)[:1000])]
    of = Counter((kind, fields.get("when"), str(fields.get("fragments"))) for kind, fields in (KINDS * 63)[:1000])
    result, report = run(tmp_path, a_suite(tmp_path, loopback), a_log(tmp_path, lines))
    counts = report["counts"]
    empty = of["nada", None, "None"] + of["nada", None, "[]"]
    assert counts == {
        "not_invented": of["hay", None, "None"] + of["hay", None, "['El despacho cuesta $4.990.']"],
        "invented": of["inventa", None, "None"],
        "no_evidence_empty": empty,
        "no_evidence_broken": of["caida", None, "None"],
        "no_evidence_absent": 0,
        "error": of["rota", None, "None"],
        "old": of["hay", "2026-05-01", "None"],
        "future": of["hay", "2027-01-01", "None"],
        "unreadable": 0,
    }
    assert sum(counts.values()) == report["lines"] == 1000
    assert report["in_window"] == 1000 - counts["old"] - counts["future"]
    assert len(report["inventions"]) == counts["invented"]
    assert report["gaps"]["questions"] == empty
    earlier = report["earlier"]
    assert (earlier["invented"], earlier["with_evidence"]) == (
        counts["invented"] + of["nada", None, "None"],
        counts["invented"],
    )
    assert result.exit_code == 3  # 2 of 13 in the window have no verdict because something was down: more than 10 %


def test_every_invention_has_claim_fragments_and_the_time_of_the_search(
    tmp_path: Path, loopback: Loopback, world: World
) -> None:
    log = a_log(tmp_path, [a_line(1, "inventa"), a_line(2, "inventa", fragments=["$3.990"])])
    _, report = run(tmp_path, a_suite(tmp_path, loopback), log)
    searched, logged = report["inventions"]
    assert searched["claims"][0]["quote"] == "cuesta $4.990"
    assert searched["fragments"] == ["El despacho cuesta $3.990."]
    assert (searched["evidence_source"], logged["evidence_source"]) == ("retriever", "log")
    assert re.match(r"\d{4}-\d\d-\d\dT", searched["consulted_at"])
    assert logged["consulted_at"].startswith("2026-06-20T10:00")
    text = (tmp_path / "out" / "audit.md").read_text()
    assert "`cuesta $4.990`" in text
    assert "### Inventions" in text


def test_resuming_judges_only_what_is_left_and_what_erred(tmp_path: Path, loopback: Loopback, world: World) -> None:
    config = a_suite(tmp_path, loopback)
    log = a_log(tmp_path, [a_line(number, "hay") for number in range(6)])
    world.judge_down = True
    result, report = run(tmp_path, config, log)
    assert (result.exit_code, report["counts"]["error"]) == (3, 6)
    journal = tmp_path / "out" / "audit.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:5]))  # killed after four lines
    world.judge_down = False
    loopback.asked.clear()
    result, report = run(tmp_path, config, log, "--resume")
    assert (result.exit_code, report["counts"]["not_invented"], report["lines"]) == (0, 6, 6)
    assert sum(asked.path != "/search" for asked in loopback.asked) == 6
    loopback.asked.clear()
    _, report = run(tmp_path, config, log, "--resume")
    assert (report["counts"]["not_invented"], loopback.asked) == (6, [])


def test_a_log_that_changed_is_not_resumed(tmp_path: Path, loopback: Loopback, world: World) -> None:
    config = a_suite(tmp_path, loopback)
    run(tmp_path, config, a_log(tmp_path, [a_line(1, "hay")]))
    result, _ = run(tmp_path, config, a_log(tmp_path, [a_line(2, "hay")]), "--resume")
    assert result.exit_code == 2
    assert "has changed at line 1" in result.output


def test_reaching_the_budget_leaves_the_rest_in_error_and_can_be_carried_on(
    tmp_path: Path, loopback: Loopback, world: World
) -> None:
    log = a_log(tmp_path, [a_line(number, "hay") for number in range(20)])
    result, report = run(tmp_path, a_suite(tmp_path, loopback, max_usd=0.00001, concurrency=1), log)
    assert result.exit_code == 3
    assert report["counts"]["error"] + report["counts"]["not_invented"] == 20
    assert report["counts"]["not_invented"] == 1


def test_every_search_empty_is_said(tmp_path: Path, loopback: Loopback, world: World) -> None:
    run(tmp_path, a_suite(tmp_path, loopback), a_log(tmp_path, [a_line(1, "nada")]))
    assert "**Nothing could be checked**" in (tmp_path / "out" / "audit.md").read_text()


@pytest.mark.parametrize("lines", [[], [a_line(1, "hay", when="2020-01-01")]])
def test_nothing_in_the_window_is_not_green(tmp_path: Path, loopback: Loopback, world: World, lines: list[Any]) -> None:
    result, report = run(tmp_path, a_suite(tmp_path, loopback), a_log(tmp_path, lines))
    assert result.exit_code == 3
    assert report["in_window"] == 0
    assert "**Nothing was judged**" in (tmp_path / "out" / "audit.md").read_text()


def test_without_a_judge_there_is_no_audit(tmp_path: Path) -> None:
    config = tmp_path / "quilate.yml"
    config.write_text('{"suite": "s", "goldens": ["g.json"], "agent": {"replay": "r"}}')
    result, _ = run(tmp_path, config, a_log(tmp_path, [a_line(1, "hay")]))
    assert result.exit_code == 2
    assert "needs a model as its judge" in result.output


PEAK = """
import re, sys
from quilate.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    assert ended.code == 3
print(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a process's own peak is read from Linux's /proc")
def test_memory_does_not_grow_with_the_log(tmp_path: Path, loopback: Loopback) -> None:
    config, log = a_suite(tmp_path, loopback), tmp_path / "log.jsonl"
    line = json.dumps(a_line(1, "hay", when="2026-05-01", reply="x" * 2_000)) + "\n"
    peaks = []
    for lines in (500, 20_000):  # the second log has 45 MB
        with log.open("w") as file:
            file.writelines(line for _ in range(lines))
        args = ["audit", str(log), "--config", str(config), "--out", str(tmp_path / "out"), "--until", UNTIL, "-q"]
        done = subprocess.run([sys.executable, "-c", PEAK, *args], capture_output=True, text=True, check=True)
        assert json.loads((tmp_path / "out" / "audit.json").read_text())["counts"]["old"] == lines
        peaks.append(int(done.stdout.split()[-1]))
    assert peaks[1] - peaks[0] < 8_000
