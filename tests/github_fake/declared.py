"""What the templates' jobs declare: a token of the tests may do that and no more."""

from __future__ import annotations

import re
from pathlib import Path

import quilate

TEMPLATES = Path(quilate.__file__).parent / "templates"


def permissions(template: str, job: str) -> dict[str, str]:
    """`{"contents": "read", "pull_requests": "write"}` of a job in a template (which is YAML once it is filled in)."""
    text = (TEMPLATES / template).read_text("utf-8")
    block = text.partition(f"\n  {job}:\n")[2].partition("\n    permissions:\n")[2].partition("\n    steps:")[0]
    found = dict(re.findall(r"^      ([a-z-]+): (read|write)\b", block, re.MULTILINE))
    assert found, f"{template} has no job {job} with permissions"
    return {name.replace("-", "_"): level for name, level in found.items()}
