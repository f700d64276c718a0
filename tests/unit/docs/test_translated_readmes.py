"""The READMEs in other languages have the examples of the English one, and links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[3]
TRANSLATED = pytest.mark.parametrize("name", ["README.es.md", "README.pt-BR.md"])


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def examples(name: str) -> list[tuple[str, str]]:
    return [(token.info, token.content) for token in MarkdownIt().parse(text_of(name)) if token.type == "fence"]


@TRANSLATED
def test_the_examples_are_those_of_the_english_one(name):
    assert examples(name) == examples("README.md")


@TRANSLATED
def test_it_has_a_heading_for_each_of_the_english_one(name):
    levels = [re.findall(r"^#+", text_of(each), re.MULTILINE) for each in (name, "README.md")]
    assert levels[0] == levels[1]


@TRANSLATED
def test_every_link_within_the_repository_leads_to_a_file(name):
    links = re.findall(r"\]\(([^)#:]+)\)", text_of(name))
    assert [link for link in links if not (ROOT / link).is_file()] == []
