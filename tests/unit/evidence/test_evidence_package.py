"""The evidence package: exact prompts, raw bytes, and only claims that the run file proves."""

import hashlib
import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.factories import a_grade_line, a_reply_line, a_run_file
from tests.html_factories import BETTER, a_story_in_pairs, pairs_beside, runs

from quilate.cli import main
from quilate.cli.evidence import command
from quilate.errors import UsageError
from quilate.goldens.case import Expects, GoldenCase, Message, Signal
from quilate.grades import Grade
from quilate.judge.pairs_file import pairs_of_head
from quilate.report.conditions import prove
from quilate.report.evidence import PackedFile, PackedPairs, package, safe_name
from quilate.report.package import is_safe, verify_package, write_package
from quilate.runs.reader import RunReader

CHAT = {"kind": "chat", "provider": "openai", "model": "model-x"}
HOSTILE = "Custa R$ 25 \u202e| `x` <script>alert(1)</script>\r\n@everyone\x00 é isso.\n"


def a_case(case_id: str = "locale-currency-lunch", **fields: Any) -> GoldenCase:
    fields = {"signal": Signal.CURRENCY, "locale": "pt-BR", "input": "Quanto custa um almoço?"} | fields
    return GoldenCase(id=case_id, category="locale-context/currency", **fields)


def a_run(path: Path, *cases: GoldenCase, output: str = HOSTILE, **header: Any) -> RunReader:
    header.setdefault("agent", CHAT)
    there = cases or (a_case(),)
    lines = [a_grade_line(case, Grade.PASS, criterion="locale.currency") for case in there]
    replies = [a_reply_line(case, output=output) for case in there]
    return opened(a_run_file(path / "run.jsonl", lines, replies=replies, **header))


def opened(path: Path) -> RunReader:
    """A reader that holds no file open."""
    return RunReader.of_bytes(path.read_bytes(), str(path))


def files_of(run: RunReader) -> dict[str, bytes]:
    return {file.name: file.content for file in package(run)}


def test_prompt_and_raw_reply_are_there_byte_for_byte(tmp_path: Path) -> None:
    files = files_of(a_run(tmp_path))
    assert files["prompts/00001-locale-currency-lunch.txt"] == "Quanto custa um almoço?".encode()
    assert files["replies/00001-locale-currency-lunch.trial0.txt"] == HOSTILE.encode()


def test_everything_the_guide_asks_for_is_there(tmp_path: Path) -> None:
    files = files_of(a_run(tmp_path))
    score = json.loads(files["scores.jsonl"])
    assert score["grade"] == "pass"
    assert "said" not in score["criteria"][0]
    rubric = json.loads(files["rubric.json"])["cases"]["locale-currency-lunch"]["rubric"][0]
    assert rubric["fail"] == "uses the wrong currency, or another locale's format"
    assert json.loads(files["metrics.json"])["locale"]["signals"]["currency"]["pass"] == ["locale-currency-lunch"]
    conditions = json.loads(files["conditions.json"])
    assert conditions["header"]["agent"] == CHAT
    page = files["EVIDENCE.md"].decode()
    assert "date of the test: `2026-01-02T03:04:05Z`" in page
    assert "| `locale-currency-lunch` | `Quanto custa um almoço?` | pass |" in page


def test_hostile_ids_and_replies_stay_inert_in_the_page(tmp_path: Path) -> None:
    evil = a_case("../../etc/passwd | <b> `x`\n@all", input="| a | <img src=x>")
    files = files_of(a_run(tmp_path, evil))
    page = files["EVIDENCE.md"].decode()
    assert all(is_safe(name) for name in files)
    row = next(line for line in page.splitlines() if "passwd" in line)
    assert row.count("|") - row.count("\\|") == 5


def test_a_conversation_is_kept_as_its_messages(tmp_path: Path) -> None:
    turns = (Message(role="system", content="Sé cordial."), Message(role="user", content="¿Cuánto cuesta?"))
    files = files_of(a_run(tmp_path, a_case(input=turns)))
    assert [one["role"] for one in json.loads(files["prompts/00001-locale-currency-lunch.json"])] == ["system", "user"]


NOTE = "proves that the test used fresh single-turn requests without locale"


def test_a_chat_run_with_neutral_prompts_proves_the_condition(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    assert prove(run).holds
    assert NOTE in files_of(run)["EVIDENCE.md"].decode()


@pytest.mark.parametrize(
    ("cases", "header", "told"),
    [
        ((), {"agent": {"kind": "http"}}, "a program of its own"),
        ((), {"agent": {"kind": "replay"}}, "replayed from a recording"),
        ((), {"complete": False}, "did not end in order"),
        ((a_case(input="Quanto custa? Use reais."),), {}, "“Use reais” in the user message instructs"),
        ((), {"agent": CHAT | {"extra": {"instructions": "Responda em português do Brasil"}}}, "in the system message"),
        (
            (a_case(input=(Message(role="system", content="Hi"), Message(role="user", content="Quanto?"))),),
            {},
            "2 messages (system, user)",
        ),
    ],
)
def test_whatever_breaks_the_condition_is_named_and_nothing_is_claimed(
    tmp_path: Path, cases: tuple[GoldenCase, ...], header: dict[str, Any], told: str
) -> None:
    run = a_run(tmp_path, *cases, **header)
    assert any(told in reason for reason in prove(run).broken)
    page = files_of(run)["EVIDENCE.md"].decode()
    assert NOTE not in page
    assert "does not prove" in page
    assert json.loads(files_of(run)["conditions.json"])["fresh_single_turn_without_instruction"] is False


def test_a_prompt_that_is_not_the_cases_breaks_the_condition(tmp_path: Path) -> None:
    case = a_case()
    other = a_reply_line(case.model_copy(update={"input": "Outra coisa?"}))
    path = a_run_file(
        tmp_path / "run.jsonl", [a_grade_line(case, Grade.PASS)], replies=[other], agent=CHAT,
    )  # fmt: skip
    assert any("not what the case says" in reason for reason in prove(opened(path)).broken)


def test_it_works_for_a_suite_of_anything(tmp_path: Path) -> None:
    plain = GoldenCase(id="order-1", category="orders", input="¿Dónde está mi pedido?", expected_tool="lookup")
    files = files_of(a_run(tmp_path, plain))
    assert json.loads(files["rubric.json"])["cases"]["order-1"] == {
        "expectations": {"expected_tool": "lookup"}, "rubric": [],
    }  # fmt: skip


def test_no_clear_cases_are_said_and_not_zero_percent(tmp_path: Path) -> None:
    case = GoldenCase(id="a", category="ambiguity/ambiguous", input="Quanto custa?", expects=Expects.CLARIFICATION)
    path = a_run_file(tmp_path / "run.jsonl", [a_grade_line(case, Grade.PASS, criterion="ambiguity")], agent=CHAT)
    page = files_of(opened(path))["EVIDENCE.md"].decode()
    assert "- clarification rate: 1 of 1 (100.0 %" in page
    assert "- false-clarification rate: no clear cases" in page


@given(st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=20))
def test_file_names_are_safe_and_distinct_whatever_the_ids(ids: list[str]) -> None:
    names = [safe_name(case_id, n) for n, case_id in enumerate(ids)]
    assert all(is_safe(name) for name in names)
    assert len(set(names)) == len(names)


def pack(tmp_path: Path, name: str) -> Path:
    out = tmp_path / name
    write_package(package(a_run(tmp_path)), out)
    return out


@pytest.mark.parametrize("name", ["evidence", "evidence.zip"])
def test_a_package_verifies(tmp_path: Path, name: str) -> None:
    found = verify_package(pack(tmp_path, name))
    assert found.problems == ()
    assert found.files == 8


def test_packing_the_same_run_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = pack(tmp_path, "one.zip"), pack(tmp_path, "two.zip")
    assert one.read_bytes() == two.read_bytes()
    assert verify_package(one).digest == verify_package(two).digest


def rewritten(source: Path, out: Path, change: dict[str, bytes | None], extra: dict[str, bytes] | None = None) -> Path:
    """A zip with some files changed, dropped (None) or added."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(out, "w") as new:
        for entry in old.infolist():
            content = change.get(entry.filename, old.read(entry))
            if content is not None:
                new.writestr(entry.filename, content)
        for name, content in (extra or {}).items():
            new.writestr(name, content)
    return out


REPLY = "replies/00001-locale-currency-lunch.trial0.txt"


def test_one_changed_byte_in_a_raw_reply_is_found(tmp_path: Path) -> None:
    good = pack(tmp_path, "evidence.zip")
    changed = bytearray(HOSTILE.encode())
    changed[8] ^= 1
    found = verify_package(rewritten(good, tmp_path / "bad.zip", {REPLY: bytes(changed)}))
    assert found.problems == (f"{REPLY} was changed: its SHA-256 is not the manifest's",)


def test_one_changed_byte_in_a_folder_is_found(tmp_path: Path) -> None:
    out = pack(tmp_path, "evidence")
    content = bytearray((out / REPLY).read_bytes())
    content[0] ^= 1
    (out / REPLY).write_bytes(content)
    assert len(verify_package(out).problems) == 1


@pytest.mark.parametrize(
    ("change", "extra", "told"),
    [
        ({REPLY: None}, {}, "is missing"),
        ({REPLY: b"longer than before" * 100}, {}, "bytes, and had"),
        ({}, {"more.txt": b"x"}, "not in the manifest"),
        ({"manifest.json": None}, {}, "there is no manifest.json"),
        ({"manifest.json": b"{}"}, {}, "is no manifest"),
        ({"manifest.json": b"\xff"}, {}, "is no manifest"),
        ({"manifest.json": b'{"schema": 1, "files": {"a": 5}}'}, {}, "is no manifest"),
    ],
)
def test_missing_extra_and_broken_files_are_found(
    tmp_path: Path, change: dict[str, bytes | None], extra: dict[str, bytes], told: str
) -> None:
    found = verify_package(rewritten(pack(tmp_path, "evidence.zip"), tmp_path / "bad.zip", change, extra))
    assert any(told in problem for problem in found.problems)


@pytest.mark.parametrize("name", ["../out.txt", "/etc/passwd", "a\\..\\b", "C:x", "a/../b", "", "a\nb"])
def test_a_name_that_leaves_the_package_is_refused(tmp_path: Path, name: str) -> None:
    entry = {"sha256": hashlib.sha256(b"x").hexdigest(), "bytes": 1}
    path = tmp_path / "bad.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("manifest.json", json.dumps({"schema": 1, "files": {name: entry}}))
        if name:
            out.writestr(name, b"x")
    assert any("no name inside a package" in problem for problem in verify_package(path).problems)


def test_a_link_in_place_of_a_file_is_no_file(tmp_path: Path) -> None:
    out = pack(tmp_path, "evidence")
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_bytes((out / REPLY).read_bytes())
    (out / REPLY).unlink()
    (out / REPLY).symlink_to(elsewhere)
    assert any("is no regular file" in problem for problem in verify_package(out).problems)


def test_a_file_that_unpacks_to_more_than_it_says_is_not_unpacked_on(tmp_path: Path) -> None:
    good = pack(tmp_path, "evidence.zip")
    data = bytearray(good.read_bytes())
    place = data.rindex(REPLY.encode())
    data[place - 46 + 24 : place - 46 + 28] = (5).to_bytes(4, "little")
    good.write_bytes(data)
    assert verify_package(good).problems


@pytest.mark.parametrize("name", ["evidence", "evidence.zip"])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    out = pack(tmp_path, name)
    with pytest.raises(UsageError, match="is there already"):
        write_package([PackedFile("a", b"b")], out)
    assert verify_package(out).problems == ()


@pytest.mark.parametrize("name", ["evidence", "evidence.zip"])
def test_a_failure_on_the_way_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    def failing() -> Any:
        yield PackedFile("a.txt", b"a")
        message = "the run file is broken"
        raise ValueError(message)

    with pytest.raises(ValueError, match="broken"):
        write_package(failing(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_the_command_packs_says_what_is_proven_and_verifies(tmp_path: Path) -> None:
    run = a_run(tmp_path).path
    out = str(tmp_path / "evidence.zip")
    packed = CliRunner().invoke(command, [str(run), "-o", out])
    assert packed.exit_code == 0
    assert "proven; manifest SHA-256" in packed.stdout
    verified = CliRunner().invoke(command, ["--verify", out])
    assert verified.exit_code == 0
    assert "8 files unchanged" in verified.stdout


def test_the_command_exits_1_for_a_changed_package_and_2_for_none(tmp_path: Path) -> None:
    bad = rewritten(pack(tmp_path, "evidence.zip"), tmp_path / "bad.zip", {REPLY: b"x"})
    assert CliRunner().invoke(command, [str(bad), "--verify"]).exit_code == 1
    assert CliRunner().invoke(command, [str(bad)]).exit_code == 2
    (tmp_path / "plain.txt").write_text("no zip")
    missing = CliRunner().invoke(command, ["--verify", str(tmp_path / "plain.txt")])
    assert isinstance(missing.exception, UsageError)


def test_a_package_can_be_read_by_others(tmp_path: Path) -> None:
    assert stat.S_IMODE(pack(tmp_path, "evidence.zip").stat().st_mode) == 0o644
    assert stat.S_IMODE(pack(tmp_path, "evidence").stat().st_mode) == 0o755


def in_pairs(tmp_path: Path) -> tuple[Path, dict[str, bytes]]:
    """A run whose replies were judged side by side, and the files of its package."""
    _, head = a_story_in_pairs(tmp_path)
    out = tmp_path / "evidence.zip"
    done = CliRunner().invoke(command, [str(head), "-o", str(out)])
    assert done.exit_code == 0, done.output
    assert "packed with 5 judged pairs" in done.output
    with zipfile.ZipFile(out) as packed:
        return out, {name: packed.read(name) for name in packed.namelist()}


def test_judged_pairs_are_packed_byte_for_byte_and_as_a_table(tmp_path: Path) -> None:
    _, files = in_pairs(tmp_path)
    assert files["pairs.jsonl"] == (tmp_path / "pairs.jsonl").read_bytes()
    page = files["EVIDENCE.md"].decode()
    assert "- 1 won, 1 tied, 2 lost: head's replies against base's, judged by `example-judge` in both orders" in page
    assert "| `taken-in` | lost | yes → yes | 2 → 1 | 3 → 1 | agree | code |" in page
    assert "| `unjudged` | not judged | – | – | – | – | – |" in page
    whole = files["PAIRS.md"].decode()
    assert (
        "- head: fulfilment at most 1 by code (hallucination), `the tools found nothing, and the reply gives" in whole
    )
    assert "- base first: prefers head (base: language yes, fulfilment 3, factuality 3; head: language yes," in whole


def test_pairs_stand_in_the_manifest_and_one_changed_byte_is_found(tmp_path: Path) -> None:
    packed, files = in_pairs(tmp_path)
    sums = json.loads(files["manifest.json"])["files"]
    assert sums["pairs.jsonl"]["sha256"] == hashlib.sha256(files["pairs.jsonl"]).hexdigest()
    assert "PAIRS.md" in sums
    assert verify_package(packed).problems == ()
    forged = files["pairs.jsonl"].replace(b'"preferred": "base"', b'"preferred": "head"', 1)
    bad = rewritten(packed, tmp_path / "bad.zip", {"pairs.jsonl": forged})
    assert verify_package(bad).problems == ("pairs.jsonl was changed: its SHA-256 is not the manifest's",)
    gone = rewritten(packed, tmp_path / "gone.zip", {"pairs.jsonl": None})
    assert verify_package(gone).problems == ("pairs.jsonl is missing",)


def test_pairs_of_another_runs_replies_are_left_out_with_a_note(tmp_path: Path) -> None:
    a_story_in_pairs(tmp_path)
    other = a_run_file(tmp_path / "head.jsonl", [a_grade_line(a_case("better"), Grade.PASS)])
    done = CliRunner().invoke(command, [str(other), "-o", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert "is about another run's replies and was left out" in done.output
    assert not (tmp_path / "out" / "pairs.jsonl").exists()


def test_a_pairs_file_that_cannot_be_read_is_named_and_nothing_is_packed(tmp_path: Path) -> None:
    _, head = a_story_in_pairs(tmp_path)
    (tmp_path / "pairs.jsonl").write_text('{"kind": "pairs"')
    done = CliRunner().invoke(main, ["evidence", str(head), "-o", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert "pairs.jsonl:1" in done.output
    assert not (tmp_path / "out").exists()


def test_hostile_words_in_pairs_stay_inert_in_both_pages(tmp_path: Path) -> None:
    case = a_case("c | <b> `x`", expected_behavior=("x",))
    base, head = runs(tmp_path, [(case, Grade.PASS, {"output": "a"}, Grade.PASS, {"output": HOSTILE})])
    pairs_beside(base, head, {case.id: BETTER}, why=HOSTILE)
    with RunReader(head) as run:
        found = pairs_of_head(tmp_path / "pairs.jsonl", run)
        assert found is not None
        files = {file.name: file.content.decode() for file in package(run, PackedPairs(found, b""))}
    for name in ("EVIDENCE.md", "PAIRS.md"):
        tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(files[name])
        inline = [child for token in tokens for child in token.children or []]
        assert not [each for each in inline if each.type in ("html_inline", "link_open", "image")]
        assert not [each for each in inline if each.type == "text" and "@everyone" in each.content]
