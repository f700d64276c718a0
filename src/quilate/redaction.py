"""Secret values out of everything that is published: the runner masks its log, and nothing that goes to the API."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping
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


@dataclass(frozen=True)
class Redactor:
    """Replaces secret values, in every form in which they are usually written."""

    values: tuple[str, ...]

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        forms = {form for value in self.values for form in _forms(value)}
        return re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True)))) if forms else None

    def text(self, text: str) -> str:
        """`text` without secrets."""
        return self._pattern.sub(REDACTED, text) if self._pattern else text

    def file(self, path: Path) -> bool:
        """Rewrites a text or JSON Lines file that holds a secret; whether it did. The file is whole at any moment."""
        if self._pattern is None or not path.is_file():
            return False
        beside = path.with_name(path.name + ".redacting")
        changed = False
        plain = {"encoding": "utf-8", "errors": "surrogateescape", "newline": ""}
        with path.open(**plain) as source, beside.open("w", **plain) as target:  # type: ignore[call-overload]
            for line in source:
                clean = self._pattern.sub(REDACTED, line)
                changed = changed or clean != line
                target.write(clean)
        if changed:
            beside.replace(path)
        else:
            beside.unlink()
        return changed


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
