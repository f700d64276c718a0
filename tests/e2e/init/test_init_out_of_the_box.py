"""`quilate init` in an empty folder, then `quilate check` and `quilate run`, as a person would type them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from quilate.scaffold import ACTIONS

ROOT = Path(__file__).parents[3]
KINDS = ("python", "node", "http")


def quilate(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [sys.executable, "-m", "quilate", *arguments], cwd=cwd, env=os.environ | {"PATH": path, "NO_COLOR": "1"},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@pytest.fixture(params=KINDS)
def kind(request):
    if request.param == "node" and shutil.which("node") is None:
        pytest.skip("Node is not installed")
    return request.param


@pytest.fixture
def made(tmp_path, kind):
    folder = tmp_path / "Lojas do Sul"
    folder.mkdir()
    done = quilate("init", "--agent", kind, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_check_and_run_work_at_once(made):
    checked = quilate("check", cwd=made)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    ran = quilate("run", cwd=made)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "lojas-do-sul: 2 of 2 approved" in ran.stdout


def test_a_change_of_the_example_is_found(made, kind):
    quilate("run", cwd=made)
    assert quilate("baseline", "save", ".quilate/run.jsonl", cwd=made).returncode == 0
    agent = made / {"python": "agent.py", "node": "agent.mjs", "http": "server.py"}[kind]
    agent.write_text(agent.read_text().replace("get_order", "get_orders"))
    compared = quilate("run", "--baseline", ".quilate/baselines", cwd=made)
    assert compared.returncode == 1, compared.stdout + compared.stderr


def test_a_second_time_changes_nothing_and_says_so(made, kind):
    before = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    (made / "goldens/first.yaml").write_text("mine")
    done = quilate("init", "--agent", kind, cwd=made)
    assert done.returncode == 0
    assert "new" not in done.stdout.split("Try it")[0]
    assert done.stdout.count("left") == len(before)
    after = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    assert after == before | {made / "goldens/first.yaml": b"mine"}


def test_a_folder_in_a_files_place_is_one_clear_error(tmp_path):
    (tmp_path / "quilate.yml").mkdir()
    done = quilate("init", cwd=tmp_path)
    assert done.returncode == 2
    assert "quilate.yml" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_remotes_default_branch_is_the_one_that_records(tmp_path):
    head = tmp_path / ".git/refs/remotes/origin/HEAD"
    head.parent.mkdir(parents=True)
    head.write_text("ref: refs/remotes/origin/trunk\n")
    quilate("init", cwd=tmp_path)
    workflow = yaml.safe_load((tmp_path / ".github/workflows/quilate.yml").read_text())
    assert workflow[True]["push"]["branches"] == ["trunk"]


def test_no_placeholder_is_left(made):
    for path in made.rglob("*"):
        if path.is_file():
            assert not re.search(r"@[A-Z]+@", path.read_text()), path


def test_each_jobs_permissions_are_the_documented_ones(made):
    workflow = yaml.safe_load((made / ".github/workflows/quilate.yml").read_text())
    forks = yaml.safe_load((made / ".github/workflows/quilate-forks.yml").read_text())
    assert workflow["permissions"] == forks["permissions"] == {}
    assert workflow["jobs"]["record"]["permissions"] == {"contents": "write", "pull-requests": "read"}
    compare = {"contents": "read", "pull-requests": "write", "actions": "read"}
    assert workflow["jobs"]["compare"]["permissions"] == compare
    assert forks["jobs"]["publish"]["permissions"] == compare | {"statuses": "write"}
    assert not any("checkout" in step.get("uses", "") for step in forks["jobs"]["publish"]["steps"])


def test_the_templates_pin_what_our_own_workflows_pin():
    own = "".join(path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml"))
    for pin in ACTIONS.values():
        assert pin in own


def test_our_own_issue_form_is_the_one_we_write():
    template = ROOT / "src/quilate/templates/golden-case.yml"
    assert (ROOT / ".github/ISSUE_TEMPLATE/golden-case.yml").read_text() == template.read_text()
