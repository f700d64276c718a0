"""Secret values out of everything that is published: the runner masks its log, and nothing that goes to the API."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, quote_plus

from quilate.config import Config

SECRET_NAME = re.compile(
    r"(?:KEY|TOKEN|SECRET|PASSW(?:OR)?D|CREDENTIAL|PRIVATE|COOKIE|DSN|AUTH|WEBHOOK|CONNECTION_STRING)", re.IGNORECASE
)
SHORTEST = 8
"""Of a value taken for a secret by its variable's name: a shorter one would redact ordinary words."""
REDACTED = "[secret]"
TELLING = 16
"""Characters of a secret's beginning or end, or half of a shorter one, that are taken out wherever they stand."""
CUT = 4
"""Characters of it that are taken out beside the sign of a cut: shortened sentences quote what an agent said."""
_SIGNS = ("…", " …", "\\u2026")


@dataclass(frozen=True)
class Redactor:
    """Replaces secret values, in every form in which they are usually written."""

    values: tuple[str, ...]

    @cached_property
    def _all_forms(self) -> frozenset[str]:
        return frozenset(form for value in self.values for form in _forms(value))

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        forms = sorted(self._all_forms, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, forms))) if forms else None

    @cached_property
    def _beginnings(self) -> _Beginnings:
        return _Beginnings(self._all_forms, _SIGNS, REDACTED)

    @cached_property
    def _ends(self) -> _Beginnings:
        """Of texts that are read backwards."""
        return _Beginnings([form[::-1] for form in self._all_forms], [sign[::-1] for sign in _SIGNS], REDACTED[::-1])

    def text(self, text: str) -> str:
        """`text` without secrets, nor what a cut left of one."""
        if self._pattern is None:
            return text
        whole = self._beginnings.without(self._pattern.sub(REDACTED, text))
        return self._ends.without(whole[::-1])[::-1]

    def file(self, path: Path) -> bool:
        """Rewrites a text or JSON Lines file that holds a secret; whether it did. The file is whole at any moment."""
        if self._pattern is None or not path.is_file():
            return False
        beside = path.with_name(path.name + ".redacting")
        changed = False
        plain = {"encoding": "utf-8", "errors": "surrogateescape", "newline": ""}
        with path.open(**plain) as source, beside.open("w", **plain) as target:  # type: ignore[call-overload]
            for line in source:
                clean = self.text(line)
                changed = changed or clean != line
                target.write(clean)
        if changed:
            beside.replace(path)
        else:
            beside.unlink()
        return changed


class _Beginnings:
    """Finds how forms of secrets begin, where the rest was cut off."""

    def __init__(self, forms: Iterable[str], signs: Sequence[str], redacted: str) -> None:
        self._signs = tuple(signs)
        self._redacted = redacted
        self._by_head: dict[str, list[str]] = {}
        for form in forms:
            self._by_head.setdefault(form[:CUT], []).append(form)
        self._heads = re.compile(f"(?=({'|'.join(map(re.escape, self._by_head))}))")  # ahead, since heads may overlap

    def without(self, text: str) -> str:
        """`text` without beginnings that tell something of a secret."""
        pieces, done = [], 0
        for head in self._heads.finditer(text):
            start = head.start()
            length = 0 if start < done else max(self._told(text, start, form) for form in self._by_head[head[1]])
            if length:
                pieces += [text[done:start], self._redacted]
                done = start + length
        return "".join([*pieces, text[done:]]) if done else text

    def _told(self, text: str, start: int, form: str) -> int:
        """How many characters of `form` stand at `start` and are to be taken out; 0 for none."""
        there = text[start : start + len(form)]
        length = next(
            (at for at, (one, other) in enumerate(zip(form, there, strict=False)) if one != other), len(there)
        )
        if length >= min(TELLING, max(SHORTEST, len(form) // 2)):
            return length
        cuts = (at for at in range(length, CUT - 1, -1) if text.startswith(self._signs, start + at))
        return next(cuts, 0)


def _forms(value: str) -> set[str]:
    """As it is, inside JSON, HTML or a table's cell, in an address, and in base64, alone or within something longer."""
    plain = {value, *(line.strip() for line in value.splitlines() if len(line.strip()) >= SHORTEST)}
    forms = set(plain)
    for one in plain:
        forms |= {
            json.dumps(one)[1:-1],
            json.dumps(one, ensure_ascii=False)[1:-1],
            # A tool's arguments stand as JSON in a sentence of ours, and the sentence in a line of JSON.
            json.dumps(json.dumps(one, ensure_ascii=False)[1:-1], ensure_ascii=False)[1:-1],
            quote(one, safe=""),
            quote_plus(one),
        }
        forms |= {html.escape(one), html.escape(one, quote=False), _in_markup(one), one.replace("|", "\\|")}
        forms |= _encoded(one.encode("utf-8", "surrogatepass"))
    return forms


def _in_markup(value: str) -> str:
    """As Jinja's autoescape writes it, which names quotation marks by their numbers."""
    return html.escape(value).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")


def _encoded(value: bytes) -> set[str]:
    """The base64 of a value wherever it begins: `user:<value>`, of a Basic authorization, begins at another letter.

    Of three bytes four letters are made, so there are three ways; letters that a neighbour decides are left out.
    """
    forms = {base64.b64encode(value).decode(), base64.urlsafe_b64encode(value).decode()}
    for before in range(3):
        letters = base64.b64encode(bytes(before) + value)[-(-before * 4 // 3) : (before + len(value)) * 4 // 3]
        forms |= {letters.decode(), letters.translate(bytes.maketrans(b"+/", b"-_")).decode()}
    return {form for form in forms if len(form) >= SHORTEST}


def secret_values(environ: Mapping[str, str], token: str, configs: Iterable[Config] = ()) -> tuple[str, ...]:
    """The values to hide: the token, what the configuration names as a key, and variables named like secrets."""
    named: set[str] = set()
    for config in configs:
        judge, chat = config.judge, config.agent.chat
        named |= {name for name in (judge and judge.api_key_env, chat and chat.api_key_env) if name}
        named |= {name for name in config.agent.env if SECRET_NAME.search(name)}
    found = {token} if token else set()
    for name, value in environ.items():
        likely = SECRET_NAME.search(name) and not name.startswith(("INPUT_", "SSH_AUTH_SOCK")) and _secret_like(value)
        if value and len(value) >= SHORTEST and (name in named or likely):
            found.add(value)
    return tuple(sorted(found))


def _secret_like(value: str) -> bool:
    """No flag, number, path or plain word: `TOKEN_LIMIT=100000000` and `AUTH_MODE=anonymous` are none."""
    if value.isdecimal() or value.startswith(("/", "./", "~")):
        return False
    return not value.isalpha() or len(value) >= 20
