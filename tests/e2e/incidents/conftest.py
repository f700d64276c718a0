"""The shop of the action's tests with an agent of its own, and issues that are labelled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.e2e.action.conftest import Shop, shop, webhooks  # noqa: F401 - fixtures
from tests.github_fake.state import Issue

INCIDENTS = {"contents": "write", "pull_requests": "write", "issues": "write"}
AGENT = """import json, sys
asked = json.loads(sys.stdin.readline())
print(json.dumps({"case_id": asked["case_id"], "output": "Su pedido llega mañana sin falta.", "tool_calls": []}))
"""
CONFIG = """suite: orders
goldens: ["goldens/**/*.yaml"]
agent:
  command: [python3, agent.py]
"""
GOLDENS = """version: '1'
cases:
  - id: known
    category: consulta-pedido
    input: ¿Tienen tallas grandes?
    forbidden_phrases: [no]
"""


@pytest.fixture
def support(shop: Shop) -> Shop:  # noqa: F811 - the fixture
    shop.main({"quilate.yml": CONFIG, "goldens/orders.yaml": GOLDENS, "agent.py": AGENT, ".gitignore": ".quilate\n"})
    shop.fake.repository.people["maria"] = "write"
    shop.fake.repository.people["visitor"] = "read"
    return shop


@pytest.fixture
def label(support: Shop) -> Callable[..., Any]:
    """Sets the label on an issue with this body; gives the step's result."""

    def labelled(body: str, *, number: int = 17, login: str = "maria", **options: Any) -> Any:
        support.fake.repository.issues[number] = Issue(number, "visitor", "Incident", body)
        support.git("checkout", "-q", "--detach", "main")
        sha = support.git("rev-parse", "HEAD")
        payload = support.payload(
            "issues", "labeled", issue__number=number, issue__body=body, issue__created_at="2026-05-12T14:30:00Z",
            label__name="golden-case", sender__login=login,
        )  # fmt: skip
        return support.step(
            "issues", payload, sha, **{"permissions": INCIDENTS, "ref": "refs/heads/main", "upload": False, **options}
        )

    return labelled
