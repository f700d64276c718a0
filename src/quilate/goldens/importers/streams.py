"""Streamed answers of model APIs, as they were logged, put together into what the API gives without streaming.

Chat completions (OpenAI's chunks), Responses and Anthropic's messages. Deltas of text and of tool calls' arguments may
stand in any order between each other: an index says whose they are. What cannot be read is passed over, and said: a
stream that broke off is often the incident itself.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from quilate.goldens.importers.sse import Events

Event = Mapping[str, Any]

_ANTHROPIC = frozenset({
    "message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta",
    "message_stop", "ping",
})  # fmt: skip
_ENDS = frozenset({"response.completed", "response.incomplete"})


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer in the shape that the API gives without streaming. `whole`: nothing of it is missing."""

    response: Mapping[str, Any]
    whole: bool


def is_event(value: Any) -> bool:
    """Whether a JSON value is one event of a stream."""
    return isinstance(value, dict) and _api_of(_unwrapped(value)) is not None


def answers_of(events: Events) -> list[Answer]:
    """The answers in a stream's events, in the order they began."""
    unread = events.unread
    streams: list[_Stream] = []
    by_id: dict[str, _Stream] = {}
    for value in events.values:
        event = _unwrapped(value) if isinstance(value, dict) else {}
        api = _api_of(event)
        if api is None:
            unread += bool(event.get("error")) or event.get("type") == "error"
            continue
        name = _text(event.get("id")) if api is _Chat else ""
        stream = by_id.get(name)
        if stream is None:
            last = streams[-1] if streams else None
            stream = last if type(last) is api and not last.ends_before(event) else api()
            if stream is not last:
                streams.append(stream)
            if name:
                by_id[name] = stream
        stream.take(event)
    whole = not unread and (events.done or all(stream.ended for stream in streams))
    return [Answer(stream.response(), whole) for stream in streams]


def _unwrapped(value: Event) -> Event:
    """An event logged as `{event, data}` is its data."""
    if "data" not in value or not value.keys() <= {"event", "data", "id", "retry"}:
        return value
    inner = value["data"]
    if isinstance(inner, str):
        try:
            inner = json.loads(inner)
        except (ValueError, RecursionError):
            return {}
    return inner if isinstance(inner, dict) else {}


def _api_of(event: Event) -> type[_Stream] | None:
    kind = event.get("type")
    if isinstance(kind, str):
        if kind in _ANTHROPIC:
            return _Anthropic
        if kind.startswith("response."):
            return _Responses
    streamed = any("delta" in one for one in _choices(event))
    return _Chat if streamed or event.get("object") == "chat.completion.chunk" else None


def _choices(event: Event) -> Sequence[Event]:
    choices = event.get("choices")
    return [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else ()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _place(event: Event, *names: str) -> Any:
    """Whose a delta is: the first of the names that holds a number or a text."""
    found = (event.get(name) for name in names)
    return next((one for one in found if isinstance(one, int | str) and not isinstance(one, bool)), 0)


def _in_order(places: Iterable[Any]) -> list[Any]:
    """Numbers in their order; names as they came, after them."""
    return sorted(places, key=lambda place: (not isinstance(place, int), place if isinstance(place, int) else 0))


@dataclass
class _Call:
    """A tool call that grows."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class _Stream(ABC):
    """One answer that grows by events."""

    ended = False

    @abstractmethod
    def ends_before(self, event: Event) -> bool:
        """Whether an event begins another answer."""

    @abstractmethod
    def take(self, event: Event) -> None:
        """One event more."""

    @abstractmethod
    def response(self) -> Mapping[str, Any]:
        """What is there by now."""


class _Chat(_Stream):
    """Chunks of chat completions: `choices[].delta`; of several choices the first, as without streaming."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.calls: list[_Call] = []
        self.by_index: dict[Any, _Call] = {}

    def ends_before(self, event: Event) -> bool:
        """An id that is new is another answer's, but where a server gives every chunk one of its own."""
        deltas = [one["delta"] for one in _choices(event) if isinstance(one.get("delta"), dict)]
        begins = any(delta.get("role") for delta in deltas)
        return (begins and bool(event.get("id"))) or (self.ended and any(deltas))

    def take(self, event: Event) -> None:
        for choice in _choices(event):
            if choice.get("index", 0) not in (0, None):
                continue
            self.ended = self.ended or bool(choice.get("finish_reason"))
            delta = choice.get("delta")
            if isinstance(delta, dict):
                self._grow(delta)

    def _grow(self, delta: Event) -> None:
        content = delta.get("content")
        if isinstance(content, list):
            content = "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
        self.texts.append(_text(content) or _text(delta.get("refusal")))
        calls = delta.get("tool_calls")
        rows: Sequence[Any] = calls if isinstance(calls, list) else ()
        for row in rows:
            if isinstance(row, dict):
                self._call(row.get("index"), _text(row.get("id")), row.get("function"))
        if isinstance(delta.get("function_call"), dict):
            self._call("function_call", "", delta["function_call"])

    def _call(self, index: Any, name: str, function: Any) -> None:
        """Some servers give no index, or 0 for every call: then a new id with a name begins one."""
        function = function if isinstance(function, dict) else {}
        begun = self.by_index.get(index) if isinstance(index, int | str) else None
        if begun is None and index is None and self.calls:
            begun = self.calls[-1]
        if begun is None or (name and begun.id and name != begun.id and _text(function.get("name"))):
            begun = _Call()
            self.calls.append(begun)
        if isinstance(index, int | str):
            self.by_index[index] = begun
        begun.id = begun.id or name
        said = _text(function.get("name"))
        if said != begun.name:
            begun.name += said
        begun.arguments.append(_text(function.get("arguments")))

    def response(self) -> Mapping[str, Any]:
        calls = [{"function": {"name": one.name, "arguments": "".join(one.arguments)}} for one in self.calls]
        return {"choices": [{"message": {"role": "assistant", "content": "".join(self.texts), "tool_calls": calls}}]}


class _Responses(_Stream):
    """Events of the Responses API; the last one repeats the whole answer, those before it are for a cut-off log."""

    def __init__(self) -> None:
        self.final: list[Any] = []
        self.items: dict[Any, Event] = {}
        self.done: set[Any] = set()
        self.texts: dict[Any, dict[Any, list[str]]] = {}
        self.arguments: dict[Any, list[str]] = {}

    def ends_before(self, event: Event) -> bool:
        return bool(event["type"] == "response.created")

    def take(self, event: Event) -> None:
        kind = event["type"].removeprefix("response.")
        at = _place(event, "output_index", "item_id")
        item, response = event.get("item"), event.get("response")
        part = self.texts.setdefault(at, {}).setdefault(_place(event, "content_index"), [])
        match kind:
            case "output_item.added" | "output_item.done" if isinstance(item, dict):
                self.items[at] = item
                if kind == "output_item.done":
                    self.done.add(at)
            case "output_text.delta" | "refusal.delta":
                part.append(_text(event.get("delta")))
            case "output_text.done" | "refusal.done":
                part[:] = [_text(event.get("text")) or _text(event.get("refusal")) or "".join(part)]
            case "function_call_arguments.delta":
                self.arguments.setdefault(at, []).append(_text(event.get("delta")))
            case "function_call_arguments.done":
                self.arguments[at] = [_text(event.get("arguments"))]
        if event["type"] in _ENDS:
            self.ended = True
            output = response.get("output") if isinstance(response, dict) else None
            self.final = output if isinstance(output, list) else []

    def response(self) -> Mapping[str, Any]:
        return {"output": self.final or list(self._built())}

    def _built(self) -> Iterator[Event]:
        for at in _in_order({**self.items, **self.texts, **self.arguments}):
            item = self.items.get(at, {})
            if at in self.done:
                yield item
            elif item.get("type") == "function_call" or at in self.arguments:
                arguments = "".join(self.arguments.get(at, ()))
                yield {"type": "function_call", "name": item.get("name"), "arguments": arguments}
            else:
                parts = self.texts.get(at, {})
                texts = ["".join(parts[place]) for place in _in_order(parts)]
                yield {"type": "message", "content": [{"type": "output_text", "text": text} for text in texts if text]}


class _Anthropic(_Stream):
    """Events of Anthropic's messages: content blocks by index, text and a tool's input in deltas."""

    def __init__(self) -> None:
        self.blocks: dict[Any, Event] = {}
        self.texts: dict[Any, list[str]] = {}
        self.inputs: dict[Any, list[str]] = {}

    def ends_before(self, event: Event) -> bool:
        return bool(event["type"] == "message_start")

    def take(self, event: Event) -> None:
        at = _place(event, "index")
        block, delta = event.get("content_block"), event.get("delta")
        if event["type"] == "content_block_start" and isinstance(block, dict):
            self.blocks[at] = block
            self.texts.setdefault(at, []).append(_text(block.get("text")))
        elif event["type"] == "content_block_delta" and isinstance(delta, dict):
            if delta.get("type") == "text_delta":
                self.texts.setdefault(at, []).append(_text(delta.get("text")))
            elif delta.get("type") == "input_json_delta":
                self.inputs.setdefault(at, []).append(_text(delta.get("partial_json")))
        self.ended = self.ended or event["type"] == "message_stop"

    def response(self) -> Mapping[str, Any]:
        content = [self._block(at) for at in _in_order({**self.blocks, **self.texts, **self.inputs})]
        return {"role": "assistant", "content": content}

    def _block(self, at: Any) -> Event:
        block = self.blocks.get(at, {})
        if at in self.inputs or block.get("type") == "tool_use":
            given = "".join(self.inputs.get(at, ()))
            return {"type": "tool_use", "name": block.get("name"), "input": given or block.get("input")}
        # Thinking is no part of what the user reads.
        kind = block.get("type", "text")
        return {"type": kind, "text": "".join(self.texts.get(at, ()))} if kind == "text" else {"type": kind}
