"""No message lacks a translation, and every translation has its message's places."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

import quilate.rating
import quilate.report
from quilate.report.messages import Translator

PACKAGE = Path(quilate.report.__file__).parent
SPEAKING = (PACKAGE, Path(quilate.rating.__file__).parent)
"""Where messages are: the reports, and the page on which people rate."""


def messages() -> set[tuple[str, ...]]:
    """Every message in the source and in the templates: `t("…")` as one text, `tn("…", "…")` as two."""
    found: set[tuple[str, ...]] = {*messages_of_templates(), *messages_of_checks()}
    for path in (path for folder in SPEAKING for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("t", "tn"):
                if any(isinstance(text, ast.Name) and text.id == "message" for text in node.args):
                    continue  # hands a template's message on
                texts = node.args[: 2 if node.func.attr == "tn" else 1]
                assert all(isinstance(text, ast.Constant) for text in texts), (
                    f"{path.name}:{node.lineno}: not a literal"
                )
                found.add(tuple(str(text.value) for text in texts if isinstance(text, ast.Constant)))
    return found


def messages_of_templates() -> Iterator[tuple[str, ...]]:
    for path in (path for folder in SPEAKING for path in folder.rglob("*.j2")):
        for call in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name in ("t", "tn"):
                texts = call.args[: 2 if call.node.name == "tn" else 1]
                assert all(isinstance(text, nodes.Const) for text in texts), f"{path.name}:{call.lineno}: not a literal"
                yield tuple(str(text.value) for text in texts if isinstance(text, nodes.Const))


def messages_of_checks() -> Iterator[tuple[str, ...]]:
    """What code says of a reply, as Babel extracts it: `say("…")`, and `message("…")` for one of several."""
    for path in PACKAGE.parent.rglob("*.py"):
        if "from quilate.saying import" in path.read_text(encoding="utf-8"):
            for _, text, _, _ in extract_from_file("python", path, keywords={"say": None, "message": None}):
                yield (str(text),)


def test_the_checks_have_messages():
    assert len(set(messages_of_checks())) > 200


def test_the_templates_have_messages():
    assert len(list(messages_of_templates())) > 50


def catalogue(language: str) -> Catalog:
    with (PACKAGE / "catalogues" / f"{language}.po").open("rb") as file:
        return read_po(file)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


LANGUAGES = pytest.mark.parametrize("language", ["es", "pt-BR"])


@LANGUAGES
def test_no_message_lacks_a_translation(language):
    known = catalogue(language)
    missing = []
    for texts in messages():
        entry = known.get(texts[0])
        forms = (entry.string if isinstance(entry.string, tuple) else (entry.string,)) if entry else ()
        if len(forms) != len(texts) or not all(forms):
            missing.append(texts[0])
    assert missing == []


@LANGUAGES
def test_no_translation_is_left_over(language):
    ids = {entry.id if isinstance(entry.id, str) else entry.id[0] for entry in catalogue(language) if entry.id}
    assert ids - {texts[0] for texts in messages()} == set()


@LANGUAGES
def test_a_translation_has_the_places_of_its_message(language):
    wrong = []
    for entry in catalogue(language):
        if not entry.id:
            continue
        wanted = places(entry.id if isinstance(entry.id, str) else entry.id[1]) - {"n"}
        forms = entry.string if isinstance(entry.string, tuple) else (str(entry.string),)
        wrong += [form for form in forms if places(form) - {"n"} != wanted]
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "n", "said"),
    [
        ("es", 0, "0 casos"),
        ("es", 1, "1 caso"),
        ("es", 2, "2 casos"),
        ("pt-BR", 0, "0 caso"),
        ("pt-BR", 2, "2 casos"),
        ("en", 0, "0 cases"),
    ],
)
def test_plural_forms(language, n, said):
    assert Translator(language).tn("{n} case", "{n} cases", n) == said


def test_a_value_is_placed_and_not_read_as_a_message():
    from quilate.report.escape import code_span

    assert (
        Translator("en").t("only {selection}", selection=code_span("{0}{selection}{x!r}"))
        == "only `{0}{selection}{x!r}`"
    )


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="known: en, es, pt-BR"):
        Translator("fr")
