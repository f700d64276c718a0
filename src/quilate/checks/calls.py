"""A reply's tool calls as they are compared: arguments read, differences found, the closest call named."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from quilate.agents.agent import ToolCall
from quilate.checks.matching import Fields, Mismatch
from quilate.checks.values import shown, typed

MAX_DIFFERENCES = 4
MAX_CALLS_SHOWN = 6
NO_CALL = "no tool was called"


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A call with its arguments as an object; `args` is None where they could not be read as one."""

    name: str
    args: dict[str, JsonValue] | None
    raw: JsonValue

    def __str__(self) -> str:
        if self.args is None:
            return f"{self.name}({shown(self.raw)})"
        return f"{self.name}({', '.join(f'{key}: {shown(value)}' for key, value in self.args.items())})"


def read_call(call: ToolCall) -> ReadCall:
    """`call` with its arguments read: an object, no arguments at all, or either of them as JSON text."""
    args = call.args
    if isinstance(args, str):
        try:
            args = json.loads(args) if args.strip() else {}
        except (ValueError, RecursionError):
            return ReadCall(call.name, None, call.args)
    if args is None:
        args = {}
    return ReadCall(call.name, args if isinstance(args, dict) else None, call.args)


@dataclass(frozen=True, slots=True)
class CallMatcher:
    """Which tool is to be called, and with what."""

    names: tuple[str, ...]
    args: Fields

    def __str__(self) -> str:
        args = ", ".join(f"{key}: {matcher}" for key, matcher in self.args.fields.items())
        return f"{' or '.join(self.names)}({args})"

    def differences(self, call: ReadCall) -> list[Mismatch]:
        """Where a call of the right name differs; none where it is the call. May raise `PatternTimeoutError`."""
        if call.args is None:
            return [
                Mismatch((call.name,), "arguments that are a JSON object", f"{typed(call.raw)}, cannot be read as one")
            ]
        return [
            Mismatch((call.name, *difference.path), difference.expected, difference.found)
            for difference in self.args.mismatches(call.args)
        ]

    def matches(self, call: ReadCall) -> bool:
        """Whether `call` is the call. May raise `PatternTimeoutError`."""
        return call.name in self.names and not self.differences(call)

    def why_not(self, calls: Sequence[ReadCall]) -> str:
        """One line on why none of `calls` is the call: the closest one's differences, or what was called instead."""
        named = [self.differences(call) for call in calls if call.name in self.names]
        if not named:
            name = " or ".join(self.names)
            return f"{name} was not called; {calls_shown(calls)}"
        closest = min(named, key=len)
        if not closest:  # it is there, but another expectation needs it
            return f"{self} was called too few times"
        more = f" and {len(closest) - MAX_DIFFERENCES} more" if len(closest) > MAX_DIFFERENCES else ""
        return "; ".join(map(str, closest[:MAX_DIFFERENCES])) + more


def calls_shown(calls: Sequence[ReadCall]) -> str:
    """What was called, as part of a sentence."""
    return f"called: {calls_listed(calls)}" if calls else NO_CALL


def calls_listed(calls: Sequence[ReadCall]) -> str:
    """The calls themselves, on one line."""
    if not calls:
        return NO_CALL
    more = f" and {len(calls) - MAX_CALLS_SHOWN} more" if len(calls) > MAX_CALLS_SHOWN else ""
    return ", ".join(map(str, calls[:MAX_CALLS_SHOWN])) + more
