"""What is looked for in a text by shape: kinds of personal data and of secrets, and how they are found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from quilate.seen import Seen


class Kind(StrEnum):
    """What was found."""

    RUT = "RUT"
    CPF = "CPF"
    CNPJ = "CNPJ"
    CUIT = "CUIT"
    CURP = "CURP"
    RFC = "RFC"
    DNI = "DNI"
    NIE = "NIE"
    IBAN = "IBAN"
    CARD = "card number"
    EMAIL = "e-mail address"

    AWS_KEY = "AWS access key"
    GITHUB_TOKEN = "GitHub token"  # noqa: S105 - the name of a kind
    GITLAB_TOKEN = "GitLab token"  # noqa: S105 - the name of a kind
    ANTHROPIC_KEY = "Anthropic key"
    OPENAI_KEY = "OpenAI key"
    SLACK_TOKEN = "Slack token"  # noqa: S105 - the name of a kind
    GOOGLE_KEY = "Google API key"
    STRIPE_KEY = "Stripe key"
    PRIVATE_KEY = "private key"
    JWT = "JSON web token"
    BEARER = "bearer token"
    BASIC = "basic credentials"
    COOKIE = "cookie"
    SERVICE_TOKEN = "token of a service"  # noqa: S105 - the name of a kind
    URL_PASSWORD = "password in an address"  # noqa: S105 - the name of a kind


@dataclass(frozen=True, slots=True)
class Found:
    """One finding: `value` is `text[start:end]`."""

    kind: Kind
    start: int
    end: int
    value: str


Detector = tuple[Kind, re.Pattern[str], Callable[[str], bool]]
"""A kind, a pattern with a group `value`, and whether that value is one."""
Place = tuple[Kind, int, int]
"""A kind and where it stands in a text as it is seen."""


def places(detectors: Iterable[Detector], plain: str, wanted: frozenset[Kind] | None = None) -> Iterator[Place]:
    """Everything that `detectors` find in `plain`; `wanted` narrows the kinds."""
    for kind, pattern, valid in detectors:
        if wanted is not None and kind not in wanted:
            continue
        for match in pattern.finditer(plain):
            if valid(match["value"]):
                yield kind, *match.span("value")


def apart(found: Iterable[Place], plain: Seen, text: str) -> Iterator[Found]:
    """From left to right, of overlapping places the first and longest, as they stand in `text`."""
    reached = 0
    for kind, start, end in sorted(found, key=lambda one: (one[1], -one[2])):
        if start >= reached:
            reached = end
            begin, finish = plain.original(start, end)
            yield Found(kind, begin, finish, text[begin:finish])
