"""Which tools were called, and with what: `expected_tool`, `expected_tools`, `forbidden_tools`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pydantic import JsonValue

from quilate.agents.agent import ToolCall
from quilate.checks.calls import CallMatcher, ReadCall, calls_listed, calls_shown, read_call
from quilate.checks.criterion import graded
from quilate.checks.matchers import compile_args, exact_args
from quilate.checks.matching import Fields
from quilate.checks.pairing import maximum_matching
from quilate.checks.patterns import MatcherError
from quilate.goldens.case import ExpectedTools
from quilate.grades import CriterionGrade
from quilate.saying import listed, say


def grade_expected_tool(name: str, args: Mapping[str, JsonValue] | None, calls: Sequence[ToolCall]) -> CriterionGrade:
    """Some call has that name and exactly those arguments, whatever other calls were made.

    Values are literal: no matcher is read in `args`; None stands for any arguments.
    """
    read = [read_call(call) for call in calls]
    matcher = CallMatcher((name,), exact_args(args) if args is not None else Fields({}, extra=True))
    holds = any(call.name == name if args is None else matcher.matches(call) for call in read)
    expected = name if args is None else str(matcher)
    return graded(
        "expected_tool", holds, say("{call} was called", call=expected) if holds else matcher.why_not(read),
        text=say("calls {tools}", tools=name), expected=expected, found=calls_listed(read),
    )  # fmt: skip


def grade_forbidden_tools(globs: Sequence[str], calls: Sequence[ToolCall]) -> CriterionGrade:
    """No call's name matches any of `globs` (`*`, `?`, `[…]`; case counts)."""
    hits = [read_call(call) for call in calls if any(fnmatchcase(call.name, glob) for glob in globs)]
    names = ", ".join(globs)
    forbidden = say("a forbidden tool was called: {calls}", calls=calls_listed(hits))
    return graded(
        "forbidden_tools", not hits, forbidden if hits else say("no forbidden tool was called"),
        text=say("does not call {tools}", tools=names), expected=say("no call of {tools}", tools=names),
        found=calls_listed([read_call(call) for call in calls]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Expectation:
    """One expected call, `least` times and never more than `most`; None where further ones are extra calls."""

    matcher: CallMatcher
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class ExpectedCalls:
    """Compiled `expected_tools`."""

    expectations: tuple[_Expectation, ...]
    ordered: bool
    only: bool
    """No call may be left over."""

    def __str__(self) -> str:
        if not self.expectations:
            return say("no tool call")
        calls = listed(_times(expectation) for expectation in self.expectations)
        if not self.ordered:
            return calls
        if self.only:
            return say("exactly, in this order: {calls}", calls=calls)
        return say("in this order: {calls}", calls=calls)

    @property
    def names(self) -> str:
        """The tools that are expected, by name."""
        names = dict.fromkeys(expectation.matcher.name for expectation in self.expectations)
        return listed(names) if names else say("no tool")

    def grade(self, calls: Sequence[ToolCall]) -> CriterionGrade:
        """Whether the calls are those expected. May raise `PatternTimeoutError`."""
        read = [read_call(call) for call in calls]
        matched = [
            [index for index, call in enumerate(read) if expectation.matcher.matches(call)]
            for expectation in self.expectations
        ]
        problem = self._missing(read, matched) or self._surplus(read, matched) or self._disorder(read, matched)
        return graded(
            "expected_tools", problem is None, problem or say("the expected tools were called"),
            text=say("calls {tools}", tools=self.names), expected=str(self), found=calls_listed(read),
        )  # fmt: skip

    def _missing(self, calls: Sequence[ReadCall], matched: list[list[int]]) -> str | None:
        """Each expectation needs calls of its own: as many as it is expected times."""
        enough = len(calls) + 1  # that many are missing anyway, however many more are expected
        slots = [i for i, expectation in enumerate(self.expectations) for _ in range(min(expectation.least, enough))]
        pairs = maximum_matching([matched[index] for index in slots])
        missing = next((index for slot, index in enumerate(slots) if slot not in pairs), None)
        if missing is None:
            return None
        matcher, least = self.expectations[missing].matcher, self.expectations[missing].least
        others = {right for slot, right in pairs.items() if slots[slot] != missing}
        free = [call for index, call in enumerate(calls) if index not in others and index not in matched[missing]]
        if not matched[missing]:
            return matcher.why_not(free)
        have = sum(slots[slot] == missing for slot in pairs)
        short = say("{call} was called {n} of {least} times", call=str(matcher), n=have, least=least)
        if not any(call.name in matcher.names for call in free):
            return short
        return listed([short, matcher.why_not(free)], by="; ")

    def _capacity(self, expectation: _Expectation, calls: int) -> int:
        if expectation.most is not None:
            return min(expectation.most, calls)
        return min(expectation.least, calls) if self.only else calls

    def _bound(self, calls: Sequence[ReadCall], matched: list[list[int]]) -> set[int]:
        """The calls that some expectation has to account for.

        All, where none may be left over; else those that only expectations with an upper limit match.
        """
        if self.only:
            return set(range(len(calls)))
        limited: set[int] = set()
        free: set[int] = set()
        for expectation, indices in zip(self.expectations, matched, strict=True):
            (limited if expectation.most is not None else free).update(indices)
        return limited - free

    def _surplus(self, calls: Sequence[ReadCall], matched: list[list[int]]) -> str | None:
        """Every bound call needs a place of its own.

        With `_missing` this suffices: where one pairing serves all the expectations' least, and another all bound
        calls, there is one that serves both (Mendelsohn and Dulmage, 1958).
        """
        bound = sorted(self._bound(calls, matched))
        places = [
            (index, copy)
            for index, expectation in enumerate(self.expectations)
            for copy in range(self._capacity(expectation, len(matched[index])))
        ]
        of_call: dict[int, list[int]] = {call: [] for call in bound}
        for place, (index, _) in enumerate(places):
            for call in matched[index]:
                if call in of_call:
                    of_call[call].append(place)
        pairs = maximum_matching([of_call[call] for call in bound])
        left = [calls[call] for position, call in enumerate(bound) if position not in pairs]
        if not left:
            return None
        over = next((e for e in self.expectations if e.most is not None and e.matcher.matches(left[0])), None)
        if over is not None:
            count = sum(1 for call in calls if over.matcher.matches(call))
            return say(
                "{call} was called {n} times, at most {most} expected",
                call=str(over.matcher), n=count, most=over.most or 0,
            )  # fmt: skip
        return say("calls beyond those expected; {calls}", calls=calls_shown(left))

    def _disorder(self, calls: Sequence[ReadCall], matched: list[list[int]]) -> str | None:
        """The same in order: each call goes to the expectation in turn, or moves on to a later one, or is skipped."""
        if not self.ordered:
            return None
        bound = self._bound(calls, matched)
        limits = [self._capacity(expectation, len(calls)) for expectation in self.expectations]
        least = [min(expectation.least, len(calls) + 1) for expectation in self.expectations]
        of_expectation = [set(indices) for indices in matched]
        states = self._advanced({(0, 0)})
        for call in range(len(calls)):
            following = set() if call in bound else set(states)
            for at, count in states:
                if at < len(limits) and count < limits[at] and call in of_expectation[at]:
                    unlimited = not self.only and self.expectations[at].most is None
                    following.add((at, min(count + 1, least[at]) if unlimited else count + 1))
            states = self._advanced(following)
        if (len(limits), 0) in states:
            return None
        return say("the calls are not in the expected order; {calls}", calls=calls_shown(calls))

    def _advanced(self, states: set[tuple[int, int]]) -> set[tuple[int, int]]:
        reached = set(states)
        waiting = list(states)
        while waiting:
            at, count = waiting.pop()
            if at < len(self.expectations) and count >= self.expectations[at].least and (at + 1, 0) not in reached:
                reached.add((at + 1, 0))
                waiting.append((at + 1, 0))
        return reached


def _times(expectation: _Expectation) -> str:
    least, most = expectation.least, expectation.most
    if (least, most) in ((1, None), (1, 1)):
        return str(expectation.matcher)
    call = str(expectation.matcher)
    if most is None or most == least:
        return say("{call} {n} times", call=call, n=least)
    return say("{call} {n} to {most} times", call=call, n=least, most=most)


def compile_expected_tools(expected: ExpectedTools) -> ExpectedCalls | None:
    """`expected_tools` ready to grade; None where it expects nothing: no call named, and further ones allowed.

    Raises `MatcherError` with a path that begins with `calls`.
    """
    only = expected.order == "exact" or expected.extra_calls == "forbid"
    if not expected.calls and not only:
        return None
    expectations = []
    for index, call in enumerate(expected.calls):
        try:
            args = compile_args(call.args, normalize=call.normalize or expected.normalize, extra_args=call.extra_args)
        except MatcherError as problem:
            raise problem.under("calls", index, "args") from None
        expectations.append(_Expectation(CallMatcher(call.names, args), call.times.min, call.times.max))
    return ExpectedCalls(tuple(expectations), ordered=expected.order != "any", only=only)
