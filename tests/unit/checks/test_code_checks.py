"""The grader of everything code can see."""

import asyncio

import pytest

from quilate.agents.agent import Fault, FaultKind, Reply, ToolCall, Usage
from quilate.checks.code import CodeChecks, expectation_problems, graded_by_code
from quilate.goldens.case import GoldenCase
from quilate.grades import ErrorKind, Grade
from quilate.grading import grade_trial
from quilate.shown import dotted


def case(**fields):
    return GoldenCase.model_validate({"id": "c", "category": "k", "input": "Hola", **fields}, strict=False)


def criteria(definition, reply, **options):
    return {c.id: c for c in asyncio.run(CodeChecks(**options).grade(definition, reply, 0))}


def grade(definition, reply):
    return asyncio.run(grade_trial(definition, reply, [CodeChecks()])).grade


CALL = ToolCall(name="consultarPedido", args={"numero": "47821"})
SEED = {
    "expected_tool": "consultarPedido", "expected_tool_args": {"numero": "47821"},
    "forbidden_phrases": ["disculpa el inconveniente", "lamentablemente"],
}  # fmt: skip


def test_a_right_call_and_a_clean_text_pass():
    assert grade(case(**SEED), Reply(output="En reparto.", tool_calls=(CALL,), duration_ms=900)) is Grade.PASS


@pytest.mark.parametrize(
    "reply",
    [
        Reply(output="Lamentablemente no.", tool_calls=(CALL,)),
        Reply(output="En reparto.", tool_calls=(ToolCall(name="consultarPedido", args={"numero": 47821}),)),
        Reply(output="En reparto."),
        Reply(output="En reparto.", tool_calls=(CALL,), duration_ms=5000),
        Reply(fault=Fault(kind=FaultKind.AGENT, message="exit 1")),
        Reply(output="En reparto.", tool_calls=(CALL,), fault=Fault(kind=FaultKind.AGENT, message="timeout")),
    ],
)
def test_one_thing_wrong_fails_the_case(reply):
    assert grade(case(**SEED), reply) is Grade.FAIL


@pytest.mark.parametrize(
    "expectations",
    [
        {},
        {"forbidden_phrases": ["po"]},
        {"forbidden_tools": ["*"]},
        {"expected_behavior": ["x"]},
        {"max_latency_ms": 9e9},
    ],
)
def test_a_crash_never_passes_whatever_the_case_expects(expectations):
    assert grade(case(**expectations), Reply(fault=Fault(kind=FaultKind.AGENT, message="boom"))) is Grade.FAIL


@pytest.mark.parametrize(
    "expectations", [{}, {"max_metrics": {"steps": 3}}, {"expected_tools": []}, {"expected_behavior": ["x"]}]
)
def test_nothing_but_necessary_criteria_leaves_a_case_not_judged(expectations):
    assert grade(case(**expectations), Reply(output="x", duration_ms=1, metrics={"steps": 1})) is Grade.NOT_JUDGED
    assert not graded_by_code(case(**expectations))


@pytest.mark.parametrize(
    ("duration_ms", "expected"),
    [(0.0, Grade.PASS), (4999.999, Grade.PASS), (5000.0, Grade.FAIL), (5000.1, Grade.FAIL), (float("nan"), Grade.FAIL)],
)
def test_latency_is_strictly_below_the_limit(duration_ms, expected):
    latency = criteria(case(), Reply(duration_ms=duration_ms))["max_latency_ms"]
    assert (latency.grade, latency.necessary) == (expected, True)


def test_a_case_may_state_its_own_limit():
    assert criteria(case(max_latency_ms=100), Reply(duration_ms=101.0))["max_latency_ms"].grade is Grade.FAIL
    assert criteria(case(), Reply(duration_ms=101.0), max_latency_ms=100)["max_latency_ms"].grade is Grade.FAIL


def test_latency_is_not_applied_where_no_time_was_recorded():
    assert criteria(case(), Reply()) == {}
    assert criteria(case(max_latency_ms=100), Reply()) == {}


@pytest.mark.parametrize(
    ("reply", "expected", "reason"),
    [
        (Reply(metrics={"steps": 3}), Grade.PASS, "steps is 3"),
        (Reply(metrics={"steps": 3.5}), Grade.FAIL, "steps is 3.5, expected at most 3"),
        (Reply(metrics={"step": 1}), Grade.FAIL, "steps was not reported (reported: step), expected at most 3"),
        (Reply(), Grade.FAIL, "steps was not reported (reported: none at all), expected at most 3"),
        (Reply(metrics={"steps": float("nan")}), Grade.FAIL, "steps is nan, expected at most 3"),
    ],
)
def test_a_metric_is_at_most_its_limit_and_must_be_reported(reply, expected, reason):
    graded = criteria(case(max_metrics={"steps": 3}), reply)["max_metrics.steps"]
    assert (graded.grade, graded.reason, graded.necessary) == (expected, reason, True)


def test_tokens_and_cost_are_metrics_too():
    graded = criteria(
        case(max_metrics={"output_tokens": 10, "cost_usd": 0.5}), Reply(usage=Usage(output_tokens=11), cost_usd="0.4")
    )
    assert graded["max_metrics.output_tokens"].grade is Grade.FAIL
    assert graded["max_metrics.cost_usd"].grade is Grade.PASS


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Sí,\n\n claro. ", Grade.PASS),
        ("Sí, claro.", Grade.PASS),
        ("sí, claro.", Grade.FAIL),
        ("Sí, claro", Grade.FAIL),
        ("", Grade.FAIL),
    ],
)
def test_an_exact_output_is_equal_but_for_white_space(output, expected):
    graded = criteria(case(expected_output={"exact": "Sí, claro."}), Reply(output=output))
    assert graded["expected_output"].grade is expected


def test_an_exact_output_says_where_it_differs():
    graded = criteria(case(expected_output={"exact": "Sí, claro."}), Reply(output="Sí, cómo no."))["expected_output"]
    assert graded.reason == 'from character 6 on expected "laro.", found "ómo no."'


def test_a_reference_answer_waits_for_the_judge():
    assert criteria(case(expected_output="Sí, claro."), Reply(output="x")) == {}


def test_expected_tools_may_be_a_plain_list():
    definition = case(expected_tools=[{"name": "consultarPedido", "args": {"numero": {"regex": r"\d{5}"}}}])
    assert grade(definition, Reply(tool_calls=(CALL,))) is Grade.PASS
    assert (
        grade(definition, Reply(tool_calls=(ToolCall(name="consultarPedido", args={"numero": "4782"}),))) is Grade.FAIL
    )


def test_a_pattern_that_takes_too_long_is_no_fault_of_the_agent():
    graded = criteria(case(forbidden_phrases=["/(a+)+$/"]), Reply(output="a" * 40_000 + "b"))["forbidden_phrases"]
    assert (graded.grade, graded.error) == (Grade.ERROR, ErrorKind.INFRASTRUCTURE)
    assert "/(a+)+$/" in graded.reason


def test_expectations_that_cannot_be_used_are_all_named():
    definition = case(
        forbidden_phrases=["po", "/(/"], required_phrases=["\u200b"], must_not_leak=["x"],
        expected_tools=[{"name": "a", "args": {"n": {"regex": "["}}}],
    )  # fmt: skip
    assert [dotted(problem.path) for problem in expectation_problems(definition)] == [
        "expected_tools.calls[0].args.n.regex", "forbidden_phrases[1]", "required_phrases[0]", "must_not_leak[0]",
    ]  # fmt: skip
    assert {c.grade for c in criteria(definition, Reply(output="x")).values()} == {Grade.ERROR}


def test_each_phrase_canary_call_and_argument_that_cannot_be_used_is_named_and_not_only_the_first():
    definition = case(
        forbidden_phrases=["/(/", "po", " ", "/[/"], must_not_leak=["x", "secrets", "y"],
        expected_tools=[
            {"name": "a", "args": {"n": {"regex": "["}, "m": 1, "o": {"approx": True}}},
            {"name": "b", "args": {"p": {"unordered": 3}}},
        ],
    )  # fmt: skip
    assert [dotted(problem.path) for problem in expectation_problems(definition)] == [
        "expected_tools.calls[0].args.n.regex", "expected_tools.calls[0].args.o.approx",
        "expected_tools.calls[1].args.p.unordered", "forbidden_phrases[0]", "forbidden_phrases[2]",
        "forbidden_phrases[3]", "must_not_leak[0]", "must_not_leak[2]",
    ]  # fmt: skip


def test_every_reason_is_one_line():
    definition = case(
        **SEED,
        required_phrases=["a\nb"],
        forbidden_tools=["x*"],
        expected_output={"exact": "q\nr"},
        must_not_leak=["personal_data"],
    )
    reply = Reply(
        output="disculpa el\ninconveniente 11.111.111-1", duration_ms=6000.0,
        tool_calls=(ToolCall(name="x\ny", args={"k\n": "v\nw"}),
        ToolCall(name="consultarPedido", args={"numero": "1\n2"})),
    )  # fmt: skip
    failed = [c for c in criteria(definition, reply).values() if c.grade is Grade.FAIL]
    assert len(failed) == 7
    assert all("\n" not in c.reason for c in failed)


def test_one_grader_serves_many_cases():
    checks = CodeChecks()
    for number in range(2100):
        definition = case(id=f"c{number}", forbidden_phrases=[f"palabra {number}"])
        graded = asyncio.run(checks.grade(definition, Reply(output=f"palabra {number}"), 0))
        assert graded[0].grade is Grade.FAIL
