"""From an agent's bytes to JSON that can be stored and compared. All is hostile."""

from __future__ import annotations

import json
import math
from typing import Any

from quilate.saying import say

MAX_REPLY_BYTES = 10_000_000
MAX_DEPTH = 100
_MAX_DIGITS = 300

TOO_LARGE = say("the reply has more than {n} MB", n=MAX_REPLY_BYTES // 1_000_000)


class BadReplyError(ValueError):
    """What the agent wrote is no result; `why` says why, in one line."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def decode(raw: bytes) -> Any:
    """`raw` as JSON that can be stored and compared.

    Refuses, with `BadReplyError`: more than 10 MB, invalid UTF-8, no JSON, `NaN` and infinities, numbers beyond
    300 digits, nesting beyond 100 levels, and lone surrogates (they have no UTF-8).
    """
    if len(raw) > MAX_REPLY_BYTES:
        raise BadReplyError(TOO_LARGE)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        message = say(
            "the reply is not UTF-8 (byte {place} is {byte})", place=error.start, byte=f"0x{raw[error.start]:02x}"
        )
        raise BadReplyError(message) from None
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_int=_integer, parse_float=_float)
    except json.JSONDecodeError as error:
        found = f"{text[:60]!r}" if text.strip() else say("nothing")
        message = say(
            "the reply is not JSON ({problem}, character {place}); found {found}",
            problem=error.msg, place=error.pos, found=found,
        )  # fmt: skip
        raise BadReplyError(message) from None
    except RecursionError:
        message = say("the reply's JSON is nested more than {n} levels deep", n=MAX_DEPTH)
        raise BadReplyError(message) from None
    _check(value)
    return value


def _no_constant(name: str) -> None:
    message = say("the reply holds {value}, which is not JSON", value=name)
    raise BadReplyError(message)


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        message = say("the reply holds a number of {n} digits", n=len(digits))
        raise BadReplyError(message)
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        message = say("the reply holds the number {value}, which is too large", value=digits[:40])
        raise BadReplyError(message)
    return value


def _check(value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        deeper: list[Any] = []
        for item in level:
            if isinstance(item, str):
                _check_text(item)
            elif isinstance(item, dict):
                for key in item:
                    _check_text(key)
                deeper.extend(item.values())
            elif isinstance(item, list):
                deeper.extend(item)
        if not deeper:
            return
        level = deeper
    message = say("the reply's JSON is nested more than {n} levels deep", n=MAX_DEPTH)
    raise BadReplyError(message)


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = f"\\u{ord(text[error.start]):04x}"
        message = say("the reply holds half a character (a lone surrogate, {code})", code=code)
        raise BadReplyError(message) from None
