"""Which inputs are nearly the same, found without comparing every pair."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil

ALIKE = 0.8
"""The share of words (of both together) that two inputs must have in common to be called nearly the same."""

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+")
_KEPT = {"ñ", "Ñ"}
"""In Spanish ñ is a letter: año without its tilde is another word."""


def without_accents(text: str) -> str:
    """`text` as people write it who leave accents out; ñ stays ñ."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        char
        if char in _KEPT
        else "".join(part for part in unicodedata.normalize("NFD", char) if unicodedata.combining(part) == 0)
        for char in composed
    )


def normal(text: str) -> tuple[str, ...]:
    """The words of an input with accents, case, punctuation and the value of numbers aside."""
    return tuple(_NUMBER.sub("0", word) for word in _WORD.findall(without_accents(text).casefold()))


def near_identical(inputs: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Pairs of positions (earlier, later) of inputs that are nearly the same; each later one at most once.

    Inputs are compared by the Jaccard similarity of their words (a repeated word counts as often as it stands there).
    Two sets that are `ALIKE` share one of their first `n - ceil(ALIKE * n) + 1` words when all words are ordered by
    rarity (prefix filtering; Chaudhuri, Ganti, Kaushik 2006), so that only inputs with a rare word in common are
    compared.
    """
    bags = [_numbered(words) for words in inputs]
    frequency = Counter(word for bag in bags for word in bag)
    same: dict[frozenset[tuple[str, int]], int] = {}
    seen: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for later, bag in enumerate(bags):
        if not bag:
            continue
        if bag in same:
            yield same[bag], later
            continue
        same[bag] = later
        rarest = sorted(bag, key=lambda word: (frequency[word], word))[: len(bag) - ceil(ALIKE * len(bag)) + 1]
        candidates = {earlier for word in rarest for earlier in seen[word]}
        found = next((earlier for earlier in sorted(candidates) if _alike(bags[earlier], bag)), None)
        if found is not None:
            yield found, later
        for word in rarest:
            seen[word].append(later)


def _numbered(words: tuple[str, ...]) -> frozenset[tuple[str, int]]:
    """Words as a set in which the second `no` is another member than the first."""
    count: Counter[str] = Counter()
    members = []
    for word in words:
        count[word] += 1
        members.append((word, count[word]))
    return frozenset(members)


def _alike(one: frozenset[tuple[str, int]], other: frozenset[tuple[str, int]]) -> bool:
    if min(len(one), len(other)) < ALIKE * max(len(one), len(other)):
        return False
    shared = len(one & other)
    return shared >= ALIKE * (len(one) + len(other) - shared)
