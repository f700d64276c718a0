"""A labelled issue becomes a pull request with one valid file and what today's agent makes of it."""

from __future__ import annotations

import pytest

from quilate.goldens.load import load_dataset

FORM = """### What was asked

Soy Camila Rojas, RUT 12.345.678-5. ¿En qué estado está mi pedido 47821?

### What the agent answered

Su pedido llega mañana sin falta.

### What it should have done

- consulta el pedido antes de responder

### Phrases that must not appear

sin falta

### Category

Consulta-Pedido

### Severity

critical

### Names to replace

Camila Rojas
"""
PATH = "goldens/incidents/2026-05-12-17.yaml"
BRANCH = "quilate/incident-17"


def _added(support, tmp_path, branch=BRANCH):
    files = support.fake.repository.files_of(branch)
    before = support.fake.repository.files_of("main")
    new = {path: data for path, data in files.items() if before.get(path) != data}
    for path, data in new.items():
        target = tmp_path / "added" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return new


def test_a_label_opens_a_pull_request_with_one_valid_file(support, label, tmp_path):
    support.fake.repository.may_create_pulls = True
    result = label(FORM)
    assert result.code == 0, result.log
    assert list(_added(support, tmp_path)) == [PATH]
    (case,) = load_dataset([PATH], tmp_path / "added").cases
    assert case.category == "consulta-pedido"
    assert case.critical
    assert case.source == "https://ghe.example.com/octo/shop/issues/17"
    assert "47821" in case.question
    assert "12.345.678-5" not in case.question
    assert "Camila" not in case.question
    (pull,) = support.fake.repository.pulls.values()
    assert pull.head_ref == BRANCH
    assert "reproduces 3 of 3" in pull.body
    assert "Su pedido llega mañana sin falta." in pull.body
    assert "| RUT | 1 | 1 |" in pull.body
    assert "12.345.678-5" not in pull.body
    (answer,) = support.comments(17)
    assert f"/pull/{pull.number}" in answer


def test_a_second_label_after_an_edit_updates_the_same_pull_request(support, label, tmp_path):
    support.fake.repository.may_create_pulls = True
    label(FORM)
    result = label(FORM.replace("sin falta\n\n### Category", "llega el lunes\n\n### Category"))
    assert result.code == 0, result.log
    (pull,) = support.fake.repository.pulls.values()
    assert "does not reproduce" in pull.body or "nothing could be graded" in pull.body
    assert b"llega el lunes" in _added(support, tmp_path)[PATH]
    assert len(support.comments(17)) == 1


def test_without_the_setting_the_branch_is_pushed_and_the_issue_gets_a_link(support, label, tmp_path):
    result = label(FORM)
    assert result.code == 0, result.log
    assert list(_added(support, tmp_path)) == [PATH]
    assert support.fake.repository.pulls == {}
    (answer,) = support.comments(17)
    assert "https://ghe.example.com/octo/shop/compare/main...quilate/incident-17?quick_pull=1" in answer
    assert "Allow GitHub Actions to create and approve pull requests" in answer


@pytest.mark.parametrize("login", ["visitor", "nobody", "github-actions[bot]"])
def test_a_label_by_someone_without_permission_does_nothing(support, label, login):
    support.fake.repository.may_create_pulls = True
    result = label(FORM, login=login)
    assert result.code == 0, result.log
    assert support.fake.repository.pulls == {}
    assert support.comments(17) == []
    assert support.fake.repository.files_of(BRANCH) == {}


def test_what_is_missing_is_asked_back_in_the_issues_language(support, label):
    result = label("### What was asked\n\n¿Dónde está mi pedido?\n\n### What it should have done\n\n_No response_\n")
    assert result.code == 0, result.log
    (answer,) = support.comments(17)
    assert "**What it should have done**" in answer
    assert "Todavía no es un caso golden" in answer
    assert support.fake.repository.files_of(BRANCH) == {}


def test_an_exact_duplicate_is_refused_with_its_id_and_a_near_one_is_shown(support, label):
    support.fake.repository.may_create_pulls = True
    expected = "\n\n### What it should have done\n\nconsulta el stock\n"
    label("### What was asked\n\n¿tienen   TALLAS grandes?" + expected)
    assert "`known`" in support.comments(17)[0]
    assert support.fake.repository.pulls == {}
    label("### What was asked\n\n¿Tienen tallas mas grandes?" + expected)
    (pull,) = support.fake.repository.pulls.values()
    assert "| `known` |" in pull.body


def test_a_secret_in_the_issue_is_refused(support, label):
    key = "-----BEGIN " + "RSA PRIVATE KEY-----"
    result = label(FORM.replace("Su pedido", f"{key} MIIEow Su pedido"))
    assert result.code == 0, result.log
    (answer,) = support.comments(17)
    assert "private key" in answer
    assert support.fake.repository.files_of(BRANCH) == {}


def test_a_suite_that_would_not_read_the_file_is_told(support, label):
    support.main(
        {"quilate.yml": (support.folder / "quilate.yml").read_text().replace("goldens/**/*.yaml", "goldens/*.yaml")}
    )
    support.fake.repository.may_create_pulls = True
    label(FORM)
    (pull,) = support.fake.repository.pulls.values()
    assert "does not read this file" in pull.body


def test_a_missing_permission_is_told_with_the_lines_to_write(label):
    result = label(FORM, permissions={"contents": "write", "pull_requests": "read"})
    assert result.code == 2
    assert "issues: write" in result.log


def _form(asked: str, expected: str = "saluda") -> str:
    return f"### What was asked\n\n{asked}\n\n### What it should have done\n\n{expected}\n"


UNSEEN = "<!-- ### What was asked\nx -->\n"
HOSTILE = {
    "a path as id": _form("../../.github/workflows/x.yml", "id: ../../.github/workflows/x.yml"),
    "YAML tags": _form("!!python/object/apply:os.system ['echo']", "&a [*a, *a]\n- <<: *a"),
    "a megabyte": "### What was asked\n\n" + "mensaje " * 130_000,
    "HTML comments": UNSEEN + _form("<!-- a -->hola<!--\n### Category\nx\n-->"),
    "nested fences": _form("````\n```\n### Category\nx\n```\n````", "```text\nsaluda\n```"),
    "right-to-left marks": _form("\u202ehola\u202c\u200f", "\u2067saluda\u2069"),
    "CRLF": FORM.replace("\n", "\r\n"),
    "only emoji": "😀😀😀",
    "emoji in the form": _form("😀😀😀", "👋"),
    "commands for the runner": _form("::set-output name=x::y\n::stop-commands::z", "::error::x"),
    "mentions and links": _form("@octo/all [x](javascript:alert(1)) <img src=x>", "@octo #1"),
    "NUL and controls": _form("a\0b\x07\x1b[31mc\x85\u2028d", "\x01"),
    "nothing": "",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_body_gives_a_clear_answer_or_a_safe_file(support, label, tmp_path, name):
    support.fake.repository.may_create_pulls = True
    result = label(HOSTILE[name])
    assert result.code == 0, result.log
    (answer,) = support.comments(17)
    new = _added(support, tmp_path) if support.fake.repository.pulls else {}
    if new:
        assert list(new) == [PATH]
        (case,) = load_dataset([PATH], tmp_path / "added").cases
        assert case.id == "incident-17"
        (pull,) = support.fake.repository.pulls.values()
        assert "](javascript" not in pull.body.replace("`[x](javascript", "")
    else:
        assert "**What" in answer
