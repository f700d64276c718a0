"""The environment as one typed value."""

from __future__ import annotations

from pathlib import Path

import pytest

from quilate.errors import UsageError
from quilate.github.settings import Mode, from_environ


def environ(**overrides):
    values = {
        "GITHUB_REPOSITORY": "octo/shop",
        "GITHUB_EVENT_NAME": "push",
        "GITHUB_EVENT_PATH": "/event.json",
        "GITHUB_SHA": "a" * 40,
        "GITHUB_RUN_ID": "7",
        "GITHUB_TOKEN": "ghs_secret",
        **overrides,
    }
    return {name: value for name, value in values.items() if value is not None}


def test_defaults():
    settings = from_environ(environ())
    assert (settings.config, settings.output, settings.comment, settings.mode) == (
        ("quilate.yml",),
        Path(".quilate"),
        True,
        Mode.AUTO,
    )
    assert settings.run_url == "https://github.com/octo/shop/actions/runs/7"


def test_an_input_goes_before_the_plain_variable_and_empty_is_unset():
    values = environ(
        INPUT_MODE="record", QUILATE_MODE="compare", INPUT_SUITE="", QUILATE_SUITE="orders", INPUT_TOKEN="ghs_x"
    )
    settings = from_environ(values)
    assert (settings.mode, settings.suite, settings.token) == (Mode.RECORD, "orders", "ghs_x")


def test_several_configs_by_comma_space_or_line():
    assert from_environ(environ(INPUT_CONFIG="a/quilate.yml, b/quilate.yml\nc/*.yml")).config == (
        "a/quilate.yml",
        "b/quilate.yml",
        "c/*.yml",
    )


def test_the_token_is_not_in_the_representation():
    assert "ghs_secret" not in repr(from_environ(environ()))


def test_every_problem_is_reported_at_once():
    wrong = environ(
        GITHUB_SHA="main",
        GITHUB_RUN_ID=None,
        GITHUB_TOKEN=None,
        INPUT_COMMENT="yes",
        INPUT_MODE="recrd",
        INPUT_OUTPUT="/tmp/out",
        INPUT_CONFIG="../quilate.yml",
        INPUT_TOKN="x",
    )
    with pytest.raises(UsageError) as caught:
        from_environ(wrong)
    text = str(caught.value)
    for said in (
        "input tokn: there is no such input; did you mean token?",
        "input comment: found 'yes'; write true or false",
        "input mode: found 'recrd'; did you mean record?",
        "input output: found '/tmp/out'",
        "input config: found '../quilate.yml'",
        "GITHUB_SHA: found 'main'",
        "GITHUB_RUN_ID: found nothing",
        "input token: found nothing",
    ):
        assert said in text


@pytest.mark.parametrize("value", ["True", "TRUE", "1", "on", "y"])
def test_booleans_are_strict(value):
    with pytest.raises(UsageError, match="write true or false"):
        from_environ(environ(INPUT_COMMENT=value))


def test_enterprise_addresses():
    settings = from_environ(
        environ(GITHUB_API_URL="https://ghe.example.com/api/v3/", GITHUB_SERVER_URL="https://ghe.example.com")
    )
    assert settings.api_url == "https://ghe.example.com/api/v3"
    assert settings.run_url.startswith("https://ghe.example.com/octo/shop/")
