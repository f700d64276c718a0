"""Requests and responses of model APIs, as they are logged, streamed too: chat completions, Responses, Anthropic's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from quilate.errors import UsageError
from quilate.goldens.importers.spans import exchange_of
from quilate.goldens.importers.sse import Events, is_streamed, parts_of
from quilate.goldens.importers.streams import answers_of, is_event
from quilate.goldens.incidents.tool_answers import Call
from quilate.goldens.incidents.turns import text_of

_ROLES = {"system": "system", "developer": "system", "user": "user", "assistant": "assistant"}
_REQUESTS = ("request", "request_body", "req", "input_body")
_RESPONSES = ("response", "response_body", "resp", "completion", "output_body")

_BEGINS = re.compile(r"(?m)^[ \t]*\{")
_MOST_FAILED = 100
"""Openings of no object that are tried: each may cost as much as the text is long."""


@dataclass(frozen=True, slots=True)
class Logged:
    """What a log says: the conversation, the answer (None where none is in it), the tools that were called.

    `messages` are empty where only the answer was logged. `notes` name what a person should look at: `stream_cut`, an
    answer of which parts are missing; `continues`, a request whose earlier turns are not in the log; `several`, of
    whose conversations the last was taken.
    """

    messages: tuple[dict[str, str], ...]
    answered: str | None
    calls: tuple[Call, ...]
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Characters of the conversation."""
        return len(self.answered or "") + sum(len(message["content"]) for message in self.messages)

    @property
    def input(self) -> str | list[dict[str, str]]:
        """As a case has it: a single message of the user as a text."""
        if len(self.messages) == 1 and self.messages[0]["role"] == "user":
            return self.messages[0]["content"]
        return list(self.messages)


def is_log(text: str) -> bool:
    """Whether a text is JSON or a stream of it, and no transcript."""
    return text.lstrip().startswith(("{", "[")) or is_streamed(text)


def read_log(text: str, name: str = "the log") -> Logged:
    """The last exchange in a log: JSON, JSON Lines, server-sent events. Raises `UsageError`."""
    entries, cut = _entries(text, name)
    request: Mapping[str, Any] | None = None
    response: Mapping[str, Any] | None = None
    first = set()
    for entry in entries:
        asked = next((entry[key] for key in _REQUESTS if isinstance(entry.get(key), dict)), entry)
        given = next((entry[key] for key in _RESPONSES if isinstance(entry.get(key), dict | list | str)), entry)
        if _is_request(asked):
            request, response = asked, None
            first.add(next((message["content"] for message in _messages(asked) if message["role"] == "user"), None))
        if not isinstance(given, dict):
            given, incomplete = _streamed(given)
            cut = cut or incomplete
        if _is_response(given):
            response = given
    if request is None and response is None:
        message = (
            f"{name}: found no request with messages or input; give the request's body, and the response's beside it"
        )
        raise UsageError(message)
    messages = list(_messages(request)) if request else []
    answered, calls = _answer(response) if response else (None, ())
    if request is not None and not any(message["role"] == "user" for message in messages):
        message = f"{name}: nobody asks anything in it"
        raise UsageError(message)
    # What the agent said since it was last asked belongs to its answer, such as the words before a tool call.
    said = [] if answered is None else [answered]
    while messages and messages[-1]["role"] == "assistant":
        said.insert(0, messages.pop()["content"])
    continues = request is not None and bool(request.get("previous_response_id") or request.get("conversation"))
    holding = {"stream_cut": cut, "continues": continues, "several": len(first) > 1}
    notes = tuple(note for note, holds in holding.items() if holds)
    return Logged(tuple(messages), "\n".join(said) or None, calls, notes)


def _streamed(given: Any) -> tuple[Mapping[str, Any], bool]:
    """A response that was logged as its stream: the text of the events, or a list of them; and whether it broke off.

    A text that is no stream is the answer itself.
    """
    streams: list[Events] = []
    if isinstance(given, str) and not is_streamed(given):
        return {"choices": [{"message": {"content": given}}]} if given.strip() else {}, False
    if isinstance(given, str):
        streams = [part for part in parts_of(given) if isinstance(part, Events)]
    elif isinstance(given, list):
        streams = [Events(tuple(given))]
    answers = [answer for stream in streams for answer in answers_of(stream)]
    return (answers[-1].response, not answers[-1].whole) if answers else ({}, False)


def _entries(text: str, name: str) -> tuple[list[Mapping[str, Any]], bool]:
    """What was logged, in order, and whether a stream in it broke off."""
    value, error = _json(text)
    if value is None and is_streamed(text):
        return _of_streams(text)
    if value is None:
        message = f"{name}: no JSON and no JSON Lines ({error})"
        raise UsageError(message)
    if isinstance(value, list) and value and all(isinstance(row, dict) and "role" in row for row in value):
        return [{"messages": value}], False
    rows = value if isinstance(value, list) else [value]
    if not rows or not all(isinstance(row, dict) for row in rows):
        message = f"{name}: found no object"
        raise UsageError(message)
    traced = exchange_of(rows, name)
    return ([traced], False) if traced is not None else _joined(rows)


def _json(text: str) -> tuple[Any, str]:
    """JSON or JSON Lines, or None and why not."""
    try:
        return json.loads(text), ""
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()], ""
    except (ValueError, RecursionError) as error:
        return None, str(error)


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects that begin a line, whatever stands between them."""
    decoder = json.JSONDecoder()
    at = failed = 0
    while failed < _MOST_FAILED and (begins := _BEGINS.search(text, at)):
        at = begins.end()
        try:
            value, end = decoder.raw_decode(text, begins.end() - 1)
        except (ValueError, RecursionError):
            failed += 1
            continue
        at = max(at, end)
        yield from (value,) if isinstance(value, dict) else ()


def _joined(rows: list[Any]) -> tuple[list[Mapping[str, Any]], bool]:
    """Rows of which some are events of a stream: each run of those becomes the answers it holds."""
    entries: list[Mapping[str, Any]] = []
    cut = False
    for streamed, run in groupby(rows, is_event):
        if not streamed:
            entries += run
            continue
        answers = answers_of(Events(tuple(run)))
        entries += [answer.response for answer in answers]
        cut = not all(answer.whole for answer in answers)
    return entries, cut


def _of_streams(text: str) -> tuple[list[Mapping[str, Any]], bool]:
    """Server-sent events, with requests' JSON between them; what curl says beside them is passed over."""
    entries: list[Mapping[str, Any]] = []
    cut = False
    for part in parts_of(text):
        if isinstance(part, str):
            entries += _objects(part)
            continue
        answers = answers_of(part)
        entries += [answer.response for answer in answers]
        cut = not all(answer.whole for answer in answers)
    return entries, cut


def _is_request(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("messages"), list) or ("input" in value and isinstance(value["input"], str | list))


def _is_response(value: Mapping[str, Any]) -> bool:
    message = isinstance(value.get("content"), list) and value.get("role") == "assistant"
    return message or isinstance(value.get("choices"), list) or isinstance(value.get("output"), list)


def _messages(request: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The texts of a request's conversation; tool calls and their outputs have none."""
    first = request.get("system", request.get("instructions"))
    if first:
        yield {"role": "system", "content": text_of(first)}
    given = request.get("messages", request.get("input"))
    if isinstance(given, str):
        yield {"role": "user", "content": given}
        return
    for row in given if isinstance(given, list) else []:
        role = _ROLES.get(str(row.get("role"))) if isinstance(row, dict) else None
        text = text_of(row.get("content")) if role else ""
        if role and text.strip():
            yield {"role": role, "content": text}


def _answer(response: Mapping[str, Any]) -> tuple[str | None, tuple[Call, ...]]:
    choices = response.get("choices")
    if isinstance(choices, list):
        message = choices[0].get("message") if choices and isinstance(choices[0], dict) else None
        message = message if isinstance(message, dict) else {}
        calls = [tool.get("function") for tool in message.get("tool_calls") or () if isinstance(tool, dict)]
        return text_of(message.get("content")) or None, _calls(calls)
    parts = response.get("output", response.get("content"))
    rows = [row for row in parts if isinstance(row, dict)] if isinstance(parts, list) else []
    texts = [text_of(row.get("content")) if row.get("type") == "message" else row.get("text") for row in rows]
    used = [row for row in rows if row.get("type") in ("function_call", "tool_use")]
    said = "\n".join(text for text in texts if isinstance(text, str) and text)
    return said or None, _calls(used)


def _calls(rows: list[Any]) -> tuple[Call, ...]:
    found = []
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("name"), str):
            continue
        args = row.get("arguments", row.get("input"))
        if isinstance(args, str):
            try:
                args = json.loads(args)
            except (ValueError, RecursionError):
                args = None
        found.append(Call(row["name"], args if isinstance(args, dict) else None))
    return tuple(found)
