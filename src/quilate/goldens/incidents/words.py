"""What is said on an issue, in the language it is written in; none of it is anybody's own text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from quilate.goldens.incidents.form import FIELDS, Key
from quilate.goldens.incidents.reading import Question

_TELLING = {
    "es": "el la los las una y en que qué con por para no está pedido quiero mi su al es del cuál dónde hola gracias",
    "pt": "o os as um uma e em que com por para não está pedido quero meu seu ao é do da cadê onde olá obrigado você",
    "en": "the a and in that with for not is order want my your to of which where hello thanks you it",
}
LABELS = {field.key: field.label for field in FIELDS} | {Key.REQUIRED_PHRASES: "Phrases that must appear"}


@cache
def _all() -> dict[str, dict[str, Any]]:
    import yaml

    found: dict[str, dict[str, Any]] = yaml.safe_load(
        resources.files(__package__).joinpath("words.yaml").read_text("utf-8")
    )
    return found


def language_of(text: str) -> str:
    """`es`, `pt` or `en`: whose small words the text has most of; English where there are none.

    The form's labels are English whatever the answers are, and do not count.
    """
    answers = re.sub(r"(?m)^#{1,6} .*$|_No response_", "", text[:20_000])
    words = Counter(re.findall(r"[^\W\d_]+", answers.casefold()))
    scores = {code: sum(words[word] for word in telling.split()) for code, telling in _TELLING.items()}
    best = max(scores.values())
    return next(code for code in ("en", "es", "pt") if scores[code] == best) if best else "en"


def say(language: str, name: str, **values: str) -> str:
    """One sentence."""
    return str(_all()[language][name]).format(**values)


def asked_back(questions: Iterable[Question], language: str) -> str:
    """What is missing, field by field, as Markdown. What somebody wrote is not repeated: they can see it."""
    why = _all()[language]["fields"]
    lines = [f"- **{LABELS[question.key]}**: {why[question.why]}" for question in questions]
    return "\n".join([say(language, "missing_head"), "", *lines, "", say(language, "nothing_lost")])


def reason(why: str, language: str = "en") -> str:
    """Why one field is asked back."""
    return str(_all()[language]["fields"][why])
