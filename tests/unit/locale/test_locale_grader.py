"""What the grader says of a case: decided, left open, never silently green."""

import asyncio
import datetime as dt

import pytest

from quilate.agents.agent import Reply, ToolCall
from quilate.checks.locale.load import load_packs
from quilate.checks.locale_checks import LocaleChecks
from quilate.goldens.case import Dataset, Dimension, Expects, GoldenCase, Location, Signal, TimeSensitive
from quilate.grades import CriterionGrade, Grade
from quilate.grading import grade_trial

PACKS = load_packs()
ALONE = LocaleChecks(PACKS, judged=False, tested_on=dt.date(2026, 6, 22))
JUDGED = LocaleChecks(PACKS, judged=True, tested_on=dt.date(2026, 6, 22))


def a_case(**fields: object) -> GoldenCase:
    return GoldenCase.model_validate({"id": "c", "category": "x", "input": "Quanto custa?"} | fields)


def grades(checks: LocaleChecks, case: GoldenCase, output: str) -> dict[str, CriterionGrade]:
    return {one.id: one for one in asyncio.run(checks.grade(case, Reply(output=output), 0))}


IDIOM = a_case(signal=Signal.IDIOMS, locale="pt-BR", input='O que é "ficar de boa"?')
EXPLAINED = "Ficar de boa quer dizer ficar tranquilo, sem preocupações, e se usa entre amigos."


def test_an_idiom_without_a_judge_is_not_judged_and_shows_what_code_saw() -> None:
    found = grades(ALONE, IDIOM, EXPLAINED)["locale.idioms"]
    assert found.grade is Grade.NOT_JUDGED
    assert [one.quote for one in found.evidence] == ["Ficar de boa"]


def test_an_idiom_that_nobody_judged_does_not_pass_by_its_language() -> None:
    trial = asyncio.run(grade_trial(IDIOM, Reply(output=EXPLAINED), [ALONE]))
    assert trial.grade is Grade.NOT_JUDGED


def test_with_a_judge_the_open_criterion_is_the_judges_alone() -> None:
    assert "locale.idioms" not in grades(JUDGED, IDIOM, EXPLAINED)
    assert [one.criterion_id for one in JUDGED.left_open(IDIOM, Reply(output=EXPLAINED))] == ["locale.idioms"]


def test_what_code_decides_is_not_asked_of_the_judge() -> None:
    case = a_case(signal=Signal.CURRENCY, locale="pt-BR", expects=Expects.DIRECT_ANSWER)
    reply = Reply(output="Custa R$ 20,00.")
    assert JUDGED.left_open(case, reply) == []
    assert grades(JUDGED, case, reply.output)["locale.currency"].grade is Grade.PASS


def test_markers_common_to_a_continent_are_not_the_strongest() -> None:
    case = a_case(signal=Signal.SOCIAL_NORMS, locale="es-419")
    assert grades(ALONE, case, "Lleva un comprobante de domicilio.")["locale.social_norms"].grade is Grade.PARTIAL


def test_a_currency_of_no_country_is_not_judged_with_its_reason() -> None:
    found = grades(JUDGED, a_case(signal=Signal.CURRENCY, locale="es-419"), "Vale $ 20")["locale.currency"]
    assert found.grade is Grade.NOT_JUDGED
    assert "no currency of its own" in found.reason


@pytest.mark.parametrize("locale", [None, "pt-XX"])
def test_a_signal_without_a_usable_locale_is_not_judged(locale: str | None) -> None:
    case = a_case(signal=Signal.CURRENCY) if locale is None else a_case(signal=Signal.CURRENCY, locale=locale)
    assert grades(ALONE, case, "R$ 20")["locale.currency"].grade is Grade.NOT_JUDGED


def test_cases_that_nothing_could_see_are_problems_before_the_run() -> None:
    cases = (a_case(id="a", signal=Signal.DATE), a_case(id="b", locale="pt-RB"), a_case(id="c", locale="pt-BR"))
    where = {case.id: Location(file="g.yaml", line=n) for n, case in enumerate(cases, start=3)}
    found = ALONE.problems(Dataset(version="1", cases=cases, locations=where))
    assert [(one.line, one.key, one.case_id) for one in found] == [(3, "signal", "a"), (4, "locale", "b")]
    assert "did you mean pt-BR" in found[1].mend


REGISTER = a_case(locale="es-CL", dimension=Dimension.REGISTER, input="¿Tienen oferta de zapatos para mi pololo?")


def test_register_is_graded_where_the_case_tests_it() -> None:
    assert grades(ALONE, REGISTER, "Sí, tenemos zapatos para tu pololo.")["register"].grade is Grade.FAIL
    assert grades(ALONE, REGISTER, "Sí, tenemos zapatos para su pareja.")["register"].grade is Grade.PASS


def test_register_is_not_graded_elsewhere() -> None:
    assert "register" not in grades(ALONE, a_case(locale="es-CL"), "Ya po")


def test_the_dimension_is_part_of_the_ruler_where_it_decides() -> None:
    assert ALONE.fingerprint_for(REGISTER) != ALONE.fingerprint_for(a_case(locale="es-CL"))
    assert ALONE.fingerprint_for(a_case()) is None


def test_freshness_without_a_reference_is_not_judged_and_dates_the_test() -> None:
    case = a_case(time_sensitive=TimeSensitive(), signal=Signal.CURRENCY, locale="pt-BR")
    found = grades(JUDGED, case, "Custa R$ 6,20.")
    assert found["freshness"].grade is Grade.NOT_JUDGED
    assert found["freshness"].detail["tested_on"] == "2026-06-22"
    assert found["locale.currency"].grade is Grade.PASS


def test_freshness_with_a_reference_is_the_judges_with_both_dates() -> None:
    dated = TimeSensitive(reference="R$ 1.518", as_of=dt.date(2025, 1, 1))
    (rubric,) = JUDGED.left_open(a_case(time_sensitive=dated), Reply(output="R$ 1.412"))
    assert rubric.criterion_id == "freshness"
    assert "the reference is as of 2025-01-01" in rubric.context
    assert "the reply was tested on 2026-06-22" in rubric.context
    assert grades(ALONE, a_case(time_sensitive=dated), "R$ 1.412")["freshness"].grade is Grade.NOT_JUDGED


def test_a_reply_of_tool_calls_alone_has_no_language() -> None:
    case = a_case(language="es", expected_tool="consultarPedido")
    reply = Reply(output="", tool_calls=(ToolCall(name="consultarPedido"),))
    (found,) = asyncio.run(ALONE.grade(case, reply, 0))
    assert found.grade is Grade.NOT_JUDGED
    assert grades(ALONE, case, "")["language"].grade is Grade.FAIL


def test_a_case_of_none_of_this_has_no_such_criterion() -> None:
    assert grades(ALONE, a_case(), "anything") == {}
