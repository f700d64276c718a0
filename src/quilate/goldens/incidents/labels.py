"""Which field a label names, in Spanish, Portuguese and English; who a speaker's name says is speaking."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from importlib import resources

from quilate.goldens.incidents.form import FIELDS, Key
from quilate.goldens.similar import without_accents


class Speaker(StrEnum):
    """Who a name says is speaking. `OTHER` is a person of the house: neither the user nor the agent."""

    USER = "user"
    AGENT = "assistant"
    SYSTEM = "system"
    OTHER = "other"


def plain(label: str) -> str:
    """A label without case, accents, signs and emoji."""
    words = re.findall(r"[^\W_]+", without_accents(label).casefold())
    return " ".join(words)


LONGEST = 60


@cache
def _words() -> tuple[dict[str, Key], dict[str, Speaker], frozenset[str]]:
    """Every word of `labels.yaml`, plain, with what it means; those of details last."""
    import yaml

    text = resources.files(__package__).joinpath("labels.yaml").read_text("utf-8")
    data = yaml.safe_load(text)
    keys = {plain(word): Key(name) for name, words in data["labels"].items() for word in words}
    speakers = {plain(word): Speaker(name) for name, words in data["speakers"].items() for word in words}
    return keys, speakers, frozenset(map(plain, data["details"].split(",")))


def _bag(words: str) -> tuple[str, ...]:
    return tuple(sorted(words.split()))


@cache
def _by_words() -> dict[tuple[str, ...], Key]:
    """Labels of three words and more by their words: `What should it have done` is the form's in another order."""
    known = _words()[0] | _FORM
    return {_bag(words): key for words, key in known.items() if len(words.split()) > 2}


_FORM = {plain(each.label): each.key for each in FIELDS}


def key_of(label: str) -> Key | None:
    """The field a label names, or None."""
    if len(label) > 2 * LONGEST:
        return None
    wanted = plain(label)
    return _FORM.get(wanted) or _words()[0].get(wanted) or _by_words().get(_bag(wanted))


def is_form_label(label: str) -> bool:
    """Whether it is the form's own, sign for sign."""
    return label.strip() in _WRITTEN


_WRITTEN = frozenset(each.label for each in FIELDS)


def speaker_of(name: str) -> Speaker | None:
    """Who a speaker's name says it is; None for a name that says nothing."""
    if len(name) > LONGEST:
        return None
    known = _words()[1].get(plain(name))
    if known is not None:
        return known
    note = re.search(r"[\[(]([^\])]{1,24})[\])]\s*$", name)
    if note:
        return speaker_of(note[1]) or speaker_of(name[: note.start()])
    return Speaker.AGENT if _AGENTS & set(plain(name).split()) or re.search(r"[a-z]Bot$", name.strip()) else None


def is_detail(name: str) -> bool:
    """Whether a name is what people label in a message of their own, such as `Fecha` or `Order number`."""
    return plain(name) in _words()[2]


_AGENTS = frozenset({"bot", "chatbot"})
"""Words that make any name an agent's: `Bot de ventas`."""
