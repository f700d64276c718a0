"""Free prose with a judge's model: it sees redacted text only, and what it drafts is marked."""

from __future__ import annotations

import json

import pytest
from tests.integration.judge.conftest import Answer, loopback  # noqa: F401 - a fixture
from tests.wire_factories import SPEAKERS

PROSE = (
    "A customer, robin99@example.net, asked for help. They wrote: when do you open on Sunday? The bot said: we never"
    " open. It should have given the opening hours."
)
DRAFT = {
    "asked": "when do you open on Sunday?",
    "answered": "we never open",
    "expectations": [
        {"text": "gives Sunday's opening hours", "quote": "It should have given the opening hours"},
        {"text": "offers a refund", "quote": "offer them a refund"},
    ],
    "expected_tools": [],
    "forbidden_tools": [],
    "forbidden_phrases": [],
}


@pytest.fixture
def speaker():
    return next(one for one in SPEAKERS if one.provider == "openai")


@pytest.fixture
def judged(support, loopback, speaker):  # noqa: F811 - the fixture
    config = (support.folder / "quilate.yml").read_text()
    judge = f"judge: {{provider: openai, model: m, base_url: '{loopback.url}{speaker.base}', retries: 0}}\n"
    support.main({"quilate.yml": config + judge})
    support.fake.repository.may_create_pulls = True
    support.env["OPENAI_API_KEY"] = "k" * 20
    return loopback


def test_a_draft_is_taken_as_far_as_it_is_quoted_and_marked(support, label, judged, speaker):
    judged.script = lambda _: Answer(speaker.says(DRAFT))
    result = label(PROSE)
    assert result.code == 0, result.log
    (pull,) = support.fake.repository.pulls.values()
    assert "*drafted* by a model" in pull.body
    text = support.fake.repository.files_of("quilate/incident-17")["goldens/incidents/2026-05-12-17.yaml"].decode()
    assert "when do you open on Sunday?" in text
    assert "gives Sunday's opening hours" in text
    assert "refund" not in text
    assert "robin99@example.net" not in json.dumps(judged.asked[0].body)


@pytest.mark.parametrize(
    "answer", [Answer(status=500), Answer(body=b"no json"), Answer(status=401)], ids=["500", "garbage", "401"]
)
def test_a_model_that_fails_leaves_the_fields_to_be_asked_back(support, label, judged, answer):
    judged.script = lambda _: answer
    result = label(PROSE)
    assert result.code == 0, result.log
    assert support.fake.repository.pulls == {}
    assert "**What was asked**" in support.comments(17)[0]
