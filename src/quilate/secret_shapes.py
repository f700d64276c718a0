"""Keys, tokens and passwords in a text, by their shape.

Everything runs in time linear in the text's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quilate.finding import Detector, Found, Kind, apart, places
from quilate.seen import seen


def _always(_: str) -> bool:
    return True


def _key(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?P<value>{pattern})")


_SECRETS: tuple[Detector, ...] = (
    (Kind.AWS_KEY, _key(r"(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])"), _always),
    (Kind.GITHUB_TOKEN, _key(r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}"), _always),
    (Kind.GITLAB_TOKEN, _key(r"glpat-[A-Za-z0-9_-]{20,255}"), _always),
    (Kind.ANTHROPIC_KEY, _key(r"sk-ant-[A-Za-z0-9_-]{20,255}"), _always),
    (Kind.OPENAI_KEY, _key(r"sk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,255}"), _always),
    (Kind.SLACK_TOKEN, _key(r"xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-[A-Za-z0-9-]{20,255}"), _always),
    (Kind.GOOGLE_KEY, _key(r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"), _always),
    (Kind.STRIPE_KEY, _key(r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9]{24,255}"), _always),
    (Kind.JWT, _key(r"eyJ[A-Za-z0-9_-]{8,2048}+\.eyJ[A-Za-z0-9_-]{8,4096}+\.[A-Za-z0-9_-]{16,2048}"), _always),
    (
        Kind.PRIVATE_KEY,
        re.compile(r"(?P<value>-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)"),
        _always,
    ),
    (
        Kind.BEARER,
        re.compile(r"(?i:(?<!\w)bearer)[ \t]{1,4}(?=[^\s\d]{0,256}\d)(?P<value>[A-Za-z0-9._~+/-]{20,4096}={0,2})"),
        _always,
    ),
    (
        Kind.BASIC,
        re.compile(
            r"(?i:authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?basic)[ \t]{1,4}(?P<value>[A-Za-z0-9+/]{8,4096}={0,2})"
        ),
        _always,
    ),
    (
        Kind.COOKIE,
        re.compile(
            r"(?i:(?<!\w)(?:set-)?cookie[\"']?[ \t]{0,3}:)[ \t]{0,3}[\"']?(?P<value>[\w.-]{1,100}=[^\s\"',;]{12,4096})"
        ),
        _always,
    ),
    (
        Kind.SERVICE_TOKEN,
        _key(
            r"npm_[A-Za-z0-9]{36}|hf_[A-Za-z]{30,40}|lsv2_[a-z]{2}_[0-9a-f]{32}_[0-9a-f]{10}|SG\.[\w-]{16,32}\.[\w-]{32,64}|ya29\.[\w-]{20,400}"
            r"|\d{8,10}:AA[\w-]{30,40}|pypi-[\w-]{40,255}|dop_v1_[a-f0-9]{64}|shp(?:at|ss|ca|pa)_[a-fA-F0-9]{32}"
        ),
        _always,
    ),
    (Kind.SERVICE_TOKEN, re.compile(r"hooks\.slack\.com/services/(?P<value>T\w{6,20}/B\w{6,20}/\w{12,40})"), _always),
    (Kind.URL_PASSWORD, re.compile(r"://[^\s/:@]{0,64}:(?P<value>[^\s/:@]{3,128})@(?=\w)"), _always),
)


def find_secrets(text: str) -> Iterator[Found]:
    """What has the shape of a key, a token, a private key or a password in an address, from left to right."""
    plain = seen(text)
    yield from apart(places(_SECRETS, plain.text), plain, text)
