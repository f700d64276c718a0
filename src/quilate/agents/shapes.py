"""From an endpoint's own JSON to the result shape: by the paths that quilate.yml names, else by the shapes we know."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from quilate.agents.decoding import BadReplyError
from quilate.agents.results import FIELDS
from quilate.errors import UnusableError, nearest
from quilate.saying import listed, say
from quilate.shown import visible

_PLACE = ("agent", "http", "reply")


def compile_mapping(paths: Mapping[str, str]) -> Callable[[Any], Any]:
    """`agent.http.reply` (a JMESPath per field of a result) as a function from an answer to a result.

    A field without a path is taken from where the known shapes have it. Raises `UnusableError` for an unknown field or
    a path that cannot be parsed.
    """
    compiled = {}
    for field, path in paths.items():
        import jmespath
        from jmespath.exceptions import JMESPathError

        if field not in FIELDS:
            meant = nearest(field, FIELDS)
            mend = f"did you mean {meant}?" if meant else f"write one of {', '.join(FIELDS)}"
            raise UnusableError((*_PLACE, field), "an unknown key", mend)
        try:
            compiled[field] = jmespath.compile(path)
        except JMESPathError as error:
            reason = visible(str(error).splitlines()[0].rstrip(":"), 120)
            found = f'text "{visible(path, 80)}", which is no JMESPath ({reason})'
            raise UnusableError((*_PLACE, field), found, "write where the answer has it, such as data.answer") from None

    def mapped(answer: Any) -> Any:
        known = as_result(answer)
        if not compiled:
            return known
        result = {field: known[field] for field in FIELDS if isinstance(known, dict) and field in known}
        for field, path in compiled.items():
            result[field] = _searched(path, answer, field)
        _decode_arguments(result)
        return result

    return mapped


def _searched(path: Any, answer: Any, field: str) -> Any:
    from jmespath.exceptions import JMESPathError

    try:
        value = path.search(answer)
    except (JMESPathError, TypeError, ValueError, AttributeError) as error:
        message = say(
            "{field}: {path} cannot be applied to the answer ({problem})",
            field=f"agent.http.reply.{field}", path=repr(path.expression), problem=str(error),
        )  # fmt: skip
        raise BadReplyError(message) from None
    if field == "output" and value is None:
        found = listed(json.dumps(key) for key in list(answer)[:8]) if isinstance(answer, dict) else say("no object")
        message = say(
            "agent.http.reply.output: {path} finds nothing in the answer; found {found}",
            path=repr(path.expression), found=found or say("nothing"),
        )  # fmt: skip
        raise BadReplyError(message)
    return value


def _decode_arguments(result: dict[str, Any]) -> None:
    # Several APIs hand over arguments as JSON in a text.
    calls = result.get("tool_calls")
    if isinstance(calls, list) and all(isinstance(call, dict) for call in calls):
        result["tool_calls"] = [
            {**call, "args": _arguments(call["args"])} if "args" in call else call for call in calls
        ]


def _arguments(args: Any) -> Any:
    if not isinstance(args, str):
        return args
    try:
        decoded = json.loads(args)
    except (ValueError, RecursionError):
        return args
    return decoded if isinstance(decoded, dict) else args


def as_result(answer: Any) -> Any:
    """`answer` in the result shape: from that, an OpenAI chat completion or a Vercel AI SDK result; else as it is."""
    if not isinstance(answer, dict) or any(key in answer for key in ("output", "tool_calls", "error")):
        return answer
    choices = answer.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return _from_completion(answer, choices[0].get("message"))
    if isinstance(answer.get("text"), str):
        return _from_ai_sdk(answer)
    return answer


def _from_completion(answer: dict[str, Any], message: Any) -> Any:
    if not isinstance(message, dict):
        return answer
    calls = message.get("tool_calls")
    functions = [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    result: dict[str, Any] = {
        "output": message.get("content") or "",
        "tool_calls": [
            {"name": function.get("name"), "args": _arguments(function.get("arguments"))}
            for function in functions
            if isinstance(function, dict)
        ],
    }
    if isinstance(answer.get("model"), str):
        result["model"] = answer["model"]
    usage = answer.get("usage")
    if isinstance(usage, dict):
        result["usage"] = {
            "input_tokens": usage.get("prompt_tokens"),
            "output_tokens": usage.get("completion_tokens"),
        }
    return result


def _from_ai_sdk(answer: dict[str, Any]) -> Any:
    steps = answer.get("steps")
    parts = steps if isinstance(steps, list) and steps else [answer]
    calls = [call for part in parts for call in _objects(part, "toolCalls")]
    results = {_call_id(each): each for part in parts for each in _objects(part, "toolResults")}
    return {
        **{field: answer[field] for field in FIELDS if field in answer},
        "output": answer["text"],
        "tool_calls": [_ai_sdk_call(call, results.get(_call_id(call))) for call in calls],
    }


def _ai_sdk_call(call: dict[str, Any], result: dict[str, Any] | None) -> dict[str, Any]:
    mapped = {"name": call.get("toolName"), "args": call.get("input", call.get("args"))}
    if result is not None:
        mapped["output"] = result.get("output", result.get("result"))
    return mapped


def _call_id(part: dict[str, Any]) -> str:
    return json.dumps(part.get("toolCallId"))


def _objects(part: Any, key: str) -> list[dict[str, Any]]:
    items = part.get(key) if isinstance(part, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
