"""Tool calls of both sides, lined up, with their arguments as a tree that says what differs."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from quilate.agents.agent import ToolCall
from quilate.report import visible

MAX_CALLS = 60
MAX_NODES = 200
MAX_DEPTH = 12
_LEAF_BYTES = 600
_OUTPUT_BYTES = 4000

State = Literal["same", "changed", "added", "removed"]


@dataclass(frozen=True, slots=True)
class Node:
    """An argument. `before` and `now` are JSON texts (None: not there); `children` where it is an object or a list."""

    key: str
    state: State
    before: str | None = None
    now: str | None = None
    children: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One call, on one side or on both."""

    name: str
    state: State
    args: tuple[Node, ...]
    output: str | None = None
    error: str | None = None
    base_output: str | None = None


@dataclass(frozen=True, slots=True)
class Calls:
    """Head's calls in their order, base's that have no counterpart where they stood. `left_out` of both, if many."""

    calls: tuple[Call, ...]
    left_out: int = 0

    @property
    def differ(self) -> bool:
        """Whether any call differs."""
        return any(call.state != "same" for call in self.calls)


def lined_up(base: Sequence[ToolCall] | None, head: Sequence[ToolCall]) -> Calls:
    """Calls of the same name, in the same order, are one call; `base` None: there is nothing to compare with."""
    room = _Room(MAX_NODES)
    if base is None:
        alone = tuple(_call(None, call, room, "same") for call in head[:MAX_CALLS])
        return Calls(alone, max(0, len(head) - MAX_CALLS))
    ours, theirs = base[:MAX_CALLS], head[:MAX_CALLS]
    matcher = difflib.SequenceMatcher(None, [call.name for call in ours], [call.name for call in theirs], False)
    found: list[Call] = []
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag == "equal":
            for before, now in zip(ours[start:end], theirs[first:last], strict=True):
                found.append(_call(before, now, room, "same" if _json(before.args) == _json(now.args) else "changed"))
        else:
            found += [_call(before, None, room, "removed") for before in ours[start:end]]
            found += [_call(None, now, room, "added") for now in theirs[first:last]]
    return Calls(tuple(found), max(0, len(base) - MAX_CALLS) + max(0, len(head) - MAX_CALLS))


class _Room:
    """How many nodes may still be drawn: one hostile argument must not fill the page."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self) -> bool:
        self.left -= 1
        return self.left >= 0


def _call(before: ToolCall | None, now: ToolCall | None, room: _Room, state: State) -> Call:
    shown = now or before
    assert shown is not None
    return Call(
        name=visible.line(visible.cut(shown.name, 200)),
        state=state,
        args=_arguments(before, now, room),
        output=_output(now.output) if now else None,
        error=visible.lines(visible.cut(shown.error, _OUTPUT_BYTES)) if shown.error else None,
        base_output=_output(before.output) if before and (now is None or before.output != now.output) else None,
    )


def _arguments(before: ToolCall | None, now: ToolCall | None, room: _Room) -> tuple[Node, ...]:
    ours, theirs = (before.args if before else None), (now.args if now else None)
    root = _both("", ours, theirs, room, 0) if before and now else _one("", theirs if now else ours, room, 0, "same")
    if root.children:
        return root.children
    return () if root.now is None and root.before is None else (root,)


def _both(key: str, before: JsonValue, now: JsonValue, room: _Room, depth: int) -> Node:
    if depth < MAX_DEPTH and isinstance(before, Mapping) and isinstance(now, Mapping):
        keys = [*now, *(each for each in before if each not in now)]
        children = tuple(
            _both(each, before[each], now[each], room, depth + 1)
            if each in before and each in now
            else _one(
                each, now[each] if each in now else before[each], room, depth + 1, "added" if each in now else "removed"
            )
            for each in keys
            if room.take()
        )
        return _parent(key, before == now, children, before, now)
    if depth < MAX_DEPTH and isinstance(before, list) and isinstance(now, list):
        both = min(len(before), len(now))
        children = tuple(
            _both(str(at), before[at], now[at], room, depth + 1)
            if at < both
            else _one(
                str(at),
                (now if at < len(now) else before)[at],
                room,
                depth + 1,
                "added" if at < len(now) else "removed",
            )
            for at in range(max(len(before), len(now)))
            if room.take()
        )
        return _parent(key, before == now, children, before, now)
    # In JSON 1 and true are two things; Python calls them equal.
    if _json(before) == _json(now):
        return Node(_key(key), "same", None, _leaf(now))
    return Node(_key(key), "changed", _leaf(before), _leaf(now))


def _parent(key: str, same: bool, children: tuple[Node, ...], before: JsonValue, now: JsonValue) -> Node:
    if not children:
        return Node(_key(key), "same" if same else "changed", None if same else _leaf(before), _leaf(now))
    return Node(_key(key), "same" if all(each.state == "same" for each in children) else "changed", children=children)


def _one(key: str, value: JsonValue, room: _Room, depth: int, state: State) -> Node:
    items: list[tuple[str, JsonValue]] = []
    if depth < MAX_DEPTH and isinstance(value, Mapping):
        items = list(value.items())
    elif depth < MAX_DEPTH and isinstance(value, list):
        items = [(str(at), each) for at, each in enumerate(value)]
    children = tuple(_one(name, each, room, depth + 1, state) for name, each in items if room.take())
    if children:
        return Node(_key(key), state, children=children)
    shown = None if value is None and depth == 0 else _leaf(value)
    return Node(_key(key), state, shown if state == "removed" else None, None if state == "removed" else shown)


def _key(key: str) -> str:
    return visible.line(visible.cut(key, 120))


def _leaf(value: JsonValue) -> str:
    return visible.line(visible.cut(_json(value), _LEAF_BYTES))


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _output(value: JsonValue) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return visible.lines(visible.cut(text, _OUTPUT_BYTES))
