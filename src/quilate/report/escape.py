"""The only way of untrusted text into Markdown.

Dataset, reply, judge, issue: all of it is hostile. Inside a code span, a fenced block or the `<code>` of a `<summary>`
neither mentions, references, links, emoji nor HTML mean anything, so that is where untrusted text goes and nowhere
else. `Inert` is a type of its own: what is placed in the comment is either written here in the source or came out
of one of these functions, and the type checker refuses the rest.
"""

from __future__ import annotations

import html
import re
from typing import NewType
from urllib.parse import quote, urlsplit

from quilate.report import visible

Inert = NewType("Inert", str)
"""Text that means nothing but itself in its medium: our own words, or untrusted text after this module."""

_BACKTICKS = re.compile(r"`+")
_MANY_BACKTICKS = re.compile(r"`{21,}")
"""GitHub's parser knows no delimiter of more than 80 backticks, and counts a fence's no further than 255."""
_PIPE = re.compile(r"(\\*)\|")
_SUITE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_HEX = re.compile(r"[0-9a-f]{7,64}")
EMPTY = "∅"
"""How an empty text is shown: an empty code span cannot be written."""


def code_span(text: str, max_bytes: int = 300) -> Inert:
    """`text` as an inline code span on one line, cut in its middle to `max_bytes` before it is neutralised.

    CommonMark §6.1: the delimiter is a longer run of backticks than any inside; a space of padding on both sides keeps
    a backtick at an edge from joining the delimiter, and keeps one space at both edges from being stripped.
    """
    content = _few_backticks(visible.line(visible.cut(text, max_bytes))) or EMPTY
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(content)), default=0))
    edges = content[0] + content[-1]
    padding = " " if "`" in edges or (edges == "  " and content.strip(" ")) else ""
    return Inert(f"{fence}{padding}{content}{padding}{fence}")


def _few_backticks(text: str) -> str:
    return _MANY_BACKTICKS.sub(lambda run: f"`×{len(run[0])}", text)


def cell(text: str, max_bytes: int = 120) -> Inert:
    r"""`text` as a code span that stands in a table's cell.

    A table's row is split before spans are read, so a pipe needs a backslash even in a code span. GFM's own parser
    reads `\\` first and markdown-it does not; an even number of backslashes before `\|` means the same to both.
    """
    return Inert(_PIPE.sub(_escaped_pipe, code_span(text, max_bytes)))


def _escaped_pipe(found: re.Match[str]) -> str:
    backslashes = found[1]
    return backslashes + "\\" * (len(backslashes) % 2) + "\\|"


def fenced(text: str, max_bytes: int = 4000, prefix: str = "") -> Inert:
    """`text` as a fenced block, cut in its middle to `max_bytes`, ending in a line end.

    The fence is longer than any run of backticks inside. `prefix` stands before every line, for a block in a quotation
    (`> `) or a list item (spaces).
    """
    content = _few_backticks(visible.lines(visible.cut(text, max_bytes))) or EMPTY
    fence = "`" * max(3, 1 + max((len(run) for run in _BACKTICKS.findall(content)), default=0))
    return Inert("".join(f"{prefix}{each}\n" for each in (fence, *content.split("\n"), fence)))


def summary_code(text: str, max_bytes: int = 200) -> Inert:
    """`text` as `<code>` on one line of HTML, for our own `<summary>`, where Markdown is not read."""
    return Inert(f"<code>{html.escape(visible.line(visible.cut(text, max_bytes)) or EMPTY)}</code>")


def suite_name(text: str) -> Inert:
    """A suite's name as it stands in a heading: as it is when it is one, else as a code span."""
    return Inert(text) if _SUITE.fullmatch(text) else code_span(text, 80)


def marker(suite: str, run: int, attempt: int, head: str) -> Inert:
    """The comment's first line, by which it is found again and by which an older run knows that it is older.

    Raises ValueError where a part could end the HTML comment or be read as another part.
    """
    if not (_SUITE.fullmatch(suite) and len(suite) <= 63 and _HEX.fullmatch(head) and run >= 0 and attempt >= 0):
        message = f"not a marker: suite {suite!r}, run {run}, attempt {attempt}, head {head!r}"
        raise ValueError(message)
    return Inert(f"<!-- quilate suite={suite} run={run} attempt={attempt} head={head} -->")


def web_address(url: str) -> str | None:
    """`url` as it may stand in a link: http(s), its host in ASCII, every other sign of danger percent-encoded.

    None where it is no such address, or carries a user's name or password.
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.encode("idna").decode("ascii")
        port_is_a_number = parts.port is None or parts.port > 0
    except ValueError:  # UnicodeError is one
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in host or not port_is_a_number:
        return None
    try:
        return quote(parts._replace(netloc=host).geturl(), safe=_URL_SAFE)
    except UnicodeEncodeError:
        return None


def link(text: Inert, url: str) -> Inert:
    """A link to one of our own addresses; the text alone where `url` is no web address."""
    address = web_address(url)
    return Inert(f"[{text}]({address})") if address else text


_URL_SAFE = "/:?#&=%+,;~@!$-._[]"
"""What may stand in a link's destination: neither parentheses, angle brackets, quotes, backslashes nor spaces."""


def line_url(server: str, repository: str, commit: str, path: str, line: int) -> str | None:
    """The address of a file's line on the server: `https://github.com/o/r/blob/abc/goldens/x.yaml#L12`.

    `server`, `repository` and `commit` come from the environment, `path` from a dataset: every byte of it that is not
    plain is percent-encoded. None where it could leave the repository (`..`, absolute) or is not text.
    """
    segments = path.replace("\\", "/").split("/")
    if path.startswith("/") or ".." in segments or not _HEX.fullmatch(commit):
        return None
    try:
        encoded = "/".join(quote(segment, safe="") for segment in segments if segment not in ("", "."))
    except UnicodeEncodeError:
        return None
    return (
        f"{server.rstrip('/')}/{quote(repository, safe='/')}/blob/{commit}/{encoded}#L{max(line, 1)}"
        if encoded
        else None
    )
