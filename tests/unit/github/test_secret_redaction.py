"""Secret values out of what is published."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote_plus

import markupsafe
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.config import Config
from quilate.redaction import REDACTED, Redactor, secret_values
from quilate.report.escape import cell
from quilate.runs.lines import cleaned

SECRETS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zs"]), min_size=8, max_size=40).filter(
    lambda text: text not in REDACTED
)


@given(SECRETS, st.text(st.characters(codec="utf-8"), max_size=30))
def test_no_form_of_a_secret_survives(secret, around):
    redactor = Redactor((secret,))
    forms = [
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        base64.b64encode(secret.encode()).decode(),
    ]
    for form in forms:
        assert form not in redactor.text(f"{around}{form}{around}")


ALPHABET = st.text('abcdefgh012345-_"\\\n…', min_size=8, max_size=60)


@given(st.lists(st.text("ABCDEF0123456789-_", min_size=24, max_size=40), min_size=1, max_size=3), st.data())
def test_what_a_cut_left_of_a_secret_tells_nothing_of_it(secrets, data):
    redactor = Redactor(tuple(secrets))
    secret = data.draw(st.sampled_from(secrets))
    length = data.draw(st.integers(4, len(secret) - 1))
    for sign in ("…", " …", "\\u2026"):
        assert secret[:4] not in redactor.text(f"token: {secret[:length]}{sign} x")
        assert secret[-4:] not in redactor.text(f"x {sign}{secret[-length:]} is it")


@pytest.mark.parametrize("length", [16, 20, 31])
def test_half_of_a_secret_is_taken_out_wherever_it_stands(length):
    secret = "0123456789abcdefghijklmnopqrstuv"
    redactor = Redactor((secret,))
    assert redactor.text(f"<{secret[:length]}>") == f"<{REDACTED}>"
    assert redactor.text(f"<{secret[-length:]}>") == f"<{REDACTED}>"


def test_a_word_that_begins_as_a_secret_does_stays_as_it_is():
    redactor = Redactor(("https://hooks.example.com/T0123",))
    for text in ("https://example.com/orders…", "https://hooks", "see http:…", "0123 orders, T0123"):
        assert redactor.text(text) == text


@given(ALPHABET, st.text('abcdefgh012345-_"\\\n…', max_size=80))
def test_a_line_of_json_stays_one_whatever_is_taken_out(secret, around):
    redactor = Redactor((secret,))
    for text in (around, f"{around}{secret[: len(secret) // 2 + 4]}{around}", f"{around}{secret}{around}"):
        line = json.dumps({"a": text, "b": [text]}, ensure_ascii=False).encode() + b"\n"
        read = json.loads(cleaned(line, redactor.text))
        assert secret not in read["a"]


@given(st.text(max_size=200))
def test_without_secrets_nothing_changes(text):
    assert Redactor(()).text(text) == text


def test_a_run_file_stays_json(tmp_path):
    secret = 'sk-"quoted"\\and\nlines-of-it'
    path = tmp_path / "run.jsonl"
    rows = [{"a": secret}, {"b": "clean"}, {"c": f"x {secret} y"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert Redactor((secret,)).file(path)
    read = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert read == [{"a": REDACTED}, {"b": "clean"}, {"c": f"x {REDACTED} y"}]
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_without_secrets_is_left_alone(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'{"a": "\xff"}\r\n')
    assert not Redactor(("secret-12",)).file(path)
    assert path.read_bytes() == b'{"a": "\xff"}\r\n'


def config(**overrides):
    values = {"suite": "s", "goldens": ["g.yaml"], "agent": {"replay": "r.jsonl"}, **overrides}
    return Config.model_validate_json(json.dumps(values))


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("OPENAI_API_KEY", "sk-0123456789", True),
        ("DB_PASSWORD", "correct-horse-battery", True),
        ("TOKEN_LIMIT", "100000000", False),
        ("AUTH_MODE", "anonymous", False),
        ("PRIVATE_DIR", "/home/runner/private", False),
        ("SSH_AUTH_SOCK", "agent.sock.12345", False),
        ("API_KEY", "short", False),
        ("GITHUB_WORKSPACE", "workspace-12345", False),
        ("INPUT_TOKEN", "something-1234", False),
    ],
)
def test_which_variables_are_secret_by_their_name(name, value, hidden):
    assert (value in secret_values({name: value}, "")) is hidden


def test_the_token_and_what_the_configuration_names_as_a_key_are_secret():
    judged = config(judge={"provider": "openai", "model": "m", "api_key_env": "MY_JUDGE"})
    assert secret_values({"MY_JUDGE": "lettersonly"}, "ghs_1", [judged]) == ("ghs_1", "lettersonly")


@given(SECRETS, st.binary(max_size=12), st.binary(max_size=12))
def test_no_base64_of_a_text_around_a_secret_gives_it_back(secret, before, after):
    """`Authorization: Basic` holds `user:secret`; what is left must not be decoded to the secret again."""
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        written = encode(before + secret.encode() + after).decode()
        assert REDACTED in Redactor((secret,)).text(written)


@pytest.mark.parametrize(
    "escape",
    [html.escape, lambda text: html.escape(text, quote=False), lambda text: str(markupsafe.escape(text)), quote_plus],
)
def test_an_escaped_secret_is_a_secret(escape):
    secret = """p<a&ss"wo'rd | 99"""
    assert Redactor((secret,)).text(f"x {escape(secret)} y") == f"x {REDACTED} y"


def test_a_secret_in_a_tables_cell_is_a_secret():
    assert Redactor(("pass|word|99",)).text(cell("pass|word|99")) == f"`{REDACTED}`"
