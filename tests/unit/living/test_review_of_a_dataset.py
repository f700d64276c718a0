"""What a quarterly review is told of a dataset."""

from __future__ import annotations

import datetime as dt

import pytest
from click.testing import CliRunner

from quilate.cli import main
from quilate.goldens.case import Dataset, GoldenCase, Location
from quilate.goldens.living import PastRun, kind_of, review, versions
from quilate.goldens.load import GoldenFile, Goldens
from quilate.grades import Grade

TODAY = dt.date(2026, 7, 1)
P, F, E = Grade.PASS, Grade.FAIL, Grade.ERROR


def case(name="a", **fields):
    given = {"id": name, "category": "general", "input": f"question {name}", "owner": "o", "source": "s"} | fields
    return GoldenCase.model_validate(given)


def goldens(*cases):
    locations = {one.id: Location(file="g.yaml", line=number) for number, one in enumerate(cases, 2)}
    return Goldens(Dataset(version="1", cases=cases, locations=locations), (GoldenFile("g.yaml", "1", len(cases), 1),))


def codes(cases, runs=()):
    return {finding.code: finding for finding in review(goldens(*cases), runs, TODAY)}


def runs(*grades, name="a"):
    return [PastRun("1", f"2026-06-{number:02d}T00:00:00", {name: grade}) for number, grade in enumerate(grades, 1)]


@pytest.mark.parametrize(("day", "due"), [("2026-07-01", True), ("2026-06-01", True), ("2026-07-02", False)])
def test_a_case_is_due_from_its_day_on(day, due):
    assert ("review-due" in codes([case(review_by=day)])) is due


def test_never_and_always_need_enough_baselines_and_leave_errors_aside():
    assert "never-failing" in codes([case()], runs(P, P, P, P, P))
    assert "never-failing" not in codes([case()], runs(P, P, P, P))
    assert "never-failing" not in codes([case()], runs(P, P, P, P, E))
    assert "never-failing" not in codes([case()], runs(P, P, P, P, F))
    assert "never-failing" not in codes([case(critical=True)], runs(P, P, P, P, P))
    assert "always-failing" in codes([case()], runs(F, F, F, F, F))
    assert "always-failing" not in codes([case()], runs(F, F, F, F, P))


def test_a_case_that_nobody_grades_is_told():
    blind = Grade.NOT_JUDGED
    assert "a" in codes([case()], runs(blind, blind, blind, blind, blind))["never-graded"].found
    assert "never-graded" not in codes([case()], runs(blind, blind, blind, blind))
    assert "never-graded" not in codes([case()], runs(blind, blind, blind, blind, blind, P))
    assert "never-graded" not in codes([case()], runs(E, E, E, E, E))


@pytest.mark.parametrize(
    ("category", "kind"),
    [("fuera-alcance", "out of scope"), ("Prompt_Injection", "prompt injection"), ("registro-lingüístico", "register"),
     ("consulta-pedido", "valid requests"), ("errores-de-usuario", "user errors"),
     ("casos-extremos", "edge cases of the business"), ("x", None)],
)  # fmt: skip
def test_kinds_are_known_by_their_names(category, kind):
    found = kind_of(category)
    assert (found.kind if found else None) == kind


@pytest.mark.parametrize(("size", "told"), [(2, True), (3, False), (5, False), (6, True)])
def test_a_category_outside_the_usual_range_is_told(size, told):
    cases = [case(f"c{number}", category="fuera-alcance") for number in range(size)]
    found = [one.found for one in review(goldens(*cases), (), TODAY) if one.code == "out-of-balance"]
    assert any("out of scope" in text for text in found) is told


def test_a_category_without_an_incident_in_the_quarter_is_told():
    assert "no-recent-incident" in codes([case(tags=("incident",), added="2026-01-01")])
    assert "no-recent-incident" not in codes([case(tags=("incident",), added="2026-05-01")])
    assert "no-recent-incident" not in codes([case(source="https://example.com/o/r/issues/1", added="2026-05-01")])
    assert "no-recent-incident" in codes([case(added="2026-05-01")])


def test_two_inputs_of_one_intent_are_told_and_others_are_not():
    same = [case("a", input="¿Dónde está mi pedido 123?"), case("b", input="donde esta mi pedido 456")]
    assert codes(same)["same-intent"].case_id == "b"
    other = [case("a", input="¿Dónde está mi pedido?"), case("b", input="Quiero un reembolso ahora")]
    assert "same-intent" not in codes(other)


def test_cases_of_nobody_are_told_once():
    found = codes([case("a", owner=None), case("b", owner=None), case("c")])
    assert "2 cases of 3 without owner: a, b" in found["no-owner"].found
    assert "no-source" not in found


def test_versions_have_the_rate_of_their_newest_run():
    past = [
        PastRun("1", "2026-05-01", {"a": P, "b": F}),
        PastRun("1", "2026-05-02", {"a": P, "b": P, "c": E}),
        PastRun("2", "2026-06-01", {"a": F}),
    ]
    first, second = versions(past)
    assert (first.version, first.runs, first.approved, first.graded) == ("1", 2, 2, 2)
    assert (second.approved, second.graded) == (0, 1)
    assert str(second) == "2: 0 of 1 (0.0 %) on 2026-06-01, 1 runs"


def test_the_command_reviews_and_shows_versions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "quilate.yml").write_text("suite: s\ngoldens: [g.yaml]\nagent: {replay: r.jsonl}\n")
    (tmp_path / "g.yaml").write_text(
        "version: '7'\ncases:\n  - {id: a, category: x, input: q, required_phrases: [yes], review_by: 2020-01-01}\n"
    )
    (tmp_path / "r.jsonl").write_text('{"case_id": "a", "output": "yes"}\n')
    run = CliRunner()
    assert run.invoke(main, ["run"]).exit_code in (0, 3)
    saved = run.invoke(main, ["baseline", "save", ".quilate/run.jsonl", "--commit", "a" * 40])
    assert saved.exit_code == 0, saved.output
    result = run.invoke(main, ["check", "--review"])
    assert result.exit_code == 0, result.output
    assert "[review-due]" in result.output
    assert "version 7: 1 of 1 (100.0 %)" in result.output


def test_a_folder_of_baselines_that_is_not_there_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["check", "--review", "--baselines", "nowhere"])
    assert result.exit_code == 2
    assert "--baselines nowhere: there is no such folder" in result.output
