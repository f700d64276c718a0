"""Golden cases as JSON Lines: a case a line, every field as a golden file has it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from quilate.goldens.case import GoldenCase


def as_json_lines(cases: Iterable[GoldenCase]) -> Iterator[str]:
    """One line a case, defaults left out; reading them gives the same cases."""
    for case in cases:
        fields = case.model_dump(mode="json", exclude_defaults=True)
        yield json.dumps(fields, ensure_ascii=False)
