"""Personal data and secrets out of an incident before anybody else reads it, so that the case still works.

The same value becomes the same invented one wherever it stands, and an identity or account number becomes one that
still validates: the agent's tools go the way they went. Names have no shape; they are replaced where somebody lists
them. What has the shape of a secret is taken out, and what is left of one afterwards is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import regex

from quilate.finding import Kind
from quilate.goldens.redact_contacts import PHONE, find_contacts
from quilate.goldens.redact_synthetic import NAMES, is_synthetic, synthetic
from quilate.goldens.similar import without_accents
from quilate.personal_data import find_personal_data
from quilate.secret_shapes import find_secrets
from quilate.seen import NOTHING

NAME = "name"
KEY_BLOCK = "private key"
ASSIGNED = "password or key by its name"

_KEY_BEGINS = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_ENDS = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_ASSIGNED = re.compile(
    r"(?i:(?<![a-z])(?:(?:api|access|account|secret|encryption)[_-]?key|(?:client[_-]?)?secret|(?:(?:access|auth|refresh|id)[_-]?)?token"
    r"|password|passwd|passphrase|pwd|contraseña|clave|senha|session[_-]?id|connect\.sid))"
    r"[\"']?\s{0,3}(?:[:=]|\bes\b|\bé\b|\bis\b)\s{0,3}[\"']?(?P<value>(?=[^\s\"']{0,200}\d)(?=[^\s\"']{0,200}[A-Za-z])[^\s\"',;<>]{8,200})"
)
_PIN = re.compile(
    r"(?i:(?<!\w)(?:(?:pin|nip|cvv2?|cvc2?)(?!\w)(?: de la tarjeta| do cartão)?[\s:=]{1,3}(?:(?:es|é|is)\s)?"
    r"|(?:contraseña|clave|senha|password|passcode|c[oó]digo de (?:seguridad|segurança|verificaci[oó]n|verificação)"
    r"|(?:security|verification) code)\s{0,2}(?::\s{0,2}|(?:es|é|is)\s)))(?P<value>\d{3,8})(?![\w.,/-]\d|\w)"
)
"""What is short and of digits alone is a secret by its name only."""
_INSIDE_A_WORD = regex.compile(rf"(?<=[!-~]){NOTHING}+(?=[!-~])")
"""Signs that nobody sees, between two that everybody sees: they would hide a number or a key."""
_PARTICLES = frozenset({"da", "das", "de", "del", "do", "dos", "el", "la", "las", "los", "van", "von", "y", "e"})
_FEWEST_LETTERS = 3
_Span = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Replaced:
    """How often something of a kind was replaced, and how many different values it were."""

    kind: str
    times: int
    values: int


@dataclass
class Redaction:
    """Replaces in one text after another, the same value by the same one. `people` are names to replace."""

    people: Iterable[str] = ()
    _by_value: dict[tuple[str, str], str] = field(default_factory=dict)
    _numbers: Counter[str] = field(default_factory=Counter)
    _times: Counter[str] = field(default_factory=Counter)
    _taken: set[str] = field(default_factory=set)
    _names: list[tuple[re.Pattern[str], str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in dict.fromkeys(" ".join(each.split()) for each in self.people):
            if sum(char.isalpha() for char in name) >= _FEWEST_LETTERS:
                self._names += self._patterns_of(name)

    def text(self, text: str) -> str:
        """`text` without secrets, personal data and listed names."""
        text = self._key_blocks(_INSIDE_A_WORD.sub("", text))
        secrets = [one for one in find_secrets(text) if one.kind is not Kind.PRIVATE_KEY]
        text = self._spans(text, [(one.kind.value, one.start, one.end) for one in secrets])
        for named in (_ASSIGNED, _PIN):
            text = self._spans(text, [(ASSIGNED, *match.span("value")) for match in named.finditer(text)])
        personal = [(one.kind.value, one.start, one.end) for one in find_personal_data(text)]
        contacts = [(one.kind, one.start, one.end) for one in find_contacts(text)]
        text = self._spans(text, _apart(personal, contacts))
        for pattern, name in self._names:
            text = pattern.sub(lambda match, name=name: self._noted(NAME, name, match[0]), text)  # type: ignore[misc]
        return text

    def value(self, value: Any) -> Any:
        """Every text in a JSON value, keys too."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(inner) for inner in value]
        return self.number(value) if isinstance(value, int) and not isinstance(value, bool) else value

    def number(self, value: int) -> int:
        """A bare number may be a card's."""
        text = self.text(str(value))
        return int(text) if text.isascii() and text.isdecimal() else value

    @property
    def replaced(self) -> tuple[Replaced, ...]:
        """What was replaced so far, by kind; never a value."""
        different = Counter(kind for kind, _ in self._by_value)
        return tuple(Replaced(kind, times, different[kind]) for kind, times in sorted(self._times.items()))

    def _key_blocks(self, text: str) -> str:
        """A key from its first line to its last; one without a last line stays, and is refused."""
        parts: list[str] = []
        end = 0
        while begins := _KEY_BEGINS.search(text, end):
            ends = _KEY_ENDS.search(text, begins.end())
            if ends is None:
                break
            parts += [text[end : begins.start()], self._noted(KEY_BLOCK, "[private key removed]", "block")]
            end = ends.end()
        return "".join((*parts, text[end:]))

    def _spans(self, text: str, found: list[_Span]) -> str:
        parts: list[str] = []
        end = 0
        for kind, start, stop in found:
            value = text[start:stop]
            if is_synthetic(kind, value):
                self._taken.add(_plain(value))
                continue
            parts += [text[end:start], self._instead(kind, value)]
            end = stop
        return "".join((*parts, text[end:]))

    def _instead(self, kind: str, value: str) -> str:
        """The invented value; the second spelling of a number gets the same one in its own form."""
        key = (kind, _identity(kind, value))
        if key not in self._by_value:
            self._numbers[kind] += 1
            while _plain(synthetic(kind, value, self._numbers[kind])) in self._taken:
                self._numbers[kind] += 1
            self._by_value[key] = str(self._numbers[kind])
        self._times[kind] += 1
        return synthetic(kind, value, int(self._by_value[key]))

    def _noted(self, kind: str, instead: str, value: str) -> str:
        self._times[kind] += 1
        self._by_value.setdefault((kind, _plain(value)), instead)
        return instead

    def _patterns_of(self, name: str) -> list[tuple[re.Pattern[str], str]]:
        number = self._numbers[NAME]
        self._numbers[NAME] += 1
        base, again = NAMES[number % len(NAMES)], number // len(NAMES)
        invented = base if not again else f"{base} {again + 1}"
        first, last = invented.split(" ", 1)
        parts = [part for part in name.split() if part.casefold() not in _PARTICLES]
        patterns = [
            (re.compile(rf"(?<!\w){_spelled(name)}(?!\w)", re.IGNORECASE), invented if len(parts) > 1 else first)
        ]
        if len(parts) > 1:
            for position, part in enumerate(parts):
                if len(part) >= _FEWEST_LETTERS:
                    either = f"(?:{_spelled(part[:1].upper() + part[1:])}|{_spelled(part.upper())})"
                    patterns.append((re.compile(rf"(?<!\w){either}(?!\w)"), first if position == 0 else last))
        return patterns


def leftover_secrets(text: str) -> tuple[str, ...]:
    """The kinds of secrets whose shape is still in a text; empty for one that may be published."""
    text = _INSIDE_A_WORD.sub("", text)
    kinds = {one.kind.value for one in find_secrets(text)}
    if "PRIVATE KEY-----" in text:
        kinds.add(KEY_BLOCK)
    if any(not match["value"].startswith("[") for match in _ASSIGNED.finditer(text)):
        kinds.add(ASSIGNED)
    if _LONG_TOKEN.search(text) and any(_random_looking(match[0]) for match in _LONG_TOKEN.finditer(text)):
        kinds.add("long random text, as keys are")
    return tuple(sorted(kinds))


_LONG_TOKEN = re.compile(r"(?<![\w/+.=-])[A-Za-z0-9_+/=-]{40,}(?![\w/+.=-])")


def _random_looking(token: str) -> bool:
    """Letters of both cases and digits, mixed throughout, and no path or sentence."""
    kinds = [any(map(test, token)) for test in (str.islower, str.isupper, str.isdigit)]
    changes = sum(_class(one) != _class(other) for one, other in pairwise(token))
    return all(kinds) and changes >= len(token) // 3


def _class(char: str) -> int:
    return 0 if char.islower() else 1 if char.isupper() else 2 if char.isdigit() else 3


def _apart(certain: list[_Span], likely: list[_Span]) -> list[_Span]:
    """Both without overlaps, in order; a number whose check digits hold goes before a shape. Each is in order."""
    kept = list(certain)
    starts = [start for _, start, _ in certain]
    for one in likely:
        after = bisect_left(starts, one[2])
        if after == 0 or certain[after - 1][2] <= one[1]:
            kept.append(one)
    return sorted(kept, key=lambda one: one[1])


def _identity(kind: str, value: str) -> str:
    """What two spellings of a value share: a phone's digits without the country's, an address's with its sign."""
    if kind == PHONE:
        return re.sub(r"\D", "", value)[-8:]
    return _plain(re.sub(r" ?[(\[] ?(?:at|arroba) ?[)\]] ?", "@", value, flags=re.IGNORECASE))


def _plain(value: str) -> str:
    return re.sub(r"[\W_]", "", without_accents(value)).casefold()


def _spelled(name: str) -> str:
    """A pattern that takes the name with and without its accents."""
    return "".join(_either(char) for char in name).replace(r"\ ", r"\s+")


def _either(char: str) -> str:
    bare = without_accents(char)
    return re.escape(char) if bare == char else f"(?:{re.escape(char)}|{re.escape(bare)})"
