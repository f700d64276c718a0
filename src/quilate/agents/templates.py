"""Templates of a request to the agent: leaf by leaf, so that no value can break out of the JSON around it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from quilate.errors import UnusableError
from quilate.shown import Path, dotted, visible

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

Values = Mapping[str, Any]
Template = Callable[[Values], Any]

_ONE_EXPRESSION = re.compile(r"\s*\{\{-?((?:(?!\{\{|\}\}).)*?)-?\}\}\s*", re.DOTALL)


class TemplateError(ValueError):
    """A template that cannot be filled in for this case."""


def compile_json(value: JsonValue, place: Path) -> Template:
    """`value` with every text in it as a Jinja2 template; gives JSON of the same shape.

    A text that is one expression and nothing else keeps the expression's type (`"{{ messages }}"` is a list).
    Raises `UnusableError` at `place` where a template cannot be parsed; the result raises `TemplateError`.
    """
    return _compile(value, place, _environment())


def _compile(value: JsonValue, place: Path, environment: SandboxedEnvironment) -> Template:
    if isinstance(value, str):
        return compile_text(value, place, environment, keep_type=True)
    if isinstance(value, dict):
        members = {key: _compile(member, (*place, key), environment) for key, member in value.items()}
        return lambda values: {key: member(values) for key, member in members.items()}
    if isinstance(value, list):
        items = [_compile(item, (*place, index), environment) for index, item in enumerate(value)]
        return lambda values: [item(values) for item in items]
    return lambda _: value


def compile_text(
    text: str, place: Path, environment: SandboxedEnvironment | None = None, *, keep_type: bool = False
) -> Template:
    """One text as a template. Raises `UnusableError` at `place`; the result raises `TemplateError`."""
    if "{{" not in text and "{%" not in text and "{#" not in text:
        return lambda _: text
    one = _ONE_EXPRESSION.fullmatch(text) if keep_type else None
    name = one.group(1).strip() if one else ""
    from jinja2 import TemplateError as JinjaError
    from jinja2 import Undefined

    environment = environment or _environment()
    try:
        fill: Callable[..., Any]
        if one:
            fill = environment.compile_expression(one.group(1), undefined_to_none=False)
        else:
            fill = environment.from_string(text).render
    except JinjaError as error:
        found = f'text "{visible(text, 80)}", which is no template ({visible(str(error), 120)})'
        raise UnusableError(place, found, 'write for example "{{ input }}"') from None

    def filled(values: Values) -> Any:
        if name in values:
            return values[name]  # what most leaves are, without the engine
        try:
            result = fill(**values)
            if isinstance(result, Undefined):
                str(result)  # raises, naming what is undefined
        except Exception as error:  # noqa: BLE001 - a template is a small program; any way it fails is the same news
            message = f"{dotted(place)}: {text[:80]!r} cannot be filled in ({error}); here are {', '.join(values)}"
            raise TemplateError(message) from None
        return result

    return filled


def _environment() -> SandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, autoescape=False, finalize=_as_text, keep_trailing_newline=True
    )
    # Not for HTML: the default `tojson` writes < and ' as escapes, which is noise in a prompt.
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    return environment


def _as_text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | bool | None) else value
