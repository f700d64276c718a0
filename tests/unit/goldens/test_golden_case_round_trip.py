"""A case written to a run file and read again is the same case, whatever it holds."""

from __future__ import annotations

import datetime as dt
import json

from hypothesis import given
from hypothesis import strategies as st

from quilate.goldens.case import GoldenCase

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
TEXTS = st.lists(TEXT, max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
ARGS = st.dictionaries(TEXT, JSON, max_size=3)
DATE = st.dates().map(dt.date.isoformat)
CALL = st.fixed_dictionaries(
    {"name": TEXT},
    optional={"args": ARGS, "extra_args": st.sampled_from(["allow", "forbid"]), "times": st.just({"min": 0})},
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool"]), "content": st.text(max_size=5)},
    optional={"name": TEXT},
)
CASES = st.fixed_dictionaries(
    {"id": TEXT, "category": TEXT, "input": TEXT | st.lists(MESSAGE, min_size=1, max_size=3), "expected_tool": TEXT},
    optional={
        "expected_tool_args": ARGS,
        "expected_tools": st.lists(CALL, max_size=3)
        | st.fixed_dictionaries({"calls": st.lists(CALL, max_size=2)}, optional={"order": st.just("exact")}),
        "forbidden_tools": TEXTS,
        "expected_behavior": TEXTS,
        "required_phrases": TEXTS,
        "expected_output": TEXT | st.fixed_dictionaries({"exact": TEXT}),
        "must_not_leak": TEXTS,
        "max_latency_ms": st.floats(min_value=0.001, max_value=1e300) | st.integers(1, 10**9),
        "max_metrics": st.dictionaries(
            TEXT, st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 99), max_size=2
        ),
        "signal": st.sampled_from(["currency", "date"]),
        "expects": st.sampled_from(["clarification", "direct_answer"]),
        "grounded": st.booleans(),
        "time_sensitive": st.fixed_dictionaries({}, optional={"reference": TEXT, "as_of": DATE}),
        "dimension": st.sampled_from(["register", "tools"]),
        "quarantine": st.fixed_dictionaries({"owner": TEXT, "reason": TEXT, "until": DATE}),
        "review_by": DATE,
        "tags": TEXTS,
    },
)


@given(CASES)
def test_a_case_survives_the_run_file(written):
    case = GoldenCase.model_validate_json(json.dumps(written))
    again = GoldenCase.model_validate_json(case.model_dump_json(exclude_none=True))
    assert again == case
    assert again.ruler_fingerprint == case.ruler_fingerprint
    assert again.input_fingerprint == case.input_fingerprint
    assert again.model_dump_json() == case.model_dump_json()


@given(ARGS)
def test_a_null_that_is_expected_is_kept(args):
    case = GoldenCase(id="a", category="c", input="x", expected_tool="t", expected_tool_args={"n": None, "a": args})
    again = GoldenCase.model_validate_json(case.model_dump_json(exclude_none=True))
    assert again.expected_tool_args == {"n": None, "a": args}
