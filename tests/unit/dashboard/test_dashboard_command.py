"""`quilate dashboard`: where it reads, what it says when there is nothing, and hostile histories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.dashboard_factories import a_checkout, a_directory, commit_of

from quilate.cli import main
from quilate.report.figures import on_axis
from quilate.report.messages import Translator


def quilate(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["dashboard", *arguments])


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    done = quilate(str(tmp_path / "nowhere"))
    assert done.exit_code == 2
    assert "there is no such folder" in done.stderr


def test_a_folder_without_baselines_says_how_they_come_there(tmp_path):
    done = quilate(str(tmp_path))
    assert done.exit_code == 2
    assert "`quilate baseline save` stores the first" in done.stderr


def test_an_unknown_suite_names_those_there_are(tmp_path):
    done = quilate(str(a_directory(tmp_path, 1)), "--suite", "ordes")
    assert done.exit_code == 2
    assert "there are: orders" in done.stderr


def test_an_unknown_branch_names_those_there_are(tmp_path):
    done = quilate(str(a_checkout(tmp_path / "data", 1, branch="release/2")), "--branch", "main")
    assert done.exit_code == 2
    assert "there are: release/2" in done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        '{"record": 7}',
        "null",
        '{"record": "../../etc/passwd"}',
        '{"record": "a", "approved": "x"}',
    ],
)
def test_a_line_of_the_history_that_is_none_is_left_out(tmp_path, line):
    store = a_directory(tmp_path / "baselines", 2)
    with (store / "orders" / "history.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    done = quilate(str(store), "--out", str(tmp_path / "site"))
    assert done.exit_code == 0, done.output
    assert (tmp_path / "site" / "index.html").read_text(encoding="utf-8").count('<tr><th scope="row">') >= 2


def test_hostile_points_are_escaped_and_link_nowhere_else(tmp_path):
    store = a_directory(tmp_path / "baselines", 2)
    history = store / "orders" / "history.jsonl"
    lines = [json.loads(line) for line in history.read_text(encoding="utf-8").splitlines()]
    bad = "<script>alert(1)</script>"
    lines.append(
        lines[-1]
        | {"record": bad, "commit": "javascript:alert(1)", "dataset_version": bad, "started_at": bad, "cost_usd": bad,
           "accepted_by": bad, "approved": 1, "graded": 1, "tool_version": bad, "judge_fingerprint": bad}
    )  # fmt: skip
    history.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = quilate(str(store), "--out", str(tmp_path / "site"), "--repository", "example/shop")
    assert done.exit_code == 0, done.output
    html = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "<script" not in html
    assert 'href="javascript' not in html


def test_a_record_that_cannot_be_read_is_named_and_the_rest_is_shown(tmp_path):
    store = a_directory(tmp_path / "baselines", 3)
    (store / "orders" / f"{commit_of(1)}.jsonl.gz").write_bytes(b"\x1f\x8bnonsense")
    done = quilate(str(store), "--out", str(tmp_path / "site"))
    assert done.exit_code == 0, done.output
    html = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "Records that cannot be read" in html
    assert "3 runs, 2 with their records." in html


def test_the_newest_runs_may_be_enough(tmp_path):
    store = a_directory(tmp_path / "baselines", 5)
    quilate(str(store), "--out", str(tmp_path / "site"), "--last", "2")
    assert "2 runs" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "said"), [("es", "Casos más lentos"), ("pt-BR", "Casos mais lentos")])
def test_it_speaks_the_readers_language(tmp_path, language, said):
    store = a_directory(tmp_path / "baselines", 2)
    quilate(str(store), "--out", str(tmp_path / "site"), "--language", language)
    assert said in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("language", "middle"), [("en", "87.5"), ("es", "87,5"), ("pt-BR", "87,5")])
def test_an_axis_is_written_as_the_language_writes_numbers(tmp_path, language, middle):
    assert on_axis(87.5, Translator(language)) == middle


@pytest.mark.parametrize(
    ("value", "said"), [(0, "0"), (100, "100"), (0.01234, "0.0123"), (0.005, "0.005"), (1500, "1,500")]
)
def test_an_axis_says_three_digits_and_no_exponent(value, said):
    assert on_axis(value, Translator()) == said


def test_tags_become_releases(tmp_path: Path):
    import subprocess

    from quilate.cli.dashboard import tags

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        subprocess.run(["git", "-C", str(tmp_path), *identity, *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "one")
    git("tag", "v1")
    git("tag", "-a", "v2", "-m", "two")
    head = subprocess.run(["git", "-C", str(tmp_path), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    assert {(tag.name, tag.commit) for tag in tags(tmp_path)} == {
        ("v1", head.stdout.strip()),
        ("v2", head.stdout.strip()),
    }


def test_tags_of_no_repository_are_refused(tmp_path):
    done = quilate(
        str(a_directory(tmp_path / "baselines", 1)), "--tags-of", str(tmp_path), "--out", str(tmp_path / "site")
    )
    assert done.exit_code == 2
    assert "give a git repository" in done.stderr


CONFIG = "suite: orders\ngoldens: [goldens.yaml]\nagent: {replay: replies.jsonl}\nreport_language: es\n"


@pytest.mark.parametrize(
    ("options", "language", "said"),
    [
        ((), "es", "Tasa de aprobación"),
        (("--language", "pt-BR"), "pt-BR", "Taxa de aprovação"),
        (("--language", "en"), "en", "Pass rate over time"),
        (("--config", "elsewhere.yml"), "en", "Pass rate over time"),  # a file that is not there
    ],
)
def test_the_language_is_the_configurations_unless_another_is_asked_for(tmp_path, options, language, said):
    store = a_directory(tmp_path / "baselines", 2)
    config = tmp_path / "quilate.yml"
    config.write_text(CONFIG, encoding="utf-8")
    named = options if "--config" in options else ("--config", str(config), *options)
    done = quilate(str(store), "--out", str(tmp_path / "site"), *named)
    assert done.exit_code == 0, done.output
    html = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert f'<html lang="{language}">' in html
    assert said in html


def test_a_configuration_that_cannot_be_used_is_named(tmp_path):
    config = tmp_path / "quilate.yml"
    config.write_text("suite: orders\nreport_langage: es\n", encoding="utf-8")
    done = quilate(str(a_directory(tmp_path / "baselines", 1)), "--config", str(config))
    assert done.exit_code == 2
    assert "report_langage" in done.stderr
