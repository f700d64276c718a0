"""Templates, style and script of the pages, and the policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from quilate.grades import Grade
from quilate.report import asides, figures, visible
from quilate.report.escape import Inert
from quilate.report.messages import Translator

TEMPLATES = Path(__file__).with_name("templates")
_LINE_BYTES = 4000
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
    env = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    env.globals.update(
        t=lambda message, **values: said(t.t(message, **_placed(values))),
        tn=lambda message, many, n, **values: said(t.tn(message, many, n, **_placed(values))),
        grade_word=lambda grade: said(asides.grade_word(Grade(grade), t)),
        milliseconds=lambda value: figures.milliseconds(value, t), seconds=lambda value: figures.seconds(value, t),
        usd=lambda value: cost(value, t), number=t.number,
    )  # fmt: skip
    env.filters.update(line=_line, bits=_bits)
    return env


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
