"""The guide's metrics: counts, totals and names that add up, and no rate of nothing."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quilate.checks.rubric import AMBIGUITY, Failure, signal_id
from quilate.compare.behaviour import STRONG_SIGNALS, BehaviourMetrics, as_data, behaviour, rate_changes
from quilate.goldens.case import Expects, GoldenCase, Signal
from quilate.grades import CriterionGrade, Evidence, Grade, TrialGrade
from quilate.grading import summarise
from quilate.report.behaviour import ambiguity_changes, locale_signals
from quilate.runs.record import GradeLine

PASS, PARTIAL, FAIL, ERROR, NOT_JUDGED = Grade


def a_line(case: GoldenCase, *criteria: CriterionGrade) -> GradeLine:
    """A grade line with one trial a criterion."""
    trials = tuple(TrialGrade(trial=n, grade=one.grade, criteria=(one,)) for n, one in enumerate(criteria))
    grade, shown = summarise(trials)
    return GradeLine(
        case_id=case.id, category=case.category, grade=grade, criteria=shown, trials=trials, definition=case,
        input_fingerprint=case.input_fingerprint, ruler="0" * 32,
    )  # fmt: skip


def asked(case_id: str, expects: Expects, grade: Grade, **detail: str | bool) -> GradeLine:
    case = GoldenCase(id=case_id, category="x", input="?", expects=expects)
    return a_line(case, CriterionGrade(id=AMBIGUITY, grade=grade, reason="r", detail=detail))


def ambiguous(case_id: str, grade: Grade, failure: Failure | None = None) -> GradeLine:
    detail = {"failure": failure.value} if failure else {}
    return asked(case_id, Expects.CLARIFICATION, grade, **detail)


def shown(case_id: str, signal: Signal, grade: Grade = PASS, start: int | None = 0) -> GradeLine:
    case = GoldenCase(id=case_id, category="x", input="?", signal=signal, locale="pt-BR")
    evidence = (Evidence(quote="R$ 5", start=start, end=None if start is None else 4),)
    return a_line(case, CriterionGrade(id=signal_id(signal), grade=grade, reason="r", evidence=evidence))


def test_the_three_rates_with_their_cases() -> None:
    found = behaviour(
        [
            ambiguous("a", PASS),
            ambiguous("b", FAIL, Failure.GUESSED),
            ambiguous("c", FAIL, Failure.INVENTED),
            ambiguous("d", FAIL, Failure.REFUSED),
            ambiguous("e", FAIL, Failure.LISTED),
            ambiguous("f", PARTIAL),
            asked("g", Expects.DIRECT_ANSWER, PASS, asked=False),
            asked("h", Expects.DIRECT_ANSWER, FAIL, asked=True),
            asked("i", Expects.DIRECT_ANSWER, FAIL, asked=False),
        ]
    ).ambiguity
    assert found is not None
    assert (found.clarification.cases, found.clarification.total) == (("a",), 6)
    assert (found.wrong_guess.cases, found.wrong_guess.total) == (("b", "c"), 6)
    assert (found.false_clarification.cases, found.false_clarification.total) == (("h",), 3)
    assert found.partial == ("f",)
    assert found.clarification.rate == Fraction(100, 6)


def test_a_judges_failed_clear_case_counts_as_asked_by_how_it_failed() -> None:
    found = behaviour(
        [
            asked("a", Expects.DIRECT_ANSWER, FAIL, failure="asked"),
            asked("b", Expects.DIRECT_ANSWER, FAIL, failure="unanswered"),
            asked("c", Expects.DIRECT_ANSWER, PASS),
        ]
    ).ambiguity
    assert found is not None
    assert (found.false_clarification.cases, found.false_clarification.total) == (("a",), 3)


def test_no_ambiguous_cases_are_not_zero_percent() -> None:
    found = behaviour([asked("g", Expects.DIRECT_ANSWER, PASS)]).ambiguity
    assert found is not None
    assert found.clarification.rate is None
    assert found.clarification.interval is None
    assert found.clarification.words("no ambiguous cases") == "no ambiguous cases"
    assert as_data(BehaviourMetrics(found))["ambiguity"]["clarification_rate"]["words"] == "no ambiguous cases"


def test_a_run_without_such_cases_has_no_such_metrics() -> None:
    plain = GoldenCase(id="a", category="x", input="?", expected_tool="t")
    found = behaviour([a_line(plain, CriterionGrade(id="expected_tool", grade=PASS, reason="r"))])
    assert found == BehaviourMetrics()
    assert as_data(found) == {}


def test_cases_without_a_grade_are_named_and_in_no_total() -> None:
    found = behaviour([ambiguous("a", PASS), ambiguous("b", NOT_JUDGED), ambiguous("c", ERROR)]).ambiguity
    assert found is not None
    assert found.ungraded == ("b", "c")
    assert found.clarification.total == 1


def test_a_crash_is_no_clarification_and_no_guess() -> None:
    case = GoldenCase(id="a", category="x", input="?", expects=Expects.CLARIFICATION)
    crash = CriterionGrade(id="answered", grade=FAIL, reason="crashed", necessary=True, detail={"crash": True})
    found = behaviour([a_line(case, crash)]).ambiguity
    assert found is not None
    assert (found.clarification.count, found.clarification.total, found.wrong_guess.count) == (0, 1, 0)


def test_an_outage_is_in_no_total() -> None:
    case = GoldenCase(id="a", category="x", input="?", expects=Expects.CLARIFICATION)
    outage = CriterionGrade(id="answered", grade=ERROR, reason="503", necessary=True)
    found = behaviour([a_line(case, outage)]).ambiguity
    assert found is not None
    assert (found.clarification.total, found.ungraded) == (0, ("a",))


def test_trials_count_once_by_their_majority() -> None:
    case = GoldenCase(id="a", category="x", input="?", expects=Expects.CLARIFICATION)
    guess = CriterionGrade(id=AMBIGUITY, grade=FAIL, reason="r", detail={"failure": "guessed"})
    right = CriterionGrade(id=AMBIGUITY, grade=PASS, reason="r")
    found = behaviour([a_line(case, guess, right, guess)]).ambiguity
    assert found is not None
    assert (found.wrong_guess.cases, found.clarification.total) == (("a",), 1)


def test_the_interval_is_wilsons() -> None:
    found = behaviour([ambiguous(str(n), PASS) for n in range(10)] + [ambiguous("x", FAIL, Failure.LISTED)]).ambiguity
    assert found is not None
    interval = found.clarification.interval
    assert interval is not None
    assert (round(interval.low, 1), round(interval.high, 1)) == (62.3, 98.4)
    assert found.clarification.words("none") == "10 of 11 (90.9 %, 95 % interval 62.3 to 98.4)"


def test_deltas_are_in_points_and_absent_where_base_has_nothing() -> None:
    base = behaviour([ambiguous("a", PASS), ambiguous("b", PASS)])
    head = behaviour([ambiguous("a", PASS), ambiguous("b", FAIL, Failure.GUESSED)])
    changes = {one.name: one.points for one in rate_changes(base, head)}
    assert changes == {"clarification": Fraction(-50), "wrong_guess": Fraction(50), "false_clarification": None}
    assert [one.points for one in rate_changes(None, head)] == [None, None, None]
    first = ambiguity_changes(base, head)[0]
    assert (first.name, first.head.part, first.head.whole) == ("clarification", 1, 2)


def test_the_practical_condition_names_the_case_of_each_signal() -> None:
    lines = [shown(f"case-{signal.value}", signal) for signal in STRONG_SIGNALS]
    found = behaviour(lines).locale
    assert found is not None
    assert found.holds
    assert found.strong == {signal: f"case-{signal.value}" for signal in STRONG_SIGNALS}
    assert locale_signals(behaviour(lines))["currency"] == "case-currency"


@pytest.mark.parametrize("missing", STRONG_SIGNALS)
def test_a_signal_without_a_strong_pass_breaks_the_condition(missing: Signal) -> None:
    lines = [shown(signal.value, signal, PARTIAL if signal is missing else PASS) for signal in STRONG_SIGNALS]
    found = behaviour(lines).locale
    assert found is not None
    assert found.missing == (missing,)
    assert not found.holds


def test_a_pass_that_the_raw_output_does_not_show_is_not_strong() -> None:
    lines = [shown(signal.value, signal, start=None if signal is Signal.IDIOMS else 0) for signal in STRONG_SIGNALS]
    found = behaviour(lines).locale
    assert found is not None
    assert found.missing == (Signal.IDIOMS,)


def test_a_prompt_that_instructs_breaks_the_condition() -> None:
    lines = [shown(signal.value, signal) for signal in STRONG_SIGNALS]
    found = behaviour(lines, instructed=["date", "elsewhere"]).locale
    assert found is not None
    assert found.instructed == ("date",)
    assert not found.holds


GRADED = st.tuples(st.sampled_from(Expects), st.sampled_from(Grade), st.sampled_from([*Failure, None]), st.booleans())


@given(st.lists(GRADED, max_size=30))
def test_sums_and_denominators_add_up(rows: list[tuple[Expects, Grade, Failure | None, bool]]) -> None:
    lines = [
        asked(str(n), expects, grade, asked=did_ask, **({"failure": kind.value} if kind else {}))
        for n, (expects, grade, kind, did_ask) in enumerate(rows)
    ]
    found = behaviour(lines).ambiguity
    if found is None:
        assert rows == []
        return
    both = found.clarification.total + found.false_clarification.total
    assert both + len(found.ungraded) == len(rows)
    assert found.wrong_guess.total == found.clarification.total
    assert found.clarification.count + found.wrong_guess.count <= found.clarification.total
    assert sum(len(cases) for cases in found.failures.values()) + found.clarification.count <= found.clarification.total
