"""Regular expressions from golden files: refused early where they are wrong, bounded in time where they are slow."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import regex

from quilate.saying import say
from quilate.shown import Path, dotted

PATTERN_TIMEOUT_S = 1.0
"""For one search. `regex` counts processor time, so a busy machine does not turn a good pattern into an error."""
MAX_PATTERN = 2000


class MatcherError(ValueError):
    """An expectation that cannot be used.

    `path` leads to it inside what was compiled (`("calls", 0, "args", "price", "tol")`), `found` is what stands there,
    `mend` what to write instead.
    """

    def __init__(self, path: Path, found: str, mend: str) -> None:
        self.path = path
        self.found = found
        self.mend = mend
        super().__init__(f"{dotted(path)}: {found}; {mend}")

    def under(self, *prefix: str | int) -> MatcherError:
        """The same error seen from further up."""
        return MatcherError((*prefix, *self.path), self.found, self.mend)

    def moved(self, to: Path) -> MatcherError:
        """The same error where its path begins with `to` instead of as many steps of its own."""
        return MatcherError((*to, *self.path[len(to) :]), self.found, self.mend)


class PatternTimeoutError(Exception):
    """A pattern took longer than `PATTERN_TIMEOUT_S` on this reply: it says nothing about the agent."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.said = say(
            "the pattern /{pattern}/ took longer than {seconds} s; write it simpler",
            pattern=" ".join(pattern.split()), seconds=PATTERN_TIMEOUT_S,
        )  # fmt: skip
        super().__init__(self.said)


class Pattern:
    """A compiled pattern whose every use is bounded in time."""

    def __init__(self, source: str, path: Path = (), *, ignore_case: bool = False) -> None:
        """Raises `MatcherError` with `path` where `source` is no regular expression (syntax of the `regex` module)."""
        self.source = source
        if len(source) > MAX_PATTERN:
            raise MatcherError(path, f"a pattern of {len(source)} characters", f"write at most {MAX_PATTERN}")
        flags = regex.VERSION0 | (regex.IGNORECASE if ignore_case else 0)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a set that may mean something else one day is no reason to stop
                self._compiled = regex.compile(source, flags)
        except (regex.error, RecursionError, OverflowError, MemoryError, ValueError) as problem:
            found = f"{source!r} is not a regular expression ({problem})"
            raise MatcherError(path, found, "write one, with literal . ? * + ( ) [ ] after a backslash") from None

    def matches_all(self, text: str) -> bool:
        """Whether the whole of `text` matches; raises `PatternTimeoutError`."""
        try:
            return self._compiled.fullmatch(text, timeout=PATTERN_TIMEOUT_S) is not None
        except TimeoutError:
            raise PatternTimeoutError(self.source) from None

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the pattern is found, empty matches aside; raises `PatternTimeoutError`."""
        try:
            for match in self._compiled.finditer(text, timeout=PATTERN_TIMEOUT_S):
                if match.end() > match.start():
                    yield match.span()
        except TimeoutError:
            raise PatternTimeoutError(self.source) from None
