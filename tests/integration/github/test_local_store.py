"""The data branch from a laptop."""

from __future__ import annotations

import pytest

from quilate.config import BaselineConfig
from quilate.errors import UsageError
from quilate.github.local_store import data_branch_store, origin_of

SHA = "1" * 40


def test_what_a_laptop_saves_a_workflow_reads(fake, make_run, tmp_path):
    environ = {
        "GITHUB_TOKEN": fake.token(contents="write"),
        "GITHUB_REPOSITORY": "octo/shop",
        "GITHUB_API_URL": fake.url,
    }
    store = data_branch_store(environ, "orders", BaselineConfig(), folder=tmp_path / "base")
    assert store.save(make_run(SHA, "ppf"))
    assert store.list() == (SHA,)
    assert store.load(SHA).is_file()
    assert [(one.commit, one.approved, one.graded) for one in store.history()] == [(SHA, 2, 3)]
    assert store.load("2" * 40) is None


@pytest.mark.parametrize(
    ("environ", "said"),
    [({}, "set GITHUB_TOKEN"), ({"GH_TOKEN": "x"}, "set GITHUB_REPOSITORY")],
)
def test_what_is_missing_is_said(environ, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=said):
        data_branch_store(environ, "orders", BaselineConfig(), folder=tmp_path)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/octo/shop.git", "octo/shop"),
        ("https://ghe.example.com/octo/shop", "octo/shop"),
        ("git@github.com:octo/shop.git", "octo/shop"),
        ("/srv/git", "srv/git"),
        ("nothing", None),
    ],
)
def test_the_repository_is_the_origins(tmp_path, url, name):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text(f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n', "utf-8")
    assert origin_of(tmp_path) == name
