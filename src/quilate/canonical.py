"""Canonical JSON and fingerprints: equal meaning, equal bytes."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """`value` (anything JSON can hold) as JSON with sorted keys and no spare white space."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def fingerprint(value: Any) -> str:
    """SHA-256 of the canonical JSON, as 32 hexadecimal digits (128 bits: ample to tell versions of cases apart)."""
    text = canonical_json(value)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
