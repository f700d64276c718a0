"""Which inputs are nearly the same, found without comparing every pair."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
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

    Inputs are compared by the Jaccard similarity of their words; a repeated word counts as often as it stands there.
    """
    bags = [_numbered(words) for words in inputs]
    index = _Index(Counter(word for bag in bags for word in bag))
    same: dict[_Bag, int] = {}
    for later, bag in enumerate(bags):
        if not bag:
            continue
        if bag in same:
            yield same[bag], later
            continue
        same[bag] = later
        found = next((earlier for earlier in sorted(index.candidates(bag)) if _alike(bags[earlier], bag)), None)
        if found is not None:
            yield found, later
        index.add(bag, later)


_Member = tuple[str, int]
_Bag = frozenset[_Member]

_SHORT = 30
_LONG = 24
"""Bags of up to `_SHORT` words are indexed by pairs of words, those from `_LONG` on by words. The ranges overlap by the
factor `ALIKE`, so that two that are alike always meet in one of the two."""
_COMMON = 8
"""How many rare words two long bags must share to be compared."""


class _Index:
    """Finds the few bags that may be like another one, and misses none that is.

    With all words ordered by rarity, two bags of which at least `ALIKE` is shared have k words in common among the
    first `n - ceil(ALIKE * n) + k` of each (prefix filtering; Chaudhuri, Ganti, Kaushik 2006). For short bags k is 2,
    and looked up as pairs, which are much rarer than words; for long ones, which have too many pairs, k is counted.
    """

    def __init__(self, frequency: Counter[_Member]) -> None:
        self._frequency = frequency
        self._by_pair: defaultdict[tuple[_Member, ...], list[int]] = defaultdict(list)
        self._by_word: defaultdict[_Member, list[int]] = defaultdict(list)

    def candidates(self, bag: _Bag) -> set[int]:
        found = {position for pair in self._pairs(bag) for position in self._by_pair.get(pair, ())}
        shared = Counter(chain.from_iterable(self._by_word.get(word, ()) for word in self._words(bag)))
        return found | {position for position, count in shared.items() if count >= _COMMON}

    def add(self, bag: _Bag, position: int) -> None:
        for pair in self._pairs(bag):
            self._by_pair[pair].append(position)
        for word in self._words(bag):
            self._by_word[word].append(position)

    def _pairs(self, bag: _Bag) -> Iterable[tuple[_Member, ...]]:
        return combinations(self._rarest(bag, 2), 2) if len(bag) <= _SHORT else ()

    def _words(self, bag: _Bag) -> Iterable[_Member]:
        return self._rarest(bag, _COMMON) if len(bag) >= _LONG else ()

    def _rarest(self, bag: _Bag, common: int) -> list[_Member]:
        spare = len(bag) - ceil(ALIKE * len(bag))
        return sorted(bag, key=lambda word: (self._frequency[word], word))[: spare + common]


def _numbered(words: tuple[str, ...]) -> _Bag:
    """Words as a set in which the second `no` is another member than the first."""
    count: Counter[str] = Counter()
    members = []
    for word in words:
        count[word] += 1
        members.append((word, count[word]))
    return frozenset(members)


def _alike(one: _Bag, other: _Bag) -> bool:
    if min(len(one), len(other)) < ALIKE * max(len(one), len(other)):
        return False
    shared = len(one & other)
    return shared >= ALIKE * (len(one) + len(other) - shared)
