"""Expected and forbidden tool calls."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quilate.agents.agent import ToolCall
from quilate.checks.patterns import MatcherError
from quilate.checks.tool_calls import compile_expected_tools, grade_expected_tool, grade_forbidden_tools
from quilate.goldens.case import ExpectedTools
from quilate.grades import Grade
from quilate.shown import dotted


def call(name, /, **args):
    return ToolCall(name=name, args=args)


def tools(*calls, **options):
    return ExpectedTools.model_validate({"calls": calls, **options}, strict=False)


def grade(expected, *calls):
    compiled = compile_expected_tools(expected)
    assert compiled is not None
    return compiled.grade(calls)


def passes(expected, *calls):
    return grade(expected, *calls).grade is Grade.PASS


RIGHT = call("consultarPedido", numero="47821")
WRONG_TYPE = call("consultarPedido", numero=47821)


@pytest.mark.parametrize(
    ("calls", "passed"),
    [
        ([RIGHT], True),
        ([WRONG_TYPE], False),
        ([WRONG_TYPE, RIGHT], True),
        ([RIGHT, call("agendarRetiro")], True),
        ([call("consultarPedido", numero="47821", extra=None)], False),
        ([call("consultarPedido")], False),
        ([call("ConsultarPedido", numero="47821")], False),
        ([ToolCall(name="consultarPedido", args='{"numero": "47821"}')], True),
        ([ToolCall(name="consultarPedido", args='{"numero": 47821}')], False),
        ([ToolCall(name="consultarPedido", args="{numero")], False),
        ([ToolCall(name="consultarPedido", args=["47821"])], False),
        ([ToolCall(name="consultarPedido")], False),
        ([], False),
    ],
)
def test_some_call_has_the_name_and_exactly_the_arguments(calls, passed):
    graded = grade_expected_tool("consultarPedido", {"numero": "47821"}, calls)
    assert graded.grade is (Grade.PASS if passed else Grade.FAIL)
    assert graded.id == "expected_tool"


def test_a_name_alone_is_enough_where_no_arguments_are_expected():
    assert (
        grade_expected_tool("consultarPedido", None, [ToolCall(name="consultarPedido", args="{bad")]).grade
        is Grade.PASS
    )
    assert grade_expected_tool("consultarPedido", {}, [RIGHT]).grade is Grade.FAIL
    assert grade_expected_tool("consultarPedido", {}, [call("consultarPedido")]).grade is Grade.PASS


@pytest.mark.parametrize(
    ("expected_args", "found_args", "passed"),
    [
        ({"a": 5, "b": [1.0, {"c": True}]}, {"b": [1, {"c": True}], "a": 5.0}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": {"any": True}}, {"a": 1}, False),
        ({"a": {"any": True}}, {"a": {"any": True}}, True),
        ({"a": [1, 2]}, {"a": [2, 1]}, False),
        ({"a": None}, {}, False),
        ({"a": None}, {"a": None}, True),
    ],
)
def test_exact_arguments_are_deeply_equal_by_value(expected_args, found_args, passed):
    graded = grade_expected_tool("t", expected_args, [ToolCall(name="t", args=found_args)])
    assert graded.grade is (Grade.PASS if passed else Grade.FAIL)


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        ([WRONG_TYPE], 'consultarPedido.numero: expected "47821" (text), found 47821 (number)'),
        ([], "consultarPedido was not called; no tool was called"),
        ([call("agendarRetiro", fecha="hoy")], 'consultarPedido was not called; called: agendarRetiro(fecha: "hoy")'),
        (
            [call("consultarPedido"), call("consultarPedido", numero="1", otro=2)],
            'consultarPedido.numero: expected "47821" (text), found nothing',
        ),
        (
            [ToolCall(name="consultarPedido", args="{numero")],
            'consultarPedido: expected arguments that are a JSON object, found "{numero" (text), cannot be read as one',
        ),
    ],
)
def test_the_reason_is_the_closest_calls_difference(calls, reason):
    assert grade_expected_tool("consultarPedido", {"numero": "47821"}, calls).reason == reason


@pytest.mark.parametrize(
    ("globs", "hit"),
    [
        (["consultarPedido"], True), (["cancelar*"], False), (["consultar*"], True), (["*"], True),
        (["CONSULTAR*"], False), (["consultarP?dido"], True), (["agendarRetiro"], True), (["[a-b]*"], True),
    ],
)  # fmt: skip
def test_forbidden_tools_are_globs_over_all_calls(globs, hit):
    graded = grade_forbidden_tools(globs, [RIGHT, call("agendarRetiro")])
    assert graded.grade is (Grade.FAIL if hit else Grade.PASS)


def test_a_forbidden_tool_after_the_right_one_is_named():
    graded = grade_forbidden_tools(["agendar*"], [RIGHT, call("agendarRetiro", dia="hoy")])
    assert graded.reason == 'a forbidden tool was called: agendarRetiro(dia: "hoy")'


A, B, C = ({"name": name} for name in "abc")


@pytest.mark.parametrize(
    ("options", "names", "passed"),
    [
        ({}, "ab", True), ({}, "ba", True), ({}, "xbxa", True), ({}, "a", False), ({}, "", False), ({}, "aab", True),
        ({"extra_calls": "forbid"}, "ba", True), ({"extra_calls": "forbid"}, "bax", False),
        ({"extra_calls": "forbid"}, "aab", False),
        ({"order": "in_order"}, "ab", True), ({"order": "in_order"}, "ba", False), ({"order": "in_order"}, "bab", True),
        ({"order": "in_order"}, "axbx", True), ({"order": "in_order", "extra_calls": "forbid"}, "axb", False),
        ({"order": "in_order", "extra_calls": "forbid"}, "ab", True),
        ({"order": "exact"}, "ab", True), ({"order": "exact"}, "ba", False), ({"order": "exact"}, "abx", False),
        ({"order": "exact"}, "aab", False),
    ],
)  # fmt: skip
def test_order_and_extra_calls(options, names, passed):
    assert passes(tools(A, B, **options), *[call(name) for name in names]) is passed


@pytest.mark.parametrize(
    ("times", "options", "names", "passed"),
    [
        ({"min": 2}, {}, "a", False), ({"min": 2}, {}, "aa", True), ({"min": 2}, {}, "aaa", True),
        ({"min": 1, "max": 2}, {}, "aaa", False), ({"min": 1, "max": 2}, {}, "aax", True),
        ({"min": 0}, {}, "", True), ({"min": 0, "max": 0}, {}, "a", False), ({"min": 0, "max": 0}, {}, "x", True),
        ({"min": 0, "max": 1}, {"extra_calls": "forbid"}, "", True),
        ({"min": 0, "max": 1}, {"extra_calls": "forbid"}, "a", True),
        ({"min": 0, "max": 1}, {"extra_calls": "forbid"}, "aa", False),
        ({"min": 1, "max": 3}, {"order": "exact"}, "aaa", True),
        ({"min": 1, "max": 3}, {"order": "exact"}, "aaaa", False),
        ({"min": 1_000_000_000}, {}, "aa", False), ({"min": 1_000_000_000}, {"order": "in_order"}, "aa", False),
        ({"min": 0, "max": 1_000_000_000}, {"order": "in_order"}, "aa", True),
    ],
)  # fmt: skip
def test_how_often_a_call_is_expected(times, options, names, passed):
    assert passes(tools({"name": "a", "times": times}, **options), *[call(name) for name in names]) is passed


def test_a_loose_expectation_leaves_the_only_call_to_the_strict_one():
    expected = tools({"name": "t", "args": {"x": {"any": True}}}, {"name": "t", "args": {"x": 1}}, extra_calls="forbid")
    assert passes(expected, call("t", x=1), call("t", x=2))
    assert passes(expected, call("t", x=2), call("t", x=1))
    assert not passes(expected, call("t", x=2), call("t", x=3))


def test_any_of_several_names_will_do():
    expected = tools({"any_of": ["buscar", "consultar"], "args": {"q": "zapato"}})
    assert passes(expected, call("consultar", q="zapato"))
    assert grade(expected, call("otro")).reason == "buscar or consultar was not called; called: otro()"


def test_no_call_at_all_can_be_expected():
    assert passes(tools(extra_calls="forbid"))
    assert not passes(tools(extra_calls="forbid"), call("a"))


def test_expecting_nothing_is_no_criterion():
    assert compile_expected_tools(tools()) is None


@pytest.mark.parametrize(
    ("expected", "calls", "reason"),
    [
        (tools({"name": "a", "args": {"n": "05"}}), [call("a", n=5)], 'a.n: expected "05" (text), found 5 (number)'),
        (tools(A, order="exact"), [call("a"), call("x", y=1)], "calls beyond those expected; called: x(y: 1)"),
        (tools(A, B, order="in_order"), [call("b"), call("a")],
         "the calls are not in the expected order; called: b(), a()"),
        (tools({"name": "a", "times": {"max": 1}}), [call("a"), call("a")],
         "a() was called 2 times, at most 1 expected"),
        (tools({"name": "a", "times": {"min": 2}}), [call("a")], "a() was called 1 of 2 times"),
        (
            tools({"name": "a", "args": {"n": 1}, "extra_args": "forbid"}), [call("a", n=1, m=2)],
            "a.m: expected nothing, found 2 (number)",
        ),
        (
            tools({"name": "a", "args": {"n": 1}}, {"name": "a", "args": {"n": 2}}), [call("a", n=1), call("a", n="2")],
            'a.n: expected 2 (number), found "2" (text)',
        ),
    ],
)  # fmt: skip
def test_the_reason_says_what_to_mend(expected, calls, reason):
    graded = grade(expected, *calls)
    assert (graded.grade, graded.reason) == (Grade.FAIL, reason)
    assert "\n" not in graded.reason


def test_a_wrong_matcher_is_refused_with_its_place():
    with pytest.raises(MatcherError) as refused:
        compile_expected_tools(tools(A, {"name": "a", "args": {"x": [{"regex": "("}]}}))
    assert dotted(refused.value.path) == "calls[1].args.x[0].regex"


# The rule itself, tried on every assignment: slow and plain.
def _by_trying(expectations, calls, *, order, forbid):
    only = forbid or order == "exact"
    accepts = [{i for i, c in enumerate(calls) if c in set(names)} for names, _, _ in expectations]
    limited = set().union(
        *[a for a, (_, _, most) in zip(accepts, expectations, strict=True) if most is not None], set()
    )
    free = set().union(*[a for a, (_, _, most) in zip(accepts, expectations, strict=True) if most is None], set())
    bound = set(range(len(calls))) if only else limited - free
    for choice in itertools.product([None, *range(len(expectations))], repeat=len(calls)):
        if any((e is None and i in bound) or (e is not None and i not in accepts[e]) for i, e in enumerate(choice)):
            continue
        counts = [choice.count(e) for e in range(len(expectations))]
        most_of = [most if most is not None else least if only else len(calls) for _, least, most in expectations]
        if any(not least <= n <= most for n, (_, least, _), most in zip(counts, expectations, most_of, strict=True)):
            continue
        taken = [e for e in choice if e is not None]
        if order == "any" or taken == sorted(taken):
            return True
    return False


expectation = st.tuples(
    st.sampled_from(["a", "b", "ab", "c"]), st.integers(0, 2), st.none() | st.integers(0, 2)
).filter(lambda e: e[2] is None or e[2] >= e[1])  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    st.lists(expectation, min_size=1, max_size=3),
    st.text("abx", max_size=5),
    st.sampled_from(["any", "in_order", "exact"]),
    st.booleans(),
)
def test_the_verdict_is_that_of_trying_every_assignment(expectations, names, order, forbid):
    expected = tools(
        *[
            {"any_of": list(letters), "times": {"min": least, **({} if most is None else {"max": most})}}
            for letters, least, most in expectations
        ],
        order=order,
        extra_calls="forbid" if forbid else "allow",
    )
    assert passes(expected, *[call(name) for name in names]) == _by_trying(
        expectations, names, order=order, forbid=forbid
    )
