"""docs/options.md is what the schemas say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_of_options_is_current():
    command = [sys.executable, str(ROOT / "scripts" / "options"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_key_of_a_configuration_and_of_a_case_is_on_it():
    from quilate.config import Config
    from quilate.goldens.case import GoldenCase

    page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
    missing = [name for model in (Config, GoldenCase) for name in model.model_fields if f"| `{name}` |" not in page]
    assert missing == []
