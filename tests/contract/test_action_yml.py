"""action.yml, the code that reads it and the pages that describe it say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from quilate.github import settings, turn
from quilate.github.settings import Mode, from_environ

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
PAGE = ROOT / "docs" / "github-action.md"
STEP = {
    "GITHUB_REPOSITORY": "octo/shop", "GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": "event.json",
    "GITHUB_SHA": "a" * 40, "GITHUB_RUN_ID": "7",
}  # fmt: skip


def defaults() -> dict[str, str]:
    """The inputs as a step without `with:` gets them."""
    given = {name: one.get("default", "") for name, one in ACTION["inputs"].items()}
    return {f"INPUT_{name.upper()}": "ghs_job" if "github.token" in value else value for name, value in given.items()}


def test_every_input_is_one_that_the_code_reads():
    assert tuple(ACTION["inputs"]) == settings.INPUTS


def test_every_output_is_one_that_the_code_writes():
    assert tuple(ACTION["outputs"]) == turn.OUTPUTS


def test_the_defaults_are_the_codes_own():
    declared = from_environ(STEP | defaults())
    assert declared == from_environ(STEP | {"INPUT_TOKEN": "ghs_job"})


def test_inputs_and_outputs_can_be_read_from_any_shell():
    for name in (*ACTION["inputs"], *ACTION["outputs"]):
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)


def test_every_mode_is_described():
    for mode in Mode:
        assert mode in ACTION["inputs"]["mode"]["description"]


@pytest.mark.parametrize("name", [*ACTION["inputs"], *ACTION["outputs"]])
def test_every_input_and_output_is_described_on_the_actions_page(name):
    assert f"`{name}`" in PAGE.read_text("utf-8")


def test_the_image_is_the_repositorys_own_or_named_by_digest():
    image = ACTION["runs"]["image"]
    assert image == "Dockerfile" or re.fullmatch(r"docker://ghcr\.io/[a-z0-9._/-]+@sha256:[0-9a-f]{64}", image)


def test_nothing_of_an_input_reaches_a_shell():
    assert set(ACTION["runs"]) == {"using", "image"}
