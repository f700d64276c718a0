"""GitHub's own published payloads, as inputs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "contract" / "data"


@pytest.fixture(scope="session")
def webhooks() -> dict[str, list[dict[str, Any]]]:
    return json.loads(gzip.decompress((DATA / "webhooks.json.gz").read_bytes()))
