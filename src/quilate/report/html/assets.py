"""Templates, style and script of the pages, and the policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import cast

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from quilate.grades import Grade
from quilate.report import asides, figures, visible
from quilate.report.escape import Inert
from quilate.report.messages import Translator

TEMPLATES = Path(__file__).with_name("templates")
_LINE_BYTES = 4000
_SIGNS = {Grade.PASS: "✓", Grade.PARTIAL: "◐", Grade.FAIL: "✗", Grade.ERROR: "!", Grade.NOT_JUDGED: "–"}
_NO_TAG = re.compile(r"<(?![a-z/])")


@dataclass(frozen=True, slots=True)
class Assets:
    """What a page carries inside itself, and the policy that names exactly that."""

    style: Markup
    script: Markup
    policy: str


@cache
def page_assets(script: str | None = "report.js") -> Assets:
    """The style, a script (None: the page has none) and the Content Security Policy by their hashes."""
    style = _read("page.css")
    code = _read(script) if script else ""
    allowed = f"script-src '{_hash(code)}'; " if script else ""
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; {allowed}img-src data:; base-uri 'none'; form-action 'none'"
    )
    return Assets(Markup(style), Markup(code), policy)  # noqa: S704 - our own files


def environment(t: Translator) -> Environment:
    """Jinja with everything escaped, undefined names refused, and our sentences and figures as functions."""
    env = _InOneLanguage(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    env.translator = t
    words = {grade: said(asides.grade_word(grade, t)) for grade in Grade}
    badges = {
        grade: Markup('<span class="badge {}">{} {}</span>').format(grade, sign, words[grade])
        for grade, sign in _SIGNS.items()
    }
    env.globals.update(
        t=lambda message, **values: said(t.t(message, **_placed(values))),
        tn=lru_cache(1024)(lambda message, many, n, **values: said(t.tn(message, many, n, **_placed(values)))),
        grade_word=words.__getitem__, badge=badges.__getitem__,
        milliseconds=lambda value: figures.milliseconds(value, t), seconds=lambda value: figures.seconds(value, t),
        usd=lambda value: cost(value, t), number=t.number,
    )  # fmt: skip
    env.filters.update(line=_line, bits=_bits)
    return env


class _InOneLanguage(Environment):
    """Sentences without places are put into the templates as they are compiled, not looked up at every case."""

    translator: Translator

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed = super()._parse(source, name, filename)
        return cast("nodes.Template", _Translated(self.translator.t).visit(parsed))


class _Translated(NodeTransformer):
    def __init__(self, sentence: Callable[[str], Inert]) -> None:
        self._sentence = sentence

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802 - named for the node
        called, arguments = node.node, node.args
        whole = len(arguments) == 1 and not (node.kwargs or node.dyn_args or node.dyn_kwargs)
        if whole and isinstance(called, nodes.Name) and called.name == "t" and isinstance(arguments[0], nodes.Const):
            sentence = str(said(self._sentence(arguments[0].value)))
            return nodes.MarkSafe(nodes.Const(sentence, lineno=node.lineno), lineno=node.lineno)
        return self.generic_visit(node)


def said(text: Inert) -> Markup:
    """A sentence made for `HtmlMedium`, as markup: its own `<` before a figure (`<0.1`) is no tag."""
    return Markup(_NO_TAG.sub("&lt;", text))  # noqa: S704 - `Inert`: our own words and what the medium escaped


def cost(value: str, t: Translator) -> str:
    """A cost as it should be read; as it was written where it is no amount."""
    try:
        return figures.usd(value, t)
    except (ValueError, ZeroDivisionError, OverflowError):
        return visible.line(value)


def _placed(values: dict[str, object]) -> dict[str, Inert | int]:
    """Numbers are written by the translator; any text is escaped, unless it is markup already."""
    return {name: value if isinstance(value, int) else Inert(str(escape(value))) for name, value in values.items()}


def _line(text: str) -> str:
    """Untrusted text of a reasonable length on one line."""
    return visible.line(visible.cut(text, _LINE_BYTES))


def _bits(text: str) -> Markup:
    """Untrusted text inline: on one line, isolated, as code."""
    return Markup('<code dir="auto">{}</code>').format(visible.line(text) or "∅")


def _read(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
