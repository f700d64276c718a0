"""The rating page in Spanish and Portuguese, in a real browser, by keys that fit the words."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.integration.rating.conftest import Rates, run_of

WORDS = {
    "es": (
        "Calificar respuestas",
        "0 de 1 calificadas",
        "Respuesta 1",
        "Satisfacción, respuesta 1",
        "Diga en una frase",
    ),
    "pt-BR": ("Avaliar respostas", "0 de 1 avaliadas", "Resposta 1", "Satisfação, resposta 1", "Diga em uma frase"),
}


@pytest.mark.parametrize("language", ["es", "pt-BR"])
def test_a_pair_is_rated_by_the_keys_of_the_language(rates: Rates, page: Page, language: str) -> None:
    title, status, response, fulfilment, why = WORDS[language]
    run_of(rates.folder / "base.jsonl", 1, text="vieja {}")
    run_of(rates.folder / "head.jsonl", 1, text="nueva {}")
    rating = rates("head.jsonl", "--base", "base.jsonl", "--rater", "ana", "--language", language)
    page.goto(rating.url)
    expect(page.locator("#status")).to_contain_text(status)
    assert page.evaluate("document.documentElement.lang") == language
    assert page.locator("h1").inner_text() == title
    assert page.locator(".reply h2").first.inner_text() == response
    assert fulfilment in page.locator("legend").all_inner_texts()
    for key in ("s", "3", "2", "n", "1", "3", "n"):  # sí, …, no, …, ninguna
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#problem")).to_contain_text(why)
    page.keyboard.type("Iguales.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#end")).to_be_visible()
    [label] = rating.lines()
    assert label["preferred"] == "tie"
    assert [label[side]["target_language"] for side in ("base", "head")].count(True) == 1
    page.keyboard.press("t")
    assert rating.process.wait(timeout=20) == 0


def test_the_configuration_names_the_language_and_grades_have_their_own_keys(rates: Rates, page: Page) -> None:
    config = "suite: orders\ngoldens: [goldens.yaml]\nagent: {replay: replies.jsonl}\nreport_language: es\n"
    (rates.folder / "quilate.yml").write_text(config)
    run_of(rates.folder / "run.jsonl", 2)
    rating = rates("run.jsonl", "--rater", "ana")
    page.goto(rating.url)
    expect(page.locator("#status")).to_contain_text("0 de 2 calificadas")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("1 de 2 calificadas")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.locator("#end")).to_contain_text("Todo está calificado. Presione t para terminar")
    assert [line["kind"] for line in rating.lines()] == ["label", "no_label"]
    assert rating.lines()[0]["grade"] == "pass"


@pytest.mark.parametrize("language", ["en", "es", "pt-BR"])
def test_axe_finds_no_violation(rates: Rates, page: Page, language: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    run_of(rates.folder / "base.jsonl", 1, text="vieja {}")
    run_of(rates.folder / "head.jsonl", 1, text="nueva {}")
    page.goto(rates("head.jsonl", "--base", "base.jsonl", "--language", language).url)
    expect(page.locator("fieldset").first).to_be_visible()
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in axe.run(page).response["violations"]] == []
