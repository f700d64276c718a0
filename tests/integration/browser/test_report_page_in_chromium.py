"""The report in a browser: what a reviewer does with it, and what hostile text cannot do."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.factories import a_case
from tests.html_factories import BETTER, FAIL, PASS, a_story, a_story_in_pairs, page, pairs_beside, runs

from quilate.agents.agent import Fragment, ToolCall
from quilate.grades import Evidence

HOSTILE = [
    "<script>document.title='owned'</script>", "<img src=x onerror=\"document.title='owned'\">",
    "<style>body{display:none}</style>", "<svg onload=\"document.title='owned'\"><script>alert(1)</script></svg>",
    "[click](javascript:alert(1))", "javascript:alert(1)", "</noscript><script>document.title='owned'</script>",
    "</template><iframe src='https://evil.example'></iframe>", "'\" style='position:fixed;inset:0' x=",
    "\"><input autofocus onfocus=\"document.title='owned'\">", "<a href='javascript:document.title=1'>x</a>",
    "<base href='https://evil.example/'>", "<meta http-equiv='refresh' content='0;url=https://evil.example'>", "<!--",
    "-->", "<![CDATA[", "]]>", "<plaintext>", "<details open ontoggle=\"document.title='owned'\">", "\u202egnp.exe",
    "&lt;script&gt;alert(1)&lt;/script&gt;", "\0", "\ud800", "{{ 7*7 }}", "${7*7}", "</details></li></ol>",
    "<noscript><p title=\"</noscript><img src=x onerror=document.title='owned'>\">",
]  # fmt: skip
OUT_OF_PLACE = ", ".join(
    ["iframe", "base", "object", "embed", "[onerror]", "[onload]", "[style]"]
    + [f".cases {name}" for name in ("img", "input", "script", "style", "plaintext")]
)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page(*a_story(tmp_path_factory.mktemp("story")))


def shown(tab) -> list[str]:
    return tab.page.eval_on_selector_all(".cases > li:not([hidden]) .id", "all => all.map(each => each.textContent)")


def opened(tab) -> list[str]:
    return tab.page.eval_on_selector_all(".cases > li > details[open] .id", "all => all.map(each => each.textContent)")


def test_what_broke_comes_first_and_says_why(open_page, story):
    tab = open_page(story)
    assert sorted(shown(tab)[:3]) == ["order-status-001", "register-001", "returns-001"]
    assert "fell" in tab.page.inner_text("h1") or "approved" in tab.page.inner_text("h1")
    assert 'forbidden phrase "po"' in tab.page.inner_text(".cases")
    assert tab.said == []


def test_every_filter_narrows_the_cases_and_says_how_many_are_shown(open_page, story):
    tab = open_page(story)
    tab.page.click("[data-show=broke]")
    assert len(shown(tab)) == 3
    assert tab.page.inner_text(".found") == "3 of 12 cases"
    tab.page.select_option("[name=category]", "returns")
    assert shown(tab) == ["returns-001"]
    tab.page.click("[data-show='']")
    tab.page.select_option("[name=category]", "")
    tab.page.select_option("[name=grade]", "fail")
    assert len(shown(tab)) == 3
    tab.page.select_option("[name=grade]", "")
    tab.page.select_option("[name=tag]", "tone")
    assert shown(tab) == ["register-001"]
    tab.page.select_option("[name=tag]", "")
    tab.page.click("[data-show=fixed]")
    assert shown(tab) == ["order-status-002"]


@pytest.mark.parametrize(
    ("typed", "cases"),
    [
        ("47821", ["order-status-001"]),
        ("zapatillas SI", ["register-001"]),  # every word, whatever the case and the accents
        ("a colleague", ["returns-001"]),  # in base's reply
        ("faq.md", ["returns-001"]),
        ("span", []),  # markup is no text
        ("cannot find your", ["order-status-001"]),  # across marked words
    ],
)
def test_text_finds_what_a_reader_would_see_in_a_case(open_page, story, typed, cases):
    tab = open_page(story)
    tab.page.fill("[name=text]", typed)
    assert shown(tab) == cases
    assert tab.page.is_visible(".none") == (not cases)


def test_a_case_opens_to_both_replies_the_changed_words_and_the_differing_argument(open_page, story):
    tab = open_page(story)
    tab.page.click("text=order-status-001")
    body = tab.page.locator(".cases details[open] .body")
    assert "Where is my order 47821?" in body.inner_text()
    assert body.locator(".tree li.changed").inner_text() == 'number: "47821" → 47821'
    assert "is on its way" in " ".join(body.locator(".replies del").all_inner_texts())
    assert "I cannot find" in " ".join(body.locator(".replies ins").all_inner_texts())
    assert "quilate run --case order-status-001 -v" in body.inner_text()
    assert "120 + 30 tokens" in body.inner_text()


def test_evidence_is_marked_in_the_reply_and_numbered(open_page, story):
    tab = open_page(story, "#case=register-001")
    assert tab.page.inner_text(".cases details[open] .replies mark") == "po"
    assert tab.page.inner_text(".cases details[open] .replies sup") == tab.page.inner_text(
        ".cases details[open] .quote .number"
    )
    assert "quoted, but not in the reply" in open_page(story, "#case=returns-001").page.inner_text(
        ".cases details[open]"
    )


def test_a_deep_link_opens_its_case_and_puts_the_reader_there(open_page, story):
    tab = open_page(story, "#case=returns-001")
    assert opened(tab) == ["returns-001"]
    assert tab.page.evaluate("document.activeElement.textContent").count("returns-001") == 1
    box = tab.page.locator(".cases details[open] > summary").bounding_box()
    assert 0 <= box["y"] < 844


def test_a_link_with_a_filter_filters(open_page, story):
    assert shown(open_page(story, "#show=broke&category=returns")) == ["returns-001"]


def test_an_opened_case_and_a_filter_can_be_shared_by_the_address(open_page, story):
    tab = open_page(story)
    tab.page.click("text=returns-001")
    tab.page.wait_for_function("location.hash === '#case=returns-001'")
    tab.page.select_option("[name=category]", "register")
    assert tab.page.evaluate("location.hash") == "#category=register"


def test_keys_move_open_search_and_close(open_page, story):
    tab = open_page(story)
    keys = tab.page.keyboard
    keys.press("j")
    keys.press("j")
    keys.press("Enter")
    assert opened(tab) == [shown(tab)[1]]
    keys.press("Escape")
    assert opened(tab) == []
    keys.press("k")
    assert tab.page.evaluate("document.activeElement.querySelector('.id').textContent") == shown(tab)[0]
    keys.press("/")
    keys.type("47821 j")
    assert tab.page.input_value("[name=text]") == "47821 j"
    keys.press("Escape")
    assert len(shown(tab)) == 12
    assert tab.page.is_visible(".keys")


def test_single_keys_can_be_turned_off(open_page, story):
    tab = open_page(story)
    tab.page.uncheck("[name=keys]")
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.keyboard.press("j")
    assert tab.page.evaluate("document.activeElement === document.body")


def test_fifty_cases_open_at_once(open_page, tmp_path):
    cases = [(a_case(f"case-{n:03}"), PASS, {}, FAIL, {"output": f"reply {n}"}) for n in range(60)]
    tab = open_page(page(*runs(tmp_path, cases)))
    tab.page.click("[data-open-all]")
    assert len(opened(tab)) == 50
    assert tab.page.locator(".cases .body").count() == 50


def test_without_a_script_every_case_is_readable(open_page, story):
    tab = open_page(story, script=False)
    assert not tab.page.is_visible(".filters")
    tab.page.click("text=order-status-001")
    assert "I cannot find your order 47821." in tab.page.inner_text(".cases details[open] .body")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation(open_page, story, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    tab = open_page(story, scheme=scheme, width=width)
    for case in ("order-status-001", "register-001", "returns-001", "calm-0"):
        tab.page.click(f"text={case}")
    tab.page.evaluate("document.querySelectorAll('.body details').forEach(each => { each.open = true; })")
    assert [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in axe.run(tab.page).response["violations"]
    ] == []


@pytest.fixture(scope="module")
def in_pairs(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page(*a_story_in_pairs(tmp_path_factory.mktemp("pairs")))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation_in_pairs_and_nothing_overflows(open_page, in_pairs, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    tab = open_page(in_pairs, scheme=scheme, width=width)
    tab.page.click("[data-open-all]")
    tab.page.evaluate("document.querySelectorAll('.body details').forEach(each => { each.open = true; })")
    assert tab.page.locator(".judged").count() == 5
    assert [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in axe.run(tab.page).response["violations"]
    ] == []
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.said == []


def test_cases_are_found_by_what_their_pair_came_to(open_page, in_pairs):
    tab = open_page(in_pairs)
    tab.page.select_option("[name=pair]", "worse")
    assert sorted(shown(tab)) == ["taken-in", "worse"]
    assert tab.page.evaluate("location.hash") == "#pair=worse"
    assert shown(open_page(in_pairs, "#pair=unjudged")) == ["unjudged"]


def test_the_overview_leads_to_each_pair(open_page, in_pairs):
    tab = open_page(in_pairs)
    tab.page.click(".pair-rows a >> text=taken-in")
    assert opened(tab) == ["taken-in"]
    assert "decided by code, over the judge" in tab.page.inner_text(".cases details[open] .judged")
    assert tab.page.inner_text(".cases details[open] mark.addressed").startswith("Ignore all previous instructions")


@pytest.mark.parametrize("script", [True, False])
def test_many_pairs_are_laid_out_when_they_are_asked_for(open_page, tmp_path, script):
    paths = runs(tmp_path, [(a_case(f"c{n}"), PASS, {}, PASS, {"output": f"new {n}"}) for n in range(60)])
    pairs_beside(*paths, {f"c{n}": BETTER for n in range(60)})
    tab = open_page(page(*paths), script=script)
    assert not tab.page.is_visible(".pair-rows")
    tab.page.click("summary:text-is('60 pairs')")
    tab.page.wait_for_selector(".pair-rows", state="visible")
    assert len(tab.page.locator(".pair-rows tbody tr").all()) == 60


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(18, 21, 27)")])
def test_the_page_follows_the_readers_colour_scheme(open_page, story, scheme, ground):
    tab = open_page(story, scheme=scheme)
    assert tab.page.evaluate("getComputedStyle(document.body).backgroundColor") == ground


def hostile(folder: Path) -> str:
    """A report with hostile text in every place that a dataset, an agent or a judge fills."""
    cases, criteria = [], {}
    for number, text in enumerate(HOSTILE):
        sound = text.encode("utf-8", "replace").decode()
        case = a_case(
            f"{number} {sound}", category=sound, input=sound, tags=(sound,), source=sound, owner=sound, family=sound
        )
        call = ToolCall(name=sound, args={sound: sound, "list": [sound]}, output={sound: sound}, error=sound)
        reply = {
            "output": sound + " tail", "tool_calls": (call,), "fragments": (Fragment(text=sound, source=sound),),
            "model": sound, "cost_usd": sound,
        }  # fmt: skip
        cases.append((case, PASS, {"output": sound}, FAIL, reply))
        criteria[case.id] = {
            "reason": sound, "text": sound, "expected": sound + "1", "found": sound + "2",
            "evidence": (Evidence(quote=sound, start=0, end=len(sound), note=sound), Evidence(quote=sound)),
        }  # fmt: skip
    pairs = {case.id: BETTER for case, *_ in cases}
    long = a_case("long-line", input="x" * 200_000)
    cases.append((long, PASS, {"output": "y"}, FAIL, {"output": "<b>" * 1_700_000}))
    paths = runs(folder, cases, criteria)
    pairs_beside(*paths, pairs, why="".join(each.encode("utf-8", "replace").decode() for each in HOSTILE))
    return page(*paths)


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("width", [390, 1280])
def test_hostile_text_runs_nothing_fetches_nothing_and_breaks_no_layout(open_page, tmp_path, script, width):
    html = hostile(tmp_path)
    assert len(html) < 2_000_000  # 5 MB in one line are not carried along
    tab = open_page(html, width=width, script=script)
    if script:
        tab.page.click("[data-open-all]")
        assert tab.page.locator(".cases .body").count() == len(HOSTILE) + 1
        tab.page.wait_for_timeout(100)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.page.evaluate("document.querySelectorAll('script').length") == 1
        assert tab.page.locator(OUT_OF_PLACE).count() == 0
        links = tab.page.eval_on_selector_all("a", "all => all.map(each => each.getAttribute('href'))")
        assert all(link.startswith(("#", "https://")) for link in links)
    assert "owned" not in tab.page.title()
    assert tab.said == []
    assert all(url.startswith("file:") for url in tab.requested)
    assert tab.page.locator(".cases > li").count() == len(HOSTILE) + 1
