"""What code said of a reply, in the reader's language.

A run file keeps each sentence of ours in English and, beside it, what it was made of. The file may be hostile: a
sentence is said in another language only where its parts are messages of the catalogues and make, in English, exactly
the text that stands there. Everything else is shown as it stands. What comes out is untrusted text still: a value is
never read as a template, and whoever shows it passes it through `escape` as any other.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import JsonValue

from quilate.grades import CriterionGrade, Evidence
from quilate.report.messages import Translator
from quilate.saying import LANGUAGE, MOST_CHARACTERS, SAY, Said, value_text
from quilate.shown import visible

_DEEPEST = 24
_LONGEST = 600
"""Characters of a sentence that was cut in English too."""


class _NotOursError(Exception):
    """The parts are none of ours."""


def retold(text: str, parts: JsonValue, t: Translator) -> str:
    """`text` in the language of `t`, made of `parts`; as it stands where they do not make it."""
    if t.language == "en":
        return text
    try:
        english, translated = _said({SAY: text} if parts == {} else parts, t, 0)
    except (_NotOursError, KeyError, IndexError, ValueError, AttributeError):
        return text
    if text == english:
        return translated
    return visible(translated, max(len(text), _LONGEST)) if text == visible(english, len(text)) else text


def _said(part: JsonValue, t: Translator, depth: int) -> tuple[str, str]:
    """A part in English and in the language."""
    if depth > _DEEPEST:
        raise _NotOursError
    if isinstance(part, str):
        found = part, part
    elif isinstance(part, int | float) and not isinstance(part, bool):
        found = value_text(part), t.figure(part)
    elif isinstance(part, list) and part and isinstance(part[0], str):
        by = _message(part[0], t) if any(map(str.isalpha, part[0])) else part[0]
        items = [_said(each, t, depth + 1) for each in part[1:]]
        found = part[0].join(english for english, _ in items), by.join(other for _, other in items)
    elif isinstance(part, dict) and part.keys() == {LANGUAGE}:
        code = part[LANGUAGE]
        if not isinstance(code, str):
            raise _NotOursError
        found = code, t.language_name(code)
    elif isinstance(part, dict):
        template = part.get(SAY)
        values = {name: _said(each, t, depth + 1) for name, each in part.items() if name != SAY}
        form = _message(template, t)
        found = (
            str(template).format_map({name: english for name, (english, _) in values.items()}),
            form.format_map({name: other for name, (_, other) in values.items()}),
        )
    else:
        raise _NotOursError
    if max(map(len, found)) > 2 * MOST_CHARACTERS:
        raise _NotOursError
    return found


def _message(template: JsonValue, t: Translator) -> str:
    form = t.phrase(template) if isinstance(template, str) else None
    if form is None:
        raise _NotOursError
    return form


def criterion_in(criterion: CriterionGrade, t: Translator) -> CriterionGrade:
    """The criterion with its title, reason, expectation, finding and notes in the language of `t`."""
    if t.language == "en":
        return criterion
    words = _retold(criterion, ("text", "reason", "expected", "found"), t)
    evidence = tuple(_evidence_in(each, t) for each in criterion.evidence)
    return criterion.model_copy(update={**words, "evidence": evidence})


def _evidence_in(evidence: Evidence, t: Translator) -> Evidence:
    return evidence.model_copy(update=_retold(evidence, ("quote", "note"), t)) if evidence.said else evidence


def _retold(spoken_of: CriterionGrade | Evidence, names: Iterable[str], t: Translator) -> dict[str, object]:
    said = spoken_of.said
    return {
        name: retold(text, said[name], t)
        for name in names
        if name in said and (text := getattr(spoken_of, name)) is not None
    }


def spoken(text: str, t: Translator) -> str:
    """A text in the language of `t`, where it is a sentence of ours; any other as it stands."""
    return retold(str(text), text.data, t) if isinstance(text, Said) else text


def criteria_in(criteria: Iterable[CriterionGrade], t: Translator) -> tuple[CriterionGrade, ...]:
    """`criterion_in` for each."""
    return tuple(criterion_in(each, t) for each in criteria)
