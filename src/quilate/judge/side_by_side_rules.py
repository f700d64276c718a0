"""What code can see of a reply for which tools were expected or used, and what it then rules about fulfilment.

The rules are the side-by-side guide's own; what the guide leaves to the eye is decided here by patterns, and where
they do not decide, nothing is ruled and the judge's rating stands.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Any

import regex
from pydantic import JsonValue

from quilate.agents.agent import Reply, ToolCall
from quilate.goldens.case import GoldenCase
from quilate.judge.groundedness import failed
from quilate.judge.pairs import Rule, Ruling
from quilate.text import fold


class Gave(StrEnum):
    """What a call of a tool gave back."""

    DATA = "data"
    NOTHING = "nothing"
    """It ran and found nothing."""
    ERROR = "error"
    BLANK = "blank"
    MISSING = "missing"


_NOTHING_TEXTS = frozenset(
    ["[]", "{}", "null", "none", "nil", "undefined", "n/a", "no results", "no result", "no results found", "not found",
     "nothing found", "empty", "sin resultados", "no hay resultados", "no se encontraron resultados", "ninguno",
     "ninguna", "nada", "sem resultados", "nenhum resultado", "nenhum resultado encontrado", "nenhum", "nenhuma"]
)  # fmt: skip
_ENVELOPE = frozenset(
    ["ok", "success", "status", "code", "count", "total", "totalcount", "found", "page", "pages", "limit", "offset",
     "query", "took", "tookms", "message", "error", "errors", "warnings", "next", "cursor", "hasmore", "encontrado",
     "encontrados", "cantidad", "estado", "mensaje", "quantidade", "mensagem"]
)  # fmt: skip
"""Keys, in small letters and without underscores, that say how a search went and not what it found."""
_TELLS_COUNT = ("count", "total", "totalcount", "cantidad", "quantidade")
_TELLS_FOUND = ("found", "encontrado", "encontrados")


def gave(call: ToolCall) -> Gave:
    """What `call` gave back, by its output alone.

    `null`, `[]`, `{}`, "none" and lists or objects of only such are *nothing found*; blank text is blank; no output
    at all is missing. A null that the agent wrote is told from an output that it left out.
    """
    if failed(call):
        return Gave.ERROR
    output = call.output
    if output is None:
        return Gave.NOTHING if "output" in call.model_fields_set else Gave.MISSING
    if isinstance(output, str) and not output.strip():
        return Gave.BLANK
    return Gave.NOTHING if _is_nothing(output) else Gave.DATA


def _is_nothing(value: JsonValue) -> bool:
    if value is None:
        return True
    if isinstance(value, str):
        return fold(value).strip(" .!\"'") in _NOTHING_TEXTS or not value.strip() or _is_nothing_as_json(value)
    if isinstance(value, list):
        return all(_is_nothing(item) for item in value)
    if isinstance(value, dict):
        return _object_is_nothing(value)
    return False


def _is_nothing_as_json(text: str) -> bool:
    """Many tools give their JSON as text."""
    if text.lstrip()[:1] not in ("[", "{") or len(text) > 10_000:
        return False
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return _is_nothing(value)


def _object_is_nothing(value: dict[str, Any]) -> bool:
    envelope = {key.casefold().replace("_", ""): each for key, each in value.items() if _in_envelope(key)}
    payload = [each for key, each in value.items() if not _in_envelope(key)]
    if payload:
        return all(_is_nothing(each) for each in payload)
    if not value:
        return True
    counted = any(envelope.get(key) == 0 and envelope.get(key) is not False for key in _TELLS_COUNT)
    return counted or any(envelope.get(key) is False for key in _TELLS_FOUND)


def _in_envelope(key: str) -> bool:
    return key.casefold().replace("_", "") in _ENVELOPE


_SAYS_SO = regex.compile(
    r"""
    # Spanish
    \bno\s+(?:(?:lo|la|los|las|le|se|me|nos|te|he|ha|hemos|han|pude|pudo|pudimos|logr[eé]|consigo|puedo|podemos)\s+){0,3}
        (?:encontr|hall|ubi[cq]|localiz|exist|hay\b|dispon|figur|aparec|registr|cuent|tenemos|tengo)
    | \bning[uú]n[ao]?\b | \bsin\s+(?:resultado|dato|registro|informaci[oó]n|disponibilidad|cupo)
    # Portuguese
    | \bn[aã]o\s+(?:(?:o|a|os|as|foi|foram|se|me|nos|consegui|conseguimos|pude|posso|pudemos)\s+){0,3}
        (?:encontr|localiz|ach(?:ei|amos|ou)|exist|h[aá]\b|dispon|const|temos|tenho|possu)
    | \bnenhum[as]?\b | \bsem\s+(?:resultado|dado|registro|informa[cç]|disponibilidade|vaga)
    # English
    | \b(?:could|can|did|was|were|do|does|is|are|have|has)(?:\s*n[o'’]t|not)\s+(?:\w+\s+){0,2}
        (?:find|found|locate|see|any|exist|available|able\s+to\s+(?:find|locate)|have\s+any)
    | \bcan['’]?not\s+(?:find|locate|see)
    | \b(?:unable|failed)\s+to\s+(?:find|locate) | \bnot\s+(?:found|find|available) | \bfound\s+(?:no|nothing|none)\b
    | \bno\s+(?:\w+\s+){0,3}(?:results?|matches|records?|data|information|availability|found|available)\b
    | \bthere\s+(?:is|are|was|were)\s+(?:no|none|nothing)\b | \bnothing\s+(?:was\s+)?found\b
    """,
    regex.IGNORECASE | regex.VERBOSE,
)
_REFUSES = regex.compile(
    r"""
    # Spanish
    \b(?:s[oó]lo\s+)?soy\s+(?:s[oó]lo\s+|solamente\s+|[uú]nicamente\s+|apenas\s+)?un[a]?\s+
        (?:modelo|ia\b|inteligencia\s+artificial|asistente\s+de\s+texto|chatbot)
    | \bcomo\s+(?:un\s+)?(?:modelo|ia\b|inteligencia\s+artificial)
    | \bno\s+(?:puedo|podr[ií]a|me\s+es\s+posible)\s+(?:ayudar(?:te|le|los|les)?|asistir(?:te|le)?)
        \s*(?:con\s+(?:eso|esto|ello|esa\s+solicitud|esta\s+solicitud)|en\s+(?:eso|esto))?\s*[.!]
    # Portuguese
    | \bsou\s+(?:apenas|s[oó]|somente)?\s*um[a]?\s+(?:modelo|ia\b|intelig[eê]ncia\s+artificial|chatbot)
    | \bcomo\s+(?:um[a]?\s+)?(?:modelo\s+de|ia\b|intelig[eê]ncia\s+artificial)
    | \bn[aã]o\s+(?:posso|consigo|poderia)\s+(?:(?:te|lhe|o|a)\s+)?(?:ajud(?:ar|[aá]-l[oa])|atender)
        \s*(?:com\s+(?:isso|isto|essa\s+solicita[cç][aã]o)|nisso)?\s*[.!]
    # English
    | \bi\s*(?:['’]m|\s+am)\s+(?:just|only|merely)?\s*an?\s+(?:text|language|ai|large\s+language)\b[\w\s-]{0,20}model
    | \bi\s*(?:['’]m|\s+am)\s+(?:just|only|merely)\s+an?\s+(?:ai\b|chatbot|text)
    | \bas\s+an?\s+(?:ai|(?:large\s+)?language\s+model|text\s+model)\b
    | \bi\s*(?:['’]m\s+(?:sorry,?\s+)?(?:unable|not\s+able)\s+to|can(?:['’]t|not)|\s+am\s+(?:unable|not\s+able)\s+to)
        \s+(?:help|assist)(?:\s+(?:you\s+)?with\s+(?:that|this)(?:\s+request)?)?\s*[.!]
    """,
    regex.IGNORECASE | regex.VERBOSE,
)
_DATA = regex.compile(
    r"""
    https?://\S+ | (?<![\w.+-])[\w.+-]++@[\w-]++\.\w+ | \d[\d.,:/-]*
    | \b(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|ma[nñ]ana
        |segunda-feira|ter[cç]a-feira|quarta-feira|quinta-feira|sexta-feira|amanh[aã]
        |monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow)\b
    """,
    regex.IGNORECASE | regex.VERBOSE,
)
_LIST_MARK = regex.compile(r"^\s*\d{1,2}[.)]\s", regex.MULTILINE)
_ALWAYS_OPEN = ("24", "7", "24/7", "24/7.")
_LOOKED_AT = 20_000
_SHORT = 600
"""A refusal of more characters than this says something besides, and is the judge's to weigh."""


def tools_expected(case: GoldenCase) -> bool:
    """Whether a good reply to `case` calls a tool."""
    if case.expected_tool is not None:
        return True
    written = case.expected_tools
    calls = written if isinstance(written, tuple) else written.calls if written is not None else ()
    return any(call.times.min > 0 for call in calls)


def ruling_of(
    case: GoldenCase, reply: Reply, *, outputs_reported: bool = True, non_evidence_tools: Sequence[str] = ()
) -> Ruling | None:
    """The limit that code sets on the fulfilment of `reply`; None where it sees none.

    Only for replies for which tools were expected or used. One output with data is enough for the judge to weigh the
    whole. `outputs_reported` False: this agent never says what its tools gave back, so that a missing output means
    nothing. `non_evidence_tools` (globs) are passed over.
    """
    calls = [call for call in reply.tool_calls if not any(fnmatchcase(call.name, each) for each in non_evidence_tools)]
    if not calls and not tools_expected(case):
        return None
    text = reply.output[:_LOOKED_AT]
    given = _data_of_its_own(case, reply, text)
    if len(text) <= _SHORT and not given and _REFUSES.search(text):
        return Ruling(rule=Rule.GENERIC_REFUSAL, most=1, reason="a generic refusal")
    if not outputs_reported:
        return None
    found = [gave(call) for call in calls]
    if Gave.DATA in found:
        return None
    if Gave.NOTHING not in found:
        return Ruling(rule=Rule.TOOL_FAILED, most=1, reason=_failed_reason(calls, found))
    if _SAYS_SO.search(text):
        return Ruling(rule=Rule.FOUND_NOTHING, most=2, reason="the tools found nothing, and the reply says so")
    if given:
        said = f"the tools found nothing, and the reply gives data anyway («{given[0][:80]}»)"
        return Ruling(rule=Rule.HALLUCINATION, most=1, reason=said)
    return None


def _failed_reason(calls: Sequence[ToolCall], found: Sequence[Gave]) -> str:
    if not calls:
        return "a tool was expected and none was called: its output is missing"
    words = {Gave.ERROR: "is an error", Gave.BLANK: "is blank", Gave.MISSING: "is missing"}
    return f"the output of {calls[-1].name[:80]} {words[found[-1]]}"


def _data_of_its_own(case: GoldenCase, reply: Reply, text: str) -> list[str]:
    """Numbers, days, addresses in the reply that neither the conversation nor a call's arguments hold."""
    known = " ".join(
        [
            *(message.content for message in case.messages),
            *(json.dumps(call.args, ensure_ascii=False) for call in reply.tool_calls),
        ]
    )
    held = {_plain(each) for each in _DATA.findall(known)} | {_digits(each) for each in _DATA.findall(known)} - {""}
    found = []
    for each in _DATA.findall(_LIST_MARK.sub("", text)):
        if each in _ALWAYS_OPEN or _plain(each) in held or (_digits(each) and _digits(each) in held):
            continue
        found.append(each.rstrip(".,:;-/"))
    return found


def _plain(token: str) -> str:
    return fold(token).strip(".,:;-/")


def _digits(token: str) -> str:
    return "".join(char for char in token if char.isdigit())
