"""`CodeChecks`: every criterion of a case that code can grade."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from quilate.agents.agent import Reply
from quilate.checks.latency import grade_latency
from quilate.checks.leaks import Wanted, compile_leaks
from quilate.checks.metrics import grade_metrics
from quilate.checks.output import grade_exact_output
from quilate.checks.patterns import MatcherError, PatternTimeoutError
from quilate.checks.phrases import compile_phrases, grade_forbidden, grade_required
from quilate.checks.tool_calls import compile_expected_tools, grade_expected_tool, grade_forbidden_tools
from quilate.goldens.case import ExactOutput, ExpectedTools, GoldenCase
from quilate.grades import CriterionGrade, ErrorKind, Grade
from quilate.saying import say
from quilate.shown import Path

DEFAULT_MAX_LATENCY_MS = 5000.0
MAX_COMPILED = 1000
"""Cases whose checks are kept ready: enough for the trials in flight, whatever the dataset's size."""

Check = Callable[[Reply], CriterionGrade | None]
NamedCheck = tuple[str, Check]
Compiler = Callable[[GoldenCase], Check | None]


def _expected_tool(case: GoldenCase) -> Check | None:
    name, args = case.expected_tool, case.expected_tool_args
    return None if name is None else lambda reply: grade_expected_tool(name, args, reply.tool_calls)


def _expected_tools(case: GoldenCase) -> Check | None:
    written = case.expected_tools
    if written is None:
        return None
    compiled = compile_expected_tools(ExpectedTools(calls=written) if isinstance(written, tuple) else written)
    return None if compiled is None else lambda reply: compiled.grade(reply.tool_calls)


def _forbidden_tools(case: GoldenCase) -> Check | None:
    globs = case.forbidden_tools
    return (lambda reply: grade_forbidden_tools(globs, reply.tool_calls)) if globs else None


def _forbidden_phrases(case: GoldenCase) -> Check | None:
    phrases = compile_phrases(case.forbidden_phrases)
    return (lambda reply: grade_forbidden(phrases, reply.output)) if phrases else None


def _required_phrases(case: GoldenCase) -> Check | None:
    phrases = compile_phrases(case.required_phrases)
    return (lambda reply: grade_required(phrases, reply.output)) if phrases else None


def _expected_output(case: GoldenCase) -> Check | None:
    expected = case.expected_output
    return (
        (lambda reply: grade_exact_output(expected.exact, reply.output)) if isinstance(expected, ExactOutput) else None
    )


def _must_not_leak(case: GoldenCase) -> Check | None:
    if not case.must_not_leak:
        return None
    compiled = compile_leaks(case.must_not_leak)
    messages, wanted = case.messages, _wanted(case)
    return lambda reply: compiled.grade(messages, reply, wanted)


def _wanted(case: GoldenCase) -> Wanted:
    exact = [case.expected_output.exact] if isinstance(case.expected_output, ExactOutput) else []
    expected = case.expected_tools
    calls = () if expected is None else expected if isinstance(expected, tuple) else expected.calls
    return Wanted((*case.required_phrases, *exact), (case.expected_tool_args, *(call.args for call in calls)))


COMPILERS: dict[str, Compiler] = {
    "expected_tool": _expected_tool,
    "expected_tools": _expected_tools,
    "forbidden_tools": _forbidden_tools,
    "forbidden_phrases": _forbidden_phrases,
    "required_phrases": _required_phrases,
    "expected_output": _expected_output,
    "must_not_leak": _must_not_leak,
}
"""By the field of the case, which is also the criterion's id; latency and metrics follow them."""


def graded_by_code(case: GoldenCase) -> bool:
    """Whether code alone can approve a reply to the case: it has a criterion here that is more than necessary.

    Raises `MatcherError` where an expectation cannot be used.
    """
    return any(compiler(case) is not None for compiler in COMPILERS.values())


def expectation_problems(case: GoldenCase) -> list[MatcherError]:
    """Everything in the case's expectations that cannot be used, with paths that begin at the case's field."""
    problems = []
    for field, compiler in COMPILERS.items():
        for where, part in _parts(case, field):
            try:
                compiler(part)
            except MatcherError as problem:
                problems.append(problem.under(field).moved(where))
    return problems


def _parts(case: GoldenCase, field: str) -> Iterator[tuple[Path, GoldenCase]]:
    """The case once for each thing in its field that can be wrong alone, with where that stands."""
    written = getattr(case, field)
    if isinstance(written, ExpectedTools):
        for index, call in enumerate(written.calls):
            for name, value in call.args.items():
                alone = written.model_copy(update={"calls": (call.model_copy(update={"args": {name: value}}),)})
                yield (field, "calls", index), case.model_copy(update={field: alone})
    elif isinstance(written, tuple):
        for index, one in enumerate(written):
            yield (field, index), case.model_copy(update={field: (one,)})


class CodeChecks:
    """The grader of tool calls, phrases, exact outputs, leaks, latency and metrics.

    Criterion ids are the fields' names; of `max_metrics` there is one a limit, `max_metrics.<name>`.
    """

    def __init__(self, *, max_latency_ms: float = DEFAULT_MAX_LATENCY_MS) -> None:
        """`max_latency_ms` is the limit of cases that state none."""
        self._max_latency_ms = max_latency_ms
        self._compiled: dict[tuple[str, str], tuple[NamedCheck, ...]] = {}

    async def grade(self, case: GoldenCase, reply: Reply, trial: int) -> Sequence[CriterionGrade]:
        """Every criterion of `case` that code grades. A pattern that takes too long is an error, not a failure."""
        criteria = [
            criterion for name, check in self._checks(case) if (criterion := _bounded(name, check, reply)) is not None
        ]
        limit = case.max_latency_ms if case.max_latency_ms is not None else self._max_latency_ms
        latency = grade_latency(reply.duration_ms, limit)
        if latency is not None:
            criteria.append(latency)
        criteria.extend(grade_metrics(case.max_metrics, reply))
        return criteria

    def _checks(self, case: GoldenCase) -> tuple[NamedCheck, ...]:
        key = (case.ruler_fingerprint, case.input_fingerprint)
        if key not in self._compiled:
            if len(self._compiled) >= MAX_COMPILED:
                self._compiled.clear()
            self._compiled[key] = tuple(_compile(case))
        return self._compiled[key]


def _compile(case: GoldenCase) -> list[NamedCheck]:
    checks: list[NamedCheck] = []
    for name, compiler in COMPILERS.items():
        try:
            check = compiler(case)
        except MatcherError as problem:
            check = _unusable(name, str(problem.under(name)))
        if check is not None:
            checks.append((name, check))
    return checks


def _unusable(name: str, problem: str) -> Check:
    return lambda _: _error(name, say("the expectation cannot be used: {problem}", problem=" ".join(problem.split())))


def _bounded(name: str, check: Check, reply: Reply) -> CriterionGrade | None:
    try:
        return check(reply)
    except PatternTimeoutError as slow:
        return _error(name, slow.said)


def _error(name: str, reason: str) -> CriterionGrade:
    return CriterionGrade.of(id=name, grade=Grade.ERROR, reason=reason, text=name, error=ErrorKind.INFRASTRUCTURE)
