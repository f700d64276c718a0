"""What the writer says a reader finds, against what a reader finds; and a line's JSON against its models'."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json
from tests.factories import a_case, a_criterion, a_grade_line, a_reply_line

from quilate.agents.agent import Reply, ToolCall
from quilate.errors import QuilateError
from quilate.grades import Grade, GradedBy, TrialGrade
from quilate.runs.lines import encoded

texts = st.text(st.characters(), max_size=12) | st.sampled_from(["\ud800", "[{" * 90, '"\\', "\u2028\x7f\x00", "{say}"])
keys = texts.filter(lambda text: text.isprintable())  # pydantic dumps no key with half a character
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=12,
)
criteria = st.lists(
    st.builds(
        lambda grade, by, detail, said: a_criterion(grade, graded_by=by).model_copy(
            update={"detail": detail, "said": said}
        ),
        st.sampled_from(Grade), st.sampled_from(GradedBy), st.dictionaries(keys, values, max_size=2),
        st.dictionaries(keys, values, max_size=2),
    ),
    max_size=3,
).map(tuple)  # fmt: skip


def nested(levels):
    value = "in"
    for _ in range(levels):
        value = [value]
    return value


@given(st.lists(criteria, min_size=1, max_size=3), st.integers(0, 3), criteria)
def test_a_grade_line_is_found_as_it_was_said_and_holds_what_its_models_say(of_trials, shown, others):
    trials = tuple(TrialGrade(trial=at, grade=Grade.PASS, criteria=own) for at, own in enumerate(of_trials))
    line = a_grade_line(a_case(), Grade.PASS).model_copy(
        update={"trials": trials, "criteria": of_trials[shown] if shown < len(of_trials) else others}
    )
    data, found = encoded(line)
    assert found == from_json(data)
    plain = {"kind": "grade"} | line.model_dump(mode="json", exclude_defaults=True)
    for models, dumped in [
        (line.criteria, plain["criteria"]),
        *((trial.criteria, each["criteria"]) for trial, each in zip(trials, plain["trials"], strict=True)),
    ]:
        for model, each in zip(models, dumped, strict=True):
            each["graded_by"] = model.graded_by.value
    expected = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    assert data.decode() == expected.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass").translate(
        dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    ) + "\n"  # fmt: skip


@given(values, values)
def test_a_reply_line_is_found_as_it_was_said(args, output):
    call = ToolCall.model_construct(name="lookup", args=args, output=output)
    data, found = encoded(a_reply_line(a_case()).model_copy(update={"reply": Reply(tool_calls=(call,))}))
    assert found == from_json(data)


@pytest.mark.parametrize("levels", range(140, 203))
def test_what_is_written_is_never_too_deep_to_be_read(levels):
    criterion = a_criterion(Grade.PASS).model_copy(update={"detail": {"deep": nested(levels)}})
    line = a_grade_line(a_case(), Grade.PASS).model_copy(
        update={
            "criteria": (criterion,),
            "trials": (TrialGrade(trial=0, grade=Grade.PASS, criteria=(criterion,)),),
        }
    )
    try:
        data, found = encoded(line)
    except QuilateError:
        return
    assert found == from_json(data)


def test_nesting_beyond_what_models_dump_is_refused_as_the_rest():
    criterion = a_criterion(Grade.PASS).model_copy(update={"detail": {"deep": nested(3000)}})
    line = a_grade_line(a_case(), Grade.PASS).model_copy(update={"criteria": (criterion,)})
    with pytest.raises(QuilateError, match="grade of case 'case-1'"):
        encoded(line)
