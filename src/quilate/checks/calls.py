"""A reply's tool calls as they are compared: arguments read, differences found, the closest call named."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from quilate.agents.agent import ToolCall
from quilate.checks.matching import Fields, Mismatch, fields_shown
from quilate.checks.values import shown, typed
from quilate.saying import listed, message, say

MAX_DIFFERENCES = 4
MAX_CALLS_SHOWN = 6
NO_CALL = say("no tool was called")
OR = message(" or ")


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A call with its arguments as an object; `args` is None where they could not be read as one."""

    name: str
    args: dict[str, JsonValue] | None
    raw: JsonValue

    def __str__(self) -> str:
        if self.args is None:
            return called_with(self.name, shown(self.raw))
        return called_with(self.name, listed(listed([key, shown(value)], by=": ") for key, value in self.args.items()))


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
        return called_with(self.name, fields_shown(self.args.fields))

    @property
    def name(self) -> str:
        """The tool's name, or those of which each will do."""
        return listed(self.names, by=OR)

    def differences(self, call: ReadCall) -> list[Mismatch]:
        """Where a call of the right name differs; none where it is the call. May raise `PatternTimeoutError`."""
        if call.args is None:
            found = say("{value}, cannot be read as one", value=typed(call.raw))
            return [Mismatch((call.name,), say("arguments that are a JSON object"), found)]
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
            return say("{tool} was not called; {calls}", tool=self.name, calls=calls_shown(calls))
        closest = min(named, key=len)
        if not closest:  # it is there, but another expectation needs it
            return say("{call} was called too few times", call=str(self))
        return and_more(listed(map(str, closest[:MAX_DIFFERENCES]), by="; "), len(closest) - MAX_DIFFERENCES)


def calls_shown(calls: Sequence[ReadCall]) -> str:
    """What was called, as part of a sentence."""
    return say("called: {calls}", calls=calls_listed(calls)) if calls else NO_CALL


def calls_listed(calls: Sequence[ReadCall]) -> str:
    """The calls themselves, on one line."""
    if not calls:
        return NO_CALL
    return and_more(listed(map(str, calls[:MAX_CALLS_SHOWN])), len(calls) - MAX_CALLS_SHOWN)


def called_with(name: str, args: str) -> str:
    """A call as it is written: `get_order(number: 47821)`."""
    return listed([name, "(", args, ")"], by="")


def and_more(items: str, left: int) -> str:
    """`items`, with how many are left out where any are."""
    return say("{items} and {n} more", items=items, n=left) if left > 0 else items
