"""promptfoo's assertion types that have an equivalent here. The others are named with the reason why they have none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from quilate.goldens.importers.table import Fate


@dataclass(frozen=True, slots=True)
class Meant:
    """The fields an assertion becomes, and what of it is lost."""

    fields: dict[str, Any] = field(default_factory=dict)
    fate: Fate = Fate.TAKEN
    why: str = ""


def not_taken(why: str) -> Meant:
    """Nothing of an assertion."""
    return Meant({}, Fate.NOT_TAKEN, why)


def in_part(fields: dict[str, Any], why: str) -> Meant:
    """An assertion of which something is lost."""
    return Meant(fields, Fate.IN_PART, why)


def meant_by(assertion: Mapping[str, Any], value: Any) -> Meant:
    """What an assertion means; `value` is its value with variables put in."""
    kind = str(assertion.get("type", ""))
    if assertion.get("weight") == 0:
        return not_taken("weight 0: it only reports a number")
    if isinstance(value, str) and value.startswith("file://"):
        return not_taken("its value is in a file")
    make = _MAKERS.get(kind)
    if make is not None:
        return make(value, assertion)
    return not_taken(
        _WHY.get(kind.removeprefix("not-")) or f"no equivalent of {kind[:40] or 'an assertion without type'}"
    )


def _literal(value: Any) -> str | None:
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return None
    return str(value) or None


def _pattern(texts: list[str], *, case: bool) -> str:
    """A golden phrase that is found as promptfoo finds it: as a part of words too, and by case where it says so."""
    inner = "|".join(re.escape(text) for text in texts)
    if case:
        return f"/(?-i:{inner})/"
    return f"/{inner}/" if len(texts) == 1 else f"/(?:{inner})/"


def _phrases(name: str, *, case: bool, each: bool = False, either: bool = False) -> Callable[..., Meant]:
    """Phrases in `name`: one, `each` of a list, or one pattern for `either` of a list."""

    def make(value: Any, _: Mapping[str, Any]) -> Meant:
        several = value if isinstance(value, list) else _split(value) if each or either else [value]
        texts = [text for item in several if (text := _literal(item))]
        if not texts or len(texts) != len(several):
            return not_taken("its value is no text")
        patterns = [_pattern(texts, case=case)] if either else [_pattern([text], case=case) for text in texts]
        return Meant({name: patterns})

    return make


def _split(value: Any) -> list[Any]:
    """A text of several values with commas, as promptfoo takes them from CSV."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else [value]


def _regex(name: str) -> Callable[..., Meant]:
    def make(value: Any, _: Mapping[str, Any]) -> Meant:
        text = _literal(value)
        if text is None:
            return not_taken("its value is no text")
        inner = text[1:-1] if len(text) > 2 and text.startswith("/") and text.endswith("/") else text
        try:
            re.compile(inner)
        except (re.error, RecursionError, OverflowError):
            return not_taken("its pattern is not one of Python's")
        return Meant({name: [f"/(?-i:{inner})/"]})

    return make


def _starts_with(value: Any, _: Mapping[str, Any]) -> Meant:
    text = _literal(value)
    return Meant({"required_phrases": [rf"/(?-i:\A{re.escape(text)})/"]}) if text else not_taken("its value is no text")


def _equals(value: Any, _: Mapping[str, Any]) -> Meant:
    text = _literal(value)
    if text is None:
        return not_taken("it compares JSON")
    return Meant({"expected_output": {"exact": text}})


def _rubric(value: Any, assertion: Mapping[str, Any]) -> Meant:
    rubrics = value if isinstance(value, list) else [value]
    texts = [text.strip() for item in rubrics if (text := _literal(item)) and text.strip()]
    if not texts or len(texts) != len(rubrics):
        return not_taken("its rubric is no text")
    fields = {"expected_behavior": [" ".join(text.split()) for text in texts]}
    if assertion.get("threshold") is not None:
        return in_part(fields, "the threshold: a judge here grades pass, partial or fail")
    return Meant(fields)


def _reference(value: Any, _: Mapping[str, Any]) -> Meant:
    text = _literal(value)
    return Meant({"expected_output": text}) if text else not_taken("its value is no text")


def _similar(value: Any, _: Mapping[str, Any]) -> Meant:
    first = value[0] if isinstance(value, list) and value else value
    text = _literal(first)
    if text is None:
        return not_taken("its value is no text")
    return in_part({"expected_output": text}, "a judge compares with the reference, not an embedding")


def _latency(_: Any, assertion: Mapping[str, Any]) -> Meant:
    limit = assertion.get("threshold")
    if isinstance(limit, bool) or not isinstance(limit, int | float) or limit <= 0:
        return not_taken("it has no threshold")
    return Meant({"max_latency_ms": limit})


def _refusal(_: Any, __: Mapping[str, Any]) -> Meant:
    return in_part({"expected_behavior": ["declines to do what is asked"]}, "a judge grades it, not a list of words")


def _grounded(_: Any, __: Mapping[str, Any]) -> Meant:
    return in_part({"grounded": True}, "every claim is graded by evidence, without a threshold")


def _tools(value: Any, _: Mapping[str, Any]) -> Meant:
    names = value if isinstance(value, list) else [value]
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        names = [value["name"]]
    if not names or not all(isinstance(name, str) and name for name in names):
        return not_taken("it names no tool")
    return Meant({"expected_tools": [{"name": name} for name in names]})


def _tool_set(value: Any, _: Mapping[str, Any]) -> Meant:
    names = _split(value) if isinstance(value, str) else value
    found = _tools(names, _)
    if not found.fields:
        return found
    return in_part(found.fields, "all of them must be called; no F1 score is computed")


def _json_schema(value: Any, _: Mapping[str, Any]) -> Meant:
    if value is None:
        return not_taken("no check here parses the reply as JSON")
    return not_taken(
        f"no check here holds the reply to a JSON Schema ({len(json.dumps(value, default=str))} characters)"
    )


_MAKERS: dict[str, Callable[[Any, Mapping[str, Any]], Meant]] = {
    "contains": _phrases("required_phrases", case=True),
    "icontains": _phrases("required_phrases", case=False),
    "contains-all": _phrases("required_phrases", case=True, each=True),
    "icontains-all": _phrases("required_phrases", case=False, each=True),
    "contains-any": _phrases("required_phrases", case=True, either=True),
    "icontains-any": _phrases("required_phrases", case=False, either=True),
    "not-contains": _phrases("forbidden_phrases", case=True),
    "not-icontains": _phrases("forbidden_phrases", case=False),
    "not-contains-any": _phrases("forbidden_phrases", case=True, each=True),
    "not-icontains-any": _phrases("forbidden_phrases", case=False, each=True),
    "regex": _regex("required_phrases"),
    "not-regex": _regex("forbidden_phrases"),
    "starts-with": _starts_with,
    "equals": _equals,
    "llm-rubric": _rubric,
    "g-eval": _rubric,
    "model-graded-closedqa": _rubric,
    "model-graded-factuality": _reference,
    "factuality": _reference,
    "similar": _similar,
    "latency": _latency,
    "is-refusal": _refusal,
    "context-faithfulness": _grounded,
    "trajectory:tool-used": _tools,
    "tool-call-f1": _tool_set,
    "is-json": _json_schema,
    "contains-json": _json_schema,
}

_PROGRAM = "it is a program"
_METRIC = "a similarity of words says little of an answer's meaning"
_WHY = {
    "javascript": _PROGRAM, "python": _PROGRAM, "ruby": _PROGRAM, "webhook": "it asks another server",
    "cost": "a limit needs the agent's own number: write max_metrics", "bleu": _METRIC, "rouge-n": _METRIC,
    "levenshtein": _METRIC, "meteor": _METRIC, "gleu": _METRIC, "perplexity": "it needs the model's log probabilities",
    "perplexity-score": "it needs the model's log probabilities", "classifier": "it needs a classifier's model",
    "moderation": "it needs a moderation service", "select-best": "it compares outputs with each other",
    "max-score": "it compares outputs with each other", "human": "people grade with `quilate rate`",
    "answer-relevance": "a score without a criterion", "context-recall": "a score of the search, not of the reply",
    "context-relevance": "a score of the search, not of the reply", "guardrails": "it is the provider's own verdict",
}  # fmt: skip
