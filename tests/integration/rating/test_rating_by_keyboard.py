"""Rating with the keyboard alone, in a real browser: closed half way, gone on with, and safe with hostile replies."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.integration.rating.conftest import Rates, run_of

from quilate.judge.labels import Label, LabelsGrader, read_labels
from quilate.rating.server import HEADERS
from quilate.runs.reader import RunReader


def rated(page: Page, count: int, of: int) -> None:
    expect(page.locator("#status")).to_contain_text(f"{count} of {of} rated")


def rate_by_keys(page: Page, first: int, last: int, of: int) -> None:
    """Gives every task from `first` on a grade by its number: fail each third one, else pass."""
    for number in range(first, last):
        rated(page, number, of)
        page.keyboard.press("f" if number % 3 == 0 else "p")
        page.keyboard.press("Enter")
    expect(page.locator("#progress")).to_have_js_property("value", last)


def test_twenty_replies_are_rated_by_keyboard_with_a_break_in_the_middle(rates: Rates, page: Page) -> None:
    run = run_of(rates.folder / "run.jsonl", 20)
    first = rates("run.jsonl", "--rater", "ana")
    page.goto(first.url)
    rate_by_keys(page, 0, 11, 20)
    page.close()
    first.end()  # killed, not asked to stop
    assert len(first.lines()) == 11

    again = rates("run.jsonl", "--rater", "ana")
    assert again.said.startswith("11 of 20 rated by ana")
    tab = page.context.new_page()
    tab.goto(again.url)
    rate_by_keys(tab, 11, 20, 20)
    expect(tab.locator("#end")).to_contain_text("Everything is rated")
    tab.keyboard.press("q")
    expect(tab.locator("#end")).to_contain_text("Stopped")
    assert again.process.wait(timeout=20) == 0

    labels = read_labels(again.labels)
    assert len({label.case_id for label in labels}) == len(labels) == 20
    assert Counter(label.grade for label in labels) == {"pass": 13, "fail": 7}
    assert {(label.rater, label.criterion) for label in labels} == {("ana", "expected_behavior[0]")}
    assert graded_by(labels, run) == {label.case_id: label.grade for label in labels}


def graded_by(labels: list[Label], run: Path) -> dict[str, str]:
    """What the same file comes to as the judge of the same run."""
    judge, found = LabelsGrader(labels), {}
    with RunReader(run) as reader, ThreadPoolExecutor(1) as thread:  # the browser's driver has this thread's loop
        for record in reader.cases():
            case = record.grade_line.definition
            [criterion] = thread.submit(asyncio.run, judge.grade(case, record.replies[0], 0)).result()
            found[case.id] = criterion.grade.value
    return found


def test_a_pair_is_rated_by_keyboard_on_the_guides_scales(rates: Rates, page: Page) -> None:
    run_of(rates.folder / "base.jsonl", 1, text="La respuesta vieja {}.")
    run_of(rates.folder / "head.jsonl", 1, text="La respuesta nueva {}.")
    rating = rates("head.jsonl", "--base", "base.jsonl", "--rater", "ana")
    page.goto(rating.url)
    rated(page, 0, 1)
    shown = page.locator(".reply .text").all_inner_texts()
    assert {text.split(" ")[2] for text in shown} == {"vieja", "nueva"}
    whole = page.locator("main").inner_text().casefold()
    assert not any(word in whole for word in ("base", "head"))
    assert page.locator("legend").count() == 7
    for key in ("y", "3", "2", "n", "1", "3"):
        page.keyboard.press(key)
    page.keyboard.press("1")
    page.keyboard.type("La primera cumple más.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#end")).to_be_visible()
    [label] = rating.lines()
    first = "base" if "vieja" in shown[0] else "head"
    other = "head" if first == "base" else "base"
    assert (label["kind"], label["first"], label["preferred"]) == ("pair_label", first, first)
    assert label[first] == {"target_language": True, "fulfilment": 3, "factuality": 2}
    assert label[other] == {"target_language": False, "fulfilment": 1, "factuality": 3}
    assert label["justification"] == "La primera cumple más."


def test_what_is_missing_is_said_and_nothing_is_saved(rates: Rates, page: Page) -> None:
    run_of(rates.folder / "base.jsonl", 1, text="vieja {}")
    run_of(rates.folder / "head.jsonl", 1, text="nueva {}")
    rating = rates("head.jsonl", "--base", "base.jsonl")
    page.goto(rating.url)
    rated(page, 0, 1)
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_contain_text("Answer this first: Target language, response 1")
    for key in ("y", "3", "2", "y", "1", "3", "t"):
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#problem")).to_contain_text("Say in a sentence why")
    assert not rating.labels.exists()


def test_going_back_shows_what_was_said_and_the_last_word_counts(rates: Rates, page: Page) -> None:
    run_of(rates.folder / "run.jsonl", 2)
    rating = rates("run.jsonl", "--rater", "ana")
    page.goto(rating.url)
    rated(page, 0, 2)
    shown = page.locator("#status").inner_text()
    page.keyboard.press("s")  # later
    expect(page.locator("#status")).not_to_have_text(shown)
    rate_by_keys(page, 0, 1, 2)
    expect(page.locator("#status")).to_have_text(shown.replace("0 of", "1 of"))
    page.keyboard.press("b")
    expect(page.locator("input[value=fail]")).to_be_checked()
    page.keyboard.press("p")
    page.keyboard.press("Enter")
    assert [line["grade"] for line in rating.wait_for_lines(2, page)] == ["fail", "pass"]
    expect(page.locator("fieldset input:checked")).to_have_count(0)  # the other task has come
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    expect(page.locator("#end")).to_be_visible()
    assert rating.lines()[-1]["kind"] == "no_label"
    assert len(read_labels(rating.labels)) == 2


def test_native_keys_alone_are_enough_and_single_keys_can_be_turned_off(rates: Rates, page: Page) -> None:
    run_of(rates.folder / "run.jsonl", 1)
    rating = rates("run.jsonl", "--rater", "ana")
    page.goto(rating.url)
    rated(page, 0, 1)
    page.locator("#keys").focus()
    page.keyboard.press("Space")
    page.locator("input[value=pass]").focus()
    page.keyboard.press("f")
    assert page.locator("fieldset input:checked").count() == 0
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    for _ in range(3):  # note, then the button
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "save":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#end")).to_be_visible()
    assert [line["grade"] for line in rating.lines()] == ["fail"]


HOSTILE = (
    '<img src="https://example.com/x.png" onerror="document.title=1"><script>document.title="taken"</script>'
    '</p><form action="https://example.com/"><button>x</button></form>{{7*7}} ‮evil'
)


def test_hostile_replies_are_text_and_nothing_else(rates: Rates, page: Page) -> None:
    run_of(rates.folder / "run.jsonl", 1, text=HOSTILE.replace("{", "{{").replace("}", "}}"),
           expected_behavior=("<b onclick=alert(1)>saluda</b>",))  # fmt: skip
    rating = rates("run.jsonl")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.goto(rating.url)
    rated(page, 0, 1)
    assert page.locator(".reply .text").first.inner_text().startswith('<img src="https://example.com/x.png"')
    assert page.locator("main img, main script, main form form, main b").count() == 0
    assert page.title() == "1 of 1: rate replies"
    assert {url.split("/")[2] for url in asked if not url.startswith("data:")} == {rating.url.split("/")[2]}
    assert problems == []
    refused = page.evaluate("fetch('https://example.com/').then(() => 'sent', () => 'refused')")
    assert refused == "refused"


def test_every_control_has_a_name_and_the_page_says_what_happens(rates: Rates, page: Page) -> None:
    run_of(rates.folder / "base.jsonl", 1, text="vieja {}")
    run_of(rates.folder / "head.jsonl", 1, text="nueva {}")
    page.goto(rates("head.jsonl", "--base", "base.jsonl").url)
    rated(page, 0, 1)
    named = page.evaluate(
        """() => [...document.querySelectorAll('input, textarea, button')].every(
            (each) => (each.labels && each.labels.length > 0) || each.textContent.trim() !== '')"""
    )
    assert named
    assert page.evaluate("[...document.querySelectorAll('fieldset')].every((each) => each.querySelector('legend'))")
    assert page.get_by_role("status").count() == 1
    assert page.get_by_role("alert").count() == 1
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.evaluate("document.activeElement.type") == "radio"
    narrow = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert narrow is not None


def test_the_pages_policy_lets_nothing_out() -> None:
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert not any(word in policy for word in ("unsafe", "http:", "https:", "*"))


def test_labels_of_another_rater_stay_unseen(rates: Rates, page: Page) -> None:
    run_of(rates.folder / "run.jsonl", 1)
    first = rates("run.jsonl", "--rater", "ana")
    page.goto(first.url)
    rate_by_keys(page, 0, 1, 1)
    second = rates("run.jsonl", "--rater", "bo")
    assert second.said.startswith("0 of 1 rated by bo")
    page.goto(second.url)
    rated(page, 0, 1)
    assert page.locator("fieldset input:checked").count() == 0


def test_a_label_file_holds_lines_as_documented(rates: Rates, page: Page) -> None:
    run_of(rates.folder / "run.jsonl", 1)
    rating = rates("run.jsonl", "--rater", "ana")
    page.goto(rating.url)
    rate_by_keys(page, 0, 1, 1)
    [line] = [json.loads(text) for text in Path(rating.labels).read_text().splitlines()]
    assert list(line) == ["kind", "case_id", "reply_sha256", "criterion", "grade", "rater", "at"]
