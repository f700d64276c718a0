"""Tool calls of two replies, lined up, with what differs in their arguments."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quilate.agents.agent import ToolCall
from quilate.report.html.calls import MAX_CALLS, MAX_NODES, Node, lined_up


def a_call(name: str = "get_order", **args: object) -> ToolCall:
    return ToolCall(name=name, args=args)


def leaves(nodes: tuple[Node, ...]) -> list[tuple[str, str, str | None, str | None]]:
    found = []
    for node in nodes:
        found += leaves(node.children) if node.children else [(node.key, node.state, node.before, node.now)]
    return found


def test_a_number_for_a_text_is_a_difference():
    call = lined_up([a_call(number="47821", full=True)], [a_call(number=47821, full=True)]).calls[0]
    assert call.state == "changed"
    assert leaves(call.args) == [("number", "changed", '"47821"', "47821"), ("full", "same", None, "true")]


def test_one_is_not_true():
    assert lined_up([a_call(n=1)], [a_call(n=True)]).calls[0].state == "changed"


def test_arguments_that_came_or_went_are_told():
    call = lined_up([a_call(old=1, both={"a": [1, 2]})], [a_call(new=2, both={"a": [1]})]).calls[0]
    assert leaves(call.args) == [
        ("new", "added", None, "2"),
        ("0", "same", None, "1"),
        ("1", "removed", "2", None),
        ("old", "removed", "1", None),
    ]


def test_calls_are_lined_up_by_name_in_their_order():
    found = lined_up(
        [a_call("search"), a_call("get"), a_call("send")], [a_call("search"), a_call("send"), a_call("pay")]
    )
    assert [(call.name, call.state) for call in found.calls] == [
        ("search", "same"), ("get", "removed"), ("send", "same"), ("pay", "added"),
    ]  # fmt: skip
    assert found.differ


def test_without_a_base_nothing_differs():
    assert not lined_up(None, [a_call(n=1)]).differ


def test_many_calls_and_deep_arguments_are_bounded():
    deep: object = 1
    for _ in range(50):
        deep = {"x": [deep]}
    found = lined_up([a_call(n=deep)] * 200, [a_call(n=deep, more=list(range(10_000)))] * 200)
    assert len(found.calls) == MAX_CALLS
    assert found.left_out == 2 * (200 - MAX_CALLS)

    def count(nodes: tuple[Node, ...]) -> int:
        return sum(1 + count(node.children) for node in nodes)

    assert sum(count(call.args) for call in found.calls) <= MAX_NODES + MAX_CALLS


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(json_values, json_values)
def test_a_call_differs_exactly_where_its_arguments_do(before, now):
    import json

    call = lined_up([ToolCall(name="f", args=before)], [ToolCall(name="f", args=now)]).calls[0]
    assert (call.state == "same") == (json.dumps(before) == json.dumps(now))
